#pragma once
// Tokenizers described by a SentencePiece .model file.
#include "tokenizer/hf_tokenizer.h"

namespace assay::data {

// What the tokenizer_config.json beside the file says about the ends of a text; nothing: BPE models add BOS, others EOS.
struct SentencePieceEnds {
    std::optional<bool> addBos, addEos;
};

// A BPE model without normalization rules becomes a tokenizer.json and is run as that, so that what is exported is what ran;
// all others are run as SentencePiece does, and cannot be exported.
Result<TokenizerPtr> tokenizerFromSentencePiece(std::string bytes, const std::string& what, const TokenizerExtras& extras, const SentencePieceEnds& ends);

}  // namespace assay::data
