#pragma once
#include "assay/train/optimizer.h"

namespace assay::train {

std::unique_ptr<Optimizer> makeAdamW(const config::OptimizerSpec& spec, const std::vector<nn::Parameter>& parameters);

}  // namespace assay::train
