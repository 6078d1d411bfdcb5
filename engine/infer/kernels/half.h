#pragma once
// IEEE 754 binary16 conversions in plain integers (static: this header is also read by files compiled for AVX2).
#include <stdint.h>
#include <string.h>

namespace assay::infer {

static inline float halfToFloat(uint16_t h) {
    const uint32_t sign = uint32_t(h & 0x8000u) << 16;
    uint32_t exponent = (h >> 10) & 31, mantissa = h & 1023u, bits;
    if (exponent == 31) {
        bits = sign | 0x7F800000u | (mantissa << 13);
    } else if (exponent != 0) {
        bits = sign | ((exponent + 112) << 23) | (mantissa << 13);
    } else if (mantissa == 0) {
        bits = sign;
    } else {  // subnormal: normalise
        exponent = 113;
        while ((mantissa & 1024u) == 0) {
            mantissa <<= 1;
            --exponent;
        }
        bits = sign | (exponent << 23) | ((mantissa & 1023u) << 13);
    }
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

static inline uint16_t floatToHalf(float f) {  // round to nearest, ties to even
    uint32_t bits;
    memcpy(&bits, &f, 4);
    const uint16_t sign = uint16_t((bits >> 16) & 0x8000u);
    bits &= 0x7FFFFFFFu;
    if (bits >= 0x7F800000u) return uint16_t(sign | 0x7C00u | (bits > 0x7F800000u ? 0x200u | ((bits >> 13) & 0x3FFu) : 0u));
    if (bits >= 0x477FF000u) return uint16_t(sign | 0x7C00u);  // rounds past 65504
    if (bits < 0x33000001u) return sign;                       // at most half of the smallest subnormal
    uint32_t mantissa = (bits & 0x7FFFFFu) | 0x800000u;
    const int exponent = int(bits >> 23) - 127;
    const int shift = exponent < -14 ? 13 + (-14 - exponent) : 13;
    uint32_t value = mantissa >> shift;
    const uint32_t rest = mantissa & ((1u << shift) - 1), half = 1u << (shift - 1);
    if (rest > half || (rest == half && (value & 1))) ++value;
    // A normal number's hidden bit (value bit 10) adds one to the exponent field below.
    return exponent < -14 ? uint16_t(sign | value) : uint16_t(sign + ((uint32_t(exponent + 14) << 10) + value));
}

}  // namespace assay::infer
