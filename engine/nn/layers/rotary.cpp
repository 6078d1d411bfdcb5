#include <assay/torch.h>

#include <algorithm>

#include <assay/model/rope.h>

#include "assay/nn/device.h"
#include "assay/nn/layers.h"

namespace assay::nn {
namespace {

// Turns pairs (x₁, x₂) by their angle; the gradient turns back.
at::Tensor turn(const at::Tensor& x, const at::Tensor& cosine, const at::Tensor& sine, bool back) {
    const int64_t half = x.size(-1) / 2;
    const at::Tensor x1 = x.narrow(-1, 0, half), x2 = x.narrow(-1, half, half);
    at::Tensor out = at::empty_like(x, x.options(), at::MemoryFormat::Preserve);
    at::Tensor o1 = out.narrow(-1, 0, half), o2 = out.narrow(-1, half, half);
    at::mul_out(o1, x1, cosine);
    at::mul_out(o2, x2, cosine);
    o1.addcmul_(x2, sine, back ? 1 : -1);
    o2.addcmul_(x1, sine, back ? -1 : 1);
    return out;
}

struct Turn : public torch::autograd::Function<Turn> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x, const at::Tensor& cosine, const at::Tensor& sine) {
        context->save_for_backward({cosine, sine});
        return turn(x, cosine, sine, false);
    }
    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context, torch::autograd::variable_list gradients) {
        const auto saved = context->get_saved_variables();
        return {turn(gradients[0], saved[0], saved[1], true), at::Tensor(), at::Tensor()};
    }
};

}  // namespace

Rotary::Rotary(const model::ModelConfig& config) : config_(config) {}

Rotary::Angles Rotary::angles(const at::Tensor& positions, int64_t columns, at::ScalarType dtype, at::Device device, int64_t end) const {
    at::NoGradGuard noGrad;
    if (positions.defined() && positions.numel() > 0) columns = std::max(columns, end > 0 ? end : positions.max().item<int64_t>() + 1);
    // Length of the row, packed or not: what dynamic and longrope make of it does not depend on how documents share a batch.
    const model::RopeFrequencies rope = model::ropeFrequencies(config_, columns);
    const int64_t half = static_cast<int64_t>(rope.inverse.size());
    const at::Tensor frequencies = toDevice(at::tensor(rope.inverse, at::kDouble).to(at::kFloat), device);
    const at::Tensor table = at::arange(columns, at::TensorOptions(device).dtype(at::kFloat)).unsqueeze(1) * frequencies;  // [T, d/2] in fp32, as published models were trained
    at::Tensor cosine = table.to(at::kDouble).cos().mul_(rope.magnitude).to(dtype), sine = table.to(at::kDouble).sin().mul_(rope.magnitude).to(dtype);
    if (!positions.defined()) return {cosine, sine};
    auto pick = [&](const at::Tensor& from) { return from.index_select(0, positions.flatten()).view({positions.size(0), 1, positions.size(1), half}); };
    return {pick(cosine), pick(sine)};
}

at::Tensor Rotary::apply(const at::Tensor& x, const Angles& angles) { return Turn::apply(x, angles.cosine, angles.sine); }

}  // namespace assay::nn
