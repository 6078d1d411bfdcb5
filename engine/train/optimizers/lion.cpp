// Lion (Chen et al. 2023, "Symbolic Discovery of Optimization Algorithms", algorithm 2): the step is the sign of
// β₁·m + (1−β₁)·g plus λ·w, then m ← β₂·m + (1−β₂)·g. One pass over weights, gradients and the one moment.
#include <assay/torch.h>

#include "optimizers.h"

namespace assay::train {
namespace {

struct LionFactors {
    double beta1, beta2, lr, decay;
};

// A function of its own, whose arrays do not overlap: else every store would make the compiler read the factors again.
template <class T>
void lionRange(T* __restrict w, const T* __restrict g, T* __restrict m, int64_t count, LionFactors f) {
    const auto b1 = static_cast<T>(f.beta1), b2 = static_cast<T>(f.beta2), lr = static_cast<T>(f.lr), keep = static_cast<T>(1 - f.lr * f.decay);
    const auto c1 = static_cast<T>(1 - f.beta1), c2 = static_cast<T>(1 - f.beta2);
    for (int64_t i = 0; i < count; ++i) {
        const T direction = b1 * m[i] + c1 * g[i];
        const T up = direction > 0 ? lr : T(0), down = direction < 0 ? lr : T(0);  // neither where there is no direction
        w[i] = keep * w[i] - up + down;
        m[i] = b2 * m[i] + c2 * g[i];
    }
}

template <class T>
void lionUpdate(T* w, const T* g, T* m, int64_t count, const LionFactors& f) {
    at::parallel_for(0, count, 16384, [=](int64_t begin, int64_t end) { lionRange(w + begin, g + begin, m + begin, end - begin, f); });
}

class Lion final : public UpdateRule {
public:
    explicit Lion(const config::OptimizerSpec& spec) : spec_(spec) {}

    void add(const UpdateTarget& target, std::vector<StateTensor>& state) override {
        decay_.push_back(target.decay);
        moment_.push_back(makeState(target.shape, target.type, target.device));
        state.push_back({target.name + ".exp_avg", moment_.back()});
    }
    void update(size_t index, at::Tensor weight, at::Tensor gradient, double lr, int64_t) override {
        const LionFactors factors{spec_.beta1, spec_.beta2, lr, decay_[index] ? spec_.weightDecay : 0};
        if (!weight.is_cpu()) {
            at::Tensor& m = moment_[index];
            weight.mul_(1 - lr * factors.decay).sub_((m * factors.beta1).add_(gradient, 1 - factors.beta1).sign_(), lr);
            m.mul_(factors.beta2).add_(gradient, 1 - factors.beta2);
            return;
        }
        const at::Tensor g = gradient.contiguous();
        if (weight.scalar_type() == at::kDouble)
            lionUpdate(weight.mutable_data_ptr<double>(), g.const_data_ptr<double>(), moment_[index].mutable_data_ptr<double>(), g.numel(), factors);
        else
            lionUpdate(weight.mutable_data_ptr<float>(), g.const_data_ptr<float>(), moment_[index].mutable_data_ptr<float>(), g.numel(), factors);
    }

private:
    config::OptimizerSpec spec_;
    std::vector<at::Tensor> moment_;
    std::vector<bool> decay_;
};

}  // namespace

std::unique_ptr<UpdateRule> makeLion(const config::OptimizerSpec& spec) { return std::make_unique<Lion>(spec); }

}  // namespace assay::train
