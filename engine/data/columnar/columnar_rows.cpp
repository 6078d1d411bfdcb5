#include "columnar/columnar_rows.h"

#include <algorithm>
#include <filesystem>

#include "columnar/dataset_folder.h"

namespace assay::data {
namespace {
namespace fs = std::filesystem;

constexpr std::string_view kStreamStart = "\xFF\xFF\xFF\xFF", kEncryptedParquet = "PARE";

class ColumnarRows final : public RowReader {
public:
    ColumnarRows(std::string format, std::unique_ptr<ColumnarFile> file, const RowRequest& request, int64_t bytes, std::vector<std::pair<std::string, std::string>> details)
        : format_(std::move(format)), file_(std::move(file)), rows_(request.batchRows), batchBytes_(request.batchBytes), bytes_(bytes), details_(std::move(details)) {
        auto names = std::make_shared<std::vector<std::string>>();
        for (const ColumnarColumn& column : file_->columns()) names->push_back(column.name);
        columns_ = std::move(names);
        if (file_->columnsLeftOut() > 0) details_.emplace_back("columns_left_out", std::to_string(file_->columnsLeftOut()));
    }

    const std::string& format() const override { return format_; }
    RowBatch::Columns columns() const override { return columns_; }
    int64_t bytesTotal() const override { return bytes_; }
    int64_t bytesDone() const override {
        return file_->rows() == 0 ? bytes_ : static_cast<int64_t>(static_cast<double>(bytes_) * static_cast<double>(position_) / static_cast<double>(file_->rows()));
    }
    int64_t rowCount() const override { return file_->rows(); }
    bool seekable() const override { return true; }
    std::vector<std::pair<std::string, std::string>> details() const override { return details_; }

    Result<void> seek(const RowMark& mark) override {
        ASSAY_TRY_VOID(file_->seek(mark.row - 1));
        position_ = mark.row - 1;
        return {};
    }

