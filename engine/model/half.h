#pragma once
#include <bit>
#include <cstdint>

namespace assay::model {

// IEEE 754 binary16 → binary32, exact for every bit pattern (subnormals, infinities, NaN payloads). Without branches, so
// that loops over it vectorise: normal numbers by moving the exponent, subnormals by letting the FPU renormalise.
inline float halfToFloat(uint16_t h) {
    const uint32_t sign = uint32_t{h & 0x8000u} << 16, magnitude = h & 0x7fffu;
    const uint32_t normal = (magnitude << 13) + (uint32_t{127 - 15} << 23);
    const uint32_t special = normal + (uint32_t{128 - 16} << 23);  // exponent 31 → 255
    const float subnormal = std::bit_cast<float>((magnitude << 13) + (uint32_t{127 - 14} << 23)) - std::bit_cast<float>(uint32_t{127 - 14} << 23);
    uint32_t bits = magnitude >= 0x7c00u ? special : normal;
    bits = magnitude < 0x0400u ? std::bit_cast<uint32_t>(subnormal) : bits;
    return std::bit_cast<float>(bits | sign);
}

}  // namespace assay::model
