#include "assay/train/weight_average.h"

#include <assay/torch.h>

#include <algorithm>

namespace assay::train {

WeightAverage::WeightAverage(double decay, const std::vector<nn::Parameter>& parameters) : decay_(decay) {
    at::NoGradGuard noGrad;
    for (const nn::Parameter& p : parameters) {
        const at::ScalarType type = p.value.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
        state_.push_back({p.info.name + ".ema", p.value.detach().to(type, /*non_blocking=*/false, /*copy=*/true)});
    }
}

double WeightAverage::decayAt(double decay, int64_t updates) {
    const double n = static_cast<double>(updates);
    return std::min(decay, (1 + n) / (10 + n));
}

void WeightAverage::update(const Optimizer& optimizer) {
    at::NoGradGuard noGrad;
    const double share = 1 - decayAt(decay_, optimizer.steps());
    for (size_t i = 0; i < state_.size(); ++i) {
        at::Tensor& average = state_[i].value;
        average.lerp_(optimizer.fullPrecision(i).detach().to(average.scalar_type()), share);
    }
}

std::vector<at::Tensor> WeightAverage::values() const {
    std::vector<at::Tensor> out;
    for (const StateTensor& s : state_) out.push_back(s.value);
    return out;
}

WeightAverage::Scope::Scope(const std::vector<at::Tensor>& average, const std::vector<nn::Parameter>& parameters) {
    at::NoGradGuard noGrad;
    for (size_t i = 0; i < parameters.size(); ++i) {
        at::Tensor value = parameters[i].value;
        original_.emplace_back(value, value.detach());  // the same storage: nothing is copied
        value.set_data(average[i].to(value.scalar_type()));
    }
}

WeightAverage::Scope::~Scope() {
    for (auto& [value, before] : original_) value.set_data(before);
}

}  // namespace assay::train
