#pragma once
// Arrow and Parquet as the rest of engine/data sees them. The code behind this border is libassay_arrow.so (arrow/), which is
// loaded on first need: a program that reads no such file starts as fast as before, and one without the library says so.
// The border is C++ of one compiler: both sides are built together and compare kColumnarVersion.

#include <assay/core/error.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::data {

constexpr int kColumnarVersion = 1;
constexpr size_t kMaxColumnarCell = size_t{256} << 20;   // a cell's text; a longer one makes its row a faulty one
constexpr int kMaxColumnarDepth = 32;                    // lists in structs in lists …
constexpr int64_t kMaxColumnarMemory = int64_t{4} << 30; // buffers of one file that are in memory at once

enum class ColumnarFormat { kParquet, kArrow, kArrowStream };  // reading: kArrow takes both the file and the stream form

struct ColumnarSource {
    ColumnarFormat format = ColumnarFormat::kParquet;
    std::vector<std::string> files;    // read one after the other; all with the columns of the first
    std::vector<std::string> indices;  // Arrow files whose one column of whole numbers says which rows, in which order; empty: all
    std::vector<std::string> project;  // columns wanted; empty: all
    size_t maxColumns = 1024;          // the first ones
};

struct ColumnarColumn {
    std::string name, type;  // type as Arrow writes it
};

struct ColumnarCell {
    enum class Kind : uint8_t { kNull, kString, kJson };
    Kind kind = Kind::kNull;
    std::string_view text;
};

enum class ColumnarFault : uint8_t { kNone, kTooLong, kNotUtf8 };

struct ColumnarBatch {
    int64_t first = 0;                // number of its first row, from 0
    size_t rows = 0;
    std::vector<ColumnarCell> cells;  // rows × columns
    struct Fault {
        size_t row, column;  // in the batch
        ColumnarFault fault;
    };
    std::vector<Fault> faults;        // in the order of the rows; the other cells of such a row are there
    std::shared_ptr<const void> owner;  // what the cells point to
    size_t bytes = 0;                   // of the cells' texts
};

// Rows one after the other. Memory: a batch or the pages of a row group, never the file. Not thread-safe; for a second reader
// open the file again. Damaged content is kInvalidFile and names the file; what this build cannot read is kUnsupported.
class ColumnarFile {
public:
    virtual ~ColumnarFile() = default;
    virtual const std::vector<ColumnarColumn>& columns() const = 0;  // of the projection, in the order of the file
    virtual size_t columnsLeftOut() const = 0;                       // beyond maxColumns
    virtual int64_t rows() const = 0;
    virtual Result<void> seek(int64_t row) = 0;  // from 0; the next row read is this one
    // The next rows, at least one, at most `maxRows` and about `maxBytes` of text. False at the end. Strings and binary values
    // are kString with their bytes as they are, all else is kJson: times as ISO 8601 and decimals as strings, binary values
    // inside others as strings when they are UTF-8, else in base64, maps with string keys as objects, NaN and infinities as
    // "nan", "inf", "-inf".
    virtual Result<bool> next(ColumnarBatch& out, size_t maxRows, size_t maxBytes) = 0;
    // The next row's lists of whole numbers, one list a column, appended; null: nothing. False at the end.
    virtual Result<bool> nextIntegers(std::vector<std::vector<int64_t>>& values) = 0;
};

// A file whose columns are lists of 32-bit whole numbers, each in every row.
class ColumnarWriter {
public:
    virtual ~ColumnarWriter() = default;
    virtual Result<void> add(std::span<const std::span<const int32_t>> row) = 0;
    virtual Result<void> finish() = 0;  // the file is whole only after this
};

struct ColumnarPlugin {  // what libassay_arrow.so hands out
    int version;
    const char* libraryVersion;  // of Arrow
    Result<std::unique_ptr<ColumnarFile>> (*open)(const ColumnarSource& source);
    Result<std::unique_ptr<ColumnarWriter>> (*create)(const std::string& path, ColumnarFormat format, const std::vector<std::string>& columns);
};
constexpr const char* kColumnarEntry = "assayColumnarPlugin";  // extern "C" const ColumnarPlugin* (*)()

// Loads the library once per process; kUnsupported with what to do when it is not there. Any thread.
Result<const ColumnarPlugin*> columnarPlugin();

}  // namespace assay::data
