#pragma once
#include "import/documents.h"
#include "prepare/inputs.h"

namespace assay::data {

// Documents of the training and of the held-out part, in the order of their files.
struct Selection {
    std::vector<std::string_view> train, eval;
    std::vector<int64_t> trainLines, evalLines;
    std::map<std::string, int64_t> dropped;
    int64_t bytes = 0;  // of all documents
    std::vector<std::unique_ptr<Documents>> storage;
};
Result<Selection> selectDocuments(const config::DataSpec& spec, const PipelineInputs& inputs, const std::stop_token& stop);

}  // namespace assay::data
