// AdamW (Loshchilov & Hutter 2019, decoupled decay) on LibTorch's fused kernel: one pass over weights, gradients, moments.
#include <assay/torch.h>

#include "optimizers.h"

namespace assay::train {
namespace {

struct Group {
    double decay = 0;
    std::vector<at::Tensor> weights, first, second, steps;
};

class AdamW final : public Optimizer {
public:
    AdamW(const config::OptimizerSpec& spec, const std::vector<nn::Parameter>& parameters) : spec_(spec), count_(at::zeros({}, at::kFloat)) {
        groups_[0].decay = spec.weightDecay;
        for (const nn::Parameter& p : parameters) {
            Group& group = groups_[p.info.decay ? 0 : 1];
            at::Tensor first = at::zeros_like(p.value), second = at::zeros_like(p.value);
            first.set_requires_grad(false);
            second.set_requires_grad(false);
            group.weights.push_back(p.value);
            group.first.push_back(first);
            group.second.push_back(second);
            group.steps.push_back(count_);  // all parameters step together
            state_.push_back({p.info.name + ".exp_avg", first});
            state_.push_back({p.info.name + ".exp_avg_sq", second});
        }
    }
    std::string_view name() const override { return "adamw"; }
    int64_t steps() const override { return steps_; }
    void setSteps(int64_t steps) override { steps_ = steps; }
    const std::vector<StateTensor>& state() const override { return state_; }

    void step(double lr) override {
        at::NoGradGuard noGrad;
        count_.fill_(static_cast<double>(++steps_));
        for (Group& g : groups_) {
            if (g.weights.empty()) continue;
            std::vector<at::Tensor> gradients;
            gradients.reserve(g.weights.size());
            for (const at::Tensor& w : g.weights) gradients.push_back(w.grad());
            at::_fused_adamw_(g.weights, gradients, g.first, g.second, {}, g.steps, lr, spec_.beta1, spec_.beta2, g.decay, spec_.eps,
                              /*amsgrad=*/false, /*maximize=*/false);
        }
    }

private:
    config::OptimizerSpec spec_;
    at::Tensor count_;
    int64_t steps_ = 0;
    Group groups_[2];
    std::vector<StateTensor> state_;
};

}  // namespace

std::unique_ptr<Optimizer> makeAdamW(const config::OptimizerSpec& spec, const std::vector<nn::Parameter>& parameters) {
    return std::make_unique<AdamW>(spec, parameters);
}

}  // namespace assay::train
