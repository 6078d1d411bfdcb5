// Included after product_tile.h and step_loops.h: causal attention of one batch row and one key head with the query heads that
// share it. Scores exist for a block of queries; keys and values are packed once.
#ifndef ASSAY_NN_ATTENTION_TILE
#define ASSAY_NN_ATTENTION_TILE

constexpr int64_t kQueryBlock = 60 / kTileRows * kTileRows;

constexpr int64_t upTo(int64_t size, int64_t step) { return (size + step - 1) / step * step; }

// c[rows, columns] (+)= a·B, where B lies in panels of kTileColumns, `panelStep` floats apart.
inline void multiplyPanels(const float* a, int64_t aStride, bool aLengthwise, int64_t rows, int64_t depth, const float* panels, int64_t panelStep, int64_t columns, float* c, int64_t cRow,
                           bool add, float* aPanels) {
    pack<kTileRows>(a, aStride, aLengthwise, rows, depth, aPanels);
    for (int64_t i = 0; i < rows; i += kTileRows)
        for (int64_t j = 0; j < columns; j += kTileColumns) {
            const Target t{c + i * cRow + j, cRow, nullptr, nullptr, 0, add};
            const float *left = aPanels + i * depth, *right = panels + j / kTileColumns * panelStep;
            if (rows - i >= kTileRows && columns - j >= kTileColumns) tile(depth, left, right, t);
            else edgeTile(depth, left, right, t, rows - i < kTileRows ? rows - i : kTileRows, columns - j < kTileColumns ? columns - j : kTileColumns);
        }
}

struct AttentionBuffer {
    float *keysAcross, *keys, *valuesAcross, *values, *block, *otherBlock, *scores, *slopes, *left;
    AttentionBuffer(float* at, int64_t columns, int64_t width) {
        const int64_t across = upTo(columns, kTileColumns), wide = upTo(width, kTileColumns);
        auto take = [&](int64_t floats) {
            float* out = at;
            at += upTo(floats, 16);
            return out;
        };
        keysAcross = take(across * width);
        valuesAcross = take(across * width);
        keys = take(wide * columns);
        values = take(wide * columns);
        block = take(wide * kQueryBlock);
        otherBlock = take(wide * kQueryBlock);
        scores = take(kQueryBlock * across);
        slopes = take(kQueryBlock * across);
        left = take(upTo(columns, kTileRows) * (kQueryBlock > width ? kQueryBlock : width) + upTo(kQueryBlock, kTileRows) * (columns > width ? columns : width) + kPad);
        end = at;
    }
    float* end;
};
inline int64_t attentionBufferFloats(int64_t columns, int64_t width) {
    float* const none = nullptr;
    return AttentionBuffer(none, columns, width).end - none + kPad;
}

inline float likelihood(float x) { return x < -87.0f ? 0.0f : exponential(x); }

inline void attentionForwardTile(const AttentionHeads& h, float* memory) {
    const AttentionBuffer b(memory, h.columns, h.width);
    const int64_t across = upTo(h.columns, kTileColumns);
    const float scale = h.scale;  // a copy: stores to scores must not make the loops read it again
    pack<kTileColumns>(h.k, h.kRow, true, h.columns, h.width, b.keysAcross);
    pack<kTileColumns>(h.v, h.vRow, false, h.width, h.columns, b.values);
    for (int64_t head = 0; head < h.heads; ++head)
        for (int64_t first = 0; first < h.columns; first += kQueryBlock) {
            const int64_t last = first + kQueryBlock < h.columns ? first + kQueryBlock : h.columns, rows = last - first;
            multiplyPanels(h.q + head * h.width + first * h.qRow, h.qRow, true, rows, h.width, b.keysAcross, kTileColumns * h.width, last, b.scores, across, false, b.left);
            for (int64_t r = 0; r < rows; ++r) {
                float* __restrict s = b.scores + r * across;
                const int64_t seen = first + r + 1;
                const float* __restrict mask = h.mask ? h.mask + (first + r) * h.columns : nullptr;
                float largest = -__builtin_inff();
                if (mask)
                    for (int64_t j = 0; j < seen; ++j) s[j] = s[j] * scale + mask[j];
                else
                    for (int64_t j = 0; j < seen; ++j) s[j] *= scale;
#pragma omp simd reduction(max : largest)
                for (int64_t j = 0; j < seen; ++j) largest = s[j] > largest ? s[j] : largest;
                float sum = 0;
#pragma omp simd reduction(+ : sum)
                for (int64_t j = 0; j < seen; ++j) {
                    const float e = likelihood(s[j] - largest);
                    s[j] = e;
                    sum += e;
                }
                const float inverse = 1.0f / sum;
                for (int64_t j = 0; j < seen; ++j) s[j] *= inverse;
                for (int64_t j = seen; j < last; ++j) s[j] = 0;
                h.sums[head * h.columns + first + r] = largest + static_cast<float>(__builtin_log(static_cast<double>(sum)));
            }
            multiplyPanels(b.scores, across, true, rows, last, b.values, kTileColumns * h.columns, h.width, h.out + head * h.width + first * h.outRow, h.outRow, false, b.left);
        }
}

