#pragma once
// Words seen before and their ids. One cache per thread and tokenizer: nothing is shared, so nothing is locked and two
// tokenizers can never answer for each other.
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace assay::data {

class WordCache {
public:
    static constexpr size_t kMaxWord = 24;

    static uint64_t newInstance();
    static WordCache& ofThread(uint64_t instance);

    // Appends the ids of `word` when it is there.
    bool find(uint64_t hash, std::string_view word, std::vector<int32_t>& ids) const {
        const Entry& e = entries_[hash & kMask];
        if (e.hash != hash || e.length != word.size() || std::memcmp(e.word, word.data(), word.size()) != 0) return false;
        ids.insert(ids.end(), e.ids, e.ids + e.count);
        return true;
    }
    void put(uint64_t hash, std::string_view word, const int32_t* ids, size_t count) {
        if (count > kMaxIds || word.empty()) return;
        Entry& e = entries_[hash & kMask];
        e.hash = hash;
        e.length = static_cast<uint8_t>(word.size());
        e.count = static_cast<uint8_t>(count);
        std::memcpy(e.word, word.data(), word.size());
        std::memcpy(e.ids, ids, count * sizeof *ids);
    }

private:
    static constexpr size_t kMaxIds = 7, kSize = 1 << 14, kMask = kSize - 1;
    struct Entry {
        uint64_t hash = 0;
        char word[kMaxWord] = {};
        int32_t ids[kMaxIds] = {};
        uint8_t length = 0, count = 0;
    };
    std::vector<Entry> entries_ = std::vector<Entry>(kSize);
};

}  // namespace assay::data
