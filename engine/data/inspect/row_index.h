#pragma once
#include <assay/config/spec.h>

#include "import/row_reader.h"

namespace assay::data {

struct RowIndex {
    int64_t rows = 0;
    std::vector<RowMark> marks;  // where the batches of a reader begin; none when it cannot go there
};

// What a kept index belongs to: the file's identity and how its rows are cut.
std::string indexKey(const std::string& path, int64_t size, int64_t modifiedNs, const std::string& format, config::Document document);
// A kept one that is damaged counts as absent.
bool readIndex(const std::string& folder, const std::string& key, RowIndex& out);
void writeIndex(const std::string& folder, const std::string& key, const RowIndex& index);  // only a shortcut: failure is silent

}  // namespace assay::data
