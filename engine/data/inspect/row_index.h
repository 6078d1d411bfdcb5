#pragma once
#include <assay/core/error.h>

#include "inspect/row_scanner.h"

namespace assay::data {

constexpr int64_t kIndexStride = 256;

struct RowIndex {
    int64_t rows = 0;
    std::vector<RowPlace> marks;  // where row 1, 1 + stride, 1 + 2 stride … begin
};

RowIndex buildIndex(std::string_view bytes, const RowShape& shape, RowPlace first);

// What a kept index belongs to: the file's identity and how its rows are cut.
std::string indexKey(const std::string& path, int64_t size, int64_t modifiedNs, const RowShape& shape, uint64_t first);
// Small files are not kept. A kept one that is damaged, or does not fit `size`, counts as absent.
bool readIndex(const std::string& folder, const std::string& key, uint64_t size, RowIndex& out);
void writeIndex(const std::string& folder, const std::string& key, const RowIndex& index);  // only a shortcut: failure is silent

}  // namespace assay::data
