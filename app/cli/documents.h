#pragma once
// Documents that a command prints with --json and a tool of the same meaning prints too.
#include <assay/config/config.h>
#include <assay/data/tokenizer.h>

#include "context.h"

namespace assay::cli {

Json doctorDocument(const GlobalOptions& options);
Json checkDocument(const config::Loaded& loaded);
Result<Json> tokenizeDocument(const data::Tokenizer& tokenizer, std::string_view text, const data::EncodeOptions& how);

}  // namespace assay::cli
