#pragma once
// Any data file or folder as a stream of rows: batch after batch, in the order of the file, in memory that does not grow
// with it. A reader knows how rows are written, not what they mean (shape.h) and not which of them are used.
//
// Threads: one thread calls a reader; the batches it fills may be handed to others, since each owns what its cells point to.
// Errors: a file that cannot be read on is an error of next() (what, where, what to do); a row that cannot be read is a
// faulty row of the batch, so that it is counted with its number and line and costs nothing but itself.
#include <assay/config/spec.h>
#include <assay/core/error.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::data {

constexpr size_t kMaxRowBytes = size_t{256} << 20;  // a longer row is a faulty one
constexpr size_t kMaxColumns = 1024;                // further keys of JSON rows are left out; details() says so

struct Cell {
    enum class Kind : uint8_t {
        kMissing,  // the row has no such key
        kNull,
        kString,   // `text` is the string; bytes of text and CSV files as they are, which may not be UTF-8
        kJson,     // `text` is one JSON value: number, true, false, array, object (valid, UTF-8)
    };
    Kind kind = Kind::kMissing;
    std::string_view text;
};

// Where a batch begins, so that a seekable reader can start there again.
struct RowMark {
    int64_t row = 1;      // number of the batch's first row, from 1
    int64_t line = 0;     // its line in the file from 1; 0 where rows have no lines (Arrow, Parquet)
    uint64_t offset = 0;  // meaning known to the reader alone: a byte, or a group and a row inside it
};

class RowBatch {
public:
    struct Row {
        int64_t number = 0, line = 0;  // from 1; line 0: unknown
        size_t firstCell = 0;
        uint32_t cells = 0;            // of the first columns; what follows is missing
        int32_t fault = -1;            // index into faults, -1: sound
    };
    struct Fault {
        std::string reason;  // "bad_json", "ragged_row", "too_long", … (the same words in every format)
        std::string hint;    // what to do about it
    };
    using Columns = std::shared_ptr<const std::vector<std::string>>;

    const RowMark& mark() const { return mark_; }
    size_t size() const { return rows_.size(); }
    bool empty() const { return rows_.empty(); }
    const Row& row(size_t i) const { return rows_[i]; }
    const Fault* fault(size_t i) const { return rows_[i].fault < 0 ? nullptr : &faults_[static_cast<size_t>(rows_[i].fault)]; }
    Cell cell(size_t i, size_t column) const { return column < rows_[i].cells ? cells_[rows_[i].firstCell + column] : Cell{}; }
    const std::vector<std::string>& columns() const { return *columns_; }  // as known when the batch was read
    size_t bytes() const { return bytes_; }                                // about what it holds in memory

    // For readers. A batch is filled row by row, the cells of a row in the order of the columns.
    void begin(const RowMark& mark);                              // forgets everything
    void setColumns(Columns columns) { columns_ = std::move(columns); }
    void own(std::shared_ptr<const void> what, size_t bytes);     // what cells point to lives as long as the batch
    std::string_view copy(std::string_view text);                 // into the batch itself
    void addRow(int64_t number, int64_t line);
    void addCell(Cell cell);                                      // of the row added last
    void setCell(size_t column, Cell cell);                       // the same by column; those between are missing
    void addFault(int64_t number, int64_t line, std::string reason, std::string hint);  // a row without cells
    void moveRows(int64_t before, const std::string& file);  // rows are numbered after so many others; faults name the file
    void failLast(std::string reason, std::string hint);          // the row added last is a faulty one after all

private:
    RowMark mark_;
    Columns columns_;
    std::vector<Row> rows_;
    std::vector<Cell> cells_;
    std::vector<Fault> faults_;
    std::vector<std::shared_ptr<const void>> owned_;
    std::deque<std::string> copies_;  // blocks of reserved capacity: never reallocated
    size_t bytes_ = 0;
};

class RowReader {
public:
    virtual ~RowReader() = default;
    virtual const std::string& format() const = 0;  // text, jsonl, json, csv, parquet, arrow, hf
    // Columns known so far: all of them from the start where the file says so (CSV header, schema), else those of the rows
    // read. With a projection: only columns of it, in the order of the file.
    virtual RowBatch::Columns columns() const = 0;
    // The next rows; false at the end. At least one row a call, about `batchBytes` of text or `batchRows` rows.
    virtual Result<bool> next(RowBatch& out) = 0;
    // For progress: bytes of the file as it lies on the disk.
    virtual int64_t bytesDone() const = 0;
    virtual int64_t bytesTotal() const = 0;
    virtual int64_t rowCount() const { return -1; }  // where the file tells it; -1: unknown
    // Goes on from a batch's mark. Readers of packed files cannot, and are opened anew.
    virtual bool seekable() const { return false; }
    virtual Result<void> seek(const RowMark& mark);
    // What people should know about how it is read: {"separator", ";"}, {"encoding", "UTF-16LE"}, {"split", "train"} …
    virtual std::vector<std::pair<std::string, std::string>> details() const { return {}; }
};
using RowReaderPtr = std::unique_ptr<RowReader>;

struct RowRequest {
    std::string path;                                       // a file or folder on this machine
    std::string format = "auto";
    config::Document document = config::Document::kLine;    // text files
    std::vector<std::string> project;                       // columns wanted; empty: all
    size_t batchBytes = size_t{1} << 20;
    size_t batchRows = 4096;
};

// What is known of a file before its format is.
struct FileHead {
    std::string path;
    std::string extension;  // lower case with the dot, without .gz or .zst: ".jsonl"; of folders: empty
    bool folder = false;
    bool packed = false;    // .gz or .zst, by content
    std::string raw;        // first bytes as they lie there, at most 64 KiB
    std::string text;       // the same unpacked, as UTF-8 without byte order mark
};

// A format is one file with a reader and one line in formats.cpp.
struct RowFormat {
    const char* name;                                     // as written in data.train.format
    // Whether this is such a file. A format that the user names is not asked: open() refuses what cannot be.
    bool (*recognise)(const FileHead& head);
    Result<RowReaderPtr> (*open)(const RowRequest& request, const FileHead& head);
    // The files whose bytes make the data, for the cache key; null: the path itself.
    Result<std::vector<std::string>> (*files)(const std::string& path) = nullptr;
};
const std::vector<RowFormat>& rowFormats();               // asked in this order by "auto"; the last one takes everything

Result<FileHead> readHead(const std::string& path);       // an empty or unreadable file is an error
Result<const RowFormat*> formatOf(const RowRequest& request, const FileHead& head);
Result<RowReaderPtr> openRows(const RowRequest& request);
// For the cache key: the path itself, or the files of a folder in their order.
Result<std::vector<std::string>> filesOfSource(const std::string& path, const std::string& format);

}  // namespace assay::data
