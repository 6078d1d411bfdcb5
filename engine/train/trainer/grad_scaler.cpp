#include "assay/train/grad_scaler.h"

#include <assay/torch.h>

#include <cmath>

#include <assay/nn/device.h>

namespace assay::train {

GradScaler::GradScaler(const config::PrecisionSpec& spec)
    : spec_(spec), scale_(at::full({1}, spec.scalerInit, at::kFloat)), growthTracker_(at::zeros({1}, at::kInt)), foundInf_(at::zeros({1}, at::kFloat)) {}

double GradScaler::scale() const { return scale_.item<double>(); }

Result<bool> GradScaler::unscale(const std::vector<at::Tensor>& gradients, dist::Collective& group) {
    ASSAY_TRY(const at::Tensor found, divide(gradients, group));
    return decide(found.item<double>());
}

bool GradScaler::decide(double found) {
    foundInf_.fill_(found);
    return found == 0;
}

Result<at::Tensor> GradScaler::divide(const std::vector<at::Tensor>& gradients, dist::Collective& group) {
    if (unscaled_) return fail(ErrorCode::kInternal, "gradients were unscaled twice in one step");
    at::NoGradGuard noGrad;
    unscaled_ = true;
    const at::Device device = gradients.empty() ? at::Device(at::kCPU) : gradients[0].device();
    at::Tensor found = at::zeros({1}, at::TensorOptions(device).dtype(at::kFloat));
    const at::Tensor inverse = nn::toDevice(scale_.to(at::kDouble).reciprocal().to(at::kFloat), device);
    if (!gradients.empty()) at::_amp_foreach_non_finite_check_and_unscale_(gradients, found, inverse);
    // Ranks hold different gradients when they share the state of the optimizer: one decision for all.
    if (group.world() > 1) ASSAY_TRY_VOID(group.allReduce(found, dist::Reduce::kMax));
    return found;
}

void GradScaler::next() {
    at::NoGradGuard noGrad;
    at::_amp_update_scale_(scale_, growthTracker_, foundInf_, spec_.scalerGrowth, spec_.scalerBackoff, spec_.scalerInterval);
    unscaled_ = false;
}

Json GradScaler::state() const {
    return {{"scale", scale()}, {"growth_tracker", growthTracker_.item<int64_t>()}, {"growth", spec_.scalerGrowth}, {"backoff", spec_.scalerBackoff}, {"interval", spec_.scalerInterval}};
}

Result<void> GradScaler::restore(const Json& state) {
    ASSAY_TRY(const double scale, jsonDouble(state, "scale"));
    ASSAY_TRY(const int64_t tracker, jsonInteger(state, "growth_tracker"));
    if (!std::isfinite(scale) || scale <= 0 || static_cast<double>(static_cast<float>(scale)) != scale || tracker < 0 || tracker > INT32_MAX)
        return fail(ErrorCode::kInvalidFile, "state.json of the checkpoint has no valid loss scale", "use an older checkpoint");
    at::NoGradGuard noGrad;
    scale_.fill_(scale);
    growthTracker_.fill_(tracker);
    return {};
}

}  // namespace assay::train
