// CSV (RFC 4180) with a header row: quotes, doubled quotes, line ends inside quotes; the separator is guessed from the
// header when it is not given.
#include <algorithm>

#include "import/csv_reader.h"
#include "import/documents.h"

namespace assay::data {

char guessSeparator(std::string_view bytes) {
    const std::string_view header = bytes.substr(0, bytes.find_first_of("\r\n"));
    char best = ',';
    for (char c : {',', ';', '\t', '|'})
        if (std::count(header.begin(), header.end(), c) > std::count(header.begin(), header.end(), best)) best = c;
    return best;
}

Result<std::vector<size_t>> csvTextColumns(const std::vector<std::string>& columns, const config::DataSource& source) {
    std::vector<size_t> wanted;
    auto find = [&](std::string_view name) {
        const auto found = std::find(columns.begin(), columns.end(), name);
        if (found != columns.end()) wanted.push_back(static_cast<size_t>(found - columns.begin()));
        return found != columns.end();
    };
    if (!source.columns.empty()) {
        for (const auto& [role, name] : source.columns)
            if (!find(name)) return fail(ErrorCode::kInvalidFile, source.path + " has no column \"" + name + "\"", "name one of the columns of its header line");
    } else if (!find("text") && !find("content") && columns.size() == 1) {
        wanted.push_back(0);
    } else if (wanted.empty()) {
        return fail(ErrorCode::kInvalidFile, source.path + " has no column named text", "map the text column with data.train.columns: {text: NAME}");
    }
    return wanted;
}

void acceptCsvRow(const std::vector<std::string>& fields, int64_t line, const std::vector<size_t>& wanted, Documents& out) {
    if (fields.size() == 1 && fields[0].empty() && out.columns.size() > 1) return;  // a blank line
    ++out.rows;
    if (fields.size() != out.columns.size())
        return out.drop("ragged_row", out.rows, line, "each row must have as many fields as the header; quote fields that hold the separator");
    std::string text;
    for (const size_t i : wanted) text += fields[i];
    out.owned.push_back(std::move(text));
    acceptRow(out.owned.back(), out.rows, line, out);
}

Result<void> readCsv(std::string_view bytes, char separator, const config::DataSource& source, Documents& out) {
    CsvReader reader(bytes, separator ? separator : guessSeparator(bytes));
    std::vector<std::string> fields;
    int64_t line = 0;
    if (!reader.row(out.columns, line)) return {};
    ASSAY_TRY(const std::vector<size_t> wanted, csvTextColumns(out.columns, source));
    while (reader.row(fields, line)) acceptCsvRow(fields, line, wanted, out);
    return {};
}

}  // namespace assay::data
