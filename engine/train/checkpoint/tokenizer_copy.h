#pragma once
#include <assay/core/error.h>

#include <string>

namespace assay::train {

// Puts a tokenizer.json that makes the same tokenizer as `source` (folder, tokenizer.json, .gguf, "bytes") into `folder`,
// with the tokenizer_config.json beside it when there is one. An empty source copies nothing.
Result<void> copyTokenizer(const std::string& source, const std::string& folder);

}  // namespace assay::train
