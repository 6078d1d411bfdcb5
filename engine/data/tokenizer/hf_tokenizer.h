#pragma once
// Tokenizers described by a Hugging Face tokenizer.json, compiled into a plan.
#include <assay/data/tokenizer.h>

#include <optional>

namespace assay::data {

// What the files beside a tokenizer.json (or the metadata of a GGUF) add to it.
struct TokenizerExtras {
    int32_t bosId = -1, eosId = -1;  // -1: find out from the tokenizer.json
    std::string bosToken, eosToken;  // looked up when the ids are not given
    std::string chatTemplate;
    std::vector<NamedText> chatTemplates, namedTokens;  // see Tokenizer
};

// `what` names the source in errors.
Result<TokenizerPtr> tokenizerFromJson(std::string text, const std::string& what, const TokenizerExtras& extras = {});

}  // namespace assay::data
