// AdamW (Loshchilov & Hutter 2019, decoupled decay) and Adam (Kingma & Ba 2015, decay added to the gradient) on LibTorch's
// fused kernels: one pass over weights, gradients, moments.
#include <assay/torch.h>

#include "optimizers.h"

namespace assay::train {
namespace {

template <bool kDecoupled>
class Adam final : public UpdateRule {
public:
    explicit Adam(const config::OptimizerSpec& spec) : spec_(spec), count_(at::zeros({}, at::kFloat)) {}

    void add(const UpdateTarget& target, std::vector<StateTensor>& state) override {
        moments_.push_back({makeState(target.shape, target.type), makeState(target.shape, target.type), target.decay});
        state.push_back({target.name + ".exp_avg", moments_.back().first});
        state.push_back({target.name + ".exp_avg_sq", moments_.back().second});
    }
    void begin(int64_t step) override { count_.fill_(static_cast<double>(step)); }  // all parameters step together
    void update(size_t index, at::Tensor weight, at::Tensor gradient, double lr, int64_t) override {
        const Moments& m = moments_[index];
        const double decay = m.decay ? spec_.weightDecay : 0;
        if constexpr (kDecoupled)
            at::_fused_adamw_({weight}, {gradient}, {m.first}, {m.second}, {}, {count_}, lr, spec_.beta1, spec_.beta2, decay, spec_.eps, /*amsgrad=*/false, /*maximize=*/false);
        else
            at::_fused_adam_({weight}, {gradient}, {m.first}, {m.second}, {}, {count_}, lr, spec_.beta1, spec_.beta2, decay, spec_.eps, /*amsgrad=*/false, /*maximize=*/false);
    }

private:
    struct Moments {
        at::Tensor first, second;
        bool decay;
    };
    config::OptimizerSpec spec_;
    at::Tensor count_;
    std::vector<Moments> moments_;
};

}  // namespace

std::unique_ptr<UpdateRule> makeAdamW(const config::OptimizerSpec& spec) { return std::make_unique<Adam<true>>(spec); }
std::unique_ptr<UpdateRule> makeAdam(const config::OptimizerSpec& spec) { return std::make_unique<Adam<false>>(spec); }

}  // namespace assay::train
