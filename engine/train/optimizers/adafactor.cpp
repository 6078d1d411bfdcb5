// Adafactor (Shazeer & Stern 2018) in the form of torch.optim.Adafactor: no first moment; of a matrix only the running means
// of its rows' and columns' squared gradients are kept, and their outer product over the mean of the rows stands for the
// second moment. The step is relative: max(10⁻³, RMS(w)) · min(lr, 1/√t), so `lr` is an upper bound, and an update whose RMS
// is above 1 is shortened to it. Decay is decoupled. `eps` is the paper's ε₁, squared under the root.
#include <assay/torch.h>

#include <algorithm>
#include <cmath>

#include "optimizers.h"

namespace assay::train {
namespace {

constexpr double kBetaDecay = -0.8, kSmallestWeight = 1e-3, kLargestUpdate = 1;

class Adafactor final : public UpdateRule {
public:
    explicit Adafactor(const config::OptimizerSpec& spec) : spec_(spec) {}

    void add(const UpdateTarget& target, std::vector<StateTensor>& state) override {
        Moment m;
        m.decay = target.decay;
        if (target.shape.size() >= 2) {
            std::vector<int64_t> rows = target.shape, columns = target.shape;
            rows.back() = 1;
            columns[columns.size() - 2] = 1;
            m.rows = makeState(rows, target.type, target.device);
            m.columns = makeState(columns, target.type, target.device);
            state.push_back({target.name + ".row_var", m.rows});
            state.push_back({target.name + ".col_var", m.columns});
        } else {
            m.whole = makeState(target.shape, target.type, target.device);
            state.push_back({target.name + ".variance", m.whole});
        }
        moments_.push_back(std::move(m));
    }

    void update(size_t index, at::Tensor weight, at::Tensor gradient, double lr, int64_t step) override {
        Moment& m = moments_[index];
        const double t = static_cast<double>(step), fresh = std::pow(t, kBetaDecay), elements = static_cast<double>(weight.numel());
        // Norms stay tensors: nothing here waits for a number.
        const at::Tensor size = at::linalg_vector_norm(weight).div_(std::sqrt(elements)).clamp_min_(kSmallestWeight).mul_(std::min(lr, 1 / std::sqrt(t)));
        if (m.decay && spec_.weightDecay != 0) weight.mul_(1 - lr * spec_.weightDecay);
        at::Tensor estimate;
        if (m.whole.defined()) {
            m.whole.lerp_(gradient.square(), fresh);
            estimate = m.whole.clone();
        } else {
            {
                const at::Tensor square = gradient.square();
                m.rows.lerp_(square.mean(-1, true), fresh);
                m.columns.lerp_(square.mean(-2, true), fresh);
            }
            estimate = at::matmul(m.rows, m.columns).div_(m.rows.mean(-2, true).clamp_min_(spec_.eps));
        }
        at::Tensor change = estimate.clamp_min_(spec_.eps * spec_.eps).rsqrt_().mul_(gradient);
        const at::Tensor length = at::linalg_vector_norm(change).div_(std::sqrt(elements) * kLargestUpdate).clamp_min_(1);
        weight.sub_(change.mul_(size.div(length)));
    }

private:
    struct Moment {
        at::Tensor rows, columns, whole;
        bool decay = false;
    };

    config::OptimizerSpec spec_;
    std::vector<Moment> moments_;
};

}  // namespace

std::unique_ptr<UpdateRule> makeAdafactor(const config::OptimizerSpec& spec) { return std::make_unique<Adafactor>(spec); }

}  // namespace assay::train
