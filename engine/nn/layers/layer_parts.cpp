#include "assay/nn/layer_parts.h"

#include <assay/torch.h>

#include "layers/flash.h"
#include "layers/product.h"

namespace assay::nn {
namespace {

AttentionSizes partSizes(const at::Tensor& q, int64_t heads) { return {1, q.size(0), heads, heads, q.size(1) / heads}; }

}  // namespace

at::Tensor layerProduct(const at::Tensor& a, const at::Tensor& b) { return product(a, b); }

LayerAttention::LayerAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask, int64_t heads) : q_(q), k_(k), v_(v), mask_(mask), heads_(heads) {}

void LayerAttention::forward() {
    const Attended attended = attend(q_, k_, v_, mask_, partSizes(q_, heads_));
    out_ = attended.out;
    sums_ = attended.sums;
}

void LayerAttention::backward(const at::Tensor& gradient) { (void)attendBackward(gradient, q_, k_, v_, {out_, sums_}, mask_, partSizes(q_, heads_)); }

}  // namespace assay::nn
