#include "tiny_step.h"

#include <ATen/autocast_mode.h>

namespace assay::cuda {
namespace {

constexpr int64_t kRows = 64, kFeatures = 32, kHidden = 64, kClasses = 8;

// Autocast for the calling thread while the object lives. The cast cache is off: a weight that was cast
// without a history would receive no gradient later.
class Autocast {
public:
    Autocast(c10::DeviceType device, at::ScalarType type)
        : device_(device),
          on_(at::autocast::is_autocast_enabled(device)),
          type_(at::autocast::get_autocast_dtype(device)),
          cache_(at::autocast::is_autocast_cache_enabled()) {
        at::autocast::set_autocast_enabled(device, type != at::kFloat);
        if (type != at::kFloat) at::autocast::set_autocast_dtype(device, type);
        at::autocast::set_autocast_cache_enabled(false);
        at::autocast::increment_nesting();
    }
    Autocast(const Autocast&) = delete;
    Autocast& operator=(const Autocast&) = delete;
    ~Autocast() {
        if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
        at::autocast::set_autocast_enabled(device_, on_);
        at::autocast::set_autocast_dtype(device_, type_);
        at::autocast::set_autocast_cache_enabled(cache_);
    }

private:
    c10::DeviceType device_;
    bool on_;
    at::ScalarType type_;
    bool cache_;
};

// Numbers that are the same on every device: a fixed wave instead of a generator.
at::Tensor wave(at::IntArrayRef shape, double phase, double amplitude) {
    const int64_t count = c10::multiply_integers(shape);
    return (at::arange(count, at::kDouble) * 0.7 + phase).sin().mul(amplitude).to(at::kFloat).view(shape);
}

}  // namespace

TinyTrainer::TinyTrainer(c10::Device device, at::ScalarType precision,
                         c10::intrusive_ptr<c10d::Backend> group)
    : device_(device), precision_(precision), group_(std::move(group)) {
    input_ = wave({kRows, kFeatures}, 0.1, 1.0).to(device);
    target_ = at::arange(kRows, at::kLong).remainder(kClasses).to(device);
    for (auto&& weight : {wave({kHidden, kFeatures}, 0.2, 0.2), wave({kHidden}, 0.3, 0.1),
                          wave({kClasses, kHidden}, 0.4, 0.2), wave({kClasses}, 0.5, 0.1)}) {
        parameters_.push_back(weight.to(device).requires_grad_());
        means_.push_back(at::zeros_like(weight, weight.options().device(device)));
        squares_.push_back(at::zeros_like(means_.back()));
        steps_.push_back(at::zeros({}, means_.back().options()));
    }
    scale_ = at::full({}, precision == at::kHalf ? 65536.0 : 1.0, input_.options());
    growth_ = at::zeros({}, input_.options().dtype(at::kInt));
}

at::Tensor TinyTrainer::forward() {
    Autocast autocast(device_.type(), precision_);
    at::Tensor hidden = at::gelu(at::linear(input_, parameters_[0], parameters_[1]));
    at::Tensor logits = at::linear(hidden, parameters_[2], parameters_[3]);
    return at::cross_entropy_loss(logits.to(at::kFloat), target_);
}

StepResult TinyTrainer::step() {
    return run(false);
}
StepResult TinyTrainer::poisonedStep() {
    return run(true);
}

StepResult TinyTrainer::run(bool poison) {
    at::Tensor loss = forward();
    (loss * scale_).backward();  // outside the autocast region
    at::NoGradGuard noGrad;
    std::vector<at::Tensor> gradients;
    for (at::Tensor& parameter : parameters_)
        gradients.push_back(parameter.grad());
    if (poison) gradients[0].flatten()[0].fill_(std::numeric_limits<float>::infinity());
    if (group_) {
        std::vector<at::Tensor> bucket(1);
        for (at::Tensor& gradient : gradients) {
            bucket[0] = gradient;
            group_->allreduce(bucket)->wait();
            gradient.div_(group_->getSize());
        }
    }
    at::Tensor found = at::zeros({}, scale_.options()), inverse = scale_.reciprocal();
    at::_amp_foreach_non_finite_check_and_unscale_(gradients, found, inverse);
    at::_foreach_add_(steps_, 1);
    at::_fused_adamw_(
        parameters_, gradients, means_, squares_, {}, steps_, /*lr=*/0.01, /*beta1=*/0.9, /*beta2=*/0.95,
        /*weight_decay=*/0.1, /*eps=*/1e-8, /*amsgrad=*/false, /*maximize=*/false, /*grad_scale=*/{}, found);
    for (at::Tensor& step : steps_)
        step.sub_(found);  // a skipped step does not count
    if (precision_ == at::kHalf) at::_amp_update_scale_(scale_, growth_, found, 2.0, 0.5, 2000);
    for (at::Tensor& parameter : parameters_)
        parameter.mutable_grad().reset();
    StepResult result;
    result.loss = loss.item<double>();
    result.skipped = found.item<double>() != 0;
    result.scale = scale_.item<double>();
    return result;
}

}  // namespace assay::cuda
