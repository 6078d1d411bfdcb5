#include "tools/params.h"
#include "tools/tool.h"

namespace assay::cli {

Result<Json> toolDataInspect(const GlobalOptions& options, const Json& params) {
    auto paths = params.find("paths");
    if (paths == params.end() || !paths->is_array() || paths->empty() || paths->size() > 1000)
        return fail(ErrorCode::kBadUsage, "\"paths\" must be a list of 1 to 1,000 paths", "PROTOCOL.md lists the parameters of every tool");
    std::vector<data::DataFilePtr> files;
    for (const Json& path : *paths) {
        if (!path.is_string()) return fail(ErrorCode::kBadUsage, "\"paths\" must hold texts");
        ASSAY_TRY(data::DataFilePtr file, dataFile(options, params, path.get<std::string>()));
        files.push_back(std::move(file));
    }
    return data::inspectRows(files);
}

}  // namespace assay::cli
