#pragma once
// Words seen before and their ids. One cache per thread and tokenizer: nothing is shared, so nothing is locked and two
// tokenizers can never answer for each other. Bounded: at most 7 MB, whatever the text, and less for few words.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace assay::data {

// Ids on their way into a vector, without a look at its capacity for each.
class IdBuffer {
public:
    static constexpr size_t kRoom = 16;
    explicit IdBuffer(std::vector<int32_t>& ids) : ids_(ids) {}
    ~IdBuffer() { flush(); }
    IdBuffer(const IdBuffer&) = delete;
    IdBuffer& operator=(const IdBuffer&) = delete;
    // Place for at least kRoom ids; advance() says how many were written.
    int32_t* room() {
        if (used_ + kRoom > kSize) flush();
        return buffer_ + used_;
    }
    void advance(size_t n) { used_ += n; }
    void push(int32_t id) {
        *room() = id;
        ++used_;
    }
    void append(const int32_t* ids, size_t n) {
        if (n > kRoom) {
            flush();
            ids_.insert(ids_.end(), ids, ids + n);
            return;
        }
        std::memcpy(room(), ids, n * sizeof *ids);
        used_ += n;
    }
    // The vector, with all ids in it: for what appends by itself.
    std::vector<int32_t>& flushed() {
        flush();
        return ids_;
    }

private:
    void flush() {
        if (used_ == 0) return;
        ids_.insert(ids_.end(), buffer_, buffer_ + used_);
        used_ = 0;
    }
    static constexpr size_t kSize = 1024;
    std::vector<int32_t>& ids_;
    size_t used_ = 0;
    int32_t buffer_[kSize];
};

class WordCache {
public:
    static constexpr size_t kShort = 16;   // bytes of words that are their own key
    static constexpr size_t kMaxWord = 192;

    // A word of at most kShort bytes; what lies beyond its end is 0.
    struct Key {
        uint64_t low, high;
        uint32_t size;
    };
    // `readable`: bytes that may be read from `word` on, at least `size`.
    static Key keyOf(const char* word, size_t size, size_t readable) {
        Key k{0, 0, static_cast<uint32_t>(size)};
#if defined(__SSE2__)
        if (readable >= kShort) {
            const __m128i mask = _mm_loadu_si128(reinterpret_cast<const __m128i*>(kMask + kShort - size));
            const __m128i v = _mm_and_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(word)), mask);
            k.low = static_cast<uint64_t>(_mm_cvtsi128_si64(v));
            k.high = static_cast<uint64_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(v, v)));
            return k;
        }
#endif
        (void)readable;
        char bytes[kShort] = {};
        std::memcpy(bytes, word, size);
        std::memcpy(&k.low, bytes, 8);
        std::memcpy(&k.high, bytes + 8, 8);
        return k;
    }
    static Key keyOf(std::string_view word) { return keyOf(word.data(), word.size(), word.size()); }

    WordCache();
    static uint64_t newInstance();
    static WordCache& ofThread(uint64_t instance);

    // Appends the ids of a word when it is there.
    bool find(const Key& k, IdBuffer& out) const {
        const Entry* e = pairs_[slot(k)].entries;
        if (!e->is(k)) {
            ++e;
            if (!e->is(k)) return false;
        }
        int32_t* to = out.room();
        if (e->count <= kInline) {
            std::memcpy(to, e->ids, sizeof e->ids);
        } else {
            std::memcpy(to, more_.data() + e->ids[0], e->count * sizeof *to);
        }
        out.advance(e->count);
        return true;
    }
    void put(const Key& k, const int32_t* ids, size_t count);
    bool findLong(uint64_t hash, std::string_view word, IdBuffer& out) const;
    void putLong(uint64_t hash, std::string_view word, const int32_t* ids, size_t count);

private:
    static constexpr size_t kInline = 3, kPairs = 1 << 16, kLongs = 1 << 12, kMaxMore = 1 << 18, kMaxText = 1 << 19;
    static constexpr char kMask[2 * kShort] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    struct Entry {
        uint64_t low = 0, high = 0;
        uint16_t size = 0, count = 0;  // size 0: free
        int32_t ids[kInline] = {};     // with more than kInline ids: where they begin in more_
        bool is(const Key& k) const { return low == k.low && high == k.high && size == k.size; }
    };
    struct alignas(64) Pair {
        Entry entries[2];  // the last word put comes first
    };
    struct Long {
        uint64_t hash = 0;
        uint32_t text = 0, ids = 0;  // where they begin in texts_ and longIds_
        uint16_t size = 0, count = 0;
    };
    static size_t slot(const Key& k) {
        constexpr uint64_t kA = 0x9E3779B97F4A7C15ull, kB = 0xC2B2AE3D27D4EB4Full;
        const uint64_t h = k.high * kB;
        return ((k.low ^ (h << 29 | h >> 35)) * kA) >> 48;
    }
    static_assert(kPairs == size_t{1} << (64 - 48));
    // From the system, all zero (which is "free"): pages that no word falls on cost nothing.
    struct Release {
        void operator()(void* p) const { std::free(p); }
    };
    std::unique_ptr<void, Release> memory_;
    Pair* pairs_;
    std::vector<int32_t> more_, longIds_;
    std::vector<Long> longs_;
    std::vector<char> texts_;
};

}  // namespace assay::data
