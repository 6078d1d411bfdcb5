#pragma once
// Documents (lists of ids) → rows of at most sequence_length tokens.
#include <assay/config/spec.h>
#include <assay/core/error.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace assay::data {

constexpr int32_t kNotScored = -100;  // label of a position without a target

struct TokenizedDocuments {
    std::vector<int32_t> ids;
    std::vector<uint64_t> offsets{0};  // offsets[d], offsets[d + 1]: document d within ids
    std::vector<int64_t> lines;        // where each document begins in its file; for messages
    size_t size() const { return offsets.size() - 1; }
};

// A stretch of one document inside a row. `tail` is the label of its last position: the document's next id when it was
// cut there, kNotScored at the end of the document.
struct Segment {
    uint64_t start;
    uint32_t length;
    int32_t tail;
};
struct Rows {
    std::vector<Segment> segments;
    std::vector<uint64_t> begin{0};  // row r holds segments[begin[r] … begin[r + 1])
    size_t size() const { return begin.size() - 1; }
};

struct PackResult {
    Rows rows;
    int64_t documents = 0, tokens = 0, lossTokens = 0;
    std::map<std::string, int64_t> dropped;  // documents: "over_length", "truncated"
    int64_t truncatedTokens = 0;             // cut off or dropped
};
Result<PackResult> packDocuments(const TokenizedDocuments& documents, int64_t sequenceLength, config::OverLength overLength, config::Packing packing);

}  // namespace assay::data
