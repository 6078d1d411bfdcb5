#include "id_writer.h"

#include <arrow/array/builder_nested.h>
#include <arrow/array/builder_primitive.h>
#include <arrow/io/file.h>
#include <arrow/ipc/writer.h>
#include <arrow/record_batch.h>
#include <arrow/util/key_value_metadata.h>
#include <parquet/arrow/writer.h>
#include <parquet/properties.h>

#include "status.h"

namespace assay::data {
namespace {

// As the datasets library writes them; far below the 2^31 values that offsets of 32 bits can count.
constexpr int64_t kRowsOfBatch = 1000, kValuesOfBatch = int64_t{1} << 24;
constexpr int64_t kRowsOfGroup = 100'000;

// What the datasets library wants to know about columns that are lists of int32.
std::string featuresOf(const std::vector<std::string>& columns) {
    std::string all;
    for (const std::string& name : columns) all += (all.empty() ? "" : ", ") + ("\"" + name) + R"(": {"feature": {"dtype": "int32", "_type": "Value"}, "_type": "List"})";
    return R"({"info": {"features": {)" + all + "}}}";
}

class IdWriter final : public ColumnarWriter {
public:
    explicit IdWriter(std::string path) : path_(std::move(path)) {}

    Result<void> open(ColumnarFormat format, const std::vector<std::string>& columns) {
        arrow::FieldVector fields;
        for (const std::string& name : columns) {
            fields.push_back(arrow::field(name, arrow::list(arrow::int32())));
            builders_.push_back(std::make_unique<arrow::ListBuilder>(arrow::default_memory_pool(), std::make_shared<arrow::Int32Builder>()));
        }
        schema_ = arrow::schema(fields)->WithMetadata(arrow::key_value_metadata({{"huggingface", featuresOf(columns)}}));
        ASSAY_ARROW(file_, path_, arrow::io::FileOutputStream::Open(path_));
        if (format == ColumnarFormat::kParquet) {
            const auto properties = parquet::WriterProperties::Builder().compression(parquet::Compression::ZSTD)->build();
            const auto settings = parquet::ArrowWriterProperties::Builder().store_schema()->build();
            ASSAY_ARROW(parquet_, path_, parquet::arrow::FileWriter::Open(*schema_, arrow::default_memory_pool(), file_, properties, settings));
            return {};
        }
        if (format == ColumnarFormat::kArrow) {
            ASSAY_ARROW(ipc_, path_, arrow::ipc::MakeFileWriter(file_, schema_));
        } else {
            ASSAY_ARROW(ipc_, path_, arrow::ipc::MakeStreamWriter(file_, schema_));
        }
        return {};
    }

    Result<void> add(std::span<const std::span<const int32_t>> row) override {
        return guarded(path_, [&]() -> Result<void> {
            if (row.size() != builders_.size()) return fail(ErrorCode::kInternal, path_ + ": a row has " + std::to_string(row.size()) + " columns");
            for (size_t c = 0; c < row.size(); ++c) {
                ASSAY_ARROW_VOID(path_, builders_[c]->Append());
                auto& values = static_cast<arrow::Int32Builder&>(*builders_[c]->value_builder());
                ASSAY_ARROW_VOID(path_, values.AppendValues(row[c].data(), static_cast<int64_t>(row[c].size())));
                values_ += static_cast<int64_t>(row[c].size());
            }
            return ++rows_ >= kRowsOfBatch || values_ >= kValuesOfBatch ? flush() : Result<void>();
        });
    }

    Result<void> finish() override {
        return guarded(path_, [&]() -> Result<void> {
            ASSAY_TRY_VOID(flush());
            if (parquet_) ASSAY_ARROW_VOID(path_, parquet_->Close());
            if (ipc_) ASSAY_ARROW_VOID(path_, ipc_->Close());
            ASSAY_ARROW_VOID(path_, file_->Close());
            return {};
        });
    }

private:
    Result<void> flush() {
        if (rows_ == 0) return {};
        arrow::ArrayVector arrays;
        for (auto& builder : builders_) {
            ASSAY_ARROW(auto array, path_, builder->Finish());
            arrays.push_back(std::move(array));
        }
        const auto batch = arrow::RecordBatch::Make(schema_, rows_, arrays);
        if (ipc_) {
            ASSAY_ARROW_VOID(path_, ipc_->WriteRecordBatch(*batch));
        } else {
            if (group_ == 0 || group_ >= kRowsOfGroup) {
                ASSAY_ARROW_VOID(path_, parquet_->NewBufferedRowGroup());
                group_ = 0;
            }
            ASSAY_ARROW_VOID(path_, parquet_->WriteRecordBatch(*batch));
            group_ += rows_;
        }
        rows_ = values_ = 0;
        return {};
    }

    const std::string path_;
    std::shared_ptr<arrow::Schema> schema_;
    std::vector<std::unique_ptr<arrow::ListBuilder>> builders_;
    std::shared_ptr<arrow::io::FileOutputStream> file_;
    std::shared_ptr<arrow::ipc::RecordBatchWriter> ipc_;
    std::unique_ptr<parquet::arrow::FileWriter> parquet_;
    int64_t rows_ = 0, values_ = 0, group_ = 0;  // in the builders; rows of the open row group
};

}  // namespace

Result<std::unique_ptr<ColumnarWriter>> createIdWriter(const std::string& path, ColumnarFormat format, const std::vector<std::string>& columns) {
    return guarded(path, [&]() -> Result<std::unique_ptr<ColumnarWriter>> {
        auto writer = std::make_unique<IdWriter>(path);
        ASSAY_TRY_VOID(writer->open(format, columns));
        return std::unique_ptr<ColumnarWriter>(std::move(writer));
    });
}

}  // namespace assay::data
