#pragma once
#include "kernels/step_kernels.h"

namespace assay::nn {

extern const StepLoops<float> kAvx2Loops, kAvx512Loops;
extern const ProductKernel kAvx2Product, kAvx512Product;

}  // namespace assay::nn
