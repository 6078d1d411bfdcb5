#pragma once
// A value of an Arrow array as a cell. The arrays were checked (checked.h).
#include <arrow/array.h>

#include <string>

#include "columnar/columnar.h"

namespace assay::data {

// Strings and binary values of a column, wherever they lie (dictionaries, runs, extension types): a view into the array's
// buffers. False: the value is no text. Null: a cell of kind kNull.
bool stringCell(const arrow::Array& array, int64_t i, ColumnarCell& out);

// Appends the JSON of value `i`. kTooLong: it would be longer than `limit`, since lists that share their content can mean far
// more text than the file has bytes. kNotUtf8: a string in it is none.
ColumnarFault appendJson(const arrow::Array& array, int64_t i, size_t limit, std::string& out);

// The whole numbers of a list value, appended. False: the column is no list of whole numbers, or one is null.
bool appendIntegers(const arrow::Array& array, int64_t i, std::vector<int64_t>& out);

}  // namespace assay::data
