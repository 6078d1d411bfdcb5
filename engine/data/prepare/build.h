#pragma once
#include "prepare/inputs.h"

namespace assay::data {

// Writes the prepared data into the empty folder `folder`; its manifest comes last.
Result<void> buildPrepared(const config::DataSpec& spec, PipelineInputs& inputs, const PrepareOptions& options, const Json& pipeline,
                           const std::string& key, const std::string& folder);

}  // namespace assay::data
