#include "prepare/duplicates.h"

#include <algorithm>

namespace assay::data {
namespace {
constexpr size_t kEntriesInMemory = size_t{1} << 20;  // 24 MiB
constexpr size_t kHashParts = 256;
}  // namespace

Result<void> ExactDuplicates::spill() {
    if (parts_.empty())
        for (size_t i = 0; i < kHashParts; ++i) parts_.emplace_back(folder_);
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return std::pair(a.hash.high >> 56, a.document) < std::pair(b.hash.high >> 56, b.document); });
    for (size_t i = 0; i < entries_.size();) {
        const size_t part = entries_[i].hash.high >> 56;
        size_t end = i;
        while (end < entries_.size() && entries_[end].hash.high >> 56 == part) ++end;
        const size_t had = parts_[part].size();
        ASSAY_TRY_VOID(parts_[part].append(entries_.data() + i, end - i));
        parts_[part].letGo(had / 170 * 170, parts_[part].size());  // whole pages go to the disk
        i = end;
    }
    entries_.clear();
    return {};
}

Result<void> ExactDuplicates::add(const ContentHash& hash, uint64_t document) {
    entries_.push_back({hash, document});
    return entries_.size() >= kEntriesInMemory ? spill() : Result<void>();
}

void ExactDuplicates::mark(Entry* entries, size_t n, const std::function<void(uint64_t)>& drop) {
    std::sort(entries, entries + n, [](const Entry& a, const Entry& b) {
        if (a.hash.high != b.hash.high) return a.hash.high < b.hash.high;
        return a.hash.low != b.hash.low ? a.hash.low < b.hash.low : a.document < b.document;
    });
    for (size_t i = 1; i < n; ++i)
        if (entries[i].hash == entries[i - 1].hash) drop(entries[i].document);
}

Result<void> ExactDuplicates::finish(const std::function<void(uint64_t)>& drop) {
    if (parts_.empty()) {
        mark(entries_.data(), entries_.size(), drop);
    } else {
        ASSAY_TRY_VOID(spill());
        for (SpillArray<Entry>& part : parts_) {
            std::vector<Entry> entries(part.data(), part.data() + part.size());
            part = SpillArray<Entry>(folder_);
            mark(entries.data(), entries.size(), drop);
        }
    }
    entries_ = {};
    return {};
}

}  // namespace assay::data
