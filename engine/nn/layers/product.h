#pragma once
#include <ATen/core/Tensor.h>

namespace assay::nn {

struct ProductExtras {
    at::Tensor bias;      // [columns], added to every row
    at::Tensor residual;  // of the product's shape
    bool accumulate = false;
};

// out = a·b (+ out | + bias | + residual), matrices of one type; `out` has rows of unit stride and overlaps nothing. Fp32 goes
// to our kernel where that is the faster one (kernels/step_kernels.h), else to LibTorch. No autograd.
void multiply(const at::Tensor& out, const at::Tensor& a, const at::Tensor& b, const ProductExtras& extras = {});
at::Tensor product(const at::Tensor& a, const at::Tensor& b, const ProductExtras& extras = {});  // into a new tensor

// Scratch of this thread, 64-byte aligned, at least so many floats; kept for the life of the thread, outside the meter of tensors.
float* packingBuffer(int64_t floats);

}  // namespace assay::nn
