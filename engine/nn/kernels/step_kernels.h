#pragma once
// The loops of a training step below LibTorch: plain pointers, one thread, rows given by the caller. Every table computes the same
// functions; `scalar` is the reference and exists for float64 too. No LibTorch here.

#include <cstdint>

namespace assay::nn {

// C = A·B (+ C | + bias | + residual) in fp32. Elements of A and B are a[i·rowStride + k·columnStride]; one of the two strides is 1.
// Sums run over K in blocks of a fixed size, so C does not depend on how rows and columns are given to threads.
struct Product {
    int64_t rows = 0, columns = 0, depth = 0;
    const float* a = nullptr;
    int64_t aRow = 0, aColumn = 0;
    const float* b = nullptr;
    int64_t bRow = 0, bColumn = 0;
    float* c = nullptr;
    int64_t cRow = 0;
    const float* bias = nullptr;      // [columns], added to every row
    const float* residual = nullptr;  // rows × columns, rows `residualRow` apart
    int64_t residualRow = 0;
    bool accumulate = false;          // C += A·B
};
struct Rectangle {
    int64_t firstRow, lastRow, firstColumn, lastColumn;
};

template <typename T>
struct NormGradient {  // of y = x̂·weight (+ bias), where x̂ = (x − mean)·inverse; no mean: RMSNorm
    const T *x, *gradient, *weight, *mean, *inverse;
    const T* passing;                      // added to the gradient of x (the path around the block), or null
    T* out;                                // gradient of x; may be `gradient`
    T *weightGradient, *biasGradient;      // sums over the rows of this call are added; null: not wanted
};

template <typename T>
struct StepLoops {
    const char* name;
    // x [rows, width] → y; mean and inverse deviation per row. mean null: RMSNorm.
    void (*norm)(const T* x, const T* weight, const T* bias, T eps, T* y, T* mean, T* inverse, int64_t rows, int64_t width);
    // y again from what the forward pass kept
    void (*normAgain)(const T* x, const T* weight, const T* bias, const T* mean, const T* inverse, T* y, int64_t rows, int64_t width);
    void (*normBackward)(const NormGradient<T>& g, int64_t rows, int64_t width);
    void (*gelu)(const T* x, T* y, int64_t count);                          // tanh form
    void (*geluBackward)(const T* x, T* gradient, T* y, int64_t count);     // gradient in place; y = gelu(x) again
    void (*swiglu)(const T* gate, const T* up, T* y, int64_t count);        // silu(gate)·up
    // gradient of y in; out: gradients of gate and up, and y again in the place of `gradient`
    void (*swigluBackward)(const T* gate, const T* up, T* gradient, T* gateGradient, T* upGradient, int64_t count);
    // rows of `heads` heads of 2·half, turned in place; row r has the angles of `angle(r)` = cosine + r·half
    void (*rotate)(T* x, int64_t stride, const T* cosine, const T* sine, int64_t rows, int64_t heads, int64_t half, bool back);
    void (*addRows)(const T* x, int64_t stride, T* sum, int64_t rows, int64_t width);  // sum += Σ rows
    // One row of logits: returns −log softmax[label]. The row becomes scale·(softmax − onehot), or without `gradient` scratch.
    double (*crossEntropyRow)(T* logits, int64_t width, int64_t label, T scale, bool gradient);
};

// Causal attention of one batch row: one key head and the `heads` query heads that share it, lying side by side. Rows are
// positions, of unit stride along the width. mask [columns, columns] additive or null.
struct AttentionHeads {
    int64_t columns, width, heads;
    float scale;
    const float *q, *k, *v, *mask;
    int64_t qRow, kRow, vRow;
    float* out;    // forward: written; backward: read
    int64_t outRow;
    float* sums;   // [heads, columns]: log Σ e^score
    const float* outGradient;  // rows like `out`
    float *qGradient, *kGradient, *vGradient;
    int64_t qGradientRow, kGradientRow;
};

struct ProductKernel {
    const char* name;
    int64_t tileRows, tileColumns, bufferFloats;
    void (*multiply)(const Product& product, const Rectangle& part, float* buffer);  // buffer: bufferFloats, 64-byte aligned
    int64_t (*attentionBuffer)(int64_t columns, int64_t width);  // floats
    void (*attention)(const AttentionHeads& heads, float* buffer);
    void (*attentionBackward)(const AttentionHeads& heads, float* buffer);
};

const StepLoops<float>& scalarLoops();
const StepLoops<double>& scalarLoopsDouble();
const StepLoops<float>* avx2Loops();    // null: this processor cannot
const StepLoops<float>* avx512Loops();
const ProductKernel* avx2Product();
const ProductKernel* avx512Product();

const StepLoops<float>& bestLoops();
// Where our product is the faster one (measured: AMD; Intel's own library keeps Intel's processors). A function of the processor
// alone, so that a resumed run computes the same bits. Null: LibTorch's.
const ProductKernel* bestProduct();

}  // namespace assay::nn
