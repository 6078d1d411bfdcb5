#pragma once
// Files that users bring → documents. Every row that is not used is counted with its reason.
#include <assay/config/spec.h>
#include <assay/core/durable.h>

#include <deque>
#include <memory>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace assay::data {

struct RowProblem {
    std::string reason;  // "not_utf8", "bad_json", "missing_column", "empty", "nul_byte", "too_long", …
    int64_t row = 0, line = 0, count = 0;  // row and line of the first one, from 1
    bool dropped = true;                   // false: only worth telling
    std::string hint;
};

struct Documents {
    std::vector<std::string_view> texts;
    std::vector<int64_t> lines;             // line where each begins, from 1
    std::vector<RowProblem> problems;       // one per reason
    std::vector<std::string> columns;       // of the first rows
    std::string format;                     // text, jsonl, json, csv
    int64_t rows = 0;

    void drop(const char* reason, int64_t row, int64_t line, const std::string& hint, bool dropped = true);
    std::map<std::string, int64_t> dropped() const;
    // What texts refer to. A deque and a map never move their content.
    MappedFile file;
    std::deque<std::string> owned;
};

constexpr size_t kMaxDocumentBytes = size_t{256} << 20, kMaxUnpacked = size_t{16} << 30;

// Reads one source. An unreadable, empty or unsupported file is an error; bad rows are problems.
Result<std::unique_ptr<Documents>> readDocuments(const config::DataSource& source, config::Document document, std::stop_token stop = {});

// The bytes of a source, decompressed when its name ends in .gz or .zst; `file` or `owned` holds them.
Result<std::string_view> sourceBytes(const std::string& path, Documents& out, size_t limit = kMaxUnpacked);
// The path behind a source's reference; a folder or a saved Hugging Face dataset is an error that says what to do.
Result<std::string> sourcePath(const config::DataSource& source);
Result<std::string> detectFormat(const std::string& path, const std::string& declared, std::string_view bytes);

// The next line of `bytes` from `at`, without its end; `at` moves behind it. Lines end at \n, \r\n or \r.
std::string_view nextLine(std::string_view bytes, size_t& at);
bool isBlankLine(std::string_view line);
void readText(std::string_view bytes, config::Document document, Documents& out);
Result<void> readJsonRows(std::string_view bytes, bool array, const config::DataSource& source, Documents& out, const std::stop_token& stop);
// The columns whose cells, one after the other, are the text of a row; an error when the header has none.
Result<std::vector<size_t>> csvTextColumns(const std::vector<std::string>& columns, const config::DataSource& source);
void acceptCsvRow(const std::vector<std::string>& fields, int64_t line, const std::vector<size_t>& wanted, Documents& out);
Result<void> readCsv(std::string_view bytes, char separator, const config::DataSource& source, Documents& out);

// Puts a row's text in order: drops it when it is empty, too long or not UTF-8.
void acceptRow(std::string_view text, int64_t row, int64_t line, Documents& out);

}  // namespace assay::data
