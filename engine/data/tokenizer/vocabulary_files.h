#pragma once
// Vocabularies as files of their own: vocab.txt (WordPiece) and vocab.json with merges.txt (BPE). Which tokenizer they belong
// to is read from the files beside them and written as a tokenizer.json.
#include "tokenizer/hf_tokenizer.h"

namespace assay::data {

// `config`: tokenizer_config.json or null.
Result<TokenizerPtr> tokenizerFromVocabTxt(std::string_view text, const Json& config, const std::string& what, const TokenizerExtras& extras);
Result<TokenizerPtr> tokenizerFromVocabAndMerges(const std::string& vocabJson, std::string_view merges, const Json& config, const std::string& what, const TokenizerExtras& extras);

}  // namespace assay::data
