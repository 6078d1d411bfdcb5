#include "forward_state.h"

#include <assay/torch.h>

#include <mutex>

#include "assay/nn/device.h"

namespace assay::nn {

ForwardState::ForwardState(at::Device device, bool draws) : device_(device), devices_{at::kCPU, device.type()}, cached_(at::autocast::is_autocast_cache_enabled()) {
    for (size_t i = 0; i < autocast_.size(); ++i)
        autocast_[i] = {at::autocast::is_autocast_enabled(devices_[i]), at::autocast::get_autocast_dtype(devices_[i])};
    if (!draws) return;
    at::Generator generator = generatorOf(device);
    const std::lock_guard lock(generator.mutex());
    generator_ = generator.clone();
}

void ForwardState::restore() const {
    for (size_t i = 0; i < autocast_.size(); ++i) {
        at::autocast::set_autocast_dtype(devices_[i], autocast_[i].type);
        at::autocast::set_autocast_enabled(devices_[i], autocast_[i].enabled);
    }
    if (!generator_) return;
    at::Generator generator = generatorOf(device_);
    const std::lock_guard lock(generator.mutex());
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
