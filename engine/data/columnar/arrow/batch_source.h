#pragma once
// One file as record batches that can be had by row.
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <memory>
#include <string>
#include <vector>

#include "columnar/columnar.h"

namespace assay::data {

class BatchSource {
public:
    virtual ~BatchSource() = default;
    virtual const arrow::Schema& schema() const = 0;  // with all columns
    virtual int64_t rows() const = 0;
    // Only these columns (places in the schema, ascending) are read from now on. Before the first batch.
    virtual Result<void> project(const std::vector<int>& columns) = 0;
    struct Part {
        std::shared_ptr<arrow::RecordBatch> batch;  // checked
        int64_t first = 0;                          // row of the file that its first one is
    };
    // The batch that holds `row`, which is below rows(). Cheapest in ascending order.
    virtual Result<Part> at(int64_t row) = 0;
};

Result<std::unique_ptr<BatchSource>> openParquet(const std::string& path);
// The file or the stream form, by content. `keep`: batches stay in memory, so that any order is cheap.
Result<std::unique_ptr<BatchSource>> openIpc(const std::string& path, bool keep);

}  // namespace assay::data
