#include "assay/train/precision_probe.h"

#include <assay/torch.h>

#include <algorithm>
#include <limits>

#include <assay/core/clock.h>

namespace assay::train {
namespace {

// Forward and backward products of one layer: out = x·w, ∂x = ∂out·wᵀ, ∂w = xᵀ·∂out.
class Layer {
public:
    Layer(int64_t rows, int64_t in, int64_t out, at::ScalarType type) {
        const auto options = at::TensorOptions().dtype(type);
        x_ = at::full({rows, in}, 0.5, options);
        w_ = at::full({in, out}, 0.01, options);
        g_ = at::full({rows, out}, 0.5, options);
    }
    double seconds() const {
        const double start = processCpuSeconds();
        at::mm(x_, w_);
        at::mm(g_, w_.t());
        at::mm(x_.t(), g_);
        return processCpuSeconds() - start;
    }

private:
    at::Tensor x_, w_, g_;
};

}  // namespace

double precisionSpeedup(const model::ModelConfig& config, int64_t rows, at::ScalarType type) {
    at::NoGradGuard noGrad;
    rows = std::clamp<int64_t>(rows, 1, 512);
    const int64_t in = std::clamp<int64_t>(config.hidden, 1, 2048), out = std::clamp<int64_t>(config.ffn, 1, 4096);
    const Layer wide(rows, in, out, at::kFloat), narrow(rows, in, out, type);
    double bestWide = std::numeric_limits<double>::infinity(), bestNarrow = bestWide;
    for (int repeat = 0; repeat < 5; ++repeat) {  // in turns; the first also warms up, the best is the least disturbed
        bestWide = std::min(bestWide, wide.seconds());
        bestNarrow = std::min(bestNarrow, narrow.seconds());
    }
    return bestWide / std::max(bestNarrow, 1e-9);
}

}  // namespace assay::train
