#pragma once
#include "assay/nn/model.h"

namespace assay::nn {

std::unique_ptr<Model> makeGpt2(const model::ModelConfig& config, const ModelOptions& options);
std::unique_ptr<Model> makeLlama(const model::ModelConfig& config, const ModelOptions& options);
std::unique_ptr<Model> makeMixtral(const model::ModelConfig& config, const ModelOptions& options);

}  // namespace assay::nn
