// A plain register-blocked product: 6 × 16 results in registers, one packed strip of B at a time. It does not compete with
// a tuned library; it tells how fast the processor's multiply-add units are on this machine, at the clock it has now.
#include "gemm_probe.h"

#include <cstring>

namespace assay::plan {
namespace {

constexpr int64_t kRows = 6, kColumns = 16;
typedef float Vector __attribute__((vector_size(32), aligned(4)));

// One body, compiled for the processors that have fused multiply-add on 256 bits, and for all others.
__attribute__((always_inline)) inline void product(const float* a, const float* b, float* c, int64_t n, int64_t first, int64_t last, float* pack) {
    for (int64_t column = 0; column < n; column += kColumns) {
        for (int64_t k = 0; k < n; ++k) std::memcpy(pack + k * kColumns, b + k * n + column, kColumns * sizeof(float));
        for (int64_t row = first; row < last; row += kRows) {
            Vector sum[kRows][2] = {};
            const float* left = a + row * n;
            for (int64_t k = 0; k < n; ++k) {
                Vector low, high;
                std::memcpy(&low, pack + k * kColumns, sizeof low);
                std::memcpy(&high, pack + k * kColumns + 8, sizeof high);
#pragma GCC unroll 6
                for (int64_t r = 0; r < kRows; ++r) {
                    const float factor = left[r * n + k];
                    sum[r][0] += low * factor;
                    sum[r][1] += high * factor;
                }
            }
#pragma GCC unroll 6
            for (int64_t r = 0; r < kRows; ++r) {
                float* out = c + (row + r) * n + column;
                for (int64_t j = 0; j < 8; ++j) {
                    out[j] += sum[r][0][j];
                    out[j + 8] += sum[r][1][j];
                }
            }
        }
    }
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) void wideProduct(const float* a, const float* b, float* c, int64_t n, int64_t first, int64_t last, float* pack) {
    product(a, b, c, n, first, last, pack);
}
#endif

}  // namespace

void probeGemm(const float* a, const float* b, float* c, int64_t n, int64_t first, int64_t last, float* pack) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return wideProduct(a, b, c, n, first, last, pack);
#endif
    product(a, b, c, n, first, last, pack);
}

}  // namespace assay::plan
