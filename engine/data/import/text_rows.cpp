// Text files. Lines end at \n, \r\n or \r and nowhere else: U+2028 and U+0085 are characters of the text.
#include "import/block_rows.h"
#include "import/lines.h"

namespace assay::data {
namespace {

class TextRows final : public BlockRows {
public:
    TextRows(const RowRequest& request, OpenedBytes bytes) : BlockRows(request, std::move(bytes)) {
        columns_ = std::make_shared<const std::vector<std::string>>(1, "text");
    }
    const std::string& format() const override {
        static const std::string kName = "text";
        return kName;
    }

protected:
    Result<Cut> cut(std::string_view bytes, bool last, size_t& used, RowBatch& out) override {
        switch (request_.document) {
            case config::Document::kLine: return line(bytes, last, used, out);
            case config::Document::kParagraph: return paragraph(bytes, last, used, out);
            case config::Document::kFile: break;
        }
        if (!last) return Cut::kMore;
        used = bytes.size();
        add(bytes, line_, out);
        return Cut::kRow;
    }
    size_t resume(std::string_view bytes) const override {
        switch (request_.document) {
            case config::Document::kLine: return bytes.find_first_of("\r\n");
            case config::Document::kParagraph: {
                const size_t a = bytes.find("\n\n"), b = bytes.find("\n\r\n");
                return std::min(a, b);
            }
            case config::Document::kFile: break;
        }
        return bytes.npos;
    }

private:
    void add(std::string_view text, int64_t line, RowBatch& out) {
        out.addRow(row_, line);
        out.addCell({Cell::Kind::kString, text});
    }
    Cut line(std::string_view bytes, bool last, size_t& used, RowBatch& out) {
        std::string_view text;
        if (!takeLine(bytes, last, used, text)) return Cut::kMore;
        add(text, line_++, out);
        return Cut::kRow;
    }
    // Lines between blank ones, with the line ends that they have in the file.
    Cut paragraph(std::string_view bytes, bool last, size_t& used, RowBatch& out) {
        size_t at = 0, begin = 0, end = 0;
        int64_t lines = 0, first = 0;
        bool open = false;
        while (at < bytes.size()) {
            size_t n = 0;
            std::string_view text;
            if (!takeLine(bytes.substr(at), last, n, text)) break;
            const bool blank = isBlankLine(text);
            if (blank && open) break;
            if (blank) {
                used = at + n;
                ++line_;
                return Cut::kNone;
            }
            if (!open) {
                begin = at;
                first = line_ + lines;
            }
            open = true;
            end = at + text.size();
            at += n;
            ++lines;
        }
        if (!open || (at == bytes.size() && !last)) return Cut::kMore;
        if (at < bytes.size() && !last) {  // the line after it must be seen whole to know that it is blank
            size_t n = 0;
            std::string_view text;
            if (!takeLine(bytes.substr(at), last, n, text)) return Cut::kMore;
        }
        used = at;
        line_ += lines;
        add(bytes.substr(begin, end - begin), first, out);
        return Cut::kRow;
    }
};

}  // namespace

bool takeLine(std::string_view bytes, bool last, size_t& used, std::string_view& line) {
    const size_t end = bytes.find_first_of("\r\n");
    if (end == bytes.npos) {
        if (!last) return false;
        used = bytes.size();
        line = bytes;
        return true;
    }
    if (bytes[end] == '\r' && end + 1 == bytes.size() && !last) return false;  // \n may follow
    used = end + (bytes[end] == '\r' && end + 1 < bytes.size() && bytes[end + 1] == '\n' ? 2 : 1);
    line = bytes.substr(0, end);
    return true;
}

bool isBlankLine(std::string_view line) { return line.find_first_not_of(" \t\v\f") == line.npos; }

Result<RowReaderPtr> openText(const RowRequest& request, const FileHead&) {
    ASSAY_TRY(OpenedBytes bytes, openBytes(request.path));
    return std::make_unique<TextRows>(request, std::move(bytes));
}

}  // namespace assay::data
