#pragma once
#include <assay/core/json.h>
#include <assay/data/encoding.h>

#include <string>
#include <vector>

#include "tokenizer/added_tokens.h"
#include "tokenizer/model.h"

namespace assay::data {

struct ParsedTokenizer {
    Json normalizer, preTokenizer, postProcessor, decoder;  // null when absent
    ModelData model;
    std::vector<AddedToken> added;
    std::optional<Truncation> truncation;
    std::optional<Padding> padding;
};
// Reads tokenizer.json with limits; what cannot be done exactly is kUnsupported and named.
Result<ParsedTokenizer> parseTokenizerJson(const std::string& text, const std::string& what);

}  // namespace assay::data
