#include "text/cut.h"
#include "tools/params.h"
#include "tools/tool.h"

namespace assay::cli {
namespace {

constexpr size_t kCellCharacters = 2000, kMaxFilter = 1000, kPageBytes = size_t{2} << 20;

struct Page {
    Json rows = Json::array();
    size_t bytes = 0;
    bool full = false;

    void add(const data::DataRow& row) {
        Json cells = Json::object(), cut = Json::array();
        size_t size = 0;
        const auto cell = [&](const std::string& text, const char* name) {
            std::string shown = cutToCharacters(text, kCellCharacters);
            if (shown.size() < text.size()) cut.push_back(name);
            size += shown.size();
            return shown;
        };
        for (const auto& [name, text] : row.cells) cells[name] = cell(text, name.c_str());
        Json out{{"row", row.row}, {"line", row.line > 0 ? Json(row.line) : Json()}, {"usable", row.usable}, {"reason", row.reason.empty() ? Json() : Json(row.reason)}, {"hint", row.hint}, {"shape", row.shape}, {"cells", std::move(cells)}};
        out["text"] = cell(row.text, "text");
        if (!cut.empty()) out["cut"] = std::move(cut);
        // An answer has a limit; the page ends early and next_offset says where to go on.
        if (!rows.empty() && bytes + size > kPageBytes) {
            full = true;
            return;
        }
        bytes += size + 200;
        rows.push_back(std::move(out));
    }
};

}  // namespace

Result<Json> toolDataRows(const GlobalOptions& options, const Json& params) {
    ASSAY_TRY(const std::string path, requiredText(params, "path"));
    ASSAY_TRY(const int64_t offset, integerWithin(params, "offset", 0, 0, int64_t{1} << 52));
    ASSAY_TRY(const int64_t limit, integerWithin(params, "limit", 100, 0, 500));
    ASSAY_TRY(const std::string filter, optionalText(params, "filter", ""));
    if (filter.size() > kMaxFilter) return fail(ErrorCode::kBadUsage, "\"filter\" is longer than 1,000 bytes");
    ASSAY_TRY(const data::DataFilePtr file, dataFile(options, params, path));
    Page page;
    int64_t total = 0;
    const auto wants = [&] { return !page.full && static_cast<int64_t>(page.rows.size()) < limit; };
    if (filter.empty()) {
        total = file->rows();
        if (limit > 0 && offset < total) {
            ASSAY_TRY_VOID(file->visit(offset + 1, true, [&](const data::DataRow& row) {
                page.add(row);
                return wants();
            }));
        }
    } else {
        ASSAY_TRY_VOID(file->visitMatching(filter, [&](const data::DataRow& row) {
            if (total++ >= offset && wants()) page.add(row);
            return true;
        }));
    }
    const int64_t next = offset + static_cast<int64_t>(page.rows.size());
    return Json{{"columns", file->columns()}, {"rows", std::move(page.rows)}, {"total", total}, {"next_offset", next < total ? Json(next) : Json()}};
}

}  // namespace assay::cli
