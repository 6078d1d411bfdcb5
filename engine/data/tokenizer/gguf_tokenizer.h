#pragma once
#include <assay/data/tokenizer.h>

#include "tokenizer/gguf_metadata.h"

namespace assay::data {

Result<TokenizerPtr> tokenizerFromGguf(const GgufMetadata& metadata, const std::string& what);

}  // namespace assay::data
