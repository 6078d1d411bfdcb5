// Every tool: one line each, by name.
#include "tools/tool.h"

namespace assay::cli {
namespace {

constexpr Tool kTools[] = {
    {"data_inspect", toolDataInspect},
    {"data_lengths", toolDataLengths},
    {"data_rows", toolDataRows},
    {"data_view", toolDataView},
    {"datasets_list", toolDatasetsList},
    {"doctor", toolDoctor},
    {"files_list", toolFilesList},
    {"model_describe", toolModelDescribe},
    {"models_list", toolModelsList},
    {"plan", toolPlan},
    {"spec_check", toolSpecCheck},
    {"tokenize", toolTokenize},
};

}  // namespace

const Tool* findTool(std::string_view name) {
    for (const Tool& tool : kTools)
        if (name == tool.name) return &tool;
    return nullptr;
}

std::string toolNames() {
    std::string names;
    for (const Tool& tool : kTools) names += (names.empty() ? "" : ", ") + std::string(tool.name);
    return names;
}

}  // namespace assay::cli
