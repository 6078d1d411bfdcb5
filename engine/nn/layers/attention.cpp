#include <assay/torch.h>

#include <ATen/autocast_mode.h>

#include <limits>

#include "assay/nn/layers.h"
#include "checkpointing/recompute.h"

namespace assay::nn {

namespace {

at::Tensor masked(const at::Tensor& seen, const at::TensorOptions& options) {
    at::Tensor mask = at::zeros(seen.sizes(), options);
    mask.masked_fill_(seen.logical_not(), -std::numeric_limits<double>::infinity());
    return mask.unsqueeze(1);
}

}  // namespace

at::Tensor causalMask(const at::Tensor& segments, at::ScalarType dtype, int64_t window) {
    at::Tensor same = segments.unsqueeze(2).eq(segments.unsqueeze(1)).tril_();
    if (window > 0 && window < segments.size(1)) same.triu_(1 - window);
    return masked(same, segments.options().dtype(dtype));
}

at::Tensor windowMask(int64_t columns, int64_t window, const at::TensorOptions& options) {
    return masked(at::ones({1, columns, columns}, options.dtype(at::kBool)).tril_().triu_(1 - window), options);
}

at::Tensor causalAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask, double dropout) {
    const int64_t rows = q.size(0), heads = q.size(1), columns = q.size(2), width = q.size(3), kvHeads = k.size(1);
    // The CPU flash kernel wants equal head counts: each key head is repeated for the group of query heads it serves.
    auto grouped = [=](const at::Tensor& x) {
        if (heads == kvHeads) return x;
        return recomputed({x}, [=](const std::vector<at::Tensor>& in) {
            return in[0].unsqueeze(2).expand({rows, kvHeads, heads / kvHeads, columns, width}).reshape({rows, heads, columns, width});
        });
    };
    auto core = [=](const std::vector<at::Tensor>& in) {
        std::optional<at::Tensor> given;
        if (mask.defined()) given = mask;
        at::Tensor out = at::scaled_dot_product_attention(in[0], grouped(in[1]), grouped(in[2]), given, dropout, /*is_causal=*/!mask.defined());
        return out.transpose(1, 2).reshape({rows * columns, heads * width});
    };
    // With dropout the CPU takes the path that keeps all scores; else the flash kernel keeps its result and a sum a row, which
    // would cost more to compute again than they are large.
    return dropout > 0 && q.is_cpu() ? recomputed({q, k, v}, core, true) : core({q, k, v});
}

namespace {

at::Tensor activationOf(const at::Tensor& x, std::string_view name) {
    if (name == "gelu_new" || name == "gelu_pytorch_tanh") return at::gelu(x, "tanh");
    if (name == "gelu") return at::gelu(x);
    if (name == "relu") return at::relu(x);
    return at::silu(x);
}

}  // namespace

at::Tensor activate(const at::Tensor& x, std::string_view name) {
    return recomputed({x}, [name = std::string(name)](const std::vector<at::Tensor>& in) { return activationOf(in[0], name); });
}

at::Tensor gated(const at::Tensor& activatedGate, const at::Tensor& up) {
    return recomputed({activatedGate, up}, [](const std::vector<at::Tensor>& in) { return in[0] * in[1]; });
}

at::Tensor castOperand(const at::Tensor& x) {
    const at::DeviceType device = x.device().type();
    if (!SelectiveScope::active() || !at::autocast::is_autocast_enabled(device) || x.scalar_type() != at::kFloat) return x;
    const at::ScalarType type = at::autocast::get_autocast_dtype(device);
    return recomputed({x}, [type](const std::vector<at::Tensor>& in) { return in[0].to(type); });
}

at::Tensor applyDropout(const at::Tensor& x, double probability, bool training) {
    return training && probability > 0 ? at::dropout(x, probability, true) : x;
}

}  // namespace assay::nn
