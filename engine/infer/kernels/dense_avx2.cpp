// fp32 and fp16 panels: a tile of R rows × 16 columns stays in registers; per input column two weight loads feed 2R FMAs.
#include "kernels/avx2_math.h"
#include "kernels/avx2_table.h"

namespace assay::infer {
namespace {

static inline __m256 weights(const float* p) { return _mm256_loadu_ps(p); }
static inline __m256 weights(const uint16_t* p) { return loadHalf(p); }

template <int R, class Weight>
inline void tile(const float* a, int64_t lda, int64_t k, const Weight* panel, float* c, int64_t ldc, int columns,
                 const float* bias) {
    __m256 low[R], high[R];
    for (int r = 0; r < R; ++r) low[r] = high[r] = _mm256_setzero_ps();
    for (int64_t j = 0; j < k; ++j) {
        const __m256 w0 = weights(panel + j * kFloatPanel), w1 = weights(panel + j * kFloatPanel + 8);
#pragma GCC unroll 6
        for (int r = 0; r < R; ++r) {
            const __m256 x = _mm256_broadcast_ss(a + r * lda + j);
            low[r] = _mm256_fmadd_ps(x, w0, low[r]);
            high[r] = _mm256_fmadd_ps(x, w1, high[r]);
        }
    }
    for (int r = 0; r < R; ++r) {
        storeLanes(c + r * ldc, columns, 0, low[r], bias);
        storeLanes(c + r * ldc, columns, 8, high[r], bias);
    }
}

// One row: four independent chains, or the FMA latency (4 cycles) would halve the speed of data in cache.
template <class Weight>
inline void singleRow(const float* a, int64_t k, const Weight* panel, float* c, int columns, const float* bias) {
    __m256 low[4], high[4];
    for (int u = 0; u < 4; ++u) low[u] = high[u] = _mm256_setzero_ps();
    int64_t j = 0;
    for (; j + 4 <= k; j += 4) {
#pragma GCC unroll 4
        for (int u = 0; u < 4; ++u) {
            const __m256 x = _mm256_broadcast_ss(a + j + u);
            low[u] = _mm256_fmadd_ps(x, weights(panel + (j + u) * kFloatPanel), low[u]);
            high[u] = _mm256_fmadd_ps(x, weights(panel + (j + u) * kFloatPanel + 8), high[u]);
        }
    }
    for (; j < k; ++j) {
        const __m256 x = _mm256_broadcast_ss(a + j);
        low[0] = _mm256_fmadd_ps(x, weights(panel + j * kFloatPanel), low[0]);
        high[0] = _mm256_fmadd_ps(x, weights(panel + j * kFloatPanel + 8), high[0]);
    }
    storeLanes(c, columns, 0, _mm256_add_ps(_mm256_add_ps(low[0], low[1]), _mm256_add_ps(low[2], low[3])), bias);
    storeLanes(c, columns, 8, _mm256_add_ps(_mm256_add_ps(high[0], high[1]), _mm256_add_ps(high[2], high[3])), bias);
}

template <class Weight>
inline void dense(const float* a, int64_t lda, int64_t m, int64_t k, const Weight* panel, float* c, int64_t ldc, int columns,
                  const float* bias) {
    int64_t i = 0;
    for (; i + 6 <= m; i += 6) tile<6>(a + i * lda, lda, k, panel, c + i * ldc, ldc, columns, bias);
    a += i * lda;
    c += i * ldc;
    switch (m - i) {
        case 5: tile<5>(a, lda, k, panel, c, ldc, columns, bias); break;
        case 4: tile<4>(a, lda, k, panel, c, ldc, columns, bias); break;
        case 3: tile<3>(a, lda, k, panel, c, ldc, columns, bias); break;
        case 2: tile<2>(a, lda, k, panel, c, ldc, columns, bias); break;
        case 1: singleRow(a, k, panel, c, columns, bias); break;
        default: break;
    }
}

}  // namespace

void avx2FloatPanel(const float* a, int64_t lda, int64_t m, int64_t k, const float* panel, float* c, int64_t ldc,
                    int columns, const float* bias) {
    dense(a, lda, m, k, panel, c, ldc, columns, bias);
}
void avx2HalfPanel(const float* a, int64_t lda, int64_t m, int64_t k, const uint16_t* panel, float* c, int64_t ldc,
                   int columns, const float* bias) {
    dense(a, lda, m, k, panel, c, ldc, columns, bias);
}

}  // namespace assay::infer
