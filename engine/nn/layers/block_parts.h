#pragma once
#include <assay/torch.h>

#include <ATen/autocast_mode.h>

#include "layers/blocks.h"
#include "layers/product.h"
#include "layers/row_loops.h"

namespace assay::nn {

using MaybeTensor = std::optional<at::Tensor>;
inline MaybeTensor maybe(const at::Tensor& x) { return x.defined() ? MaybeTensor(x) : std::nullopt; }
inline at::Tensor tensorOf(const MaybeTensor& x) { return x ? *x : at::Tensor(); }

inline at::Tensor inOut(const at::Tensor& weight, WeightLayout layout) { return layout == WeightLayout::kInOut ? weight : weight.t(); }
// Of y = x·W: xᵀ·∂y in the layout of the weight; undefined when nobody wants it.
inline at::Tensor weightGradient(const at::Tensor& weight, const at::Tensor& x, const at::Tensor& gradient, WeightLayout layout) {
    if (!weight.requires_grad()) return {};
    return layout == WeightLayout::kInOut ? product(x.t(), gradient) : product(gradient.t(), x);
}
inline at::Tensor biasGradient(const at::Tensor& bias, const at::Tensor& gradient) { return bias.defined() && bias.requires_grad() ? sumRows(gradient) : at::Tensor(); }

}  // namespace assay::nn
