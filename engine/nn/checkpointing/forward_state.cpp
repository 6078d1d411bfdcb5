#include "forward_state.h"

#include <assay/torch.h>

namespace assay::nn {
namespace {

constexpr at::DeviceType kCastDevices[] = {at::kCPU, at::kCUDA};

}  // namespace

ForwardState::ForwardState(at::Device device, bool draws) : device_(device), cached_(at::autocast::is_autocast_cache_enabled()) {
    for (size_t i = 0; i < autocast_.size(); ++i)
        autocast_[i] = {at::autocast::is_autocast_enabled(kCastDevices[i]), at::autocast::get_autocast_dtype(kCastDevices[i])};
    if (draws) generator_ = at::globalContext().defaultGenerator(device).clone();
}

void ForwardState::restore() const {
    for (size_t i = 0; i < autocast_.size(); ++i) {
        at::autocast::set_autocast_dtype(kCastDevices[i], autocast_[i].type);
        at::autocast::set_autocast_enabled(kCastDevices[i], autocast_[i].enabled);
    }
    if (!generator_) return;
    at::Generator generator = at::globalContext().defaultGenerator(device_);
    generator.set_state(generator_->get_state());
}

ForwardStateScope::ForwardStateScope(const ForwardState& state) : own_(state.device_, state.generator_.has_value()) {
    state.restore();
    // A cast made here belongs to a graph that is thrown away: nobody else may find it in the cache.
    at::autocast::set_autocast_cache_enabled(false);
    at::autocast::increment_nesting();
}

ForwardStateScope::~ForwardStateScope() {
    at::autocast::decrement_nesting();
    at::autocast::set_autocast_cache_enabled(own_.cached_);
    own_.restore();
}

}  // namespace assay::nn
