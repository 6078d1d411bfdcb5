#pragma once
// Parameters of tools: typed, within limits, and errors that name them.
#include <assay/data/rows.h>

#include <optional>

#include "context.h"

namespace assay::cli {

Result<std::string> requiredText(const Json& params, std::string_view key);
Result<std::string> optionalText(const Json& params, std::string_view key, std::string_view fallback);
Result<int64_t> integerWithin(const Json& params, std::string_view key, std::optional<int64_t> fallback, int64_t least, int64_t most);
Result<bool> optionalBool(const Json& params, std::string_view key, bool fallback);

// asset: and blob: references and absolute paths of this machine → a path. `run:` is resolved where it stands for a model.
Result<std::string> toolPath(const GlobalOptions& options, const std::string& reference, std::string_view key);
// A model or its tokenizer: as above, and run:ID or run:ID/SET-UP, looked up in the run folders of the store.
Result<std::string> toolModelPath(const GlobalOptions& options, const std::string& reference, std::string_view key);

// The data file that `path` (or another key's value), `format`, `columns` and `document` name.
Result<data::DataFilePtr> dataFile(const GlobalOptions& options, const Json& params, const std::string& path);
Result<data::TokenizerPtr> toolTokenizer(const GlobalOptions& options, const Json& params);
Result<data::EncodeChoice> encodeChoiceOf(const Json& params);  // template, loss_on
Result<config::OverLength> overLengthOf(const Json& params);

}  // namespace assay::cli
