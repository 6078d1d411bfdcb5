#include "eight_bit_kernels.h"

#include <cmath>
#include <vector>

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
            first_[negative][key - kLowestKey] = static_cast<uint8_t>(code);
        }
}

const Codebook& signedCodebook() {
    static const Codebook book(true);
    return book;
}

const Codebook& unsignedCodebook() {
    static const Codebook book(false);
    return book;
}

void adamw8bitBlocks(float* weight, const float* gradient, const EightBitMoments& moments, int64_t begin, int64_t end, int64_t count, const EightBitStep& given) {
    const Codebook &firsts = signedCodebook(), &seconds = unsignedCodebook();
    const EightBitStep s = given;  // a copy: stores to the arrays cannot change it
    const float fresh1 = 1 - s.beta1, fresh2 = 1 - s.beta2, rate = s.lr / s.correction1, root = 1 / s.correction2;
    alignas(64) std::array<float, kEightBitBlock> m, v;
    for (int64_t block = begin; block < end; ++block) {
        const int64_t at = block * kEightBitBlock, size = std::min(kEightBitBlock, count - at);
        const float firstScale = moments.firstScale[block] * s.beta1, secondScale = moments.secondScale[block] * s.beta2;
        uint8_t *first = moments.first + at, *second = moments.second + at;
        float* __restrict w = weight + at;
        const float* __restrict g = gradient + at;
        for (size_t i = 0; i < static_cast<size_t>(size); ++i) {
            m[i] = firsts.level(first[i]) * firstScale;
            v[i] = seconds.level(second[i]) * secondScale;
        }
        for (size_t i = 0; i < static_cast<size_t>(size); ++i) {  // nothing but arithmetic: several at a time
            m[i] += fresh1 * g[i];
            v[i] += fresh2 * g[i] * g[i];
            w[i] = s.keep * w[i] - rate * m[i] / (std::sqrt(v[i] * root) + s.eps);
        }
        float firstMost = 0, secondMost = 0;
        for (size_t i = 0; i < static_cast<size_t>(size); ++i) {
            firstMost = std::max(firstMost, std::abs(m[i]));
            secondMost = std::max(secondMost, v[i]);
        }
        const float firstInverse = firstMost > 0 ? 1 / firstMost : 0, secondInverse = secondMost > 0 ? 1 / secondMost : 0;
        moments.firstScale[block] = firstMost;
        moments.secondScale[block] = secondMost;
        for (size_t i = 0; i < static_cast<size_t>(size); ++i) {
            first[i] = firsts.nearest(std::clamp(m[i] * firstInverse, -1.0f, 1.0f));
            const uint8_t code = seconds.nearest(std::min(v[i] * secondInverse, 1.0f));
            second[i] = v[i] > 0 ? std::max<uint8_t>(code, 1) : code;
        }
    }
}

}  // namespace assay::train
