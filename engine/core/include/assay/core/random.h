#pragma once
// Counter-based random numbers (SplitMix64 finaliser, Steele et al. 2014): a value is a pure function of its key, so the
// same order comes out whatever thread or rank asks, and resuming needs no stored state.
#include <cstdint>

namespace assay {

constexpr uint64_t mixBits(uint64_t x) {
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}
constexpr uint64_t mixBits(uint64_t a, uint64_t b) { return mixBits(mixBits(a) ^ (b + 0x632BE59BD9B4E019ull)); }

// A pseudo-random permutation of [0, size) evaluated at one place in O(1) memory (cycle-walking Feistel network): the
// shuffle of an epoch. Same (size, key) → same permutation on every machine.
class Permutation {
public:
    Permutation(uint64_t size, uint64_t key);
    uint64_t operator()(uint64_t index) const;  // index < size

private:
    uint64_t size_, key_;
    int halfBits_;
};

}  // namespace assay
