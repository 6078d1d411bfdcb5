// JSONL: one object a line; a line that cannot be read costs itself.
#include "import/block_rows.h"
#include "import/json_cells.h"

namespace assay::data {
namespace {

class JsonLines final : public BlockRows {
public:
    JsonLines(const RowRequest& request, OpenedBytes bytes) : BlockRows(request, std::move(bytes)), cells_(request.project) {}
    Result<void> prepare() { return cells_.prepare(); }
    const std::string& format() const override {
        static const std::string kName = "jsonl";
        return kName;
    }
    std::vector<std::pair<std::string, std::string>> details() const override {
        auto out = BlockRows::details();
        if (cells_.full()) out.emplace_back("columns", "only the first " + std::to_string(kMaxColumns));
        return out;
    }

protected:
    Result<Cut> cut(std::string_view bytes, bool last, size_t& used, RowBatch& out) override {
        const size_t end = bytes.find('\n');
        if (end == bytes.npos && !last) return Cut::kMore;
        std::string_view line = bytes.substr(0, end);
        used = std::min(bytes.size(), line.size() + 1);
        const int64_t number = line_++;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.find_first_not_of(" \t\r") == line.npos) {
            skipBlank(bytes, used);
            return Cut::kNone;
        }
        cells_.add(line, row_, number, out);
        columns_ = cells_.columns();
        return Cut::kRow;
    }
    size_t resume(std::string_view bytes) const override { return bytes.find('\n'); }

private:
    // Blank lines that follow: files that are unpacked may hold millions of them.
    void skipBlank(std::string_view bytes, size_t& used) {
        for (size_t i = used; i < bytes.size(); ++i) {
            if (bytes[i] == '\n') {
                used = i + 1;
                ++line_;
            } else if (bytes[i] != ' ' && bytes[i] != '\t' && bytes[i] != '\r') {
                return;
            }
        }
    }

    JsonCells cells_;
};

}  // namespace

Result<RowReaderPtr> openJsonLines(const RowRequest& request, const FileHead&) {
    ASSAY_TRY(OpenedBytes bytes, openBytes(request.path));
    auto out = std::make_unique<JsonLines>(request, std::move(bytes));
    ASSAY_TRY_VOID(out->prepare());
    return out;
}

}  // namespace assay::data