// P again from the sums; with D = Σ ∂o·o: ∂s = P·(∂P − D)·scale.
inline void attentionBackwardTile(const AttentionHeads& h, float* memory) {
    const AttentionBuffer b(memory, h.columns, h.width);
    const int64_t across = upTo(h.columns, kTileColumns), width = h.width;
    const float scale = h.scale;  // a copy: stores to scores must not make the loops read it again
    pack<kTileColumns>(h.k, h.kRow, true, h.columns, h.width, b.keysAcross);
    pack<kTileColumns>(h.v, h.vRow, true, h.columns, h.width, b.valuesAcross);
    pack<kTileColumns>(h.k, h.kRow, false, h.width, h.columns, b.keys);
    for (int64_t t = 0; t < h.columns; ++t) {
        __builtin_memset(h.kGradient + t * h.kGradientRow, 0, static_cast<size_t>(width) * sizeof(float));
        __builtin_memset(h.vGradient + t * h.kGradientRow, 0, static_cast<size_t>(width) * sizeof(float));
    }
    for (int64_t head = 0; head < h.heads; ++head)
        for (int64_t first = 0; first < h.columns; first += kQueryBlock) {
            const int64_t last = first + kQueryBlock < h.columns ? first + kQueryBlock : h.columns, rows = last - first;
            const float* q = h.q + head * h.width + first * h.qRow;
            const float* o = h.out + head * h.width + first * h.outRow;
            const float* g = h.outGradient + head * h.width + first * h.outRow;
            multiplyPanels(q, h.qRow, true, rows, h.width, b.keysAcross, kTileColumns * h.width, last, b.scores, across, false, b.left);
            multiplyPanels(g, h.outRow, true, rows, h.width, b.valuesAcross, kTileColumns * h.width, last, b.slopes, across, false, b.left);
            for (int64_t r = 0; r < rows; ++r) {
                float *__restrict s = b.scores + r * across, *__restrict d = b.slopes + r * across;
                const int64_t seen = first + r + 1;
                const float* __restrict mask = h.mask ? h.mask + (first + r) * h.columns : nullptr;
                const float sum = h.sums[head * h.columns + first + r];
                float along = 0;
#pragma omp simd reduction(+ : along)
                for (int64_t i = 0; i < width; ++i) along += o[i] * g[i];
                o += h.outRow;
                g += h.outRow;
                if (mask)
                    for (int64_t j = 0; j < seen; ++j) s[j] = likelihood(s[j] * scale + mask[j] - sum);
                else
                    for (int64_t j = 0; j < seen; ++j) s[j] = likelihood(s[j] * scale - sum);
                for (int64_t j = 0; j < seen; ++j) d[j] = s[j] * (d[j] - along) * scale;
                for (int64_t j = seen; j < last; ++j) s[j] = d[j] = 0;
            }
            multiplyPanels(b.slopes, across, true, rows, last, b.keys, kTileColumns * h.columns, h.width, h.qGradient + head * h.width + first * h.qGradientRow, h.qGradientRow, false, b.left);
            pack<kTileColumns>(q, h.qRow, false, h.width, rows, b.block);
            pack<kTileColumns>(g - rows * h.outRow, h.outRow, false, h.width, rows, b.otherBlock);
            multiplyPanels(b.slopes, across, false, last, rows, b.block, kTileColumns * rows, h.width, h.kGradient, h.kGradientRow, true, b.left);
            multiplyPanels(b.scores, across, false, last, rows, b.otherBlock, kTileColumns * rows, h.width, h.vGradient, h.kGradientRow, true, b.left);
        }
}

#endif
