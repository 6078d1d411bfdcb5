// What all optimizers share: state, the count of updates, and weights narrower than fp32.
#include <assay/torch.h>

#include <algorithm>

#include <assay/core/random.h>

#include "optimizers.h"
#include "rounding_kernels.h"

namespace assay::train {

Optimizer::Optimizer(std::string_view name, std::unique_ptr<UpdateRule> rule, const std::vector<nn::Parameter>& parameters, const OptimizerOptions& options)
    : name_(name), rule_(std::move(rule)), options_(options) {
    at::NoGradGuard noGrad;
    for (const nn::Parameter& p : parameters) {
        const at::ScalarType type = p.value.scalar_type();
        const bool narrow = type != at::kFloat && type != at::kDouble;
        ASSAY_CHECK(!narrow || type == at::kBFloat16, "weights of this type are not trained");
        Slot slot{p.value, {}};
        if (narrow && options.lowPrecision == LowPrecision::kMaster) {
            slot.master = p.value.detach().to(at::kFloat);
            state_.push_back({p.info.name + ".master", slot.master});
        }
        int64_t whole = p.info.shape.empty() ? 0 : 1;
        for (const int64_t n : p.info.shape) whole *= n;
        rule_->add({p.info.name, p.value.sizes().vec(), narrow ? at::kFloat : type, p.value.device(), p.info.decay, std::max(whole, p.value.numel())}, state_);
        slots_.push_back(std::move(slot));
    }
}

const at::Tensor& Optimizer::fullPrecision(size_t parameter) const {
    const Slot& slot = slots_[parameter];
    return slot.master.defined() ? slot.master : slot.value;
}

void Optimizer::takeWeights() {
    at::NoGradGuard noGrad;
    for (Slot& slot : slots_)
        if (slot.master.defined()) slot.master.copy_(slot.value);
}

void Optimizer::step(double lr) {
    at::NoGradGuard noGrad;
    rule_->begin(++steps_);
    if (!slots_.empty() && !slots_[0].value.is_cpu() && slots_[0].value.scalar_type() != at::kBFloat16) {
        std::vector<at::Tensor> weights, gradients;
        for (const Slot& slot : slots_) {
            weights.push_back(slot.value);
            gradients.push_back(slot.value.grad());
        }
        rule_->updateAll(weights, gradients, lr, steps_);
        return;
    }
    for (size_t i = 0; i < slots_.size(); ++i) {
        const at::Tensor& value = slots_[i].value;
        if (value.scalar_type() == at::kBFloat16) updateNarrow(i, lr);
        else rule_->update(i, value, value.grad(), lr, steps_);
    }
}

// One parameter at a time, so that no second set of gradients is ever alive.
void Optimizer::updateNarrow(size_t index, double lr) {
    Slot& slot = slots_[index];
    const at::Tensor gradient = slot.value.grad().to(at::kFloat);
    if (slot.master.defined()) {
        rule_->update(index, slot.master, gradient, lr, steps_);
        slot.value.copy_(slot.master);
        return;
    }
    const at::Tensor wide = slot.value.detach().to(at::kFloat);
    rule_->update(index, wide, gradient, lr, steps_);
    const UpdatePlace place = options_.places.empty() ? UpdatePlace{index, 0} : options_.places[index];
    const uint64_t key = mixBits(options_.seed, mixBits(static_cast<uint64_t>(steps_), place.parameter));
    if (!wide.is_cpu()) {
        roundStochastically(wide, slot.value, key, place.begin);
        return;
    }
    const auto* from = wide.const_data_ptr<float>();
    auto* to = reinterpret_cast<uint16_t*>(slot.value.mutable_data_ptr());
    at::parallel_for(0, wide.numel(), 16384, [&](int64_t begin, int64_t end) { roundStochastically(from, to, begin, end, key, place.begin); });
}

}  // namespace assay::train
