#include <arrow/buffer.h>
#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>

#include <algorithm>
#include <cstring>

#include "batch_source.h"
#include "checked.h"
#include "status.h"

namespace assay::data {
namespace {

constexpr std::string_view kFileMagic = "ARROW1", kStreamEnd{"\xFF\xFF\xFF\xFF\0\0\0\0", 8};

std::string_view viewOf(const arrow::Buffer& buffer) { return {reinterpret_cast<const char*>(buffer.data()), static_cast<size_t>(buffer.size())}; }

arrow::ipc::IpcReadOptions readOptions(std::vector<int> columns) {
    auto options = arrow::ipc::IpcReadOptions::Defaults();
    options.max_recursion_depth = kMaxColumnarDepth + 2;
    options.memory_pool = cappedPool();
    options.use_threads = false;
    options.ensure_alignment = arrow::ipc::Alignment::kDataTypeSpecificAlignment;
    options.included_fields = std::move(columns);
    return options;
}

// Both forms are mapped: batches that are not compressed are views of the file.
class IpcSource final : public BatchSource {
public:
    IpcSource(std::string path, bool keep) : path_(std::move(path)), keep_(keep) {}

    Result<void> open() {
        ASSAY_ARROW(map_, path_, arrow::io::MemoryMappedFile::Open(path_, arrow::io::FileMode::READ));
        ASSAY_ARROW(size_, path_, map_->GetSize());
        ASSAY_ARROW(const auto head, path_, map_->ReadAt(0, static_cast<int64_t>(kFileMagic.size())));
        isFile_ = viewOf(*head) == kFileMagic;
        ASSAY_TRY_VOID(start({}));
        ASSAY_ARROW_VOID(path_, checkSchema(*schema_));
        return count();
    }

    const arrow::Schema& schema() const override { return *schema_; }
    int64_t rows() const override { return begin_.back(); }
    Result<void> project(const std::vector<int>& columns) override {
        columns_ = columns;
        if (columns_.size() == static_cast<size_t>(schema_->num_fields())) columns_.clear();
        return start(columns_);
    }

    Result<Part> at(int64_t row) override {
        const auto number = static_cast<size_t>(std::upper_bound(begin_.begin(), begin_.end(), row) - begin_.begin()) - 1;
        if (keep_ && number < kept_.size() && kept_[number]) return Part{kept_[number], begin_[number]};
        std::shared_ptr<arrow::RecordBatch> batch;
        if (isFile_) {
            ASSAY_ARROW(batch, path_, file_->ReadRecordBatch(static_cast<int>(number)));
        } else {
            if (number < next_) ASSAY_TRY_VOID(start(columns_));
            for (; next_ <= number; ++next_) {
                ASSAY_ARROW_VOID(path_, stream_->ReadNext(&batch));
                if (batch && keep_) ASSAY_TRY_VOID(store(next_, batch));
            }
        }
        if (!batch || batch->num_rows() != begin_[number + 1] - begin_[number])
            return fail(ErrorCode::kIo, path_ + " changed while it was read", "read it again when nothing writes to it");
        if (keep_) {
            if (isFile_) ASSAY_TRY_VOID(store(number, batch));
        } else {
            ASSAY_ARROW_VOID(path_, checkBatch(*batch));
        }
        return Part{std::move(batch), begin_[number]};
    }

private:
    Result<void> store(size_t number, const std::shared_ptr<arrow::RecordBatch>& batch) {
        if (kept_.size() <= number) kept_.resize(number + 1);
        if (kept_[number]) return {};
        ASSAY_ARROW_VOID(path_, checkBatch(*batch));
        kept_[number] = batch;
        return {};
    }
    Result<void> start(const std::vector<int>& columns) {
        file_.reset();
        stream_.reset();
        next_ = 0;
        if (isFile_) {
            ASSAY_ARROW(file_, path_, arrow::ipc::RecordBatchFileReader::Open(map_, size_, readOptions(columns)));
            if (!schema_) schema_ = file_->schema();
            return {};
        }
        ASSAY_ARROW_VOID(path_, map_->Seek(0));
        ASSAY_ARROW(stream_, path_, arrow::ipc::RecordBatchStreamReader::Open(map_, readOptions(columns)));
        if (!schema_) schema_ = stream_->schema();
        return {};
    }
    // How many rows each batch has. One narrow column is looked at, which costs next to nothing where nothing is compressed.
    Result<void> count() {
        int narrow = 0;
        for (int i = schema_->num_fields(); i-- > 0;)
            if (schema_->field(i)->type()->num_fields() == 0 && arrow::is_fixed_width(schema_->field(i)->type()->id())) narrow = i;
        ASSAY_TRY_VOID(start({narrow}));
        begin_ = {0};
        const auto add = [&](const std::shared_ptr<arrow::RecordBatch>& batch) -> Result<void> {
            if (batch->num_rows() < 0 || batch->num_rows() > INT64_MAX - begin_.back()) return damaged("a record batch has " + std::to_string(batch->num_rows()) + " rows");
            begin_.push_back(begin_.back() + batch->num_rows());
            return {};
        };
        if (isFile_) {
            for (int i = 0; i < file_->num_record_batches(); ++i) {
                ASSAY_ARROW(const auto batch, path_, file_->ReadRecordBatch(i));
                ASSAY_TRY_VOID(add(batch));
            }
        } else {
            for (;;) {
                std::shared_ptr<arrow::RecordBatch> batch;
                ASSAY_ARROW_VOID(path_, stream_->ReadNext(&batch));
                if (!batch) break;
                ASSAY_TRY_VOID(add(batch));
            }
            // A stream may end anywhere between two batches; that it ends with its mark tells that nothing was cut off.
            ASSAY_ARROW(const int64_t end, path_, map_->Tell());
            ASSAY_ARROW(const auto head, path_, map_->ReadAt(0, 4));
            ASSAY_ARROW(const auto tail, path_, map_->ReadAt(std::max<int64_t>(end - 8, 0), 8));
            if (viewOf(*head) == kStreamEnd.substr(0, 4) && viewOf(*tail) != kStreamEnd) return damaged("the stream has no end mark after row " + std::to_string(begin_.back()));
        }
        return start(columns_);
    }
    tl::unexpected<Error> damaged(const std::string& why) const { return fail(arrowError(arrow::Status::Invalid(why), path_)); }

    const std::string path_;
    const bool keep_;
    std::shared_ptr<arrow::io::MemoryMappedFile> map_;
    int64_t size_ = 0;
    bool isFile_ = false;
    std::shared_ptr<arrow::Schema> schema_;
    std::shared_ptr<arrow::ipc::RecordBatchFileReader> file_;
    std::shared_ptr<arrow::ipc::RecordBatchStreamReader> stream_;
    std::vector<int> columns_;
    std::vector<int64_t> begin_;  // first row of each batch, and the end
    size_t next_ = 0;             // batch that the stream gives next
    std::vector<std::shared_ptr<arrow::RecordBatch>> kept_;
};

}  // namespace

Result<std::unique_ptr<BatchSource>> openIpc(const std::string& path, bool keep) {
    return guarded(path, [&]() -> Result<std::unique_ptr<BatchSource>> {
        auto source = std::make_unique<IpcSource>(path, keep);
        ASSAY_TRY_VOID(source->open());
        return std::unique_ptr<BatchSource>(std::move(source));
    });
}

}  // namespace assay::data
