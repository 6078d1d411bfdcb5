#pragma once
// The matrix product and the attention that half a layer is made of in fp32 and fp64 (layers/blocks.h), for who measures what
// they take: engine/train/calibrate. No autograd; any one thread, cut over those of at::set_num_threads.

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace assay::nn {

at::Tensor layerProduct(const at::Tensor& a, const at::Tensor& b);  // [m,k]·[k,n]

// Causal attention of `heads` heads, as many of keys, over rows of `columns` positions: q, k, v [columns, heads·width], mask
// [1,1,T,T] additive or undefined.
class LayerAttention {
public:
    LayerAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask, int64_t heads);
    void forward();
    void backward(const at::Tensor& gradient);  // of the last forward's result, [columns, heads·width]

private:
    at::Tensor q_, k_, v_, mask_, out_, sums_;
    int64_t heads_;
};

}  // namespace assay::nn
