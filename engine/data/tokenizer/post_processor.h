#pragma once
// What is put around the ids of a text or a pair of texts: the "post_processor" of a tokenizer.json.
#include <assay/core/json.h>

#include <cstdint>
#include <vector>

namespace assay::data {

struct PostStep {
    enum class Kind { kTemplate, kBert, kRoberta, kByteLevel };
    struct Piece {
        int sequence = -1;         // 0: the first text, 1: the second, -1: the ids below
        std::vector<int32_t> ids;
        int32_t typeId = 0;
    };
    Kind kind = Kind::kTemplate;
    std::vector<Piece> single, pair;  // kTemplate
    int32_t cls = 0, sep = 0;         // kBert, kRoberta
    bool trims = false;               // spaces at the ends of a token do not belong to its offsets
    bool prefixSpace = true;          // with `trims`: one space at the start of the text belongs to its token, it may have been put there
};

struct PostProcessor {
    std::vector<PostStep> steps;
    // For a single text, when every step keeps it once and whole: the ids before and after it.
    std::vector<int32_t> before, after;
    bool simple = true;

    bool trims() const;
    int64_t added(bool pair) const;  // how many tokens the steps put in
};
Result<PostProcessor> makePostProcessor(const Json& json);

}  // namespace assay::data
