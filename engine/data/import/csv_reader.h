#pragma once
// CSV (RFC 4180): quotes, doubled quotes, line ends inside quotes.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::data {

class CsvReader {
public:
    // Begins at byte `at`, which is the start of a row and of line `line`.
    CsvReader(std::string_view bytes, char separator, size_t at = 0, int64_t line = 1) : bytes_(bytes), separator_(separator), at_(at), line_(line) {}

    // False at the end. Fields are unquoted.
    bool row(std::vector<std::string>& fields, int64_t& line) {
        fields.clear();
        std::string field;
        const bool more = walk(
            line, [&](char c) { field += c; },
            [&] {
                fields.push_back(std::move(field));
                field.clear();
            });
        return more;
    }
    // The same without the fields; `blank`: one field without content.
    bool skip(bool& blank, int64_t& line) {
        size_t fields = 0, content = 0;
        const bool more = walk(line, [&](char) { ++content; }, [&] { ++fields; });
        blank = fields == 1 && content == 0;
        return more;
    }
    size_t at() const { return at_; }    // where the next row begins
    int64_t line() const { return line_; }

private:
    template <class OnChar, class OnField>
    bool walk(int64_t& line, OnChar&& onChar, OnField&& onField) {
        if (at_ >= bytes_.size()) return false;
        line = line_;
        bool quoted = false, empty = true;  // empty: nothing of the field yet, so that a quote opens it
        while (at_ < bytes_.size()) {
            const char c = bytes_[at_++];
            if (c == '\n' || (c == '\r' && (at_ >= bytes_.size() || bytes_[at_] != '\n'))) ++line_;
            if (quoted) {
                if (c != '"') {
                    onChar(c);
                    empty = false;
                } else if (at_ < bytes_.size() && bytes_[at_] == '"') {
                    onChar('"');
                    empty = false;
                    ++at_;
                } else {
                    quoted = false;
                }
                continue;
            }
            if (c == '"' && empty) {
                quoted = true;
            } else if (c == separator_) {
                onField();
                empty = true;
            } else if (c == '\n' || c == '\r') {
                if (c == '\r' && at_ < bytes_.size() && bytes_[at_] == '\n') {
                    ++at_;
                    ++line_;
                }
                break;
            } else {
                onChar(c);
                empty = false;
            }
        }
        onField();
        return true;
    }

    std::string_view bytes_;
    char separator_;
    size_t at_;
    int64_t line_;
};

char guessSeparator(std::string_view bytes);  // from the header line

}  // namespace assay::data
