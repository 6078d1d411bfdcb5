#pragma once
#include <string_view>

namespace assay::data {

// End of the JSON value that begins at the first byte, by its brackets and quotes alone; npos: it goes on behind the bytes.
// 0: no value begins there.
size_t jsonValueEnd(std::string_view bytes);
bool holdsRows(std::string_view key);  // whether an array under this key of a file's object is its rows

}  // namespace assay::data
