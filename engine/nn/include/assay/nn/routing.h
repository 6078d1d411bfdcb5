#pragma once
// Where the tokens of a mixture of experts went. A table [layers, 2, experts] float64: how many tokens of the batch a router sent to
// each expert, and the sum of the probabilities it gave the expert. Every layer overwrites its own part in each forward pass.

#include <ATen/core/Tensor.h>

namespace assay::nn {

at::Tensor routingTable(int64_t layers, int64_t experts);  // zeros

// experts · Σ_e f_e·P_e over all layers together, f_e the tokens of an expert and P_e its mean probability, both for each token of a
// layer (Fedus et al. 2021, equations 4 to 6, as transformers computes it): perToken when all experts are used alike. 0 without tokens.
double loadBalanceLoss(const at::Tensor& routing, int64_t perToken);

}  // namespace assay::nn
