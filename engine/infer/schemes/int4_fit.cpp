#include "schemes/int4_fit.h"

#include "kernels/half.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

namespace assay::infer {
namespace {

// Rounds w onto the grid; returns the squared error.
double roundTo(const float* w, int64_t n, float scale, float minimum, uint8_t* q) {
    const float inverse = scale > 0 ? 1.0f / scale : 0.0f;
    float error = 0;
    double total = 0;
    for (int64_t i = 0; i < n; ++i) {
        const float at = std::min(15.0f, std::max(0.0f, (w[i] - minimum) * inverse));
        const int level = int(at + 0.5f);
        q[i] = uint8_t(level);
        const float d = w[i] - (scale * float(level) + minimum);
        error += d * d;
        if (i % 32 == 31) {
            total += error;
            error = 0;
        }
    }
    return total + error;
}

}  // namespace

Int4Fit fitInt4(const float* weights, int64_t n, uint8_t* q) {
    const auto [lowest, highest] = std::minmax_element(weights, weights + n);
    const float low = *lowest, high = *highest;
    uint8_t small[256];
    uint8_t* trial = small;
    std::unique_ptr<uint8_t[]> large;
    if (n > 256) {
        large.reset(new uint8_t[size_t(n)]);
        trial = large.get();
    }
    Int4Fit best;
    double bestError = INFINITY;
    const auto attempt = [&](float scale, float minimum) {
        const Int4Fit fit{floatToHalf(scale), floatToHalf(minimum)};
        if ((fit.scale & 0x7FFF) == 0x7C00 || (fit.minimum & 0x7FFF) == 0x7C00) return;
        const double error = roundTo(weights, n, halfToFloat(fit.scale), halfToFloat(fit.minimum), trial);
        if (error < bestError) {
            bestError = error;
            best = fit;
            std::memcpy(q, trial, size_t(n));
        }
    };
    const auto refit = [&] {  // least squares of w on q
        double sq = 0, sqq = 0, sw = 0, sqw = 0;
        for (int64_t i = 0; i < n; ++i) {
            sq += q[i];
            sqq += double(q[i]) * q[i];
            sw += weights[i];
            sqw += double(q[i]) * weights[i];
        }
        const double spread = sqq * double(n) - sq * sq;
        if (spread <= 0) return;
        const double scale = (sqw * double(n) - sq * sw) / spread;
        if (scale > 0) attempt(float(scale), float((sw - scale * sq) / double(n)));
    };
    attempt((high - low) / 15.0f, low);
    if (bestError == INFINITY) return {0x7C00, 0x7C00};  // beyond fp16: the caller reports it
    for (const float levels : {14.0f, 13.0f}) attempt((high - low) / levels, low);  // grids that use fewer levels
    for (const float shrink : {0.02f, 0.05f, 0.08f}) {
        if (bestError == 0) break;
        attempt((high - low) * (1 - 2 * shrink) / 15.0f, low + shrink * (high - low));
    }
    for (int round = 0; round < 2 && bestError > 0; ++round) refit();
    return best;
}

}  // namespace assay::infer
