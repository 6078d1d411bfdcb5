#pragma once
// Open-addressing tables for the hot paths of tokenizers: filled once, then only read.
#include <assay/core/hash.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::data {

// Pair of token ids → rank and result of their merge. Most pairs that are asked for do not merge: a bitmap that stays in the
// near cache says so for nine of ten.
class MergeTable {
public:
    struct Merge {
        uint32_t rank = UINT32_MAX;  // UINT32_MAX: the pair does not merge
        int32_t result = -1;
    };
    void reserve(size_t n) {
        size_t capacity = 16;
        bits_ = 10;
        while (capacity < n * 2) capacity *= 2;
        while ((size_t{1} << bits_) < n * 8) ++bits_;
        entries_.assign(capacity, {kEmpty, {}});
        mask_ = capacity - 1;
        filter_.assign(size_t{1} << (bits_ - 6), 0);
    }
    void set(int32_t left, int32_t right, Merge merge) {
        const uint64_t key = keyOf(left, right), hash = key * kFactor;
        filter_[hash >> (70 - bits_)] |= uint64_t{1} << (hash >> (64 - bits_) & 63);
        size_t i = slot(hash);
        while (entries_[i].key != kEmpty && entries_[i].key != key) i = (i + 1) & mask_;
        entries_[i] = {key, merge};
    }
    Merge find(int32_t left, int32_t right) const {
        const uint64_t key = keyOf(left, right), hash = key * kFactor;
        if (!(filter_[hash >> (70 - bits_)] >> (hash >> (64 - bits_) & 63) & 1)) return {};
        size_t i = slot(hash);
        while (entries_[i].key != key) {
            if (entries_[i].key == kEmpty) return {};
            i = (i + 1) & mask_;
        }
        return entries_[i].merge;
    }

private:
    static constexpr uint64_t kEmpty = UINT64_MAX, kFactor = 0x9E3779B97F4A7C15ull;
    struct Entry {
        uint64_t key;
        Merge merge;
    };
    static uint64_t keyOf(int32_t a, int32_t b) { return static_cast<uint64_t>(static_cast<uint32_t>(a)) << 32 | static_cast<uint32_t>(b); }
    size_t slot(uint64_t hash) const { return (hash ^ (hash >> 32)) & mask_; }
    std::vector<Entry> entries_{{kEmpty, {}}};
    std::vector<uint64_t> filter_ = std::vector<uint64_t>(16);
    size_t mask_ = 0;
    unsigned bits_ = 10;
};

// Text → id. Keys are views of memory that outlives the table.
class StringTable {
public:
    void reserve(size_t n) {
        size_t capacity = 16;
        while (capacity < n * 2) capacity *= 2;
        entries_.assign(capacity, {});
        mask_ = capacity - 1;
    }
    // False when the key is there already (the old value stays).
    bool insert(std::string_view key, int32_t value) {
        size_t i = xxh3(key) & mask_;
        while (entries_[i].value >= 0) {
            if (entries_[i].key == key) return false;
            i = (i + 1) & mask_;
        }
        entries_[i] = {key, value};
        return true;
    }
    int32_t find(std::string_view key) const {
        if (entries_.empty()) return -1;
        size_t i = xxh3(key) & mask_;
        while (entries_[i].value >= 0) {
            if (entries_[i].key == key) return entries_[i].value;
            i = (i + 1) & mask_;
        }
        return -1;
    }

private:
    struct Entry {
        std::string_view key;
        int32_t value = -1;
    };
    std::vector<Entry> entries_;
    size_t mask_ = 0;
};

}  // namespace assay::data
