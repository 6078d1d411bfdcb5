// CSV (RFC 4180) with a header row: quotes, doubled quotes, line ends inside quotes; the separator is guessed from the
// header when it is not given.
#include <algorithm>

#include "import/documents.h"

namespace assay::data {
namespace {

class CsvReader {
public:
    CsvReader(std::string_view bytes, char separator) : bytes_(bytes), separator_(separator) {}

    // False at the end. Fields are unquoted.
    bool row(std::vector<std::string>& fields, int64_t& line) {
        fields.clear();
        if (at_ >= bytes_.size()) return false;
        line = line_;
        std::string field;
        bool quoted = false;
        for (;;) {
            if (at_ >= bytes_.size()) break;
            const char c = bytes_[at_++];
            if (c == '\n' || (c == '\r' && (at_ >= bytes_.size() || bytes_[at_] != '\n'))) ++line_;
            if (quoted) {
                if (c != '"') {
                    field += c;
                } else if (at_ < bytes_.size() && bytes_[at_] == '"') {
                    field += '"';
                    ++at_;
                } else {
                    quoted = false;
                }
                continue;
            }
            if (c == '"' && field.empty()) {
                quoted = true;
            } else if (c == separator_) {
                fields.push_back(std::move(field));
                field.clear();
            } else if (c == '\n' || c == '\r') {
                if (c == '\r' && at_ < bytes_.size() && bytes_[at_] == '\n') {
                    ++at_;
                    ++line_;
                }
                break;
            } else {
                field += c;
            }
        }
        fields.push_back(std::move(field));
        return true;
    }

private:
    std::string_view bytes_;
    char separator_;
    size_t at_ = 0;
    int64_t line_ = 1;
};

char guessSeparator(std::string_view bytes) {
    const std::string_view header = bytes.substr(0, bytes.find_first_of("\r\n"));
    char best = ',';
    for (char c : {',', ';', '\t', '|'})
        if (std::count(header.begin(), header.end(), c) > std::count(header.begin(), header.end(), best)) best = c;
    return best;
}

}  // namespace

Result<void> readCsv(std::string_view bytes, char separator, const config::DataSource& source, Documents& out) {
    CsvReader reader(bytes, separator ? separator : guessSeparator(bytes));
    std::vector<std::string> fields;
    int64_t line = 0;
    if (!reader.row(out.columns, line)) return {};
    std::vector<size_t> wanted;
    auto find = [&](std::string_view name) {
        const auto found = std::find(out.columns.begin(), out.columns.end(), name);
        if (found != out.columns.end()) wanted.push_back(static_cast<size_t>(found - out.columns.begin()));
        return found != out.columns.end();
    };
    if (!source.columns.empty()) {
        for (const auto& [role, name] : source.columns)
            if (!find(name)) return fail(ErrorCode::kInvalidFile, source.path + " has no column \"" + name + "\"", "name one of the columns of its header line");
    } else if (!find("text") && !find("content") && out.columns.size() == 1) {
        wanted.push_back(0);
    } else if (wanted.empty()) {
        return fail(ErrorCode::kInvalidFile, source.path + " has no column named text", "map the text column with data.train.columns: {text: NAME}");
    }
    while (reader.row(fields, line)) {
        if (fields.size() == 1 && fields[0].empty() && out.columns.size() > 1) continue;
        ++out.rows;
        if (fields.size() != out.columns.size()) {
            out.drop("ragged_row", out.rows, line, "each row must have as many fields as the header; quote fields that hold the separator");
            continue;
        }
        std::string text;
        for (const size_t i : wanted) text += fields[i];
        out.owned.push_back(std::move(text));
        acceptRow(out.owned.back(), out.rows, line, out);
    }
    return {};
}

}  // namespace assay::data
