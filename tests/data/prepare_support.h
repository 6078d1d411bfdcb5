#pragma once
// Preparing and reading back, for the tests of prepareDataset.
#include <assay/data/loader.h>

#include "support.h"

namespace assay::data {

inline PrepareReport prepared(const config::DataSpec& spec, const PrepareOptions& options) {
    auto report = prepareDataset(spec, options);
    EXPECT_TRUE(report) << report.error().text();
    if (!report) return PrepareReport{};
    // Of every data set: tokens in = tokens out + what is listed as lost.
    int64_t lost = 0;
    for (const auto& [reason, tokens] : report->tokensLost.items()) lost += tokens.get<int64_t>();
    EXPECT_EQ(report->tokensIn, report->tokens + lost);
    return *report;
}

// The held-out rows in file order, one a batch.
inline std::vector<Batch> evaluation(const std::string& path) {
    auto data = PreparedData::open(path);
    EXPECT_TRUE(data) << data.error().text();
    LoaderOptions options;
    options.evaluation = true;
    auto loader = Loader::create(*data, options);
    std::vector<Batch> out;
    for (;;) {
        Batch b;
        EXPECT_TRUE((*loader)->next(b));
        if (b.rows == 0) break;
        out.push_back(std::move(b));
    }
    return out;
}

}  // namespace assay::data
