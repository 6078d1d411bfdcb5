#pragma once
#include <ATen/core/Tensor.h>

namespace assay::nn {

// scale × Σ_i −log softmax(hidden_i · weightᵀ)[label_i] over labels ≠ −100, as a float64 scalar. hidden [N,D],
// weight [V,D], labels [N] int64. Logits exist for a few rows at a time only: the forward pass also computes the
// gradients (when some are wanted), so neither the logits nor their gradient is ever held for the whole batch.
// Labels lie on the device of the others, or on the host: then nothing waits for the device. `hidden` may be narrower than
// `weight` (mixed precision on a GPU): products are then in its type, softmax and sums in fp32.
at::Tensor linearCrossEntropy(const at::Tensor& hidden, const at::Tensor& weight, const at::Tensor& labels, double scale);

}  // namespace assay::nn
