#include <gtest/gtest.h>

#include "sample.h"

namespace assay::report {
namespace {

ReportInput input() {
    ReportInput in;
    in.title = "Ä \"title\" <b>";
    in.runs = {sample::pipeline()};
    in.comparison = buildComparison(in.runs, {"", "perplexity_ratio<=1.05"}).value();
    in.series = sample::series();
    in.version = "0.1.0";
    in.time = "2026-01-02T03:04:05Z";
    return in;
}

TEST(ReportCodec, EveryFormatIsTheSameAfterTheRoundTrip) {
    ReportInput before = input();
    before.comparison.setups[1].klDivergence = {std::nan(""), HUGE_VAL};  // travels as text
    before.comparison.setups[1].differences[before.comparison.y] = {.mean = 0.5, .se = 0.1, .low = 0.25, .high = 0.75, .seeds = 3, .separable = true};
    const auto after = reportInputFromJson(parseJson(dumpJson(reportInputToJson(before)), "input").value());
    ASSERT_TRUE(after) << after.error().text();
    EXPECT_EQ(htmlReport(*after), htmlReport(before));
    EXPECT_EQ(csvReport(*after), csvReport(before));
    EXPECT_EQ(dumpJson(jsonReport(*after)), dumpJson(jsonReport(before)));
    EXPECT_EQ(dumpJson(reportInputToJson(*after)), dumpJson(reportInputToJson(before)));
    EXPECT_TRUE(std::isnan(*after->comparison.setups[1].klDivergence.value));
    EXPECT_NE(htmlReport(*after).find("+0.500 ± 0.10"), std::string::npos);
}

TEST(ReportCodec, ADamagedInputIsAnError) {
    const Json whole = reportInputToJson(input());
    for (const auto& [key, value] : whole.items()) {
        Json cut = whole;
        cut.erase(key);
        EXPECT_FALSE(reportInputFromJson(cut)) << key << " is missing";
        cut[key] = 7.5;
        EXPECT_FALSE(reportInputFromJson(cut)) << key << " is a number";
    }
    for (const auto& [key, value] : whole["comparison"]["setups"][0].items()) {
        Json cut = whole;
        cut["comparison"]["setups"][0].erase(key);
        EXPECT_FALSE(reportInputFromJson(cut)) << key << " is missing";
    }
    Json axis = whole;
    axis["comparison"]["x"] = "no.such";
    EXPECT_FALSE(reportInputFromJson(axis));
    Json newer = whole;
    newer["report_input"] = 2;
    EXPECT_EQ(reportInputFromJson(newer).error().code, ErrorCode::kVersionMismatch);
    EXPECT_FALSE(reportInputFromJson(Json(nullptr)));
    EXPECT_FALSE(reportInputFromJson(Json::array({1})));
}

}  // namespace
}  // namespace assay::report
