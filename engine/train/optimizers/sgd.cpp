// Stochastic gradient descent as torch.optim.SGD computes it: decay is added to the gradient, v ← μ·v + g, and the step is
// along v, or along g + μ·v with Nesterov's momentum (Sutskever et al. 2013). Without momentum there is no state at all.
#include <assay/torch.h>

#include "optimizers.h"

namespace assay::train {
namespace {

class Sgd final : public UpdateRule {
public:
    explicit Sgd(const config::OptimizerSpec& spec) : spec_(spec) {}

    void add(const UpdateTarget& target, std::vector<StateTensor>& state) override {
        decay_.push_back(target.decay);
        if (spec_.momentum == 0) return;
        velocity_.push_back(makeState(target.shape, target.type, target.device));
        state.push_back({target.name + ".momentum_buffer", velocity_.back()});
    }
    void update(size_t index, at::Tensor weight, at::Tensor gradient, double lr, int64_t) override {
        std::vector<at::Tensor> velocity;
        if (spec_.momentum != 0) velocity.push_back(velocity_[index]);
        // From a velocity of zero the first step is that of a buffer not there yet.
        at::_fused_sgd_({weight}, {gradient}, velocity, decay_[index] ? spec_.weightDecay : 0.0, spec_.momentum, lr, /*dampening=*/0.0, spec_.nesterov, /*maximize=*/false, /*is_first_step=*/false);
    }

private:
    config::OptimizerSpec spec_;
    std::vector<at::Tensor> velocity_;
    std::vector<bool> decay_;
};

}  // namespace

std::unique_ptr<UpdateRule> makeSgd(const config::OptimizerSpec& spec) { return std::make_unique<Sgd>(spec); }

}  // namespace assay::train
