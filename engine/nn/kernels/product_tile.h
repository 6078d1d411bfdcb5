// Included inside an anonymous namespace by an instruction set's file, which defines kLanes (floats in a vector), kTileRows. The
// blocking of Goto & van de Geijn 2008: a block of B in the second-level cache, a panel of A in the first, a tile of C in registers.
#ifndef ASSAY_NN_PRODUCT_TILE
#define ASSAY_NN_PRODUCT_TILE

constexpr int kVectors = 2, kTileColumns = kVectors * kLanes;
constexpr int64_t kDepthBlock = 384, kColumnBlock = 512, kRowBlock = (1344 / kTileRows) * kTileRows;
constexpr int64_t kPad = 64;

typedef float Vector __attribute__((vector_size(kLanes * 4)));

inline Vector load(const float* from) {  // from any address
    Vector out;
    __builtin_memcpy(&out, from, sizeof out);
    return out;
}
inline void store(float* to, Vector value) { __builtin_memcpy(to, &value, sizeof value); }

struct Target {
    float* c;
    int64_t cRow;
    const float *bias, *residual;
    int64_t residualRow;
    bool add;
};

// A tile of kRows × kTileColumns: sums in registers over the whole depth. Panels of A are kTileRows wide.
template <int kRows = kTileRows>
inline void tile(int64_t depth, const float* __restrict a, const float* __restrict b, const Target& t) {
    Vector sum[kRows][kVectors] = {};
    for (int64_t k = 0; k < depth; ++k, a += kTileRows, b += kTileColumns) {
        const Vector b0 = load(b), b1 = load(b + kLanes);
#pragma GCC unroll 16
        for (int i = 0; i < kRows; ++i) {
            sum[i][0] += b0 * a[i];
            sum[i][1] += b1 * a[i];
        }
    }
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 2
        for (int j = 0; j < kVectors; ++j) {
            float* c = t.c + i * t.cRow + j * kLanes;
            Vector value = sum[i][j];
            if (t.bias) value += load(t.bias + j * kLanes);
            if (t.residual) value += load(t.residual + i * t.residualRow + j * kLanes);
            if (t.add) value += load(c);
            store(c, value);
        }
    }
}

// A tile of the last rows: fewer of them, at full width.
template <int kRows = kTileRows - 1>
inline void lowTile(int64_t rows, int64_t depth, const float* a, const float* b, const Target& t) {
    if constexpr (kRows > 1) {
        if (rows < kRows) return lowTile<kRows - 1>(rows, depth, a, b, t);
    }
    tile<kRows>(depth, a, b, t);
}

// A tile at the edge: computed whole into a buffer (panels are filled up with zeros), written in part.
inline void edgeTile(int64_t depth, const float* a, const float* b, const Target& t, int64_t rows, int64_t columns) {
    alignas(64) float whole[kTileRows * kTileColumns];
    tile(depth, a, b, {whole, kTileColumns, nullptr, nullptr, 0, false});
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < columns; ++j) {
            float value = whole[i * kTileColumns + j];
            if (t.bias) value += t.bias[j];
            if (t.residual) value += t.residual[i * t.residualRow + j];
            float& c = t.c[i * t.cRow + j];
            c = t.add ? c + value : value;
        }
}

template <int kRows>
inline void transpose8(const float* from, int64_t stride, __m256 out[8]) {  // of kRows rows of eight; the rest is zero
    __m256 r[8], t[8];
    for (int i = 0; i < 8; ++i) r[i] = i < kRows ? _mm256_loadu_ps(from + i * stride) : _mm256_setzero_ps();
    for (int i = 0; i < 4; ++i) {
        t[2 * i] = _mm256_unpacklo_ps(r[2 * i], r[2 * i + 1]);
        t[2 * i + 1] = _mm256_unpackhi_ps(r[2 * i], r[2 * i + 1]);
    }
    for (int i = 0; i < 2; ++i) {
        r[4 * i] = _mm256_shuffle_ps(t[4 * i], t[4 * i + 2], 0x44);
        r[4 * i + 1] = _mm256_shuffle_ps(t[4 * i], t[4 * i + 2], 0xEE);
        r[4 * i + 2] = _mm256_shuffle_ps(t[4 * i + 1], t[4 * i + 3], 0x44);
        r[4 * i + 3] = _mm256_shuffle_ps(t[4 * i + 1], t[4 * i + 3], 0xEE);
    }
    for (int i = 0; i < 4; ++i) {
        out[i] = _mm256_permute2f128_ps(r[i], r[i + 4], 0x20);
        out[i + 4] = _mm256_permute2f128_ps(r[i], r[i + 4], 0x31);
    }
}

