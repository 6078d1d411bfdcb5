#pragma once
#include <assay/core/json.h>

#include "gguf_cursor.h"

namespace assay::model {

// One metadata value of the given GGUF kind. `budget` bounds what is kept in memory over all values of a file.
Result<Json> readGgufValue(Cursor& cursor, uint32_t kind, std::string_view key, int64_t& budget);

}  // namespace assay::model
