#pragma once
// The first look at all rows of a data set: which are documents, which are left out and why, and to which side of the
// split each goes. Nothing of the texts is kept, so memory is two bits a row.
#include <assay/core/progress.h>

#include <optional>

#include "import/problems.h"
#include "import/source.h"
#include "prepare/duplicates.h"

namespace assay::data {

// A side for each row of a source, rows counted from 1: 0 left out, 1 training, 2 held out (Wanted).
class RowSides {
public:
    uint8_t at(int64_t row) const {
        const auto i = static_cast<size_t>(row - 1);
        return i / 4 < bits_.size() ? bits_[i / 4] >> (i % 4 * 2) & 3 : uint8_t{0};
    }
    void set(int64_t row, uint8_t side) {
        const auto i = static_cast<size_t>(row - 1);
        if (i / 4 >= bits_.size()) bits_.resize(i / 4 + 1);
        bits_[i / 4] = static_cast<uint8_t>((bits_[i / 4] & ~(3 << (i % 4 * 2))) | side << (i % 4 * 2));
    }

private:
    std::vector<uint8_t> bits_;
};

struct SurveyedSource {
    OpenedSource source;
    RowSides sides;
    int64_t rows = 0;
    int64_t train = 0, eval = 0;  // documents of each side
    int64_t textBytes = 0;        // of all that were usable
    Problems problems;
};

struct Survey {
    std::vector<SurveyedSource> train;
    std::optional<SurveyedSource> eval;  // a file of its own
    std::map<std::string, int64_t> dropped;
    Json near;                           // the clusters of near-duplicates; null: not looked for
};

struct SurveyOptions {
    std::string folder;  // for what does not fit in memory
    int threads = 0;
    ProgressSink progress;
    std::stop_token stop;
};
// `evalOfTrain`: the training source that the evaluation part is taken from; -1: it is a source of its own.
Result<Survey> surveySources(const config::DataSpec& spec, std::vector<OpenedSource> train, std::optional<OpenedSource> eval, int evalOfTrain, const SurveyOptions& options);

// Hash of what a row says: of its parts by role.
ContentHash contentHash(const RowParts& parts);

}  // namespace assay::data
