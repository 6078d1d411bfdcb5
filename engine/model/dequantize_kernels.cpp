// The block types of GGUF as ggml-quants.c defines them, in its order of operations, so that results are bit-equal. Built
// without fused multiply-add, which would round once where the definition rounds twice.
#include <bit>
#include <cstring>

#include "assay/model/gguf.h"
#include "half.h"

namespace assay::model {
namespace {

float halfAt(const uint8_t* p) {
    uint16_t bits;
    std::memcpy(&bits, p, 2);
    return halfToFloat(bits);
}
uint32_t wordAt(const uint8_t* p) {
    uint32_t bits;
    std::memcpy(&bits, p, 4);
    return bits;
}

void q4_0(const uint8_t* b, float* y) {  // d, 16 bytes: low nibbles are elements 0-15, high ones 16-31
    const float d = halfAt(b);
    for (int j = 0; j < 16; ++j) {
        y[j] = static_cast<float>((b[2 + j] & 15) - 8) * d;
        y[j + 16] = static_cast<float>((b[2 + j] >> 4) - 8) * d;
    }
}
void q4_1(const uint8_t* b, float* y) {  // d, m
    const float d = halfAt(b), m = halfAt(b + 2);
    for (int j = 0; j < 16; ++j) {
        y[j] = static_cast<float>(b[4 + j] & 15) * d + m;
        y[j + 16] = static_cast<float>(b[4 + j] >> 4) * d + m;
    }
}
void q5_0(const uint8_t* b, float* y) {  // d, 32 fifth bits, nibbles
    const float d = halfAt(b);
    const uint32_t high = wordAt(b + 2);
    for (int j = 0; j < 16; ++j) {
        const int low5 = static_cast<int>(((high >> j) & 1) << 4), high5 = static_cast<int>(((high >> (j + 16)) & 1) << 4);
        y[j] = static_cast<float>(((b[6 + j] & 15) | low5) - 16) * d;
        y[j + 16] = static_cast<float>(((b[6 + j] >> 4) | high5) - 16) * d;
    }
}
void q5_1(const uint8_t* b, float* y) {
    const float d = halfAt(b), m = halfAt(b + 2);
    const uint32_t high = wordAt(b + 4);
    for (int j = 0; j < 16; ++j) {
        const int low5 = static_cast<int>(((high >> j) & 1) << 4), high5 = static_cast<int>(((high >> (j + 16)) & 1) << 4);
        y[j] = static_cast<float>((b[8 + j] & 15) | low5) * d + m;
        y[j + 16] = static_cast<float>((b[8 + j] >> 4) | high5) * d + m;
    }
}
void q8_0(const uint8_t* b, float* y) {
    const float d = halfAt(b);
    for (int j = 0; j < 32; ++j) y[j] = static_cast<float>(static_cast<int8_t>(b[2 + j])) * d;
}

// Eight 6-bit scales and minima in 12 bytes: 0-3 whole, 4-7 split over nibbles and the top bits of the first eight bytes.
void scaleAndMin(int j, const uint8_t* q, uint8_t& scale, uint8_t& min) {
    if (j < 4) {
        scale = q[j] & 63;
        min = q[j + 4] & 63;
    } else {
        scale = static_cast<uint8_t>((q[j + 4] & 15) | ((q[j - 4] >> 6) << 4));
        min = static_cast<uint8_t>((q[j + 4] >> 4) | ((q[j] >> 6) << 4));
    }
}
void q4_K(const uint8_t* b, float* y) {  // d, dmin, 12 scale bytes, 128 nibble bytes
    const float d = halfAt(b), dmin = halfAt(b + 2);
    const uint8_t* q = b + 16;
    for (int part = 0; part < 4; ++part, q += 32, y += 64) {
        uint8_t scale, min;
        scaleAndMin(2 * part, b + 4, scale, min);
        const float d1 = d * static_cast<float>(scale), m1 = dmin * static_cast<float>(min);
        scaleAndMin(2 * part + 1, b + 4, scale, min);
        const float d2 = d * static_cast<float>(scale), m2 = dmin * static_cast<float>(min);
        for (int l = 0; l < 32; ++l) y[l] = d1 * static_cast<float>(q[l] & 15) - m1;
        for (int l = 0; l < 32; ++l) y[32 + l] = d2 * static_cast<float>(q[l] >> 4) - m2;
    }
}
void q5_K(const uint8_t* b, float* y) {  // as q4_K with 32 bytes of fifth bits, one bit plane per group of 32
    const float d = halfAt(b), dmin = halfAt(b + 2);
    const uint8_t* high = b + 16;
    const uint8_t* q = b + 48;
    for (int part = 0; part < 4; ++part, q += 32, y += 64) {
        uint8_t scale, min;
        scaleAndMin(2 * part, b + 4, scale, min);
        const float d1 = d * static_cast<float>(scale), m1 = dmin * static_cast<float>(min);
        scaleAndMin(2 * part + 1, b + 4, scale, min);
        const float d2 = d * static_cast<float>(scale), m2 = dmin * static_cast<float>(min);
        for (int l = 0; l < 32; ++l) y[l] = d1 * static_cast<float>((q[l] & 15) + (((high[l] >> (2 * part)) & 1) << 4)) - m1;
        for (int l = 0; l < 32; ++l) y[32 + l] = d2 * static_cast<float>((q[l] >> 4) + (((high[l] >> (2 * part + 1)) & 1) << 4)) - m2;
    }
}
void q6_K(const uint8_t* b, float* y) {  // 128 bytes of low nibbles, 64 of high pairs, 16 signed scales, d
    const float d = halfAt(b + 208);
    for (int half = 0; half < 2; ++half, y += 128) {
        const uint8_t* low = b + 64 * half;
        const uint8_t* high = b + 128 + 32 * half;
        const uint8_t* scales = b + 192 + 8 * half;
        for (int group = 0; group < 4; ++group)
            for (int l = 0; l < 32; ++l) {
                const int nibble = group < 2 ? low[l + 32 * group] & 15 : low[l + 32 * (group - 2)] >> 4;
                const int value = (nibble | (((high[l] >> (2 * group)) & 3) << 4)) - 32;
                const auto scale = static_cast<int8_t>(scales[2 * group + l / 16]);
                y[32 * group + l] = d * static_cast<float>(scale) * static_cast<float>(value);
            }
    }
}

template <class Kernel>
void blocks(Kernel kernel, DType type, const char* bytes, int64_t count, float* out) {
    const BlockSize size = blockSizeOf(type);
    const auto* p = reinterpret_cast<const uint8_t*>(bytes);
    for (int64_t i = 0; i < count; i += size.elements, p += size.bytes) kernel(p, out + i);
}

template <class T, class Convert>
void each(const char* bytes, int64_t count, float* out, Convert convert) {
    for (int64_t i = 0; i < count; ++i) {
        T value;
        std::memcpy(&value, bytes + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
        out[i] = convert(value);
    }
}

}  // namespace

Result<void> toF32(DType type, const char* bytes, int64_t count, float* out) {
    ASSAY_CHECK(count % blockSizeOf(type).elements == 0, "partial block");
    switch (type) {
        case DType::kF32: std::memcpy(out, bytes, static_cast<size_t>(count) * 4); break;
        case DType::kF64: each<double>(bytes, count, out, [](double v) { return static_cast<float>(v); }); break;
        case DType::kF16: each<uint16_t>(bytes, count, out, halfToFloat); break;
        case DType::kBF16: each<uint16_t>(bytes, count, out, [](uint16_t v) { return std::bit_cast<float>(uint32_t{v} << 16); }); break;
        case DType::kQ4_0: blocks(q4_0, type, bytes, count, out); break;
        case DType::kQ4_1: blocks(q4_1, type, bytes, count, out); break;
        case DType::kQ5_0: blocks(q5_0, type, bytes, count, out); break;
        case DType::kQ5_1: blocks(q5_1, type, bytes, count, out); break;
        case DType::kQ8_0: blocks(q8_0, type, bytes, count, out); break;
        case DType::kQ4_K: blocks(q4_K, type, bytes, count, out); break;
        case DType::kQ5_K: blocks(q5_K, type, bytes, count, out); break;
        case DType::kQ6_K: blocks(q6_K, type, bytes, count, out); break;
        default: return fail(ErrorCode::kUnsupported, std::string("values of type ") + std::string(dtypeName(type)) + " are no weights");
    }
    return {};
}

}  // namespace assay::model
