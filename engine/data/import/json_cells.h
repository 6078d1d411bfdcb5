#pragma once
// Cells of JSON objects: columns are found in the order in which their keys appear.
#include <simdjson.h>

#include <string>
#include <unordered_map>

#include "import/row_reader.h"

namespace assay::data {

constexpr size_t kJsonRowDepth = 64;

class JsonCells {
public:
    explicit JsonCells(const std::vector<std::string>& project) : project_(project) {}
    Result<void> prepare();
    // Adds the row that `bytes` (with simdjson's padding behind them) write as one JSON value; of doubled keys the last counts.
    void add(std::string_view bytes, int64_t number, int64_t line, RowBatch& out);
    const RowBatch::Columns& columns();  // known so far; one object until a key is added
    bool full() const { return full_; }

private:
    int column(std::string_view key, size_t hint);

    const std::vector<std::string> project_;
    std::vector<std::string> names_;
    std::unordered_map<std::string, int> index_;
    RowBatch::Columns shared_;
    bool full_ = false;
    simdjson::dom::parser parser_{kMaxRowBytes + 1};
};

}  // namespace assay::data
