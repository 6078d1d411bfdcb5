#pragma once
// Mixed precision: inside the region LibTorch computes matrix products and attention in a narrower type. LibTorch has no
// guard of its own in C++ (ATen/autocast_mode.h). State is the thread's. Only forward passes belong inside: the backward
// pass takes the types that the forward pass left.

#include <assay/config/spec.h>

#include <ATen/autocast_mode.h>

#include <optional>

namespace assay::train {

class AutocastGuard {
public:
    explicit AutocastGuard(at::ScalarType type, at::DeviceType device = at::kCPU)
        : device_(device), enabled_(at::autocast::is_autocast_enabled(device)), cached_(at::autocast::is_autocast_cache_enabled()), type_(at::autocast::get_autocast_dtype(device)) {
        at::autocast::set_autocast_dtype(device, type);
        at::autocast::set_autocast_enabled(device, true);
        // Without the cache of casts: it hands the copy of a weight that an earlier pass made (evaluation by the average of the
        // weights, say) to a later one whatever became of the weight meanwhile; and LibTorch before 2.11 one without history, so that
        // a tied head got no gradient. A forward pass meets every weight once: there is nothing to win.
        at::autocast::set_autocast_cache_enabled(false);
        at::autocast::increment_nesting();
    }
    ~AutocastGuard() {
        if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
        at::autocast::set_autocast_cache_enabled(cached_);
        at::autocast::set_autocast_enabled(device_, enabled_);
        at::autocast::set_autocast_dtype(device_, type_);
    }
    AutocastGuard(const AutocastGuard&) = delete;
    AutocastGuard& operator=(const AutocastGuard&) = delete;

private:
    at::DeviceType device_;
    bool enabled_, cached_;
    at::ScalarType type_;
};

// The type that forward passes of the precision are cast to; nothing: no region.
std::optional<at::ScalarType> autocastType(const config::PrecisionSpec& precision);
// The type of a model's weights under the precision.
at::ScalarType weightType(const config::PrecisionSpec& precision);

}  // namespace assay::train
