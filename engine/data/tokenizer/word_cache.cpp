#include "tokenizer/word_cache.h"

#include <algorithm>
#include <atomic>
#include <new>

namespace assay::data {

WordCache::WordCache() : memory_(std::calloc(kPairs + 1, sizeof(Pair))) {
    if (!memory_) throw std::bad_alloc();
    void* place = memory_.get();
    size_t room = (kPairs + 1) * sizeof(Pair);
    pairs_ = static_cast<Pair*>(std::align(alignof(Pair), kPairs * sizeof(Pair), place, room));
}

uint64_t WordCache::newInstance() {
    static std::atomic<uint64_t> counter{1};
    return counter++;
}

WordCache& WordCache::ofThread(uint64_t instance) {
    // A thread rarely uses more than two tokenizers at once; the oldest cache makes room.
    struct Slot {
        uint64_t instance = 0;
        std::unique_ptr<WordCache> cache;
    };
    thread_local Slot slots[4];
    thread_local size_t next = 0;
    for (Slot& slot : slots)
        if (slot.instance == instance) return *slot.cache;
    Slot& slot = slots[next++ % 4];
    slot.cache = std::make_unique<WordCache>();
    slot.instance = instance;
    return *slot.cache;
}

void WordCache::put(const Key& k, const int32_t* ids, size_t count) {
    if (count > IdBuffer::kRoom || k.size == 0) return;
    Entry fresh;
    if (count > kInline) {
        if (more_.size() + count > kMaxMore) {  // starting anew is rare and cheaper than keeping accounts
            more_.clear();
            std::fill(pairs_, pairs_ + kPairs, Pair{});
        }
        fresh.ids[0] = static_cast<int32_t>(more_.size());
        more_.insert(more_.end(), ids, ids + count);
    } else if (count > 0) {
        std::memcpy(fresh.ids, ids, count * sizeof *ids);
    }
    fresh.low = k.low;
    fresh.high = k.high;
    fresh.size = static_cast<uint16_t>(k.size);
    fresh.count = static_cast<uint16_t>(count);
    Pair& pair = pairs_[slot(k)];
    pair.entries[1] = pair.entries[0];
    pair.entries[0] = fresh;
}

bool WordCache::findLong(uint64_t hash, std::string_view word, IdBuffer& out) const {
    if (longs_.empty()) return false;
    const Long& e = longs_[hash % kLongs];
    if (e.hash != hash || e.size != word.size() || std::memcmp(texts_.data() + e.text, word.data(), word.size()) != 0) return false;
    out.append(longIds_.data() + e.ids, e.count);
    return true;
}

void WordCache::putLong(uint64_t hash, std::string_view word, const int32_t* ids, size_t count) {
    if (word.size() > kMaxWord || count > kMaxWord) return;
    if (longs_.empty() || texts_.size() + word.size() > kMaxText || longIds_.size() + count > kMaxText / 4) {
        longs_.assign(kLongs, {});
        texts_.clear();
        longIds_.clear();
    }
    Long& e = longs_[hash % kLongs];
    e.hash = hash;
    e.text = static_cast<uint32_t>(texts_.size());
    e.ids = static_cast<uint32_t>(longIds_.size());
    e.size = static_cast<uint16_t>(word.size());
    e.count = static_cast<uint16_t>(count);
    texts_.insert(texts_.end(), word.begin(), word.end());
    longIds_.insert(longIds_.end(), ids, ids + count);
}

}  // namespace assay::data
