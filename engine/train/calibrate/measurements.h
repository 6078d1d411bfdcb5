#pragma once
// The groups of measurements; each answers with an array of points, the smallest shapes first.

#include <assay/core/json.h>

#include <ATen/core/Tensor.h>

#include "stopwatch.h"

namespace assay::train::calibrate {

Json products(const Budget& budget, at::ScalarType type);   // {m, n, k, seconds} of [m,k]·[k,n]
Json attention(const Budget& budget, at::ScalarType type);  // {columns, width, heads, kind: causal|masked|dropout, forward, backward}
// {family, rows, columns, hidden, heads, layers, ffn, vocab, dropout, forward, backward}: a whole model without its loss.
// `compute`: the type inside mixed precision, or that of the weights.
Json layers(const Budget& budget, at::ScalarType weights, at::ScalarType compute, double dropout = 0);
Json losses(const Budget& budget, at::ScalarType type);     // {rows, hidden, vocab, seconds}: both gradients are made in it
Json optimizers(const Budget& budget, bool half);           // {name, rounding: none|master|stochastic, tensors, elements, seconds}
Json passes(const Budget& budget);                          // {name, elements, seconds}: memory, fresh memory, mask, dropout, norm, clipping

}  // namespace assay::train::calibrate
