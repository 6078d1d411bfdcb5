#include <arrow/io/file.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/file_reader.h>
#include <parquet/properties.h>

#include <algorithm>

#include "batch_source.h"
#include "checked.h"
#include "status.h"

namespace assay::data {
namespace {

constexpr int64_t kBatchBytes = int64_t{4} << 20, kMostRows = 4096;

// Row groups one after the other; of each, batches of a few MiB, so that memory is that of the pages in use.
class ParquetSource final : public BatchSource {
public:
    explicit ParquetSource(std::string path) : path_(std::move(path)) {}

    Result<void> open() {
        ASSAY_ARROW(auto file, path_, arrow::io::MemoryMappedFile::Open(path_, arrow::io::FileMode::READ));
        parquet::ReaderProperties properties(cappedPool());
        properties.set_schema_depth_limit(3 * kMaxColumnarDepth);
        properties.set_page_checksum_verification(true);  // where the writer made them
        parquet::arrow::FileReaderBuilder builder;
        ASSAY_ARROW_VOID(path_, builder.Open(file, properties));
        parquet::ArrowReaderProperties settings(false);
        settings.set_pre_buffer(false);
        builder.memory_pool(cappedPool());
        ASSAY_ARROW(reader_, path_, builder.properties(settings)->Build());
        ASSAY_ARROW_VOID(path_, reader_->GetSchema(&schema_));
        ASSAY_ARROW_VOID(path_, checkSchema(*schema_));
        const auto metadata = reader_->parquet_reader()->metadata();
        begin_.push_back(0);
        for (int g = 0; g < metadata->num_row_groups(); ++g) {
            const auto group = metadata->RowGroup(g);
            const int64_t rows = group->num_rows();
            if (rows < 0 || rows > INT64_MAX - begin_.back()) return damaged("row group " + std::to_string(g) + " has " + std::to_string(rows) + " rows");
            begin_.push_back(begin_.back() + rows);
            const int64_t bytes = std::max<int64_t>(group->total_byte_size(), 1);
            batchRows_.push_back(std::clamp<int64_t>(kBatchBytes / (bytes / std::max<int64_t>(rows, 1) + 1), 16, kMostRows));
        }
        for (int i = 0; i < schema_->num_fields(); ++i) fields_.push_back(i);
        return project(fields_);
    }

    const arrow::Schema& schema() const override { return *schema_; }
    int64_t rows() const override { return begin_.back(); }
    Result<void> project(const std::vector<int>& columns) override {
        fields_ = columns;
        leaves_.clear();
        // Columns of the schema are trees; the reader wants the leaves.
        for (const int field : columns) {
            const auto& manifest = reader_->manifest();
            collect(manifest.schema_fields[static_cast<size_t>(field)]);
        }
        return {};
    }

    Result<Part> at(int64_t row) override {
        const int group = static_cast<int>(std::upper_bound(begin_.begin(), begin_.end(), row) - begin_.begin()) - 1;
        if (group != group_ || row < next_) ASSAY_TRY_VOID(enter(group));
        for (;;) {
            std::shared_ptr<arrow::RecordBatch> batch;
            ASSAY_ARROW_VOID(path_, batches_->ReadNext(&batch));
            const int64_t end = begin_[static_cast<size_t>(group) + 1];
            if (!batch) return damaged("row group " + std::to_string(group) + " ends " + std::to_string(end - next_) + " rows early");
            if (batch->num_rows() > end - next_) return damaged("row group " + std::to_string(group) + " has more rows than it says");
            const int64_t first = next_;
            next_ += batch->num_rows();
            if (next_ <= row) continue;
            ASSAY_ARROW_VOID(path_, checkBatch(*batch));
            return Part{std::move(batch), first};
        }
    }

private:
    tl::unexpected<Error> damaged(const std::string& why) const { return fail(arrowError(arrow::Status::Invalid(why), path_)); }
    void collect(const parquet::arrow::SchemaField& field) {
        if (field.is_leaf()) leaves_.push_back(field.column_index);
        for (const auto& child : field.children) collect(child);
    }
    Result<void> enter(int group) {
        batches_.reset();
        group_ = -1;
        reader_->set_batch_size(batchRows_[static_cast<size_t>(group)]);
        ASSAY_ARROW(batches_, path_, reader_->GetRecordBatchReader({group}, leaves_));
        group_ = group;
        next_ = begin_[static_cast<size_t>(group)];
        return {};
    }

    const std::string path_;
    std::unique_ptr<parquet::arrow::FileReader> reader_;
    std::shared_ptr<arrow::Schema> schema_;
    std::vector<int> fields_, leaves_;
    std::vector<int64_t> begin_, batchRows_;  // first row of each group, and the end; rows of a batch
    std::unique_ptr<arrow::RecordBatchReader> batches_;
    int group_ = -1;
    int64_t next_ = 0;  // row of the file that the next batch begins with
};

}  // namespace

Result<std::unique_ptr<BatchSource>> openParquet(const std::string& path) {
    return guarded(path, [&]() -> Result<std::unique_ptr<BatchSource>> {
        auto source = std::make_unique<ParquetSource>(path);
        ASSAY_TRY_VOID(source->open());
        return std::unique_ptr<BatchSource>(std::move(source));
    });
}

}  // namespace assay::data
