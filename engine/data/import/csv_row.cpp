#include "import/csv_row.h"

#include <algorithm>

namespace assay::data {

bool cutCsvRow(std::string_view bytes, bool last, const CsvDialect& dialect, CsvRow& row) {
    row.fields.clear();
    row.lines = 0;
    row.open = false;
    const char stops[] = {dialect.separator, '\r', '\n'};
    const std::string_view stop(stops, 3);
    size_t at = 0;
    for (;;) {
        CsvField field;
        size_t end;
        if (at < bytes.size() && bytes[at] == dialect.quote) {
            const size_t begin = at;
            size_t close = at + 1;
            bool doubled = false;
            for (;;) {
                close = bytes.find(dialect.quote, close);
                if (close == bytes.npos) break;
                if (close + 1 < bytes.size() && bytes[close + 1] == dialect.quote) {
                    doubled = true;
                    close += 2;
                    continue;
                }
                break;
            }
            if (close == bytes.npos || (close + 1 == bytes.size() && !last)) {  // the quote after the end may double it
                if (!last) return false;
                row.open = true;
                close = bytes.size();
            }
            for (size_t i = begin; i < close; ++i) {
                if (bytes[i] == '\n' || (bytes[i] == '\r' && (i + 1 >= bytes.size() || bytes[i + 1] != '\n'))) ++row.lines;
            }
            if (row.open) {
                field.text = bytes.substr(begin + 1);
                end = bytes.size();
            } else {
                end = bytes.find_first_of(stop, close + 1);
                if (end == bytes.npos && !last) return false;
                end = std::min(end, bytes.size());
                field.escaped = doubled || end > close + 1;
                field.text = field.escaped ? bytes.substr(begin, end - begin) : bytes.substr(begin + 1, close - begin - 1);
            }
        } else {
            end = bytes.find_first_of(stop, at);
            if (end == bytes.npos && !last) return false;
            end = std::min(end, bytes.size());
            field.text = bytes.substr(at, end - at);
        }
        row.fields.push_back(field);
        at = end;
        if (at < bytes.size() && bytes[at] == dialect.separator) {
            ++at;
            continue;
        }
        break;
    }
    if (at < bytes.size()) {  // a line end
        if (bytes[at] == '\r' && at + 1 == bytes.size() && !last) return false;
        at += bytes[at] == '\r' && at + 1 < bytes.size() && bytes[at + 1] == '\n' ? 2 : 1;
        ++row.lines;
    }
    row.used = at;
    return true;
}

void unquote(std::string_view field, char quote, std::string& out) {
    bool quoted = true;
    for (size_t i = 1; i < field.size(); ++i) {
        if (!quoted || field[i] != quote) {
            out += field[i];
        } else if (i + 1 < field.size() && field[i + 1] == quote) {
            out += quote;
            ++i;
        } else {
            quoted = false;
        }
    }
}

CsvDialect guessDialect(std::string_view sample, bool tabs) {
    constexpr size_t kRows = 50;
    CsvDialect best;
    double bestScore = 0;
    for (const char quote : {'"', '\''}) {
        if (quote == '\'' && sample.find(quote) == sample.npos) continue;
        for (const char separator : {',', ';', '\t', '|'}) {
            if (tabs && separator != '\t') continue;
            const CsvDialect dialect{separator, quote};
            CsvRow row;
            size_t at = 0, rows = 0, fields = 0, alike = 0, quoted = 0, stray = 0;
            while (at < sample.size() && rows < kRows && cutCsvRow(sample.substr(at), false, dialect, row)) {
                at += row.used;
                if (row.fields.size() == 1 && row.fields[0].text.empty()) continue;
                if (rows++ == 0) fields = row.fields.size();
                alike += row.fields.size() == fields;
                for (const CsvField& f : row.fields) {
                    const bool between = f.text.data() > sample.data() && f.text.data()[-1] == quote && !f.escaped;
                    quoted += between || f.escaped;
                    stray += f.escaped && f.text.back() != quote;
                }
            }
            if (rows == 0) {  // a single line without an end, or one longer than the sample
                fields = 1 + static_cast<size_t>(std::count(sample.begin(), sample.end(), separator));
                rows = alike = 1;
            }
            // Apostrophes are quotes only where they close what they open.
            if (quote == '\'' && (quoted == 0 || stray > 0)) continue;
            if (fields < 2) continue;
            const double score = static_cast<double>(alike) / static_cast<double>(rows) * 1000 + static_cast<double>(std::min<size_t>(fields, 500)) + (quote == '\'' ? 0.5 : 0);
            if (score > bestScore) {
                bestScore = score;
                best = dialect;
            }
        }
    }
    if (bestScore == 0 && tabs) best.separator = '\t';
    return best;
}

}  // namespace assay::data
