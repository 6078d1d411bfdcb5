#include <assay/data/datasets.h>

#include "tools/tool.h"

namespace assay::cli {

Result<Json> toolDatasetsList(const GlobalOptions&, const Json&) { return data::foundToJson(data::findDatasets()); }

}  // namespace assay::cli
