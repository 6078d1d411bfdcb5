#include "assay/core/random.h"

namespace assay {

Permutation::Permutation(uint64_t size, uint64_t key) : size_(size), key_(key), halfBits_(1) {
    while (halfBits_ < 32 && (uint64_t{1} << (2 * halfBits_)) < size_) ++halfBits_;
}

uint64_t Permutation::operator()(uint64_t index) const {
    const uint64_t mask = (uint64_t{1} << halfBits_) - 1;
    do {
        uint64_t left = index >> halfBits_, right = index & mask;
        for (uint64_t round = 0; round < 4; ++round) {
            const uint64_t next = left ^ (mixBits(key_ ^ (round << 56), right) & mask);
            left = right;
            right = next;
        }
        index = (left << halfBits_) | right;
    } while (index >= size_);  // walks the cycle until it is back inside; expected < 4 turns
    return index;
}

}  // namespace assay
