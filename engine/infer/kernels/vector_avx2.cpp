#include "kernels/avx2_math.h"
#include "kernels/avx2_table.h"
#include "kernels/half.h"

#include <math.h>

namespace assay::infer {

void avx2HalfToFloat(const uint16_t* in, int64_t n, float* out) {
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) _mm256_storeu_ps(out + i, loadHalf(in + i));
    for (; i < n; ++i) out[i] = halfToFloat(in[i]);
}
void avx2FloatToHalf(const float* in, int64_t n, uint16_t* out) {
    int64_t i = 0;
    for (; i + 8 <= n; i += 8)
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i),
                         _mm256_cvtps_ph(_mm256_loadu_ps(in + i), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
    for (; i < n; ++i) out[i] = floatToHalf(in[i]);
}

void avx2RmsNorm(const float* x, const float* weight, int64_t n, float epsilon, float* out) {
    __m256 s0 = _mm256_setzero_ps(), s1 = _mm256_setzero_ps();
    int64_t i = 0;
    for (; i + 16 <= n; i += 16) {
        const __m256 a = _mm256_loadu_ps(x + i), b = _mm256_loadu_ps(x + i + 8);
        s0 = _mm256_fmadd_ps(a, a, s0);
        s1 = _mm256_fmadd_ps(b, b, s1);
    }
    double sum = sum8(_mm256_add_ps(s0, s1));
    for (; i < n; ++i) sum += double(x[i]) * x[i];
    const float inverse = float(1.0 / sqrt(sum / double(n) + double(epsilon)));
    const __m256 scale = _mm256_set1_ps(inverse);
    for (i = 0; i + 8 <= n; i += 8)
        _mm256_storeu_ps(out + i, _mm256_mul_ps(_mm256_mul_ps(_mm256_loadu_ps(x + i), scale), _mm256_loadu_ps(weight + i)));
    for (; i < n; ++i) out[i] = x[i] * inverse * weight[i];
}

void avx2LayerNorm(const float* x, const float* weight, const float* bias, int64_t n, float epsilon, float* out) {
    __m256 s = _mm256_setzero_ps();
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) s = _mm256_add_ps(s, _mm256_loadu_ps(x + i));
    double total = sum8(s);
    for (; i < n; ++i) total += x[i];
    const float mean = float(total / double(n));
    const __m256 center = _mm256_set1_ps(mean);
    s = _mm256_setzero_ps();
    for (i = 0; i + 8 <= n; i += 8) {
        const __m256 d = _mm256_sub_ps(_mm256_loadu_ps(x + i), center);
        s = _mm256_fmadd_ps(d, d, s);
    }
    double square = sum8(s);
    for (; i < n; ++i) square += double(x[i] - mean) * (x[i] - mean);
    const float inverse = float(1.0 / sqrt(square / double(n) + double(epsilon)));
    const __m256 scale = _mm256_set1_ps(inverse);
    for (i = 0; i + 8 <= n; i += 8) {
        const __m256 d = _mm256_mul_ps(_mm256_sub_ps(_mm256_loadu_ps(x + i), center), scale);
        const __m256 w = _mm256_loadu_ps(weight + i);
        _mm256_storeu_ps(out + i, bias != nullptr ? _mm256_fmadd_ps(d, w, _mm256_loadu_ps(bias + i)) : _mm256_mul_ps(d, w));
    }
    for (; i < n; ++i) out[i] = (x[i] - mean) * inverse * weight[i] + (bias != nullptr ? bias[i] : 0.0f);
}

void avx2Add(float* x, const float* y, int64_t n) {
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) _mm256_storeu_ps(x + i, _mm256_add_ps(_mm256_loadu_ps(x + i), _mm256_loadu_ps(y + i)));
    for (; i < n; ++i) x[i] += y[i];
}

static inline __m256 silu8(__m256 gate, __m256 up) {
    const __m256 one = _mm256_set1_ps(1);
    const __m256 e = exp8(_mm256_sub_ps(_mm256_setzero_ps(), gate));
    return _mm256_mul_ps(_mm256_div_ps(gate, _mm256_add_ps(one, e)), up);
}
void avx2SiluMultiply(const float* gate, const float* up, int64_t n, float* out) {
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) _mm256_storeu_ps(out + i, silu8(_mm256_loadu_ps(gate + i), _mm256_loadu_ps(up + i)));
    if (i < n) storePart(out + i, n - i, silu8(loadPart(gate + i, n - i), loadPart(up + i, n - i)));
}

// x · sigmoid(2u) = 0.5 x (1 + tanh u)
static inline __m256 gelu8(__m256 x) {
    const __m256 inner = _mm256_mul_ps(
        _mm256_mul_ps(x, _mm256_set1_ps(0.7978845608028654f)),
        _mm256_fmadd_ps(_mm256_mul_ps(x, x), _mm256_set1_ps(0.044715f), _mm256_set1_ps(1)));
    const __m256 e = exp8(_mm256_mul_ps(inner, _mm256_set1_ps(-2)));
    return _mm256_div_ps(x, _mm256_add_ps(_mm256_set1_ps(1), e));
}
void avx2GeluTanh(float* x, int64_t n) {
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) _mm256_storeu_ps(x + i, gelu8(_mm256_loadu_ps(x + i)));
    if (i < n) storePart(x + i, n - i, gelu8(loadPart(x + i, n - i)));
}

