#pragma once
// Vector helpers for the *_avx2.cpp files only. Everything is static: a function compiled for AVX2 must never be the
// copy that the linker keeps for the rest of the program.
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

namespace assay::infer {

static inline float sum8(__m256 v) {
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}
static inline float max8(__m256 v) {
    __m128 s = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    s = _mm_max_ps(s, _mm_movehl_ps(s, s));
    return _mm_cvtss_f32(_mm_max_ss(s, _mm_movehdup_ps(s)));
}
static inline __m256 loadHalf(const uint16_t* p) {
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
// First n < 8 values, zeros (or `fill`) after them.
static inline __m256 loadPart(const float* p, int64_t n, float fill = 0) {
    alignas(32) float buffer[8];
    for (int i = 0; i < 8; ++i) buffer[i] = i < n ? p[i] : fill;
    return _mm256_load_ps(buffer);
}
static inline void storePart(float* p, int64_t n, __m256 v) {
    alignas(32) float buffer[8];
    _mm256_store_ps(buffer, v);
    for (int64_t i = 0; i < n; ++i) p[i] = buffer[i];
}

// exp to about 1 ulp: range reduction by ln 2 in two parts, degree-6 polynomial (minimax coefficients of Cephes' expf).
// Below −87.3 (the smallest normal result): 0. Above 88.7: the largest finite range, never NaN for finite input.
static inline __m256 exp8(__m256 x) {
    const __m256 low = _mm256_set1_ps(-87.336544f);
    const __m256 keep = _mm256_cmp_ps(x, low, _CMP_NLT_UQ);
    x = _mm256_min_ps(_mm256_set1_ps(88.3762626f), _mm256_max_ps(low, x));
    const __m256 n = _mm256_round_ps(_mm256_mul_ps(x, _mm256_set1_ps(1.44269504f)), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    __m256 r = _mm256_fnmadd_ps(n, _mm256_set1_ps(0.693359375f), x);
    r = _mm256_fnmadd_ps(n, _mm256_set1_ps(-2.12194440e-4f), r);
    __m256 y = _mm256_set1_ps(1.9875691500e-4f);
    y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(1.3981999507e-3f));
    y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(8.3334519073e-3f));
    y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(4.1665795894e-2f));
    y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(1.6666665459e-1f));
    y = _mm256_fmadd_ps(y, r, _mm256_set1_ps(5.0000001201e-1f));
    y = _mm256_fmadd_ps(y, _mm256_mul_ps(r, r), _mm256_add_ps(r, _mm256_set1_ps(1)));
    const __m256i power = _mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127)), 23);
    return _mm256_and_ps(keep, _mm256_mul_ps(y, _mm256_castsi256_ps(power)));
}

// Writes the tile's rows: 16 or 8 lanes, of which `columns` are real.
static inline void storeLanes(float* c, int columns, int first, __m256 v, const float* bias) {
    const int n = columns - first < 8 ? columns - first : 8;
    if (n <= 0) return;
    if (n == 8) {
        if (bias != nullptr) v = _mm256_add_ps(v, _mm256_loadu_ps(bias + first));
        _mm256_storeu_ps(c + first, v);
    } else {
        if (bias != nullptr) v = _mm256_add_ps(v, loadPart(bias + first, n));
        storePart(c + first, n, v);
    }
}

}  // namespace assay::infer
