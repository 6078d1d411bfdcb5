// The reference: plain loops in the order of the formulas. Slow on purpose, exact where integers are concerned.
#include "kernels/half.h"
#include "kernels/kernels.h"

#include <math.h>
#include <string.h>

namespace assay::infer {
namespace {

template <class Weight>
float widen(Weight w);
template <>
float widen(float w) { return w; }
template <>
float widen(uint16_t w) { return halfToFloat(w); }

template <class Weight>
void denseTile(const float* a, int64_t lda, int64_t m, int64_t k, const Weight* panel, float* c, int64_t ldc, int columns,
               const float* bias) {
    for (int64_t i = 0; i < m; ++i)
        for (int r = 0; r < columns; ++r) {
            double sum = 0;
            for (int64_t j = 0; j < k; ++j) sum += double(a[i * lda + j]) * widen(panel[j * kFloatPanel + r]);
            c[i * ldc + r] = float(sum) + (bias != nullptr ? bias[r] : 0.0f);
        }
}

void floatPanel(const float* a, int64_t lda, int64_t m, int64_t k, const float* panel, float* c, int64_t ldc, int columns,
                const float* bias) {
    denseTile(a, lda, m, k, panel, c, ldc, columns, bias);
}
void halfPanel(const float* a, int64_t lda, int64_t m, int64_t k, const uint16_t* panel, float* c, int64_t ldc,
               int columns, const float* bias) {
    denseTile(a, lda, m, k, panel, c, ldc, columns, bias);
}

void int8Panel(const QuantizedRows& a, int64_t row, int64_t m, const int8_t* panel, const uint16_t* scales,
               int64_t blocksPerGroup, float* c, int64_t ldc, int columns, const float* bias) {
    for (int64_t i = 0; i < m; ++i)
        for (int r = 0; r < columns; ++r) {
            double sum = 0;
            for (int64_t b = 0; b < a.blocks; ++b) {
                const int8_t* x = a.values + ((row + i) * a.blocks + b) * kBlock;
                const int8_t* w = panel + b * kBlock * kIntegerPanel;
                int32_t dot = 0;
                for (int j = 0; j < kBlock; ++j) dot += int32_t(x[j]) * w[(j / 4) * 32 + r * 4 + j % 4];
                const float scale = halfToFloat(scales[(b / blocksPerGroup) * kIntegerPanel + r]);
                sum += double(dot) * scale * a.scales[(row + i) * a.blocks + b];
            }
            c[i * ldc + r] = float(sum) + (bias != nullptr ? bias[r] : 0.0f);
        }
}

void int4Panel(const QuantizedRows& a, int64_t row, int64_t m, const uint8_t* panel, const uint16_t* scales,
               const uint16_t* minima, int64_t blocksPerGroup, float* c, int64_t ldc, int columns, const float* bias) {
    for (int64_t i = 0; i < m; ++i)
        for (int r = 0; r < columns; ++r) {
            double sum = 0;
            for (int64_t b = 0; b < a.blocks; ++b) {
                const int8_t* x = a.values + ((row + i) * a.blocks + b) * kBlock;
                const uint8_t* w = panel + b * kBlock * kIntegerPanel / 2;
                int32_t dot = 0;
                for (int j = 0; j < 16; ++j) {
                    const uint8_t packed = w[(j / 4) * 32 + r * 4 + j % 4];
                    dot += int32_t(x[j]) * (packed & 15) + int32_t(x[j + 16]) * (packed >> 4);
                }
                const int64_t group = (b / blocksPerGroup) * kIntegerPanel + r;
                sum += double(dot) * halfToFloat(scales[group]) * a.scales[(row + i) * a.blocks + b] +
                       double(halfToFloat(minima[group])) * a.sums[(row + i) * a.blocks + b];
            }
            c[i * ldc + r] = float(sum) + (bias != nullptr ? bias[r] : 0.0f);
        }
}

void quantizeRow(const float* x, int64_t k, int8_t* values, float* scales, float* sums) {
    for (int64_t begin = 0, b = 0; begin < k; begin += kBlock, ++b) {
        const int64_t n = k - begin < kBlock ? k - begin : kBlock;
        float largest = 0;
        for (int64_t i = 0; i < n; ++i) largest = fmaxf(largest, fabsf(x[begin + i]));
        const float scale = largest / 127.0f;
        const float inverse = scale >= 1.17549435e-38f ? 127.0f / largest : 0.0f;
        int32_t sum = 0;
        int8_t* out = values + b * kBlock;
        for (int64_t i = 0; i < kBlock; ++i) {
            int32_t q = i < n ? int32_t(nearbyintf(x[begin + i] * inverse)) : 0;
            q = q > 127 ? 127 : q < -127 ? -127 : q;
            out[i] = int8_t(q);
            sum += q;
        }
        scales[b] = inverse == 0.0f ? 0.0f : scale;
        sums[b] = scales[b] * float(sum);
    }
}

void halfToFloats(const uint16_t* in, int64_t n, float* out) {
    for (int64_t i = 0; i < n; ++i) out[i] = halfToFloat(in[i]);
}
void floatsToHalf(const float* in, int64_t n, uint16_t* out) {
    for (int64_t i = 0; i < n; ++i) out[i] = floatToHalf(in[i]);
}

void rmsNorm(const float* x, const float* weight, int64_t n, float epsilon, float* out) {
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += double(x[i]) * x[i];
    const float inverse = float(1.0 / sqrt(sum / double(n) + epsilon));
    for (int64_t i = 0; i < n; ++i) out[i] = x[i] * inverse * weight[i];
}

void layerNorm(const float* x, const float* weight, const float* bias, int64_t n, float epsilon, float* out) {
    double mean = 0, square = 0;
    for (int64_t i = 0; i < n; ++i) mean += x[i];
    mean /= double(n);
    for (int64_t i = 0; i < n; ++i) square += (x[i] - mean) * (x[i] - mean);
    const double inverse = 1.0 / sqrt(square / double(n) + epsilon);
    for (int64_t i = 0; i < n; ++i)
        out[i] = float((x[i] - mean) * inverse) * weight[i] + (bias != nullptr ? bias[i] : 0.0f);
}

void add(float* x, const float* y, int64_t n) {
    for (int64_t i = 0; i < n; ++i) x[i] += y[i];
}
void siluMultiply(const float* gate, const float* up, int64_t n, float* out) {
    for (int64_t i = 0; i < n; ++i) out[i] = gate[i] / (1.0f + expf(-gate[i])) * up[i];
}
void geluTanh(float* x, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
        const float inner = 0.7978845608028654f * (x[i] + 0.044715f * x[i] * x[i] * x[i]);  // sqrt(2/pi)
        x[i] = 0.5f * x[i] * (1.0f + tanhf(inner));
    }
}
void rotate(float* x, const float* cosines, const float* sines, int64_t half) {
    for (int64_t i = 0; i < half; ++i) {
        const float a = x[i], b = x[i + half];
        x[i] = a * cosines[i] - b * sines[i];
        x[i + half] = b * cosines[i] + a * sines[i];
    }
}

float at(const HeadRows& rows, int64_t row, int64_t column) {
    const int64_t index = row * rows.width + column;
    return rows.half ? halfToFloat(static_cast<const uint16_t*>(rows.data)[index])
                     : static_cast<const float*>(rows.data)[index];
}
void scores(const float* queries, int64_t queryStride, int64_t count, const HeadRows& keys, float scale, float* out,
            int64_t scoreStride) {
    for (int64_t i = 0; i < count; ++i)
        for (int64_t j = 0; j < keys.rows; ++j) {
            double sum = 0;
            for (int64_t d = 0; d < keys.width; ++d) sum += double(queries[i * queryStride + d]) * at(keys, j, d);
            out[i * scoreStride + j] = scale * float(sum);
        }
}
void softmax(float* x, int64_t n) {
    float largest = x[0];
    for (int64_t i = 1; i < n; ++i) largest = fmaxf(largest, x[i]);
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += x[i] = expf(x[i] - largest);
    const float inverse = float(1.0 / sum);
    for (int64_t i = 0; i < n; ++i) x[i] *= inverse;
}
void mixValues(const float* weights, int64_t weightStride, int64_t count, const HeadRows& values, float* out,
               int64_t outStride) {
    for (int64_t i = 0; i < count; ++i)
        for (int64_t j = 0; j < values.rows; ++j)
            for (int64_t d = 0; d < values.width; ++d)
                out[i * outStride + d] += weights[i * weightStride + j] * at(values, j, d);
}

double logSumExp(const float* x, int64_t n) {
    float largest = x[0];
    for (int64_t i = 1; i < n; ++i) largest = fmaxf(largest, x[i]);
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += exp(double(x[i]) - largest);
    return double(largest) + log(sum);
}
double klDivergence(const float* base, const float* other, int64_t n, double baseZ, double otherZ) {
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) {
        const float p = float(base[i] - baseZ), q = float(other[i] - otherZ);
        sum += exp(double(p)) * (double(p) - q);
    }
    return sum;
}

}  // namespace

const Kernels& scalarKernels() {
    static const Kernels table{"scalar",     floatPanel,   halfPanel,    int8Panel, int4Panel,    quantizeRow, halfToFloats,
                               floatsToHalf, rmsNorm,      layerNorm,    add,       siluMultiply, geluTanh,    rotate,
                               scores,       softmax,      mixValues,    logSumExp, klDivergence};
    return table;
}

}  // namespace assay::infer
