#pragma once
// Dynamic loss scaling for fp16 (Micikevicius et al. 2018), equal to torch.amp.GradScaler number by number. One step is:
// multiply the loss by scale(), backward, unscale() once, update only when it said so, then next().

#include <ATen/core/Tensor.h>
#include <assay/config/spec.h>
#include <assay/core/json.h>
#include <assay/dist/collective.h>

#include <vector>

namespace assay::train {

class GradScaler {
public:
    explicit GradScaler(const config::PrecisionSpec& spec);
    double scale() const;  // of the backward pass under way
    // Divides the gradients by the scale that their backward pass used. True: all are finite, on every rank of the group.
    // A second call before next() is an error: gradients would be divided twice.
    Result<bool> unscale(const std::vector<at::Tensor>& gradients, dist::Collective& group);
    // The same in two parts, so that nobody waits for a device between them: divides, and gives a number that lies with the
    // gradients, 0 when all are finite; then takes what was read of it.
    Result<at::Tensor> divide(const std::vector<at::Tensor>& gradients, dist::Collective& group);
    bool decide(double found);
    // Ends the step: a smaller scale after gradients that were not finite, a larger one after `interval` good steps.
    void next();

    Json state() const;
    // Before the first use; kInvalidFile names what is missing or not a number.
    Result<void> restore(const Json& state);

private:
    config::PrecisionSpec spec_;
    at::Tensor scale_, growthTracker_, foundInf_;  // on the host, where the decisions are taken
    bool unscaled_ = false;
};

}  // namespace assay::train