void avx2Rotate(float* x, const float* cosines, const float* sines, int64_t half) {
    int64_t i = 0;
    for (; i + 8 <= half; i += 8) {
        const __m256 a = _mm256_loadu_ps(x + i), b = _mm256_loadu_ps(x + i + half);
        const __m256 c = _mm256_loadu_ps(cosines + i), s = _mm256_loadu_ps(sines + i);
        _mm256_storeu_ps(x + i, _mm256_fmsub_ps(a, c, _mm256_mul_ps(b, s)));
        _mm256_storeu_ps(x + i + half, _mm256_fmadd_ps(b, c, _mm256_mul_ps(a, s)));
    }
    for (; i < half; ++i) {
        const float a = x[i], b = x[i + half];
        x[i] = a * cosines[i] - b * sines[i];
        x[i + half] = b * cosines[i] + a * sines[i];
    }
}

static inline float largestOf(const float* x, int64_t n) {
    __m256 top = _mm256_set1_ps(-INFINITY);
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) top = _mm256_max_ps(top, _mm256_loadu_ps(x + i));
    if (i < n) top = _mm256_max_ps(top, loadPart(x + i, n - i, -INFINITY));
    return max8(top);
}

void avx2Softmax(float* x, int64_t n) {
    const __m256 top = _mm256_set1_ps(largestOf(x, n));
    __m256 sum = _mm256_setzero_ps();
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        const __m256 e = exp8(_mm256_sub_ps(_mm256_loadu_ps(x + i), top));
        _mm256_storeu_ps(x + i, e);
        sum = _mm256_add_ps(sum, e);
    }
    if (i < n) {
        const __m256 e = exp8(_mm256_sub_ps(loadPart(x + i, n - i, -INFINITY), top));
        storePart(x + i, n - i, e);
        sum = _mm256_add_ps(sum, e);
    }
    const __m256 inverse = _mm256_set1_ps(1.0f / sum8(sum));
    for (i = 0; i + 8 <= n; i += 8) _mm256_storeu_ps(x + i, _mm256_mul_ps(_mm256_loadu_ps(x + i), inverse));
    if (i < n) storePart(x + i, n - i, _mm256_mul_ps(loadPart(x + i, n - i), inverse));
}

static inline double sumDouble(__m256d v) {
    const __m128d s = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
    return _mm_cvtsd_f64(_mm_add_sd(s, _mm_unpackhi_pd(s, s)));
}
static inline __m256d lowDouble(__m256 v) { return _mm256_cvtps_pd(_mm256_castps256_ps128(v)); }
static inline __m256d highDouble(__m256 v) { return _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1)); }

double avx2LogSumExp(const float* x, int64_t n) {
    const float largest = largestOf(x, n);
    const __m256 top = _mm256_set1_ps(largest);
    __m256d a = _mm256_setzero_pd(), b = _mm256_setzero_pd();
    for (int64_t i = 0; i < n; i += 8) {
        const __m256 v = n - i >= 8 ? _mm256_loadu_ps(x + i) : loadPart(x + i, n - i, -INFINITY);
        const __m256 e = exp8(_mm256_sub_ps(v, top));
        a = _mm256_add_pd(a, lowDouble(e));
        b = _mm256_add_pd(b, highDouble(e));
    }
    return double(largest) + log(sumDouble(_mm256_add_pd(a, b)));
}

double avx2KlDivergence(const float* base, const float* other, int64_t n, double baseZ, double otherZ) {
    // log-softmax is rounded to fp32 once, from fp64: base and other go the same way, so equal rows give exactly 0.
    const __m256d zp = _mm256_set1_pd(baseZ), zq = _mm256_set1_pd(otherZ);
    __m256d a = _mm256_setzero_pd(), b = _mm256_setzero_pd();
    for (int64_t i = 0; i < n; i += 8) {
        const bool whole = n - i >= 8;
        const __m256 x = whole ? _mm256_loadu_ps(base + i) : loadPart(base + i, n - i, -3e38f);
        const __m256 y = whole ? _mm256_loadu_ps(other + i) : loadPart(other + i, n - i, -3e38f);
        const __m128 p0 = _mm256_cvtpd_ps(_mm256_sub_pd(lowDouble(x), zp)), p1 = _mm256_cvtpd_ps(_mm256_sub_pd(highDouble(x), zp));
        const __m128 q0 = _mm256_cvtpd_ps(_mm256_sub_pd(lowDouble(y), zq)), q1 = _mm256_cvtpd_ps(_mm256_sub_pd(highDouble(y), zq));
        const __m256 e = exp8(_mm256_set_m128(p1, p0));  // 0 for the padding lanes
        a = _mm256_fmadd_pd(lowDouble(e), _mm256_sub_pd(_mm256_cvtps_pd(p0), _mm256_cvtps_pd(q0)), a);
        b = _mm256_fmadd_pd(highDouble(e), _mm256_sub_pd(_mm256_cvtps_pd(p1), _mm256_cvtps_pd(q1)), b);
    }
    return sumDouble(_mm256_add_pd(a, b));
}

}  // namespace assay::infer
