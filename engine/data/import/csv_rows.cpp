// CSV and TSV with a header line.
#include <algorithm>

#include "import/block_rows.h"
#include "import/csv_row.h"

namespace assay::data {
namespace {

// Quotes that never close and so swallow the rest of the file: each costs its line, until that happens too often.
constexpr int kMaxRecoveries = 16;

class CsvRows final : public BlockRows {
public:
    CsvRows(const RowRequest& request, OpenedBytes bytes, const CsvDialect& dialect) : BlockRows(request, std::move(bytes)), dialect_(dialect) {}
    const std::string& format() const override {
        static const std::string kName = "csv";
        return kName;
    }
    Result<void> readHeader() {
        RowBatch header;
        header.begin({});
        ASSAY_TRY(const Cut done, cutOne(header));
        if (done == Cut::kMore) return fail(ErrorCode::kInvalidFile, path() + ": the header line does not end within 256 MiB", "the first line of a CSV file names its columns");
        return {};
    }
    std::vector<std::pair<std::string, std::string>> details() const override {
        auto out = BlockRows::details();
        out.emplace_back("separator", dialect_.separator == '\t' ? "tab" : std::string(1, dialect_.separator));
        if (dialect_.quote != '"') out.emplace_back("quote", std::string(1, dialect_.quote));
        return out;
    }

protected:
    Result<Cut> cut(std::string_view bytes, bool last, size_t& used, RowBatch& out) override {
        if (!cutCsvRow(bytes, last || bytes.size() >= kMaxRowBytes, dialect_, fields_)) return Cut::kMore;
        const int64_t line = line_;
        if (fields_.open) {  // to the end of the file, or too far
            const size_t end = bytes.find('\n');
            if (recoveries_ < kMaxRecoveries && end != bytes.npos) {
                ++recoveries_;
                used = end + 1;
                ++line_;
            } else {
                used = bytes.size();
                line_ += fields_.lines;
            }
            if (!header_) {
                out.addFault(row_, line, "unclosed_quote", "a quote that opens in this row is never closed: the line is left out; close it, or double it");
                return Cut::kRow;
            }
            return fail(ErrorCode::kInvalidFile, path() + ": a quote in the header line is never closed", "close it, or double it");
        }
        used = fields_.used;
        line_ += fields_.lines;
        if (header_) return takeHeader();
        if (fields_.fields.size() == 1 && fields_.fields[0].text.empty() && names_ > 1) return Cut::kNone;
        if (fields_.fields.size() != names_) {
            out.addFault(row_, line, "ragged_row",
                         "the row has " + std::to_string(fields_.fields.size()) + " fields, the header " + std::to_string(names_) + "; quote fields that hold the separator");
            return Cut::kRow;
        }
        out.addRow(row_, line);
        for (size_t i = 0; i < wanted_.size(); ++i) {
            const CsvField& field = fields_.fields[wanted_[i]];
            std::string_view text = field.text;
            if (field.escaped) {
                plain_.clear();
                unquote(field.text, dialect_.quote, plain_);
                text = out.copy(plain_);
            }
            out.addCell({Cell::Kind::kString, text});
        }
        return Cut::kRow;
    }
    size_t resume(std::string_view bytes) const override { return bytes.find('\n'); }
    void onSeek() override { header_ = false; }

private:
    Result<Cut> takeHeader() {
        header_ = false;
        names_ = fields_.fields.size();
        if (names_ > kMaxColumns) return fail(ErrorCode::kInvalidFile, path() + ": the header has " + std::to_string(names_) + " columns", "at most " + std::to_string(kMaxColumns) + " are read");
        std::vector<std::string> all, chosen;
        for (const CsvField& field : fields_.fields) {
            std::string name;
            if (field.escaped) {
                unquote(field.text, dialect_.quote, name);
            } else {
                name = field.text;
            }
            if (name.empty()) name = "#" + std::to_string(all.size() + 1);
            std::string unique = name;  // the second column of a name is name.1, as other programs call it
            for (int n = 1; std::find(all.begin(), all.end(), unique) != all.end(); ++n) unique = name + "." + std::to_string(n);
            all.push_back(std::move(unique));
        }
        for (size_t i = 0; i < all.size(); ++i) {
            if (!request_.project.empty() && std::find(request_.project.begin(), request_.project.end(), all[i]) == request_.project.end()) continue;
            wanted_.push_back(i);
            chosen.push_back(all[i]);
        }
        columns_ = std::make_shared<const std::vector<std::string>>(std::move(chosen));
        return Cut::kRow;
    }

    const CsvDialect dialect_;
    CsvRow fields_;
    std::string plain_;
    std::vector<size_t> wanted_;  // fields that become cells
    size_t names_ = 0;
    bool header_ = true;
    int recoveries_ = 0;
};

}  // namespace

Result<RowReaderPtr> openCsv(const RowRequest& request, const FileHead& head) {
    ASSAY_TRY(OpenedBytes bytes, openBytes(request.path));
    auto out = std::make_unique<CsvRows>(request, std::move(bytes), guessDialect(head.text, head.extension == ".tsv"));
    ASSAY_TRY_VOID(out->readHeader());
    return out;
}

}  // namespace assay::data
