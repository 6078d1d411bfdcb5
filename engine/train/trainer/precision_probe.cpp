#include "assay/train/precision_probe.h"

#include <assay/torch.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <limits>

#include <assay/core/clock.h>

namespace assay::train {
namespace {

// Of all threads: others on the machine do not count. A GPU's time is that of the clock, once it is done.
double secondsOn(at::Device device) {
    if (!device.is_cpu()) {
        c10::impl::VirtualGuardImpl(device.type()).synchronizeDevice(device.index());
        return monotonicSeconds();
    }
    return processCpuSeconds();
}

// Forward and backward products of one layer: out = x·w, ∂x = ∂out·wᵀ, ∂w = xᵀ·∂out.
class Layer {
public:
    Layer(int64_t rows, int64_t in, int64_t out, at::TensorOptions options) : device_(options.device()) {
        x_ = at::full({rows, in}, 0.5, options);
        w_ = at::full({in, out}, 0.01, options);
        g_ = at::full({rows, out}, 0.5, options);
    }
    double seconds() const {
        const double start = secondsOn(device_);
        at::mm(x_, w_);
        at::mm(g_, w_.t());
        at::mm(x_.t(), g_);
        return secondsOn(device_) - start;
    }

private:
    at::Device device_;
    at::Tensor x_, w_, g_;
};

}  // namespace

double precisionSpeedup(const model::ModelConfig& config, int64_t rows, at::ScalarType type, at::Device device) {
    at::NoGradGuard noGrad;
    rows = std::clamp<int64_t>(rows, 1, device.is_cpu() ? 512 : 4096);
    const int64_t in = std::clamp<int64_t>(config.hidden, 1, 2048), out = std::clamp<int64_t>(config.ffn, 1, 4096);
    const at::TensorOptions options(device);
    const Layer wide(rows, in, out, options.dtype(at::kFloat)), narrow(rows, in, out, options.dtype(type));
    double bestWide = std::numeric_limits<double>::infinity(), bestNarrow = bestWide;
    for (int repeat = 0; repeat < 5; ++repeat) {  // in turns; the first also warms up, the best is the least disturbed
        bestWide = std::min(bestWide, wide.seconds());
        bestNarrow = std::min(bestNarrow, narrow.seconds());
    }
    return bestWide / std::max(bestNarrow, 1e-9);
}

}  // namespace assay::train
