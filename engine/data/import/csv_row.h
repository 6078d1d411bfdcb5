#pragma once
// One row of CSV (RFC 4180): quotes, doubled quotes, line ends inside quotes.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::data {

struct CsvDialect {
    char separator = ',';
    char quote = '"';
};

struct CsvField {
    std::string_view text;  // as it stands between the separators, or between the quotes
    bool escaped = false;   // holds quotes to be undone: unquote()
};

struct CsvRow {
    std::vector<CsvField> fields;
    size_t used = 0;     // bytes with the line end
    int64_t lines = 0;   // line ends among them
    bool open = false;   // the bytes end inside quotes
};
// The first row of `bytes`. False: it goes on behind them (`last` not set). An unclosed quote at the last end gives `open`.
bool cutCsvRow(std::string_view bytes, bool last, const CsvDialect& dialect, CsvRow& row);
// The text of an escaped field: quotes around taken away, doubled ones single, what follows a closing quote as it is.
void unquote(std::string_view field, char quote, std::string& out);

// Separator and quote that make the rows of a sample most alike; a sample of one column: comma.
CsvDialect guessDialect(std::string_view sample, bool tabs);

}  // namespace assay::data