// Panels of kWidth: element (i, k) of panel p lies at to[p·kWidth·depth + k·kWidth + i]. The source runs along k (`lengthwise`)
// or along i; `stride` is the step of the other index. A narrower last panel is filled up with zeros.
template <int kWidth>
void pack(const float* from, int64_t stride, bool lengthwise, int64_t count, int64_t depth, float* to) {
    for (int64_t first = 0; first < count; first += kWidth, to += kWidth * depth) {
        const int64_t width = count - first < kWidth ? count - first : kWidth;
        if (!lengthwise) {
            const float* source = from + first;
            if (width == kWidth) {
                for (int64_t k = 0; k < depth; ++k) __builtin_memcpy(to + k * kWidth, source + k * stride, kWidth * sizeof(float));
                continue;
            }
            for (int64_t k = 0; k < depth; ++k)
                for (int64_t i = 0; i < kWidth; ++i) to[k * kWidth + i] = i < width ? source[k * stride + i] : 0.0f;
            continue;
        }
        const float* source = from + first * stride;
        int64_t k = 0;
        if (width == kWidth) {
            // Groups of eight from the last to the first: what a store of eight writes past a narrow last group is overwritten by
            // the next row of the panel (the very last of them lands in the buffer's padding).
            constexpr int kGroups = (kWidth + 7) / 8, kRest = kWidth % 8;
            for (; k + 8 <= depth; k += 8)
                for (int g = kGroups - 1; g >= 0; --g) {
                    __m256 block[8];
                    const float* corner = source + g * 8 * stride + k;
                    if (kRest != 0 && g == kGroups - 1) transpose8<kRest>(corner, stride, block);
                    else transpose8<8>(corner, stride, block);
                    for (int j = 0; j < 8; ++j) _mm256_storeu_ps(to + (k + j) * kWidth + g * 8, block[j]);
                }
        }
        for (; k < depth; ++k)
            for (int64_t i = 0; i < kWidth; ++i) to[k * kWidth + i] = i < width ? source[i * stride + k] : 0.0f;
    }
}

constexpr int64_t kBufferFloats = kRowBlock * kDepthBlock + kColumnBlock * kDepthBlock + 2 * kPad;

inline void multiplyPart(const Product& p, const Rectangle& part, float* buffer) {
    float *aPanels = buffer, *bPanels = buffer + kRowBlock * kDepthBlock + kPad;
    const int64_t blocks = (p.depth + kDepthBlock - 1) / kDepthBlock, step = blocks ? (p.depth + blocks - 1) / blocks : 0;
    for (int64_t k = 0; k < p.depth; k += step) {
        const int64_t depth = p.depth - k < step ? p.depth - k : step;
        const bool first = k == 0;
        for (int64_t row = part.firstRow; row < part.lastRow; row += kRowBlock) {
            const int64_t rows = part.lastRow - row < kRowBlock ? part.lastRow - row : kRowBlock;
            const bool aLong = p.aColumn == 1;
            pack<kTileRows>(p.a + row * p.aRow + k * p.aColumn, aLong ? p.aRow : p.aColumn, aLong, rows, depth, aPanels);
            for (int64_t column = part.firstColumn; column < part.lastColumn; column += kColumnBlock) {
                const int64_t columns = part.lastColumn - column < kColumnBlock ? part.lastColumn - column : kColumnBlock;
                const bool bLong = p.bRow == 1;
                pack<kTileColumns>(p.b + k * p.bRow + column * p.bColumn, bLong ? p.bColumn : p.bRow, bLong, columns, depth, bPanels);
                for (int64_t i = 0; i < rows; i += kTileRows)
                    for (int64_t j = 0; j < columns; j += kTileColumns) {
                        Target t{p.c + (row + i) * p.cRow + column + j, p.cRow, nullptr, nullptr, p.residualRow, !first || p.accumulate};
                        if (first && p.bias) t.bias = p.bias + column + j;
                        if (first && p.residual) t.residual = p.residual + (row + i) * p.residualRow + column + j;
                        const float *a = aPanels + i * depth, *b = bPanels + j * depth;
                        const int64_t height = rows - i, width = columns - j;
                        if (height >= kTileRows && width >= kTileColumns) tile(depth, a, b, t);
                        else if (width >= kTileColumns) lowTile(height, depth, a, b, t);
                        else edgeTile(depth, a, b, t, height < kTileRows ? height : kTileRows, width < kTileColumns ? width : kTileColumns);
                    }
            }
        }
    }
}

#endif
