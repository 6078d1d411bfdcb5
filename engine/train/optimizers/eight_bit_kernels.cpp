#include "eight_bit_kernels.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace assay::train {

Codebook::Codebook(bool withSign) {
    std::vector<double> levels{0, 1};
    for (int decade = 0; decade < 7; ++decade) {
        const int parts = (withSign ? 1 : 2) << decade;
        const double size = std::pow(10.0, decade - 6);
        for (int i = 0; i < parts; ++i) {
            const double level = size * (0.1 + 0.9 * (i + 0.5) / parts);
            levels.push_back(level);
            if (withSign) levels.push_back(-level);
        }
    }
    std::sort(levels.begin(), levels.end());
    for (size_t i = 0; i < 256; ++i) levels_[i] = static_cast<float>(levels[i]);
    for (size_t i = 0; i < 255; ++i) middles_[i] = static_cast<float>((levels[i] + levels[i + 1]) / 2);
    middles_[255] = 2;  // above everything: the search ends at the last level
    for (size_t negative = 0; negative < 2; ++negative)
        for (uint32_t key = kLowestKey; key <= kHighestKey; ++key) {
            // The smallest number of the bin; the lowest bin reaches to zero.
            float low = negative ? -std::bit_cast<float>((key + 1) << 16) : key == kLowestKey ? 0 : std::bit_cast<float>(key << 16);
            size_t code = 0;
            while (low > middles_[code]) ++code;
            first_[negative].push_back(static_cast<uint8_t>(code));
        }
}

uint8_t Codebook::nearest(float x) const {
    const auto bits = std::bit_cast<uint32_t>(x);
    const uint32_t key = std::clamp((bits >> 16) & 0x7FFFu, kLowestKey, kHighestKey);
    size_t code = first_[bits >> 31][key - kLowestKey];
    while (x > middles_[code]) ++code;
    return static_cast<uint8_t>(code);
}

const Codebook& signedCodebook() {
    static const Codebook book(true);
    return book;
}

const Codebook& unsignedCodebook() {
    static const Codebook book(false);
    return book;
}

void adamw8bitBlocks(float* weight, const float* gradient, const EightBitMoments& moments, int64_t begin, int64_t end, int64_t count, const EightBitStep& s) {
    const Codebook &firsts = signedCodebook(), &seconds = unsignedCodebook();
    std::array<float, kEightBitBlock> m, v;
    for (int64_t block = begin; block < end; ++block) {
        const int64_t at = block * kEightBitBlock, size = std::min(kEightBitBlock, count - at);
        const float firstScale = moments.firstScale[block], secondScale = moments.secondScale[block];
        float firstMost = 0, secondMost = 0;
        for (int64_t i = 0; i < size; ++i) {
            const float g = gradient[at + i];
            const auto k = static_cast<size_t>(i);
            m[k] = s.beta1 * (firsts.level(moments.first[at + i]) * firstScale) + (1 - s.beta1) * g;
            v[k] = s.beta2 * (seconds.level(moments.second[at + i]) * secondScale) + (1 - s.beta2) * g * g;
            firstMost = std::max(firstMost, std::abs(m[k]));
            secondMost = std::max(secondMost, v[k]);
            weight[at + i] = s.keep * weight[at + i] - s.lr * (m[k] / s.correction1) / (std::sqrt(v[k] / s.correction2) + s.eps);
        }
        const float firstInverse = firstMost > 0 ? 1 / firstMost : 0, secondInverse = secondMost > 0 ? 1 / secondMost : 0;
        moments.firstScale[block] = firstMost;
        moments.secondScale[block] = secondMost;
        for (int64_t i = 0; i < size; ++i) {
            const auto k = static_cast<size_t>(i);
            moments.first[at + i] = firsts.nearest(std::clamp(m[k] * firstInverse, -1.0f, 1.0f));
            const uint8_t code = seconds.nearest(std::min(v[k] * secondInverse, 1.0f));
            moments.second[at + i] = v[k] > 0 ? std::max<uint8_t>(code, 1) : code;
        }
    }
}

}  // namespace assay::train
