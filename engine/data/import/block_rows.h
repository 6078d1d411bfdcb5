#pragma once
// Readers of text formats: rows are cut out of large blocks of bytes, and cells point into the blocks.
#include "import/byte_stream.h"
#include "import/row_reader.h"

namespace assay::data {

class BlockRows : public RowReader {
public:
    RowBatch::Columns columns() const override { return columns_; }
    Result<bool> next(RowBatch& out) override;
    int64_t bytesDone() const override { return bytes_.stream->position(); }
    int64_t bytesTotal() const override { return bytes_.size; }
    bool seekable() const override { return bytes_.stream->seekable(); }
    Result<void> seek(const RowMark& mark) override;
    std::vector<std::pair<std::string, std::string>> details() const override;

protected:
    enum class Cut {
        kRow,   // a row was added to the batch
        kNone,  // bytes that are no row (a blank line)
        kMore,  // the row goes on behind the bytes at hand
        kEnd,   // no rows follow, whatever the bytes
    };
    BlockRows(const RowRequest& request, OpenedBytes bytes) : request_(request), bytes_(std::move(bytes)) {}
    // Cuts one row from the start of `bytes`, which are followed by kPadding readable bytes; `used`: its bytes. `last`:
    // nothing follows, so kMore is no answer.
    virtual Result<Cut> cut(std::string_view bytes, bool last, size_t& used, RowBatch& out) = 0;
    // A row of more than kMaxRowBytes: where in the bytes that follow it the next may begin; npos: not in these.
    virtual size_t resume(std::string_view bytes) const = 0;
    virtual void onSeek() {}
    virtual Result<void> atEnd() const { return {}; }  // whether the bytes may end where they do
    // Cuts until something else than kNone comes; for what stands before the rows.
    Result<Cut> cutOne(RowBatch& out);

    static constexpr size_t kPadding = 64;  // what simdjson may read behind a value
    const RowRequest request_;
    RowBatch::Columns columns_ = std::make_shared<const std::vector<std::string>>();
    int64_t row_ = 1;   // number of the next row
    int64_t line_ = 1;  // line at the start of the next row
    const std::string& path() const { return request_.path; }
    uint64_t offset() const { return offset_; }

private:
    Result<void> fill(size_t least);  // the bytes from at_ on begin a block of at least that many, as far as there are
    Result<void> skipLong();

    OpenedBytes bytes_;
    std::shared_ptr<char[]> block_;
    size_t at_ = 0, end_ = 0;   // of the block
    uint64_t offset_ = 0;       // of at_ in the unpacked file
    bool ended_ = false;        // the stream has no more
    bool finished_ = false;
    bool skipping_ = false;     // inside a row that is too long
};

int64_t countLines(std::string_view bytes);  // line ends: \n, \r\n, \r

Result<RowReaderPtr> openText(const RowRequest& request, const FileHead& head);
// A folder with text files below it (text_folder.cpp).
bool isTextFolder(const std::string& folder);
Result<RowReaderPtr> openTextFolder(const RowRequest& request);
Result<std::vector<std::string>> textFilesBelow(const std::string& folder);
Result<RowReaderPtr> openJsonLines(const RowRequest& request, const FileHead& head);
Result<RowReaderPtr> openJsonArray(const RowRequest& request, const FileHead& head);
Result<RowReaderPtr> openCsv(const RowRequest& request, const FileHead& head);

}  // namespace assay::data
