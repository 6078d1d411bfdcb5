#pragma once
// Layers shared by the families. All take and return plain tensors; gradients flow through them.

#include <ATen/core/Tensor.h>
#include <assay/model/config.h>

#include <string_view>

namespace assay::nn {

// x / sqrt(mean(x²) + eps) · weight over the last dimension (Zhang & Sennrich 2019).
at::Tensor rmsNorm(const at::Tensor& x, const at::Tensor& weight, double eps);
// (x − mean) / sqrt(variance + eps) · weight + bias over the last dimension (Ba et al. 2016).
at::Tensor layerNorm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, double eps);

// Causal attention of q [B,H,T,d] over k, v [B,Hkv,T,d] with H a multiple of Hkv; scale 1/√d. `mask` as causalMask makes
// it, undefined: plain causal. Returns [B·T, H·d].
at::Tensor causalAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask, double dropout);

// Additive mask [B,1,T,T]: 0 where column j ≤ row i, both lie in one segment and, with a window, i − j < window; −∞ elsewhere. No
// row is fully masked.
at::Tensor causalMask(const at::Tensor& segments, at::ScalarType dtype, int64_t window = 0);
// The same for rows of one segment, [1,1,T,T].
at::Tensor windowMask(int64_t columns, int64_t window, const at::TensorOptions& options);

at::Tensor activate(const at::Tensor& x, std::string_view name);  // gelu_new (tanh form), gelu (erf), silu, relu
at::Tensor gated(const at::Tensor& activatedGate, const at::Tensor& up);  // their product
// What a matrix product makes of an operand in a region of mixed precision. Called before the product only so that checkpointing
// knows the copy; elsewhere it is the operand.
at::Tensor castOperand(const at::Tensor& x);
at::Tensor applyDropout(const at::Tensor& x, double probability, bool training);

// Rotary positions (Su et al. 2021) in the rotate-half layout of Hugging Face Llama: dimensions i and i + d/2 form a pair.
class Rotary {
public:
    explicit Rotary(const model::ModelConfig& config);
    struct Angles {
        at::Tensor cosine, sine;  // [T, d/2] or [B,1,T,d/2]
    };
    // positions [B,T] int64 or undefined for 0 … columns−1. `end`: 1 + the largest position, 0 when it is not known.
    Angles angles(const at::Tensor& positions, int64_t columns, at::ScalarType dtype, at::Device device = at::kCPU, int64_t end = 0) const;
    static at::Tensor apply(const at::Tensor& x, const Angles& angles);  // x [B,H,T,d]

private:
    model::ModelConfig config_;
};

}  // namespace assay::nn
