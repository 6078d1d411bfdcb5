#pragma once
// What a computation takes from its thread beside its inputs: random numbers and the region of mixed precision.

#include <ATen/autocast_mode.h>
#include <ATen/core/Generator.h>

#include <array>
#include <optional>

namespace assay::nn {

class ForwardState {
public:
    // As it is now on this thread. `draws`: also the default generator of `device`.
    ForwardState(at::Device device, bool draws);

private:
    friend class ForwardStateScope;
    struct Autocast {
        bool enabled = false;
        at::ScalarType type = at::kFloat;
    };
    void restore() const;
    at::Device device_;
    std::array<at::DeviceType, 2> devices_;  // whose regions of mixed precision count
    std::array<Autocast, 2> autocast_;
    bool cached_;
    std::optional<at::Generator> generator_;  // a copy
};

// Puts the thread into that state, and back into its own when destroyed.
class ForwardStateScope {
public:
    explicit ForwardStateScope(const ForwardState& state);
    ~ForwardStateScope();
    ForwardStateScope(const ForwardStateScope&) = delete;
    ForwardStateScope& operator=(const ForwardStateScope&) = delete;

private:
    const ForwardState own_;
};

}  // namespace assay::nn
