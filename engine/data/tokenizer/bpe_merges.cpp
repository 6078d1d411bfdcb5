#include "tokenizer/bpe_merges.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <queue>

namespace assay::data {
namespace {

constexpr uint32_t kNone = UINT32_MAX;
template <class T>
using MinHeap = std::priority_queue<T, std::vector<T>, std::greater<>>;

// The symbols of a long word as a list, with the rank of the pair that begins at each.
struct SymbolList {
    std::vector<BpeSymbol>& symbols;
    const MergeTable& table;
    std::vector<uint32_t> previous, next, rank;

    SymbolList(std::vector<BpeSymbol>& s, const MergeTable& t) : symbols(s), table(t), previous(s.size()), next(s.size()), rank(s.size(), kNone) {
        const auto n = static_cast<uint32_t>(s.size());
        for (uint32_t i = 0; i < n; ++i) {
            previous[i] = i == 0 ? kNone : i - 1;
            next[i] = i + 1 == n ? kNone : i + 1;
            if (i + 1 < n) rank[i] = table.find(s[i].id, s[i + 1].id).rank;
        }
    }
    // Merges the pair at i and tells `changed` of the pairs that this makes.
    template <class Changed>
    void merge(uint32_t i, Changed changed) {
        const uint32_t j = next[i];
        symbols[i] = {table.find(symbols[i].id, symbols[j].id).result, symbols[j].end};
        rank[j] = kNone;
        next[i] = next[j];
        if (next[i] != kNone) previous[next[i]] = i;
        for (const uint32_t k : {previous[i], i}) {
            if (k == kNone) continue;
            rank[k] = next[k] == kNone ? kNone : table.find(symbols[k].id, symbols[next[k]].id).rank;
            if (rank[k] != kNone) changed(k);
        }
    }
    void compact() {
        size_t out = 0;
        for (uint32_t i = symbols.empty() ? kNone : 0; i != kNone; i = next[i]) symbols[out++] = symbols[i];
        symbols.resize(out);
    }
};

// Takes item `at` out of the first n by moving down those after it; may read and write the item after the last.
template <class Item>
void moveDown(Item* items, size_t at, size_t n) {
    static_assert(sizeof(Item) == 8 && std::is_trivially_copyable_v<Item>);
    for (size_t i = at; i + 1 < n; i += 2) {  // a call of memmove costs more than the few items there are
        uint64_t two[2];
        std::memcpy(two, items + i + 1, sizeof two);
        std::memcpy(items + i, two, sizeof two);
    }
}

}  // namespace

void BpeMerges::build(std::span<const ModelData::Merge> merges, int32_t firstNear) {
    table_.reserve(merges.size());
    firstNear_ = static_cast<uint32_t>(firstNear);
    for (const auto& m : merges) {
        table_.set(m.left, m.right, {m.rank, m.result});
        ranks_ = std::max(ranks_, m.rank + 1);
        const uint32_t left = static_cast<uint32_t>(m.left) - firstNear_, right = static_cast<uint32_t>(m.right) - firstNear_;
        if (left >= kNear || right >= kNear) continue;
        if (near_.empty()) near_.resize(size_t{kNear} * kNear);
        near_[size_t{left} * kNear + right] = {m.rank, m.result};
    }
}

void BpeMerges::merge(std::vector<BpeSymbol>& s) const {
    if (s.size() <= kShort) {
        mergeShort(s);
    } else {
        mergeLong(s);
    }
}

MergeTable::Merge BpeMerges::mergeOf(int32_t left, int32_t right) const {
    const uint32_t l = static_cast<uint32_t>(left) - firstNear_, r = static_cast<uint32_t>(right) - firstNear_;
    return l < kNear && r < kNear && !near_.empty() ? near_[l * kNear + r] : table_.find(left, right);
}

void BpeMerges::mergeShort(std::vector<BpeSymbol>& symbols) const {
    size_t n = symbols.size();
    if (n < 2) return;
    // One more than can be used: moving down goes two at a time.
    struct Pair {
        uint32_t rank;
        int32_t result;
    };
    BpeSymbol s[kShort + 2];
    Pair pair[kShort + 2];
    const auto look = [&](size_t i) {
        const MergeTable::Merge m = mergeOf(s[i].id, s[i + 1].id);
        pair[i] = {m.rank, m.result};
    };
    std::memcpy(s, symbols.data(), n * sizeof *s);
    for (size_t i = 0; i + 1 < n; ++i) look(i);
    while (n > 1) {
        size_t best = 0;
        uint32_t lowest = pair[0].rank;
        for (size_t i = 1; i + 1 < n; ++i)
            if (pair[i].rank < lowest) {
                lowest = pair[i].rank;
                best = i;
            }
        if (lowest == kNone) break;
        s[best] = {pair[best].result, s[best + 1].end};
        moveDown(s, best + 1, n);
        moveDown(pair, best, n - 1);
        --n;
        if (best + 1 < n) look(best);
        if (best > 0) look(best - 1);
    }
    symbols.resize(n);
    std::memcpy(symbols.data(), s, n * sizeof *s);
}

// Pairs wait in a list for each rank, not in one large heap: most of a rank are merged in one go, from the left. A merge that
// makes a pair of a lower rank, or of the same, is rare; such pairs wait in small heaps that are looked at before each step.
void BpeMerges::mergeLong(std::vector<BpeSymbol>& s) const {
    struct Node {
        uint32_t position, next;
    };
    MinHeap<uint32_t> waiting;  // ranks that have a list
    MinHeap<uint32_t> same;     // positions of the rank at work that came late
    MinHeap<uint64_t> lower;    // rank << 32 | position, below the rank at work
    thread_local std::vector<uint32_t> heads;  // by rank; all kNone between calls
    if (heads.size() < ranks_) heads.resize(ranks_, kNone);
    std::vector<Node> nodes;
    nodes.reserve(s.size());
    SymbolList list(s, table_);
    uint32_t rank = 0;  // at work
    bool working = false;
    const auto add = [&](uint32_t i) {
        const uint32_t r = list.rank[i];
        if (working && r < rank) return lower.push(static_cast<uint64_t>(r) << 32 | i);
        if (working && r == rank) return same.push(i);
        if (heads[r] == kNone) waiting.push(r);
        nodes.push_back({i, heads[r]});
        heads[r] = static_cast<uint32_t>(nodes.size() - 1);
    };
    for (uint32_t i = 0; i < s.size(); ++i)
        if (list.rank[i] != kNone) add(i);
    working = true;
    std::vector<uint32_t> positions;
    while (!waiting.empty()) {
        rank = waiting.top();
        waiting.pop();
        positions.clear();
        for (uint32_t n = heads[rank]; n != kNone; n = nodes[n].next) positions.push_back(nodes[n].position);
        heads[rank] = kNone;
        std::reverse(positions.begin(), positions.end());
        if (!std::is_sorted(positions.begin(), positions.end())) std::sort(positions.begin(), positions.end());
        for (size_t k = 0; k < positions.size() || !same.empty() || !lower.empty();) {
            if (!lower.empty()) {
                const uint64_t top = lower.top();
                lower.pop();
                const auto i = static_cast<uint32_t>(top);
                if (list.rank[i] == static_cast<uint32_t>(top >> 32)) list.merge(i, add);
                continue;
            }
            uint32_t i;
            if (!same.empty() && (k == positions.size() || same.top() < positions[k])) {
                i = same.top();
                same.pop();
            } else {
                i = positions[k++];
            }
            if (list.rank[i] == rank) list.merge(i, add);
        }
    }
    list.compact();
}

void BpeMerges::mergePlainly(std::vector<BpeSymbol>& s) const {
    for (;;) {
        size_t best = 0;
        MergeTable::Merge lowest;
        for (size_t i = 0; i + 1 < s.size(); ++i)
            if (const auto m = table_.find(s[i].id, s[i + 1].id); m.rank < lowest.rank) {
                lowest = m;
                best = i;
            }
        if (lowest.rank == kNone) return;
        s[best] = {lowest.result, s[best + 1].end};
        s.erase(s.begin() + static_cast<long>(best) + 1);
    }
}

}  // namespace assay::data
