#pragma once
// String and bytes literals of Python on one line, '…', "…", b'…', b"…": what repr() writes, and the other escapes but \N.
#include <assay/core/error.h>

#include <string>
#include <string_view>

namespace assay::data {

// The bytes; a string's are UTF-8. Errors say what is wrong and no place: the caller knows it.
Result<std::string> pythonLiteral(std::string_view text);

}  // namespace assay::data
