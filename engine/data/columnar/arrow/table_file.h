#pragma once
// The rows of one or several files, in the order of the files or in that of an indices mapping.
#include <optional>

#include "batch_source.h"

namespace assay::data {

class TableFile final : public ColumnarFile {
public:
    static Result<std::unique_ptr<ColumnarFile>> open(const ColumnarSource& source);
    explicit TableFile(const ColumnarSource& source) : source_(source) {}

    const std::vector<ColumnarColumn>& columns() const override { return columns_; }
    size_t columnsLeftOut() const override { return leftOut_; }
    int64_t rows() const override { return indices_ ? static_cast<int64_t>(indices_->size()) : begin_.back(); }
    Result<void> seek(int64_t row) override;
    Result<bool> next(ColumnarBatch& out, size_t maxRows, size_t maxBytes) override;
    Result<bool> nextIntegers(std::vector<std::vector<int64_t>>& values) override;

private:
    struct Place {
        std::shared_ptr<arrow::RecordBatch> batch;
        int64_t row = 0;     // in the batch
        size_t file = 0;
    };
    Result<void> openAll();
    Result<void> readIndices();
    Result<std::unique_ptr<BatchSource>> openOne(size_t file) const;
    Result<void> chooseColumns(const arrow::Schema& schema);
    Result<std::vector<int>> placesIn(const arrow::Schema& schema, const std::string& path) const;
    Result<BatchSource*> sourceOf(size_t file);
    Result<Place> place(int64_t row);

    const ColumnarSource source_;
    std::vector<ColumnarColumn> columns_;
    std::vector<std::string> wanted_;  // names in the files
    size_t leftOut_ = 0;
    std::vector<int64_t> begin_{0};    // first row of each file, and the end
    std::optional<std::vector<int64_t>> indices_;
    std::vector<std::unique_ptr<BatchSource>> open_;  // with a mapping all that were used, else one
    size_t opened_ = SIZE_MAX;                        // which one that is
    BatchSource::Part part_;
    size_t partFile_ = SIZE_MAX;
    int64_t position_ = 0;
};

}  // namespace assay::data
