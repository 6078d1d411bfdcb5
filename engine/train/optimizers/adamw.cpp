// AdamW (Loshchilov & Hutter 2019, decoupled decay) and Adam (Kingma & Ba 2015, decay added to the gradient) on LibTorch's
// fused kernels: one pass over weights, gradients, moments.
#include <assay/torch.h>

#include "optimizers.h"

namespace assay::train {
namespace {

template <bool kDecoupled>
class Adam final : public UpdateRule {
public:
    explicit Adam(const config::OptimizerSpec& spec) : spec_(spec) {}

    void add(const UpdateTarget& target, std::vector<StateTensor>& state) override {
        if (!count_.defined()) count_ = makeState({}, at::kFloat, target.device);
        moments_.push_back({makeState(target.shape, target.type, target.device), makeState(target.shape, target.type, target.device), target.decay});
        state.push_back({target.name + ".exp_avg", moments_.back().first});
        state.push_back({target.name + ".exp_avg_sq", moments_.back().second});
    }
    void begin(int64_t step) override {  // all parameters step together
        if (count_.defined()) count_.fill_(static_cast<double>(step));
    }
    void update(size_t index, at::Tensor weight, at::Tensor gradient, double lr, int64_t) override {
        const Moments& m = moments_[index];
        fused({weight}, {gradient}, {m.first}, {m.second}, {count_}, lr, m.decay);
    }
    // One call for what decays and one for what does not: the kernel takes many tensors in a launch.
    void updateAll(const std::vector<at::Tensor>& weights, const std::vector<at::Tensor>& gradients, double lr, int64_t) override {
        for (const bool decay : {true, false}) {
            std::vector<at::Tensor> w, g, first, second, counts;
            for (size_t i = 0; i < weights.size(); ++i) {
                if (moments_[i].decay != decay) continue;
                w.push_back(weights[i]);
                g.push_back(gradients[i]);
                first.push_back(moments_[i].first);
                second.push_back(moments_[i].second);
                counts.push_back(count_);
            }
            if (!w.empty()) fused(w, g, first, second, counts, lr, decay);
        }
    }

private:
    struct Moments {
        at::Tensor first, second;
        bool decay;
    };
    void fused(at::TensorList w, at::TensorList g, at::TensorList first, at::TensorList second, at::TensorList counts, double lr, bool decays) const {
        const double decay = decays ? spec_.weightDecay : 0;
        if constexpr (kDecoupled)
            at::_fused_adamw_(w, g, first, second, {}, counts, lr, spec_.beta1, spec_.beta2, decay, spec_.eps, /*amsgrad=*/false, /*maximize=*/false);
        else
            at::_fused_adam_(w, g, first, second, {}, counts, lr, spec_.beta1, spec_.beta2, decay, spec_.eps, /*amsgrad=*/false, /*maximize=*/false);
    }

    config::OptimizerSpec spec_;
    at::Tensor count_;  // a number on the device of the weights
    std::vector<Moments> moments_;
};

}  // namespace

std::unique_ptr<UpdateRule> makeAdamW(const config::OptimizerSpec& spec) { return std::make_unique<Adam<true>>(spec); }
std::unique_ptr<UpdateRule> makeAdam(const config::OptimizerSpec& spec) { return std::make_unique<Adam<false>>(spec); }

}  // namespace assay::train
