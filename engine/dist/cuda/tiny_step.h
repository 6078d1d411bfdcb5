#pragma once
// One small classifier trained by hand-written steps with the very operations of the trainer: autocast,
// gradient scaling, all-reduce, fused AdamW.

#include <assay/torch.h>
#include <torch/csrc/distributed/c10d/Backend.hpp>

#include <vector>

namespace assay::cuda {

struct StepResult {
    double loss = 0;       // before the update, without the scale
    bool skipped = false;  // a gradient was not finite, so nothing was updated
    double scale = 1;      // after the step
};

class TinyTrainer {
public:
    // `precision`: kFloat (no autocast), kBFloat16 or kHalf. `group` may be empty: no all-reduce.
    TinyTrainer(c10::Device device, at::ScalarType precision, c10::intrusive_ptr<c10d::Backend> group);
    StepResult step();
    // A gradient made infinite: the step must be skipped, the scale halved, the weights untouched.
    StepResult poisonedStep();
    std::vector<at::Tensor> weights() const { return parameters_; }

private:
    StepResult run(bool poison);
    at::Tensor forward();

    c10::Device device_;
    at::ScalarType precision_;
    c10::intrusive_ptr<c10d::Backend> group_;
    at::Tensor input_, target_;
    std::vector<at::Tensor> parameters_, means_, squares_, steps_;
    at::Tensor scale_, growth_;
};

}  // namespace assay::cuda
