#include <assay/torch.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

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

Rotary::Rotary(const model::ModelConfig& config) : config_(config) {
    if (config.ropeScaling.kind == "yarn" && config.ropeScaling.factor > 1)
        attentionFactor_ = 0.1 * std::log(config.ropeScaling.factor) + 1.0;
}

// Rules of Hugging Face transformers' modeling_rope_utils: linear (Chen et al. 2023), dynamic NTK, llama3 (Llama 3.1
// report), yarn (Peng et al. 2023, beta_fast 32, beta_slow 1).
void Rotary::inverseFrequencies(int64_t columns, std::vector<float>& out) const {
    const auto& scaling = config_.ropeScaling;
    const int64_t width = config_.headDim, half = width / 2;
    double base = config_.ropeTheta;
    if (scaling.kind == "dynamic" && columns > scaling.originalContext) {
        const double stretch = scaling.factor * static_cast<double>(columns) / static_cast<double>(scaling.originalContext) - (scaling.factor - 1);
        base *= std::pow(stretch, static_cast<double>(width) / static_cast<double>(width - 2));
    }
    out.resize(static_cast<size_t>(half));
    auto correction = [&](double rotations) {
        return static_cast<double>(width) * std::log(static_cast<double>(scaling.originalContext) / (rotations * 2 * std::numbers::pi)) / (2 * std::log(base));
    };
    double low = std::max(0.0, std::floor(correction(32))), high = std::min(static_cast<double>(width - 1), std::ceil(correction(1)));
    if (low == high) high += 0.001;
    for (int64_t i = 0; i < half; ++i) {
        double frequency = 1.0 / std::pow(base, static_cast<double>(2 * i) / static_cast<double>(width));
        if (scaling.kind == "linear") {
            frequency /= scaling.factor;
        } else if (scaling.kind == "llama3") {
            const double wavelength = 2 * std::numbers::pi / frequency, context = static_cast<double>(scaling.originalContext);
            if (wavelength > context / scaling.lowFreqFactor) {
                frequency /= scaling.factor;
            } else if (wavelength >= context / scaling.highFreqFactor) {
                const double smooth = (context / wavelength - scaling.lowFreqFactor) / (scaling.highFreqFactor - scaling.lowFreqFactor);
                frequency = (1 - smooth) * frequency / scaling.factor + smooth * frequency;
            }
        } else if (scaling.kind == "yarn") {
            const double ramp = std::clamp((static_cast<double>(i) - low) / (high - low), 0.0, 1.0);
            frequency = frequency / scaling.factor * ramp + frequency * (1 - ramp);
        }
        out[static_cast<size_t>(i)] = static_cast<float>(frequency);
    }
}

Rotary::Angles Rotary::angles(const at::Tensor& positions, int64_t columns, at::ScalarType dtype) const {
    at::NoGradGuard noGrad;
    if (positions.defined() && positions.numel() > 0) columns = std::max(columns, positions.max().item<int64_t>() + 1);
    std::vector<float> inverse;
    inverseFrequencies(columns, inverse);
    const int64_t half = static_cast<int64_t>(inverse.size());
    const at::Tensor frequencies = at::from_blob(inverse.data(), {half}, at::kFloat).clone();
    const at::Tensor table = at::arange(columns, at::kFloat).unsqueeze(1) * frequencies;  // [T, d/2] in fp32, as published models were trained
    at::Tensor cosine = table.to(at::kDouble).cos().mul_(attentionFactor_).to(dtype), sine = table.to(at::kDouble).sin().mul_(attentionFactor_).to(dtype);
    if (!positions.defined()) return {cosine, sine};
    auto pick = [&](const at::Tensor& from) { return from.index_select(0, positions.flatten()).view({positions.size(0), 1, positions.size(1), half}); };
    return {pick(cosine), pick(sine)};
}

at::Tensor Rotary::apply(const at::Tensor& x, const Angles& angles) { return Turn::apply(x, angles.cosine, angles.sine); }

}  // namespace assay::nn
