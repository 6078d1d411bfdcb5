#pragma once
// Batches from outside are checked before a cell is looked at: Arrow trusts offsets and lengths that it has not read itself.
#include <arrow/record_batch.h>

#include "columnar/columnar.h"

namespace assay::data {

arrow::MemoryPool* cappedPool();  // shared by all files of the process

// Limits on columns' nesting.
arrow::Status checkSchema(const arrow::Schema& schema);
// Every offset, length, index and run lies inside; whether strings are UTF-8 is left to the reader of the cell, so that a wrong
// one costs its row and not the file.
arrow::Status checkBatch(const arrow::RecordBatch& batch);

}  // namespace assay::data
