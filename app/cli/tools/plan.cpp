#include <assay/config/config.h>

#include "plan/document.h"
#include "tools/params.h"
#include "tools/tool.h"

namespace assay::cli {

Result<Json> toolPlan(const GlobalOptions& options, const Json& params) {
    ASSAY_TRY(const std::string yaml, requiredText(params, "yaml"));
    ASSAY_TRY(const std::string folder, optionalText(params, "folder", "/"));
    if (!folder.starts_with('/')) return fail(ErrorCode::kBadUsage, "\"folder\" must be an absolute path");
    PlanRequest request;
    ASSAY_TRY(request.hardware, optionalText(params, "hardware", ""));
    ASSAY_TRY(request.gpus, integerWithin(params, "gpus", 0, 0, 65536));
    ASSAY_TRY(request.search, optionalBool(params, "search", false));
    ASSAY_TRY(request.before, optionalText(params, "before", ""));
    const config::Loaded loaded = config::loadSpecText(yaml, "experiment", folder);
    ASSAY_TRY_VOID(config::requireValid(loaded, "experiment"));
    request.spec = loaded.spec;
    return planDocument(options, request);
}

}  // namespace assay::cli
