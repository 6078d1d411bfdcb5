#include "tokenizer/word_cache.h"

#include <atomic>
#include <memory>

namespace assay::data {

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

}  // namespace assay::data
