// Text files. Lines end at \n, \r\n or \r and nowhere else: U+2028 and U+0085 are characters of the text.
#include "import/documents.h"

namespace assay::data {

std::string_view nextLine(std::string_view bytes, size_t& at) {
    const size_t end = bytes.find_first_of("\r\n", at);
    if (end == bytes.npos) {
        const auto line = bytes.substr(at);
        at = bytes.size();
        return line;
    }
    const auto line = bytes.substr(at, end - at);
    at = end + (bytes[end] == '\r' && end + 1 < bytes.size() && bytes[end + 1] == '\n' ? 2 : 1);
    return line;
}


void readText(std::string_view bytes, config::Document document, Documents& out) {
    int64_t line = 0;
    if (document == config::Document::kFile) {
        out.rows = 1;
        return acceptRow(bytes, 1, 1, out);
    }
    if (document == config::Document::kLine) {
        for (size_t at = 0; at < bytes.size();) {
            const auto text = nextLine(bytes, at);
            ++line;
            ++out.rows;
            acceptRow(text, out.rows, line, out);
        }
        return;
    }
    // Paragraphs: stretches of lines between blank ones, with the line ends that they have in the file.
    size_t begin = 0, end = 0;
    int64_t beginLine = 0;
    bool open = false;
    auto close = [&] {
        if (!open) return;
        open = false;
        ++out.rows;
        acceptRow(bytes.substr(begin, end - begin), out.rows, beginLine, out);
    };
    for (size_t at = 0; at < bytes.size();) {
        const size_t from = at;
        const auto text = nextLine(bytes, at);
        ++line;
        if (isBlankLine(text)) {
            close();
            continue;
        }
        if (!open) {
            open = true;
            begin = from;
            beginLine = line;
        }
        end = from + text.size();
    }
    close();
}

}  // namespace assay::data
