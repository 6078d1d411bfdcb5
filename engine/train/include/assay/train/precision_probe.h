#pragma once
// Whether a narrow type pays on this processor or GPU: without instructions for it LibTorch emulates the products.

#include <ATen/core/Tensor.h>
#include <assay/model/config.h>

namespace assay::train {

// Time of a layer's matrix products in fp32 ÷ their time in `type`: below 1 the type is slower here. `rows`: tokens of a
// micro-batch. On the CPU processor time, so that others on the machine hardly change it; well under a second.
double precisionSpeedup(const model::ModelConfig& config, int64_t rows, at::ScalarType type, at::Device device = at::kCPU);

}  // namespace assay::train
