#pragma once
// The second half of a layer whose MLP is a mixture of experts (Shazeer et al. 2017; Mixtral: Jiang et al. 2024): softmax over all
// experts, the k most likely with their shares scaled to 1, tokens brought together by expert, one product for each.
#include "layers/blocks.h"

namespace assay::nn {

struct ExpertsBlock {
    BlockNorm norm;
    at::Tensor router;                       // [experts, hidden]
    std::vector<at::Tensor> gate, up, down;  // of each expert, [out, in]
    int64_t perToken = 2, layer = 0;         // layer: row of the table
    at::Tensor routing, counted;             // routing.h; counted: undefined for all
    double balance = 0;
};

// x + experts(norm(x)) where blocksApply: one autograd function in the manner of blocks.h. All experts get a gradient, zeros when no
// token came.
at::Tensor expertsBlock(const at::Tensor& x, const ExpertsBlock& block);
// experts(n), composed of LibTorch's operations; the router computes in fp32 or wider.
at::Tensor mixOfExperts(const at::Tensor& n, const ExpertsBlock& block);

}  // namespace assay::nn
