#include <assay/torch.h>

#include <cmath>

#include "assay/train/optimizer.h"

namespace assay::train {
namespace {

std::vector<at::Tensor> gradientsOf(const std::vector<nn::Parameter>& parameters) {
    std::vector<at::Tensor> out;
    out.reserve(parameters.size());
    for (const nn::Parameter& p : parameters) out.push_back(p.value.grad());
    return out;
}

}  // namespace

void fillMissingGradients(const std::vector<nn::Parameter>& parameters) {
    at::NoGradGuard noGrad;
    for (const nn::Parameter& p : parameters) {
        at::Tensor value = p.value;
        if (!value.grad().defined()) value.mutable_grad() = at::zeros_like(value).set_requires_grad(false);
    }
}

at::Tensor gradientNorms(const std::vector<nn::Parameter>& parameters) {
    at::NoGradGuard noGrad;
    if (parameters.empty()) return at::empty({0}, at::kDouble);
    std::optional<at::ScalarType> wide;
    if (parameters[0].value.scalar_type() != at::kDouble) wide = at::kFloat;  // a norm in bf16 would have two digits
    return at::stack(at::_foreach_norm(gradientsOf(parameters), 2, wide)).to(at::kDouble);
}

GradientNorm gradientNorm(const std::vector<nn::Parameter>& parameters, std::span<const double> norms) {
    GradientNorm result;
    double sum = 0;  // in float64 and in the order of the parameters: the same on every machine and layout
    for (size_t i = 0; i < parameters.size(); ++i) {
        const double norm = norms[i];
        if (!std::isfinite(norm) && result.notFinite.empty()) result.notFinite = parameters[i].info.name;
        sum += norm * norm;
    }
    result.norm = std::sqrt(sum);
    return result;
}

GradientNorm gradientNorm(const std::vector<nn::Parameter>& parameters) {
    const at::Tensor norms = gradientNorms(parameters).cpu();
    return gradientNorm(parameters, {norms.const_data_ptr<double>(), parameters.size()});
}

void clipGradients(const std::vector<nn::Parameter>& parameters, double norm, double maxNorm) {
    if (maxNorm <= 0 || norm <= maxNorm || parameters.empty()) return;
    at::NoGradGuard noGrad;
    at::_foreach_mul_(gradientsOf(parameters), at::Scalar(maxNorm / norm));
}

}  // namespace assay::train
