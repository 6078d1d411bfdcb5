// int8 and int4 panels against int8 activations. Eight output rows sit in the eight 32-bit lanes; each step multiplies
// four columns. Bounds that make the 16-bit sums exact:
//   int8: |w|·sign(a, w): 2 · 127 · 127 = 32258 < 32768 (both sides are clamped to ±127, so sign(−128) cannot occur);
//   int4: 8 steps of 2 · 15 · 127 = 30480 < 32768, so a whole block is summed before widening.
#include "kernels/avx2_math.h"
#include "kernels/avx2_table.h"

namespace assay::infer {
namespace {

static inline __m256i fourColumns(const int8_t* p) {
    int32_t four;
    memcpy(&four, p, 4);
    return _mm256_set1_epi32(four);
}
static inline __m256i load32(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }

template <int R>
inline void int8Tile(const QuantizedRows& a, int64_t row, const int8_t* panel, const uint16_t* scales,
                     int64_t blocksPerGroup, float* c, int64_t ldc, int columns, const float* bias) {
    const __m256i ones = _mm256_set1_epi16(1);
    __m256 total[R];
    for (int r = 0; r < R; ++r) total[r] = _mm256_setzero_ps();
    const int8_t* x = a.values + row * a.blocks * kBlock;
    const float* xs = a.scales + row * a.blocks;
    const int64_t stride = a.blocks * kBlock;
    for (int64_t b = 0, left = blocksPerGroup; b < a.blocks; ++b) {
        __m256i dot[R];
        for (int r = 0; r < R; ++r) dot[r] = _mm256_setzero_si256();
#pragma GCC unroll 8
        for (int j = 0; j < 8; ++j) {
            const __m256i w = load32(panel + j * 32);
            const __m256i magnitude = _mm256_abs_epi8(w);
#pragma GCC unroll 4
            for (int r = 0; r < R; ++r) {
                const __m256i signedX = _mm256_sign_epi8(fourColumns(x + r * stride + j * 4), w);
                dot[r] = _mm256_add_epi32(dot[r], _mm256_madd_epi16(_mm256_maddubs_epi16(magnitude, signedX), ones));
            }
        }
        const __m256 scale = loadHalf(scales);
        for (int r = 0; r < R; ++r)
            total[r] = _mm256_fmadd_ps(_mm256_mul_ps(scale, _mm256_broadcast_ss(xs + r * a.blocks)),
                                       _mm256_cvtepi32_ps(dot[r]), total[r]);
        panel += kBlock * kIntegerPanel;
        x += kBlock;
        ++xs;
        if (--left == 0) {
            left = blocksPerGroup;
            scales += kIntegerPanel;
        }
    }
    for (int r = 0; r < R; ++r) storeLanes(c + r * ldc, columns, 0, total[r], bias);
}

template <int R>
inline void int4Tile(const QuantizedRows& a, int64_t row, const uint8_t* panel, const uint16_t* scales,
                     const uint16_t* minima, int64_t blocksPerGroup, float* c, int64_t ldc, int columns,
                     const float* bias) {
    const __m256i nibble = _mm256_set1_epi8(15), ones = _mm256_set1_epi16(1);
    __m256 total[R];
    for (int r = 0; r < R; ++r) total[r] = _mm256_setzero_ps();
    const int8_t* x = a.values + row * a.blocks * kBlock;
    const float* xs = a.scales + row * a.blocks;
    const float* sums = a.sums + row * a.blocks;
    const int64_t stride = a.blocks * kBlock;
    for (int64_t b = 0, left = blocksPerGroup; b < a.blocks; ++b) {
        __m256i dot[R];
        for (int r = 0; r < R; ++r) dot[r] = _mm256_setzero_si256();
#pragma GCC unroll 4
        for (int j = 0; j < 4; ++j) {
            const __m256i packed = load32(panel + j * 32);
            const __m256i low = _mm256_and_si256(packed, nibble);
            const __m256i high = _mm256_and_si256(_mm256_srli_epi16(packed, 4), nibble);
#pragma GCC unroll 4
            for (int r = 0; r < R; ++r) {
                const int8_t* at = x + r * stride + j * 4;
                dot[r] = _mm256_add_epi16(dot[r], _mm256_maddubs_epi16(low, fourColumns(at)));
                dot[r] = _mm256_add_epi16(dot[r], _mm256_maddubs_epi16(high, fourColumns(at + 16)));
            }
        }
        const __m256 scale = loadHalf(scales), minimum = loadHalf(minima);
        for (int r = 0; r < R; ++r) {
            const __m256 whole = _mm256_cvtepi32_ps(_mm256_madd_epi16(dot[r], ones));
            total[r] = _mm256_fmadd_ps(_mm256_mul_ps(scale, _mm256_broadcast_ss(xs + r * a.blocks)), whole, total[r]);
            total[r] = _mm256_fmadd_ps(minimum, _mm256_broadcast_ss(sums + r * a.blocks), total[r]);
        }
        panel += kBlock * kIntegerPanel / 2;
        x += kBlock;
        ++xs;
        ++sums;
        if (--left == 0) {
            left = blocksPerGroup;
            scales += kIntegerPanel;
            minima += kIntegerPanel;
        }
    }
    for (int r = 0; r < R; ++r) storeLanes(c + r * ldc, columns, 0, total[r], bias);
}

}  // namespace

void avx2Int8Panel(const QuantizedRows& a, int64_t row, int64_t m, const int8_t* panel, const uint16_t* scales,
                   int64_t blocksPerGroup, float* c, int64_t ldc, int columns, const float* bias) {
    int64_t i = 0;
    for (; i + 4 <= m; i += 4) int8Tile<4>(a, row + i, panel, scales, blocksPerGroup, c + i * ldc, ldc, columns, bias);
    switch (m - i) {
        case 3: int8Tile<3>(a, row + i, panel, scales, blocksPerGroup, c + i * ldc, ldc, columns, bias); break;
        case 2: int8Tile<2>(a, row + i, panel, scales, blocksPerGroup, c + i * ldc, ldc, columns, bias); break;
        case 1: int8Tile<1>(a, row + i, panel, scales, blocksPerGroup, c + i * ldc, ldc, columns, bias); break;
        default: break;
    }
}

void avx2Int4Panel(const QuantizedRows& a, int64_t row, int64_t m, const uint8_t* panel, const uint16_t* scales,
                   const uint16_t* minima, int64_t blocksPerGroup, float* c, int64_t ldc, int columns, const float* bias) {
    int64_t i = 0;
    for (; i + 4 <= m; i += 4)
        int4Tile<4>(a, row + i, panel, scales, minima, blocksPerGroup, c + i * ldc, ldc, columns, bias);
    switch (m - i) {
        case 3: int4Tile<3>(a, row + i, panel, scales, minima, blocksPerGroup, c + i * ldc, ldc, columns, bias); break;
        case 2: int4Tile<2>(a, row + i, panel, scales, minima, blocksPerGroup, c + i * ldc, ldc, columns, bias); break;
        case 1: int4Tile<1>(a, row + i, panel, scales, minima, blocksPerGroup, c + i * ldc, ldc, columns, bias); break;
        default: break;
    }
}

void avx2QuantizeRow(const float* x, int64_t k, int8_t* values, float* scales, float* sums) {
    const __m256 noSign = _mm256_castsi256_ps(_mm256_set1_epi32(0x7FFFFFFF));
    for (int64_t begin = 0, b = 0; begin < k; begin += kBlock, ++b) {
        __m256 v[4], largest = _mm256_setzero_ps();
        for (int i = 0; i < 4; ++i) {
            const int64_t left = k - begin - i * 8;
            v[i] = left >= 8 ? _mm256_loadu_ps(x + begin + i * 8) : loadPart(x + begin + i * 8, left);
            largest = _mm256_max_ps(largest, _mm256_and_ps(noSign, v[i]));
        }
        const float top = max8(largest), scale = top / 127.0f;
        const bool usable = scale >= 1.17549435e-38f;
        const __m256 inverse = _mm256_set1_ps(usable ? 127.0f / top : 0.0f);
        __m256i q[4], total = _mm256_setzero_si256();
        for (int i = 0; i < 4; ++i) {
            q[i] = _mm256_cvtps_epi32(_mm256_mul_ps(v[i], inverse));
            q[i] = _mm256_max_epi32(_mm256_set1_epi32(-127), _mm256_min_epi32(_mm256_set1_epi32(127), q[i]));
            total = _mm256_add_epi32(total, q[i]);
        }
        const __m256i words = _mm256_packs_epi16(_mm256_packs_epi32(q[0], q[1]), _mm256_packs_epi32(q[2], q[3]));
        const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);  // undo the in-lane packing
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(values + b * kBlock), _mm256_permutevar8x32_epi32(words, order));
        __m128i s = _mm_add_epi32(_mm256_castsi256_si128(total), _mm256_extracti128_si256(total, 1));
        s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0x4E));
        s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0xB1));
        scales[b] = usable ? scale : 0.0f;
        sums[b] = scales[b] * float(_mm_cvtsi128_si32(s));
    }
}

}  // namespace assay::infer
