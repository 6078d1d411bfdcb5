#pragma once
// What a file of tiktoken ranks does not say: the pattern and the control tokens of the models that use it.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace assay::data {

struct RankFamily {
    size_t ranks;                 // lines of the file
    const char* name;
    const char* const* pattern;
    bool nfc;
    std::vector<std::pair<std::string, int64_t>> special;
    const char* bos;              // "": none
    int64_t modelVocabulary = -1; // only for a model that states this size; -1: for any
};
// Null: none has so many ranks.
const RankFamily* rankFamily(size_t ranks, int64_t modelVocabulary);

}  // namespace assay::data
