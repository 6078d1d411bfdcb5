#pragma once
#include <ATen/core/Tensor.h>

namespace assay::nn {

// Causal attention of q [B·T, H·d] over k, v [B·T, Hkv·d] (rows of unit stride, H a multiple of Hkv), scale 1/√d; mask
// [B,1,T,T] or [1,1,T,T] additive, or undefined. Fp32 by our kernel where the processor has one, else by LibTorch's. No autograd.
struct AttentionSizes {
    int64_t rows, columns, heads, kvHeads, headDim;
};
struct Attended {
    at::Tensor out;   // [B·T, H·d]
    at::Tensor sums;  // one number for each head and position, for the backward pass
};
Attended attend(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask, const AttentionSizes& sizes);
struct AttentionGradients {
    at::Tensor q, k, v;
};
AttentionGradients attendBackward(const at::Tensor& gradient, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const Attended& attended, const at::Tensor& mask,
                                  const AttentionSizes& sizes);

}  // namespace assay::nn
