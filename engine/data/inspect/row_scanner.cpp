#include "inspect/row_scanner.h"

#include "import/csv_reader.h"
#include "import/documents.h"

namespace assay::data {

bool RowScanner::next(RowPlace& place, std::string_view& raw) {
    if (shape_.format == "csv") return nextCsv(place, raw);
    if (shape_.format == "jsonl") return nextJsonLine(place, raw);
    switch (shape_.document) {
        case config::Document::kLine: return nextLineOfText(place, raw);
        case config::Document::kParagraph: return nextParagraph(place, raw);
        case config::Document::kFile: break;
    }
    if (at_ >= bytes_.size()) return false;
    place = {at_, line_};
    raw = bytes_.substr(at_);
    at_ = bytes_.size();
    return true;
}

bool RowScanner::nextCsv(RowPlace& place, std::string_view& raw) {
    CsvReader reader(bytes_, shape_.separator, at_, line_);
    bool blank = true;
    for (;;) {
        place = {reader.at(), 0};
        if (!reader.skip(blank, place.line)) break;
        if (blank && !shape_.oneColumn) continue;
        raw = bytes_.substr(place.offset, reader.at() - place.offset);
        at_ = reader.at();
        line_ = reader.line();
        return true;
    }
    at_ = bytes_.size();
    return false;
}

bool RowScanner::nextJsonLine(RowPlace& place, std::string_view& raw) {
    while (at_ < bytes_.size()) {
        size_t end = bytes_.find('\n', at_);
        if (end == bytes_.npos) end = bytes_.size();
        place = {at_, line_++};
        raw = bytes_.substr(at_, end - at_);
        at_ = end + 1;
        if (raw.ends_with('\r')) raw.remove_suffix(1);
        if (raw.find_first_not_of(" \t") != raw.npos) return true;
    }
    return false;
}

bool RowScanner::nextLineOfText(RowPlace& place, std::string_view& raw) {
    if (at_ >= bytes_.size()) return false;
    place = {at_, line_++};
    raw = nextLine(bytes_, at_);
    return true;
}

bool RowScanner::nextParagraph(RowPlace& place, std::string_view& raw) {
    bool open = false;
    size_t end = 0;
    while (at_ < bytes_.size()) {
        const size_t from = at_;
        const std::string_view text = nextLine(bytes_, at_);
        const int64_t line = line_++;
        if (isBlankLine(text)) {
            if (open) break;
            continue;
        }
        if (!open) place = {from, line};
        open = true;
        end = from + text.size();
    }
    if (open) raw = bytes_.substr(place.offset, end - place.offset);
    return open;
}

}  // namespace assay::data
