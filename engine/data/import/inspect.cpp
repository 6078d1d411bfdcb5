#include <assay/core/paths.h>
#include <assay/data/prepare.h>

#include <algorithm>

#include "import/documents.h"

namespace assay::data {

Result<Json> inspectFiles(const std::vector<std::string>& paths) {
    if (paths.empty()) return fail(ErrorCode::kBadUsage, "no file to inspect", "name one or more data files");
    std::string format;
    int64_t rows = 0, usable = 0;
    Json columns = Json::array(), problems = Json::array();
    for (const std::string& path : paths) {
        config::DataSource source;
        source.path = path;
        ASSAY_TRY(const auto docs, readDocuments(source, config::Document::kLine));
        format = format.empty() || format == docs->format ? docs->format : "mixed";
        rows += docs->rows;
        usable += static_cast<int64_t>(docs->texts.size());
        for (const std::string& column : docs->columns)
            if (std::find(columns.begin(), columns.end(), Json(column)) == columns.end()) columns.push_back(column);
        for (const RowProblem& p : docs->problems) {
            Json problem{{"row", p.row}, {"line", p.line}, {"reason", p.reason}, {"count", p.count}, {"hint", p.hint}};
            if (paths.size() > 1) problem["file"] = path;
            problems.push_back(std::move(problem));
        }
    }
    return Json{{"format", format}, {"rows", rows}, {"usable", usable}, {"columns", columns}, {"problems", problems}};
}

}  // namespace assay::data
