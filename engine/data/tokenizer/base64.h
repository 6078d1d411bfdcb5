#pragma once
// Base64 (RFC 4648, standard alphabet) as tokenizer files hold it.
#include <assay/core/error.h>

#include <string>
#include <string_view>

namespace assay::data {

Result<std::string> fromBase64(std::string_view text, std::string_view what);  // `what` names the field in errors
std::string toBase64(std::string_view bytes);

}  // namespace assay::data
