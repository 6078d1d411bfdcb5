#include "inspect/data_file.h"

#include <assay/core/durable.h>
#include <sys/stat.h>

#include <algorithm>

namespace assay::data {
namespace {

constexpr size_t kMaxCells = 256, kMaxTextCell = 64 << 10;
constexpr int64_t kKeepIndexAbove = 8 << 20;

// One row of a batch as people see it.
class RowView {
public:
    RowView(const OpenedSource& source, bool cells) : text_(source.format == "text"), cells_(cells), mapper_(source.mapping) {}
    const DataRow& read(const RowBatch& batch, size_t i) {
        const RowBatch::Row& at = batch.row(i);
        mapper_.read(batch, i, parts_);
        row_.row = at.number;
        row_.line = at.line;
        row_.usable = parts_.usable();
        row_.odd = row_.usable && !parts_.notice.empty();
        row_.reason = row_.usable ? parts_.notice : parts_.reason;
        row_.hint = row_.usable ? parts_.noticeHint : parts_.hint;
        row_.shape = shapeName(parts_.shape);
        row_.text.clear();
        if (row_.usable) row_.text = plainText(parts_);
        row_.cells.clear();
        for (size_t c = 0; cells_ && c < std::min<size_t>(at.cells, kMaxCells); ++c)
            if (const Cell cell = batch.cell(i, c); cell.kind != Cell::Kind::kMissing) row_.cells.emplace_back(batch.columns()[c], text_ ? cell.text.substr(0, kMaxTextCell) : cell.text);
        return row_;
    }

private:
    bool text_, cells_;
    RowMapper mapper_;
    RowParts parts_;
    DataRow row_;
};

}  // namespace

Result<std::shared_ptr<const RowsFile>> RowsFile::openFile(const config::DataSource& source, config::Document document, const std::string& cacheFolder) {
    auto out = std::make_shared<RowsFile>();
    out->cacheFolder_ = cacheFolder;
    ASSAY_TRY(out->opened_, openSource(source, document));
    OpenedSource& o = out->opened_;
    ASSAY_TRY(const std::vector<std::string> files, filesOfSource(o.source.path, source.format));
    for (const std::string& file : files) {
        struct stat st {};
        if (::stat(file.c_str(), &st) != 0) continue;
        out->bytes_ += st.st_size;
        out->modifiedNs_ = std::max(out->modifiedNs_, st.st_mtim.tv_sec * int64_t{1'000'000'000} + st.st_mtim.tv_nsec);
    }
    if (o.format == "text") o.columns = {"text"};
    // What preparing would not do unasked is asked for.
    if (!o.given && !o.mapping.isDefault) o.source.columns = o.mapping.roles;
    out->shape_ = shapeName(o.mapping.shape);
    for (const auto& [shape, rows] : o.mapping.shapes) out->shapes_.emplace_back(shapeName(shape), rows);
    return std::shared_ptr<const RowsFile>(std::move(out));
}

Result<RowReaderPtr> RowsFile::reader(bool allColumns) const {
    RowRequest request = opened_.request;
    if (allColumns) request.project.clear();
    return openRows(request);
}

// Where batches begin. Found by reading the file once; of large files it is kept.
Result<const RowIndex*> RowsFile::index() const {
    const std::lock_guard lock(mutex_);
    if (indexed_) return &index_;
    ASSAY_TRY(RowReaderPtr rows, reader(false));
    const bool kept = rows->seekable() && bytes_ >= kKeepIndexAbove;
    const std::string key = kept ? indexKey(path(), bytes_, modifiedNs_, opened_.format, opened_.request.document) : "";
    if (!kept || !readIndex(cacheFolder_, key, index_)) {
        index_ = {};
        RowBatch batch;
        for (;;) {
            ASSAY_TRY(const bool more, rows->next(batch));
            if (!more) break;
            index_.marks.push_back(batch.mark());
            index_.rows += static_cast<int64_t>(batch.size());
        }
        if (!rows->seekable()) index_.marks.clear();
        if (kept) writeIndex(cacheFolder_, key, index_);
    }
    indexed_ = true;
    return &index_;
}

int64_t RowsFile::rows() const {
    const auto found = index();
    return found ? (*found)->rows : 0;
}

Result<void> RowsFile::visit(int64_t first, bool cells, const Visit& visit, const std::stop_token& stop) const {
    ASSAY_TRY(RowReaderPtr rows, reader(cells));
    if (first > 1) {
        ASSAY_TRY(const RowIndex* marks, index());
        const auto next = std::upper_bound(marks->marks.begin(), marks->marks.end(), first, [](int64_t row, const RowMark& m) { return row < m.row; });
        if (next != marks->marks.begin() && rows->seekable()) ASSAY_TRY_VOID(rows->seek(*(next - 1)));
    }
    RowView view(opened_, cells);
    RowBatch batch;
    for (;;) {
        ASSAY_TRY(const bool more, rows->next(batch));
        if (!more) return {};
        if (stop.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
        for (size_t i = 0; i < batch.size(); ++i)
            if (batch.row(i).number >= first && !visit(view.read(batch, i))) return {};
    }
}

Result<void> RowsFile::visitMatching(const std::string& filter, const Visit& found, const std::stop_token& stop) const {
    return visit(1, true, [&](const DataRow& row) {
        bool matches = row.text.find(filter) != row.text.npos;
        for (size_t i = 0; !matches && i < row.cells.size(); ++i) matches = row.cells[i].second.find(filter) != std::string::npos;
        return matches ? found(row) : true;
    }, stop);
}

Result<DataFilePtr> DataFile::open(const config::DataSource& source, config::Document document, const std::string& cacheFolder) {
    ASSAY_TRY(auto file, RowsFile::openFile(source, document, cacheFolder));
    return DataFilePtr(std::move(file));
}

}  // namespace assay::data
