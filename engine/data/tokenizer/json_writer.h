#pragma once
// Writes a tokenizer.json with a BPE or WordPiece model. The vocabulary is written by hand: Json objects are for small things.
#include <assay/core/json.h>

#include <string>
#include <utility>
#include <vector>

namespace assay::data {

struct TokenizerJson {
    enum class Model { kBpe, kWordPiece };
    Model model = Model::kBpe;
    Json normalizer, preTokenizer, postProcessor, decoder, added = Json::array();
    std::vector<std::pair<std::string, int64_t>> tokens;
    std::vector<std::pair<std::string, std::string>> merges;
    std::string unknown;    // empty: null
    std::string endSuffix;  // end_of_word_suffix; empty: null
    std::string continuingPrefix = "##";  // WordPiece
    int64_t maxWordCharacters = 100;      // WordPiece
    bool fuseUnknown = false, byteFallback = false, ignoreMerges = false;
};
std::string writeTokenizerJson(const TokenizerJson& t);

}  // namespace assay::data
