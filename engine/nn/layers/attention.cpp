#include <assay/torch.h>

#include <limits>

#include "assay/nn/layers.h"

namespace assay::nn {

at::Tensor causalMask(const at::Tensor& segments, at::ScalarType dtype) {
    const int64_t rows = segments.size(0), columns = segments.size(1);
    const at::Tensor same = segments.unsqueeze(2).eq(segments.unsqueeze(1)).tril_();
    at::Tensor mask = at::zeros({rows, columns, columns}, at::TensorOptions().dtype(dtype).device(segments.device()));
    mask.masked_fill_(same.logical_not(), -std::numeric_limits<double>::infinity());
    return mask.unsqueeze(1);
}

at::Tensor causalAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask, double dropout) {
    const int64_t rows = q.size(0), heads = q.size(1), columns = q.size(2), width = q.size(3), kvHeads = k.size(1);
    // The CPU flash kernel wants equal head counts: each key head is repeated for the group of query heads it serves.
    auto grouped = [&](const at::Tensor& x) {
        if (heads == kvHeads) return x;
        return x.unsqueeze(2).expand({rows, kvHeads, heads / kvHeads, columns, width}).reshape({rows, heads, columns, width});
    };
    std::optional<at::Tensor> given;
    if (mask.defined()) given = mask;
    at::Tensor out = at::scaled_dot_product_attention(q, grouped(k), grouped(v), given, dropout, /*is_causal=*/!mask.defined());
    return out.transpose(1, 2).reshape({rows * columns, heads * width});
}

at::Tensor activate(const at::Tensor& x, std::string_view name) {
    if (name == "gelu_new" || name == "gelu_pytorch_tanh") return at::gelu(x, "tanh");
    if (name == "gelu") return at::gelu(x);
    if (name == "relu") return at::relu(x);
    return at::silu(x);
}

at::Tensor applyDropout(const at::Tensor& x, double probability, bool training) {
    return training && probability > 0 ? at::dropout(x, probability, true) : x;
}

}  // namespace assay::nn
