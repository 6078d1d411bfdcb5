#include "assay/train/precision_probe.h"

#include <assay/torch.h>

#include <algorithm>
#include <limits>

#include <assay/core/clock.h>

namespace assay::train {
namespace {

// Forward and backward products of one layer: out = x·w, ∂x = ∂out·wᵀ, ∂w = xᵀ·∂out.
double layerSeconds(int64_t rows, int64_t in, int64_t out, at::ScalarType type) {
    const auto options = at::TensorOptions().dtype(type);
    const at::Tensor x = at::full({rows, in}, 0.5, options), w = at::full({in, out}, 0.01, options), g = at::full({rows, out}, 0.5, options);
    double best = std::numeric_limits<double>::infinity();
    for (int repeat = 0; repeat < 4; ++repeat) {  // the first also warms up; the best is the least disturbed
        const double start = monotonicSeconds();
        at::mm(x, w);
        at::mm(g, w.t());
        at::mm(x.t(), g);
        best = std::min(best, monotonicSeconds() - start);
    }
    return best;
}

}  // namespace

double precisionSpeedup(const model::ModelConfig& config, int64_t rows, at::ScalarType type) {
    at::NoGradGuard noGrad;
    rows = std::clamp<int64_t>(rows, 1, 512);
    const int64_t in = std::clamp<int64_t>(config.hidden, 1, 2048), out = std::clamp<int64_t>(config.ffn, 1, 4096);
    return layerSeconds(rows, in, out, at::kFloat) / std::max(layerSeconds(rows, in, out, type), 1e-9);
}

}  // namespace assay::train
