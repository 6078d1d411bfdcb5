// Attention of a few queries (neighbouring positions, or the query heads that share a key head) over a run of keys. Four
// queries at a time share each load of a key or value.
#include "kernels/avx2_math.h"
#include "kernels/avx2_table.h"
#include "kernels/half.h"

namespace assay::infer {
namespace {

static inline __m256 eight(const float* p) { return _mm256_loadu_ps(p); }
static inline __m256 eight(const uint16_t* p) { return loadHalf(p); }
static inline float one(const float* p) { return *p; }
static inline float one(const uint16_t* p) { return halfToFloat(*p); }

// Sums of four vectors as one vector of four.
static inline __m128 sums4(__m256 a, __m256 b, __m256 c, __m256 d) {
    const __m256 t = _mm256_hadd_ps(_mm256_hadd_ps(a, b), _mm256_hadd_ps(c, d));
    return _mm_add_ps(_mm256_castps256_ps128(t), _mm256_extractf128_ps(t, 1));
}

// Q queries against 4 keys at a time for Q ≤ 2; against 2 for Q = 4: eight accumulators either way.
template <int Q, class Value>
inline void scoreRows(const float* queries, int64_t queryStride, const Value* keys, int64_t rows, int64_t width, float scale,
                      float* out, int64_t outStride) {
    constexpr int kKeys = Q == 4 ? 2 : 4;
    int64_t j = 0;
    for (; j + kKeys <= rows; j += kKeys) {
        __m256 sum[Q][kKeys];
        for (int q = 0; q < Q; ++q)
            for (int u = 0; u < kKeys; ++u) sum[q][u] = _mm256_setzero_ps();
        const Value* key = keys + j * width;
        int64_t d = 0;
        for (; d + 8 <= width; d += 8) {
            __m256 k[kKeys];
#pragma GCC unroll 4
            for (int u = 0; u < kKeys; ++u) k[u] = eight(key + u * width + d);
#pragma GCC unroll 4
            for (int q = 0; q < Q; ++q) {
                const __m256 x = _mm256_loadu_ps(queries + q * queryStride + d);
#pragma GCC unroll 4
                for (int u = 0; u < kKeys; ++u) sum[q][u] = _mm256_fmadd_ps(x, k[u], sum[q][u]);
            }
        }
        for (int q = 0; q < Q; ++q) {
            alignas(16) float dots[4];
            _mm_store_ps(dots, sums4(sum[q][0], sum[q][1], sum[q][kKeys == 4 ? 2 : 0], sum[q][kKeys == 4 ? 3 : 1]));
            for (int u = 0; u < kKeys; ++u) {
                float dot = dots[u];
                for (int64_t t = d; t < width; ++t) dot += queries[q * queryStride + t] * one(key + u * width + t);
                out[q * outStride + j + u] = scale * dot;
            }
        }
    }
    for (; j < rows; ++j)
        for (int q = 0; q < Q; ++q) {
            __m256 sum = _mm256_setzero_ps();
            int64_t d = 0;
            for (; d + 8 <= width; d += 8)
                sum = _mm256_fmadd_ps(_mm256_loadu_ps(queries + q * queryStride + d), eight(keys + j * width + d), sum);
            float dot = sum8(sum);
            for (; d < width; ++d) dot += queries[q * queryStride + d] * one(keys + j * width + d);
            out[q * outStride + j] = scale * dot;
        }
}

template <class Value>
inline void scoreAll(const float* queries, int64_t queryStride, int64_t count, const HeadRows& keys, float scale, float* out,
                     int64_t outStride) {
    const Value* data = static_cast<const Value*>(keys.data);
    int64_t i = 0;
    for (; i + 4 <= count; i += 4)
        scoreRows<4>(queries + i * queryStride, queryStride, data, keys.rows, keys.width, scale, out + i * outStride, outStride);
    for (; i + 2 <= count; i += 2)
        scoreRows<2>(queries + i * queryStride, queryStride, data, keys.rows, keys.width, scale, out + i * outStride, outStride);
    for (; i < count; ++i)
        scoreRows<1>(queries + i * queryStride, queryStride, data, keys.rows, keys.width, scale, out + i * outStride, outStride);
}

// Q queries × V vectors of 8 columns, all rows.
template <int Q, int V, class Value>
inline void mixTile(const float* weights, int64_t weightStride, const Value* values, int64_t rows, int64_t width, float* out,
                    int64_t outStride) {
    __m256 sum[Q][V];
    for (int q = 0; q < Q; ++q)
        for (int v = 0; v < V; ++v) sum[q][v] = _mm256_loadu_ps(out + q * outStride + v * 8);
    for (int64_t j = 0; j < rows; ++j) {
        __m256 x[V];
#pragma GCC unroll 8
        for (int v = 0; v < V; ++v) x[v] = eight(values + j * width + v * 8);
#pragma GCC unroll 4
        for (int q = 0; q < Q; ++q) {
            const __m256 w = _mm256_broadcast_ss(weights + q * weightStride + j);
#pragma GCC unroll 8
            for (int v = 0; v < V; ++v) sum[q][v] = _mm256_fmadd_ps(w, x[v], sum[q][v]);
        }
    }
    for (int q = 0; q < Q; ++q)
        for (int v = 0; v < V; ++v) _mm256_storeu_ps(out + q * outStride + v * 8, sum[q][v]);
}

template <int Q, class Value>
inline void mixRows(const float* weights, int64_t weightStride, const Value* values, int64_t rows, int64_t width, float* out,
                    int64_t outStride) {
    constexpr int kVectors = Q == 4 ? 2 : Q == 2 ? 4 : 8;
    int64_t d = 0;
    for (; d + 8 * kVectors <= width; d += 8 * kVectors)
        mixTile<Q, kVectors>(weights, weightStride, values + d, rows, width, out + d, outStride);
    for (; d + 8 <= width; d += 8) mixTile<Q, 1>(weights, weightStride, values + d, rows, width, out + d, outStride);
    for (; d < width; ++d)
        for (int q = 0; q < Q; ++q) {
            float sum = out[q * outStride + d];
            for (int64_t j = 0; j < rows; ++j) sum += weights[q * weightStride + j] * one(values + j * width + d);
            out[q * outStride + d] = sum;
        }
}

template <class Value>
inline void mixAll(const float* weights, int64_t weightStride, int64_t count, const HeadRows& values, float* out,
                   int64_t outStride) {
    const Value* data = static_cast<const Value*>(values.data);
    int64_t i = 0;
    for (; i + 4 <= count; i += 4)
        mixRows<4>(weights + i * weightStride, weightStride, data, values.rows, values.width, out + i * outStride, outStride);
    for (; i + 2 <= count; i += 2)
        mixRows<2>(weights + i * weightStride, weightStride, data, values.rows, values.width, out + i * outStride, outStride);
    for (; i < count; ++i)
        mixRows<1>(weights + i * weightStride, weightStride, data, values.rows, values.width, out + i * outStride, outStride);
}

}  // namespace

void avx2Scores(const float* queries, int64_t queryStride, int64_t count, const HeadRows& keys, float scale, float* scores,
                int64_t scoreStride) {
    if (keys.half) scoreAll<uint16_t>(queries, queryStride, count, keys, scale, scores, scoreStride);
    else scoreAll<float>(queries, queryStride, count, keys, scale, scores, scoreStride);
}

void avx2MixValues(const float* weights, int64_t weightStride, int64_t count, const HeadRows& values, float* out,
                   int64_t outStride) {
    if (values.half) mixAll<uint16_t>(weights, weightStride, count, values, out, outStride);
    else mixAll<float>(weights, weightStride, count, values, out, outStride);
}

}  // namespace assay::infer
