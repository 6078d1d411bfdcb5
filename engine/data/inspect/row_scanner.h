#pragma once
// Where the rows of a file begin and end, without looking into them. The rows are those of the readers in import/.
#include <assay/config/spec.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::data {

struct RowPlace {
    uint64_t offset = 0;  // of the row's first byte, behind the byte order mark
    int64_t line = 0;
};

struct RowShape {
    std::string format;  // text, jsonl, csv
    config::Document document = config::Document::kLine;
    char separator = ',';
    bool oneColumn = false;  // csv: an empty line is a row
};

class RowScanner {
public:
    RowScanner(std::string_view bytes, const RowShape& shape, RowPlace from) : bytes_(bytes), shape_(shape), at_(from.offset), line_(from.line) {}
    // The next row with its bytes as they are (CSV: with quotes; text: without the line end). False at the end.
    bool next(RowPlace& place, std::string_view& raw);

private:
    bool nextCsv(RowPlace& place, std::string_view& raw);
    bool nextJsonLine(RowPlace& place, std::string_view& raw);
    bool nextLineOfText(RowPlace& place, std::string_view& raw);
    bool nextParagraph(RowPlace& place, std::string_view& raw);

    std::string_view bytes_;
    const RowShape& shape_;
    size_t at_;
    int64_t line_;
};

}  // namespace assay::data
