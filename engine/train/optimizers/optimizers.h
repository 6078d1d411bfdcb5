#pragma once
#include "assay/train/optimizer.h"

namespace assay::train {

std::unique_ptr<UpdateRule> makeAdamW(const config::OptimizerSpec& spec);
std::unique_ptr<UpdateRule> makeAdam(const config::OptimizerSpec& spec);
std::unique_ptr<UpdateRule> makeSgd(const config::OptimizerSpec& spec);
std::unique_ptr<UpdateRule> makeLion(const config::OptimizerSpec& spec);
std::unique_ptr<UpdateRule> makeAdafactor(const config::OptimizerSpec& spec);
std::unique_ptr<UpdateRule> makeAdamW8bit(const config::OptimizerSpec& spec);

// A zeroed state tensor without a gradient of its own.
at::Tensor makeState(const std::vector<int64_t>& shape, at::ScalarType type);

}  // namespace assay::train
