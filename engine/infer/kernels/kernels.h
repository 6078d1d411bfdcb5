#pragma once
// Inner loops, one table of functions per instruction set. Files *_scalar.cpp are the reference; *_avx2.cpp need AVX2, FMA
// and F16C. Layouts (also in SCHEMES.md): weights lie in panels of output rows, so that one vector holds one input column
// of all rows of the panel and no horizontal sums are needed; every function below works on one panel.
//
// Nothing here allocates or throws. Pointers need no alignment. `c` receives `columns` values a row (the valid rows of the
// panel), rows `ldc` apart; bias may be null.
#include <cstdint>

namespace assay::infer {

inline constexpr int kFloatPanel = 16;    // output rows in a panel of fp32/fp16 weights: [k][16]
inline constexpr int kIntegerPanel = 8;   // of int8/int4 weights
inline constexpr int kBlock = 32;         // columns that share an activation scale

// Activations [m][blocks × 32] in int8 with one scale a block: x ≈ scale · q, |q| ≤ 127. sum = scale · Σ q of the block.
// Columns past the real width are zero.
struct QuantizedRows {
    const int8_t* values = nullptr;
    const float* scales = nullptr;  // [m][blocks]
    const float* sums = nullptr;    // [m][blocks]
    int64_t blocks = 0;
};

// Keys or values of one head: `rows` vectors of `width` numbers, fp32 or fp16, one after the other.
struct HeadRows {
    const void* data = nullptr;
    bool half = false;
    int64_t rows = 0, width = 0;
};

struct Kernels {
    const char* name;

    // c = a · panelᵀ (+ bias). a: [m][k] rows lda apart. panel: [k][16].
    void (*floatPanel)(const float* a, int64_t lda, int64_t m, int64_t k, const float* panel, float* c, int64_t ldc,
                       int columns, const float* bias);
    void (*halfPanel)(const float* a, int64_t lda, int64_t m, int64_t k, const uint16_t* panel, float* c, int64_t ldc,
                      int columns, const float* bias);
    // int8 panel: per block 8 groups of 4 columns, each [8 rows][4 columns]; scales fp16 [groups][8].
    void (*int8Panel)(const QuantizedRows& a, int64_t row, int64_t m, const int8_t* panel, const uint16_t* scales,
                      int64_t blocksPerGroup, float* c, int64_t ldc, int columns, const float* bias);
    // int4 panel: per block 4 groups [8 rows][4 bytes]; the low nibble of byte i in group j is column 4j+i, the high one
    // column 16+4j+i. w = scale · q + minimum, q in 0..15.
    void (*int4Panel)(const QuantizedRows& a, int64_t row, int64_t m, const uint8_t* panel, const uint16_t* scales,
                      const uint16_t* minima, int64_t blocksPerGroup, float* c, int64_t ldc, int columns,
                      const float* bias);
    // One row: k values into ⌈k/32⌉ blocks. A zero (or subnormal) block gets scale 0.
    void (*quantizeRow)(const float* x, int64_t k, int8_t* values, float* scales, float* sums);

    void (*halfToFloat)(const uint16_t* in, int64_t n, float* out);
    void (*floatToHalf)(const float* in, int64_t n, uint16_t* out);  // round to nearest even; overflow to infinity

    void (*rmsNorm)(const float* x, const float* weight, int64_t n, float epsilon, float* out);
    void (*layerNorm)(const float* x, const float* weight, const float* bias, int64_t n, float epsilon, float* out);
    void (*add)(float* x, const float* y, int64_t n);                        // x += y
    void (*siluMultiply)(const float* gate, const float* up, int64_t n, float* out);
    void (*geluTanh)(float* x, int64_t n);
    void (*rotate)(float* x, const float* cosines, const float* sines, int64_t half);  // pairs (i, i + half)

    // scores[i][j] = scale · queries[i]·keys[j], queries `queryStride` apart, score rows `scoreStride` apart.
    void (*scores)(const float* queries, int64_t queryStride, int64_t count, const HeadRows& keys, float scale,
                   float* scores, int64_t scoreStride);
    void (*softmax)(float* x, int64_t n);  // n ≥ 1; fully masked rows do not occur (a token sees itself)
    // out[i] += Σ_j weights[i][j] · values[j]; out rows `outStride` apart.
    void (*mixValues)(const float* weights, int64_t weightStride, int64_t count, const HeadRows& values, float* out,
                      int64_t outStride);

    // log Σ exp(x) with fp64 accumulation.
    double (*logSumExp)(const float* x, int64_t n);
    // Σ p (log p − log q) of two rows of logits whose log-sum-exps are given: fp32 log-softmax, fp64 sum.
    double (*klDivergence)(const float* base, const float* other, int64_t n, double baseZ, double otherZ);
};

const Kernels& scalarKernels();
const Kernels* avx2Kernels();   // null when this processor cannot run them
const Kernels& kernels();       // the best of this machine; ASSAY_KERNELS=scalar forces the reference

}  // namespace assay::infer
