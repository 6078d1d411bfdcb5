#pragma once
// The two halves of a transformer layer, each as one autograd function that calls kernels itself and keeps only what it cannot
// cheaply make again: norms, activations and rotated copies are recomputed in the backward pass. For fp32 and fp64 without
// dropout or mixed precision (`blocksApply`); elsewhere families compose their layers of LibTorch's operations.
#include <ATen/core/Tensor.h>

namespace assay::nn {

struct BlockMatrix {
    at::Tensor weight, bias;  // bias may be undefined
};
struct BlockNorm {
    at::Tensor weight, bias;  // no bias: RMSNorm
    double eps = 1e-5;
};
enum class WeightLayout { kInOut, kOutIn };

bool blocksApply(const at::Tensor& x, const at::Tensor& weight, double dropout);

struct AttentionBlock {
    BlockNorm norm;
    BlockMatrix q, k, v, out;  // k, v undefined: q holds all three side by side
    WeightLayout layout = WeightLayout::kInOut;
    int64_t rows = 0, columns = 0, heads = 0, kvHeads = 0, headDim = 0;
    at::Tensor mask, cosine, sine;  // undefined: plain causal; no rotary positions
    at::Tensor qNorm, kNorm;        // RMSNorm of every head before its rotation, weights [headDim]; undefined: none
};
// x + out(attention(norm(x))). In a SelectiveScope the attention itself is computed again too.
at::Tensor attentionBlock(const at::Tensor& x, const AttentionBlock& block);

struct MlpBlock {
    BlockNorm norm;
    BlockMatrix gate, up, down;  // gate undefined: down(gelu_tanh(up(n))), else down(silu(gate(n))·up(n))
    WeightLayout layout = WeightLayout::kInOut;
};
at::Tensor mlpBlock(const at::Tensor& x, const MlpBlock& block);  // x + mlp(norm(x))

at::Tensor blockNorm(const at::Tensor& x, const BlockNorm& norm);

}  // namespace assay::nn
