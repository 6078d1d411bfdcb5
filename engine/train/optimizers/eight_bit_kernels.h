#pragma once
// Block-wise dynamic quantization to 8 bits (Dettmers et al. 2022, "8-bit Optimizers via Block-wise Quantization"): 256
// levels between −1 and 1 (or 0 and 1) that are dense near zero, times the largest magnitude of a block. No LibTorch here.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace assay::train {

constexpr int64_t kEightBitBlock = 256;

class Codebook {
public:
    // Dynamic tree quantization, section 1.3 of the paper: seven decades, the n-th from above cut into 64/2ⁿ (signed) or
    // 128/2ⁿ (unsigned) equal parts of [0.1, 1] whose middles are the levels, and 0 and 1.
    explicit Codebook(bool withSign);
    float level(uint8_t code) const { return levels_[code]; }
    float middle(uint8_t code) const { return middles_[code]; }  // between the level of `code` and the next; 255: 2
    uint8_t nearest(float x) const {  // −1 ≤ x ≤ 1; half-way goes down
        const auto bits = std::bit_cast<uint32_t>(x);
        const uint32_t key = std::clamp((bits >> 16) & 0x7FFFu, kLowestKey, kHighestKey);
        size_t code = first_[bits >> 31][key - kLowestKey];
        while (x > middles_[code]) ++code;
        return static_cast<uint8_t>(code);
    }

private:
    // The upper half of a float's bits picks the first code that may be nearest; a comparison or two do the rest.
    static constexpr uint32_t kLowestKey = 0x3380, kHighestKey = 0x3F80;  // 2⁻²⁴ and 1
    std::array<float, 256> levels_{}, middles_{};
    std::array<std::array<uint8_t, kHighestKey - kLowestKey + 1>, 2> first_{};  // by sign
};

const Codebook& signedCodebook();    // first moments
const Codebook& unsignedCodebook();  // second moments

struct EightBitStep {
    float beta1, beta2, eps, lr, keep;     // keep = 1 − lr · decay
    float correction1, correction2;        // 1 − βᵗ
};
struct EightBitMoments {
    uint8_t *first, *second;               // codes, one an element
    float *firstScale, *secondScale;       // largest magnitude of a block
};
// AdamW on the blocks [begin, end) of a parameter of `count` elements: moments to fp32, the update, and back. A second
// moment above zero keeps the smallest level: rounded to zero it would leave eps alone under a first moment.
void adamw8bitBlocks(float* weight, const float* gradient, const EightBitMoments& moments, int64_t begin, int64_t end, int64_t count, const EightBitStep& step);

}  // namespace assay::train
