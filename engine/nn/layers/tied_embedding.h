#pragma once
#include <ATen/core/Tensor.h>

namespace assay::nn {

// A table that is both embedding and head. `rows`: table[ids], of the shape of ids and the width; `head`: the table, to be used as
// the head of the same forward pass. Its gradient is made once: that of the head, to which the backward pass of the lookup adds its
// rows in place, in the order of the ids. Apart, the lookup would make a second table that is zero nearly everywhere, and autograd
// would add the two: four passes over the largest parameter of a small model.
struct TiedRows {
    at::Tensor rows, head;
};
TiedRows tiedEmbedding(const at::Tensor& table, const at::Tensor& ids);

}  // namespace assay::nn
