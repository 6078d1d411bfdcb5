#include "assay/nn/layers.h"

#include <assay/torch.h>

#include "checkpointing/recompute.h"

namespace assay::nn {
namespace {

struct RmsNorm : public torch::autograd::Function<RmsNorm> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x, const at::Tensor& weight, double eps) {
        at::Tensor inverse = at::rsqrt_(at::mean(x * x, -1, true).add_(eps));
        context->save_for_backward({x, weight, inverse});
        return (x * inverse).mul_(weight);
    }
    // With x̂ = x·r and h = g·w: ∂x = r·(h − x̂·mean(h·x̂)), ∂w = Σ g·x̂.
    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context, torch::autograd::variable_list gradients) {
        const auto saved = context->get_saved_variables();
        const at::Tensor &g = gradients[0], &weight = saved[1], &inverse = saved[2];
        const at::Tensor normed = saved[0] * inverse;
        at::Tensor weightGradient = (g * normed).reshape({-1, weight.size(0)}).sum(0);
        at::Tensor h = g * weight;
        const at::Tensor mean = at::mean(h * normed, -1, true);
        h.addcmul_(normed, mean, -1).mul_(inverse);
        return {h, weightGradient, at::Tensor()};
    }
};

}  // namespace

at::Tensor rmsNorm(const at::Tensor& x, const at::Tensor& weight, double eps) {
    return recomputed({x, weight}, [eps](const std::vector<at::Tensor>& in) { return RmsNorm::apply(in[0], in[1], eps); });
}

at::Tensor layerNorm(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, double eps) {
    return recomputed({x, weight, bias}, [eps](const std::vector<at::Tensor>& in) { return at::layer_norm(in[0], in[1].sizes(), in[1], in[2], eps); });
}

}  // namespace assay::nn