    Result<bool> next(RowBatch& out) override {
        static_assert(static_cast<int>(Cell::Kind::kString) - static_cast<int>(Cell::Kind::kNull) == static_cast<int>(ColumnarCell::Kind::kString));
        static_assert(static_cast<int>(Cell::Kind::kJson) - static_cast<int>(Cell::Kind::kNull) == static_cast<int>(ColumnarCell::Kind::kJson));
        ColumnarBatch batch;
        ASSAY_TRY(const bool more, file_->next(batch, rows_, batchBytes_));
        out.begin({batch.first + 1, 0, 0});
        out.setColumns(columns_);
        if (!more) return false;
        out.own(batch.owner, batch.bytes);
        size_t fault = 0;
        for (size_t r = 0; r < batch.rows; ++r) {
            out.addRow(batch.first + static_cast<int64_t>(r) + 1, 0);
            const bool faulty = fault < batch.faults.size() && batch.faults[fault].row == r;
            for (size_t c = 0; c < columns_->size() && !faulty; ++c) {
                const ColumnarCell& cell = batch.cells[r * columns_->size() + c];
                out.addCell({static_cast<Cell::Kind>(static_cast<int>(cell.kind) + static_cast<int>(Cell::Kind::kNull)), cell.text});
            }
            if (!faulty) continue;
            const std::string& column = (*columns_)[batch.faults[fault].column];
            if (batch.faults[fault].fault == ColumnarFault::kTooLong) {
                out.failLast("too_long", "the value of column \"" + column + "\" is longer than 256 MiB");
            } else {
                out.failLast("not_utf8", "column \"" + column + "\" holds a string that is no UTF-8: write it again as text");
            }
            while (fault < batch.faults.size() && batch.faults[fault].row == r) ++fault;
        }
        position_ = batch.first + static_cast<int64_t>(batch.rows);
        return true;
    }

private:
    const std::string format_;
    const std::unique_ptr<ColumnarFile> file_;
    const size_t rows_, batchBytes_;
    const int64_t bytes_;
    std::vector<std::pair<std::string, std::string>> details_;
    RowBatch::Columns columns_;
    int64_t position_ = 0;
};

Result<RowReaderPtr> openColumnar(const RowRequest& request, const std::string& format, ColumnarSource source, std::vector<std::pair<std::string, std::string>> details) {
    source.project = request.project;
    source.maxColumns = kMaxColumns;
    int64_t bytes = 0;
    for (const auto* list : {&source.files, &source.indices})
        for (const std::string& file : *list) {
            std::error_code ec;
            const auto size = fs::file_size(file, ec);
            if (!ec) bytes += static_cast<int64_t>(size);
        }
    if (source.files.size() > 1) details.emplace_back("files", std::to_string(source.files.size()));
    ASSAY_TRY(const ColumnarPlugin* plugin, columnarPlugin());
    ASSAY_TRY(auto file, plugin->open(source));
    return RowReaderPtr(std::make_unique<ColumnarRows>(format, std::move(file), request, bytes, std::move(details)));
}

Result<void> refuseFolder(const FileHead& head, const char* format) {
    if (head.folder && !isPattern(head.path))
        return fail(ErrorCode::kBadUsage, head.path + " is a folder, not a file of format " + format, "set the format to hf or auto, or name a file");
    return {};
}

Result<RowReaderPtr> openFiles(const RowRequest& request, const FileHead& head, const char* format) {
    ASSAY_TRY_VOID(refuseFolder(head, format));
    if (head.packed) return fail(ErrorCode::kUnsupported, head.path + " is packed as a whole", "unpack it: columns of these files are packed one by one");
    ASSAY_TRY(ColumnarSource source, columnarSource(head.path, format));
    return openColumnar(request, format, std::move(source), {});
}

}  // namespace

Result<ColumnarSource> columnarSource(const std::string& path, const std::string& format) {
    ColumnarSource source;
    std::error_code ec;
    if (fs::is_directory(path, ec)) {
        ASSAY_TRY(DatasetPart part, chosenPart(path));
        source.format = part.format == "parquet" ? ColumnarFormat::kParquet : ColumnarFormat::kArrow;
        source.files = std::move(part.files);
        source.indices = std::move(part.indices);
        return source;
    }
    source.files = {path};
    if (isPattern(path)) {
        ASSAY_TRY(source.files, matchingFiles(path));
    }
    const std::string extension = fs::path(source.files[0]).extension().string();
    source.format = format == "parquet" || (format != "arrow" && extension == ".parquet") ? ColumnarFormat::kParquet : ColumnarFormat::kArrow;
    return source;
}

bool isParquet(const FileHead& head) { return !head.folder && !head.packed && (head.raw.starts_with("PAR1") || head.raw.starts_with(kEncryptedParquet) || head.extension == ".parquet"); }
bool isArrow(const FileHead& head) { return !head.folder && !head.packed && (head.raw.starts_with("ARROW1") || head.raw.starts_with(kStreamStart) || head.extension == ".arrow"); }
bool isHfDataset(const FileHead& head) {
    if (!head.folder) return false;
    if (isPattern(head.path) || isSavedDataset(head.path)) return true;
    const auto parts = datasetParts(head.path);
    return parts && std::any_of(parts->begin(), parts->end(), [](const DatasetPart& part) { return part.format == "parquet" || part.format == "arrow"; });
}

Result<RowReaderPtr> openParquetRows(const RowRequest& request, const FileHead& head) {
    if (head.raw.starts_with(kEncryptedParquet)) return fail(ErrorCode::kUnsupported, head.path + " is an encrypted Parquet file", "write it again without encryption");
    return openFiles(request, head, "parquet");
}
Result<RowReaderPtr> openArrowRows(const RowRequest& request, const FileHead& head) {
    if (head.raw.starts_with("FEA1")) return fail(ErrorCode::kUnsupported, head.path + " is a Feather file of version 1", "write it again as version 2, which is an Arrow file");
    return openFiles(request, head, "arrow");
}
Result<RowReaderPtr> openHfRows(const RowRequest& request, const FileHead& head) {
    if (!head.folder) return fail(ErrorCode::kBadUsage, head.path + " is a file, and saved Hugging Face datasets are folders", "name the folder, or set the format to auto");
    std::vector<std::pair<std::string, std::string>> details;
    if (!isPattern(head.path)) {
        ASSAY_TRY(const DatasetPart part, chosenPart(head.path));
        if (!part.split.empty()) details.emplace_back("split", part.split);
        if (!part.indices.empty()) details.emplace_back("indices", "the rows are in the order of the dataset's indices mapping");
    }
    ASSAY_TRY(ColumnarSource source, columnarSource(head.path, "hf"));
    return openColumnar(request, "hf", std::move(source), std::move(details));
}

Result<std::vector<std::string>> hfFiles(const std::string& path) {
    ASSAY_TRY(ColumnarSource source, columnarSource(path, "hf"));
    source.files.insert(source.files.end(), source.indices.begin(), source.indices.end());
    return source.files;
}

}  // namespace assay::data
