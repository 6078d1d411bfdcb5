#pragma once
// The loops of kernels/step_kernels.h on tensors, cut over threads. Fp32 and fp64, contiguous, no autograd.
#include <ATen/core/Tensor.h>

namespace assay::nn {

bool loopsTake(const at::Tensor& x);  // fp32 or fp64 on the processor

struct NormStatistics {
    at::Tensor mean, inverse;  // [rows]; mean undefined: RMSNorm
};
// x [rows, width]. bias undefined: RMSNorm.
at::Tensor normForward(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, double eps, NormStatistics& statistics);
at::Tensor normAgain(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, const NormStatistics& statistics);
struct NormGradients {
    at::Tensor input, weight, bias;
};
// `gradient` is overwritten by the gradient of x. passing: added to it (the path around the block), or undefined.
NormGradients normBackward(const at::Tensor& gradient, const at::Tensor& passing, const at::Tensor& x, const at::Tensor& weight, bool hasBias, const NormStatistics& statistics);

at::Tensor geluForward(const at::Tensor& x);
at::Tensor geluBackward(const at::Tensor& x, const at::Tensor& gradient);  // gradient in place; returns gelu(x)
at::Tensor swigluForward(const at::Tensor& gate, const at::Tensor& up);
// The gradient of the product becomes the product again.
void swigluBackward(const at::Tensor& gate, const at::Tensor& up, const at::Tensor& gradient, at::Tensor& gateGradient, at::Tensor& upGradient);

// x [rows, heads·d] in place, rows one after the other of `columns` positions; angles [columns, d/2] or [rows, d/2].
void rotate(const at::Tensor& x, const at::Tensor& cosine, const at::Tensor& sine, int64_t columns, int64_t width, bool back);
at::Tensor sumRows(const at::Tensor& x);  // [width]
// table[ids[i]] += rows[i], in the order of i. ids [rows] int64, inside the table.
void addRowsAt(const at::Tensor& table, const at::Tensor& ids, const at::Tensor& rows);

// Returns Σ −log softmax[label]. logits [rows, vocabulary] become scale·(softmax − onehot) when the gradient is wanted, else scratch.
double crossEntropyRows(const at::Tensor& logits, const at::Tensor& labels, double scale, bool gradient);

}  // namespace assay::nn
