#pragma once
#include "kernels/kernels.h"

namespace assay::infer {

void avx2FloatPanel(const float* a, int64_t lda, int64_t m, int64_t k, const float* panel, float* c, int64_t ldc,
                    int columns, const float* bias);
void avx2HalfPanel(const float* a, int64_t lda, int64_t m, int64_t k, const uint16_t* panel, float* c, int64_t ldc,
                   int columns, const float* bias);
void avx2Int8Panel(const QuantizedRows& a, int64_t row, int64_t m, const int8_t* panel, const uint16_t* scales,
                   int64_t blocksPerGroup, float* c, int64_t ldc, int columns, const float* bias);
void avx2Int4Panel(const QuantizedRows& a, int64_t row, int64_t m, const uint8_t* panel, const uint16_t* scales,
                   const uint16_t* minima, int64_t blocksPerGroup, float* c, int64_t ldc, int columns, const float* bias);
void avx2QuantizeRow(const float* x, int64_t k, int8_t* values, float* scales, float* sums);
void avx2HalfToFloat(const uint16_t* in, int64_t n, float* out);
void avx2FloatToHalf(const float* in, int64_t n, uint16_t* out);
void avx2RmsNorm(const float* x, const float* weight, int64_t n, float epsilon, float* out);
void avx2LayerNorm(const float* x, const float* weight, const float* bias, int64_t n, float epsilon, float* out);
void avx2Add(float* x, const float* y, int64_t n);
void avx2SiluMultiply(const float* gate, const float* up, int64_t n, float* out);
void avx2GeluTanh(float* x, int64_t n);
void avx2Rotate(float* x, const float* cosines, const float* sines, int64_t half);
void avx2Scores(const float* queries, int64_t queryStride, int64_t count, const HeadRows& keys, float scale, float* scores,
                int64_t scoreStride);
void avx2Softmax(float* x, int64_t n);
void avx2MixValues(const float* weights, int64_t weightStride, int64_t count, const HeadRows& values, float* out,
                   int64_t outStride);
double avx2LogSumExp(const float* x, int64_t n);
double avx2KlDivergence(const float* base, const float* other, int64_t n, double baseZ, double otherZ);

}  // namespace assay::infer
