#pragma once
// RWKV's World vocabulary (rwkv_vocab_v20230424.txt): lines "id literal length", where the literal is a Python string or bytes
// and the length counts its bytes. Text is cut from the left into the longest tokens, over bytes; there are no words.
#include "tokenizer/hf_tokenizer.h"

namespace assay::data {

// Whether the first two lines are of that form.
bool looksLikeRwkv(std::string_view text);
// Without an id 0 in the file, id 0 ends a document (RWKV is trained so); its name "<|end of text|>" is ours.
Result<TokenizerPtr> tokenizerFromRwkv(std::string_view text, const std::string& what, const TokenizerExtras& extras);

}  // namespace assay::data
