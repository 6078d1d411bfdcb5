#pragma once
// A router's decisions and their gradients; rows of tokens brought together by expert.
#include <ATen/core/Tensor.h>

#include <vector>

namespace assay::nn {

// Sums over the tokens of a layer that count; writes its part [2, experts] of the table. chosen [R,k] int32.
void noteRouting(const at::Tensor& table, int64_t layer, const at::Tensor& probabilities, const at::Tensor& chosen, const at::Tensor& counted);
// Gradient of `balance` times loadBalanceLoss to the probability that any token gives each expert, [experts] float64: a function of
// the whole table, so it is asked for in the backward pass, when all layers have written theirs.
at::Tensor balanceSlopes(const at::Tensor& table, int64_t perToken, double balance);

// The rest works on the processor, fp32 or fp64, without autograd.
struct Route {
    at::Tensor probabilities;    // [R,E]
    at::Tensor chosen, weights;  // [R,k]: experts in int32, the larger probability first, and their shares, which sum to 1
    at::Tensor places, rows;     // int32: where each choice lies when choices are sorted by expert [R,k], and whose it is [R·k]
    std::vector<int64_t> first;  // of each expert among the sorted, and the end: E + 1
};
// `logits` [R,E] become the probabilities. Equal probabilities: the expert with the lower number.
Route route(const at::Tensor& logits, int64_t perToken);
at::Tensor gatherRows(const at::Tensor& x, const at::Tensor& rows);
// Σ over the choices of a token, times its shares unless these are undefined, plus `around` unless that is: [R,D] of sorted [R·k,D].
at::Tensor mixRows(const at::Tensor& sorted, const Route& route, bool weighted, const at::Tensor& around);
// Of choices whose output would have the slopes a, b and whose inner state is c: multiplies rows by their shares and returns the
// gradient of the shares, Σ b·up, [R,k].
at::Tensor shareRows(const Route& route, const at::Tensor& a, const at::Tensor& b, const at::Tensor& c, const at::Tensor& up);
// Gradient of the logits. `slopes`: balanceSlopes or undefined.
at::Tensor routeBackward(const Route& route, const at::Tensor& shareGradient, const at::Tensor& slopes, const at::Tensor& counted);

}  // namespace assay::nn
