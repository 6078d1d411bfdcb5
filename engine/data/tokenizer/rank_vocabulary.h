#pragma once
// Vocabularies of bytes with ranks (tiktoken files, tekken.json): any two neighbours whose bytes together are a token merge,
// the lowest rank first. Written as a tokenizer.json and run as that, so that what is exported is what ran.
#include "tokenizer/hf_tokenizer.h"

namespace assay::data {

struct RankVocabulary {
    std::vector<std::string> tokens;  // bytes, by rank; empty: none
    int64_t firstId = 0;              // id of rank 0
    std::string pattern;
    bool nfc = false;
    std::vector<std::pair<std::string, int64_t>> special;
    std::string bos;                  // a special token that goes in front of every text; empty: none
};
Result<TokenizerPtr> tokenizerFromRanks(const RankVocabulary& vocabulary, const std::string& what, const TokenizerExtras& extras);

// A file of lines "base64 rank". It says neither pattern nor control tokens: both are those of the known family that has as
// many ranks (rank_families.cpp); others are kUnsupported. `modelVocabulary`: the size that the model beside it states, which
// tells the members of a family apart that have the same ranks; -1 where nothing is stated.
bool looksLikeTiktoken(std::string_view bytes);
Result<TokenizerPtr> tokenizerFromTiktoken(std::string_view bytes, const std::string& what, const TokenizerExtras& extras, int64_t modelVocabulary = -1);

// Mistral's tekken.json.
bool looksLikeTekken(std::string_view json);
Result<TokenizerPtr> tokenizerFromTekken(const std::string& json, const std::string& what, const TokenizerExtras& extras);

}  // namespace assay::data
