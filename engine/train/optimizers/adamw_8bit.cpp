// AdamW with 8-bit moments (Dettmers et al. 2022): 2 + 8/256 bytes an element instead of 8. Tensors under 4,096 elements
// keep fp32 moments, as in the paper's implementation: they weigh nothing, and norms and biases are sensitive.
#include <assay/torch.h>

#include <cmath>

#include "eight_bit_kernels.h"
#include "optimizers.h"

namespace assay::train {
namespace {

constexpr int64_t kSmallestEightBit = 4096;

class AdamW8bit final : public UpdateRule {
public:
    explicit AdamW8bit(const config::OptimizerSpec& spec) : spec_(spec), whole_(makeAdamW(spec)) {}

    void add(const UpdateTarget& target, std::vector<StateTensor>& state) override {
        int64_t elements = 1;
        for (const int64_t n : target.shape) elements *= n;
        Entry entry;
        entry.decay = target.decay;
        // References in fp64 keep whole moments: the kernel is fp32.
        if (target.wholeElements < kSmallestEightBit || target.type != at::kFloat) {
            entry.whole = wholeCount_++;
            whole_->add(target, state);
        } else {
            const int64_t blocks = (elements + kEightBitBlock - 1) / kEightBitBlock;
            entry.first = makeState(target.shape, at::kByte, target.device);
            entry.firstScale = makeState({blocks}, at::kFloat, target.device);
            entry.second = makeState(target.shape, at::kByte, target.device);
            entry.secondScale = makeState({blocks}, at::kFloat, target.device);
            state.push_back({target.name + ".exp_avg", entry.first});
            state.push_back({target.name + ".exp_avg.absmax", entry.firstScale});
            state.push_back({target.name + ".exp_avg_sq", entry.second});
            state.push_back({target.name + ".exp_avg_sq.absmax", entry.secondScale});
        }
        entries_.push_back(std::move(entry));
    }
    void begin(int64_t step) override { whole_->begin(step); }
    void update(size_t index, at::Tensor weight, at::Tensor gradient, double lr, int64_t step) override {
        Entry& e = entries_[index];
        if (!e.first.defined()) {
            whole_->update(e.whole, weight, gradient, lr, step);
            return;
        }
        const double t = static_cast<double>(step);
        const EightBitStep now{.beta1 = static_cast<float>(spec_.beta1), .beta2 = static_cast<float>(spec_.beta2), .eps = static_cast<float>(spec_.eps), .lr = static_cast<float>(lr),
                               .keep = static_cast<float>(1 - lr * (e.decay ? spec_.weightDecay : 0)),
                               .correction1 = static_cast<float>(1 - std::pow(spec_.beta1, t)), .correction2 = static_cast<float>(1 - std::pow(spec_.beta2, t))};
        if (!weight.is_cpu()) {
            updateOnDevice(e, weight, gradient, now);
            return;
        }
        const at::Tensor g = gradient.contiguous();
        const EightBitMoments moments{e.first.mutable_data_ptr<uint8_t>(), e.second.mutable_data_ptr<uint8_t>(), e.firstScale.mutable_data_ptr<float>(), e.secondScale.mutable_data_ptr<float>()};
        auto* w = weight.mutable_data_ptr<float>();
        const auto* from = g.const_data_ptr<float>();
        at::parallel_for(0, e.firstScale.numel(), 64, [&](int64_t begin, int64_t end) { adamw8bitBlocks(w, from, moments, begin, end, g.numel(), now); });
    }

private:
    struct Entry {
        at::Tensor first, firstScale, second, secondScale;
        size_t whole = 0;
        bool decay = false;
    };
    // The kernel's formula by ATen's operations; a parameter's moments exist in fp32 for this long only.
    void updateOnDevice(Entry& e, at::Tensor weight, const at::Tensor& gradient, const EightBitStep& now) {
        books_.moveTo(weight.device());
        at::Tensor first = books_.decode(e.first, e.firstScale, /*withSign=*/true), second = books_.decode(e.second, e.secondScale, /*withSign=*/false);
        first.mul_(now.beta1).add_(gradient, 1 - now.beta1);
        second.mul_(now.beta2).addcmul_(gradient, gradient, 1 - now.beta2);
        const at::Tensor denominator = (second / now.correction2).sqrt_().add_(now.eps);
        weight.mul_(now.keep).addcdiv_(first, denominator, -now.lr / now.correction1);
        books_.encode(first, e.first, e.firstScale, /*withSign=*/true);
        books_.encode(second, e.second, e.secondScale, /*withSign=*/false);
    }

    EightBitTables books_;
    config::OptimizerSpec spec_;
    std::unique_ptr<UpdateRule> whole_;
    size_t wholeCount_ = 0;
    std::vector<Entry> entries_;
};

}  // namespace

std::unique_ptr<UpdateRule> makeAdamW8bit(const config::OptimizerSpec& spec) { return std::make_unique<AdamW8bit>(spec); }

}  // namespace assay::train
