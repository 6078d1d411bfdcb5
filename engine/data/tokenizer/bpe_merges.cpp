#include "tokenizer/bpe_merges.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <queue>

namespace assay::data {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

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

void BpeMerges::build(std::span<const ModelData::Merge> merges) {
    table_.reserve(merges.size());
    int32_t largest = -1;
    for (const auto& m : merges) {
        table_.set(m.left, m.right, {m.rank, m.result});
        ranks_ = std::max(ranks_, m.rank + 1);
        largest = std::max(largest, m.result);
    }
    for (const auto& m : merges)
        if (static_cast<uint32_t>(m.left) < kNear && static_cast<uint32_t>(m.right) < kNear) {
            if (near_.empty()) near_.resize(size_t{kNear} * kNear);
            near_[static_cast<size_t>(m.left) * kNear + static_cast<size_t>(m.right)] = {m.rank, m.result};
        }
    std::vector<uint32_t> made(static_cast<size_t>(largest + 1), 0);  // one more than the highest rank that makes a token
    for (const auto& m : merges) made[static_cast<size_t>(m.result)] = std::max(made[static_cast<size_t>(m.result)], m.rank + 1);
    const auto before = [&](int32_t id, uint32_t rank) { return id > largest || made[static_cast<size_t>(id)] <= rank; };
    rising_ = ranks_ < (1u << 26);
    for (const auto& m : merges) rising_ = rising_ && before(m.left, m.rank) && before(m.right, m.rank);
}

void BpeMerges::merge(std::vector<BpeSymbol>& s) const {
    if (s.size() <= kShort) {
        mergeShort(s);
    } else if (rising_) {
        mergeByRank(s);
    } else {
        mergeByHeap(s);
    }
}

MergeTable::Merge BpeMerges::mergeOf(int32_t left, int32_t right) const {
    const auto l = static_cast<uint32_t>(left), r = static_cast<uint32_t>(right);
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

// As no merge makes a pair of a lower rank, the pairs of one rank can be merged all at once, from the left, and then those of
// the next rank that occurs: lists by rank in place of one large heap.
void BpeMerges::mergeByRank(std::vector<BpeSymbol>& s) const {
    struct Node {
        uint32_t position, next;
    };
    thread_local std::vector<uint32_t> heads;  // by rank; all kNone between calls
    if (heads.size() < ranks_) heads.resize(ranks_, kNone);
    std::vector<Node> nodes;
    nodes.reserve(s.size());
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> waiting;  // ranks that have a list
    SymbolList list(s, table_);
    const auto add = [&](uint32_t i) {
        uint32_t& head = heads[list.rank[i]];
        if (head == kNone) waiting.push(list.rank[i]);
        nodes.push_back({i, head});
        head = static_cast<uint32_t>(nodes.size() - 1);
    };
    for (uint32_t i = 0; i < s.size(); ++i)
        if (list.rank[i] != kNone) add(i);
    std::vector<uint32_t> positions;
    while (!waiting.empty()) {
        const uint32_t rank = waiting.top();
        waiting.pop();
        positions.clear();
        for (uint32_t n = heads[rank]; n != kNone; n = nodes[n].next) positions.push_back(nodes[n].position);
        heads[rank] = kNone;
        std::reverse(positions.begin(), positions.end());
        if (!std::is_sorted(positions.begin(), positions.end())) std::sort(positions.begin(), positions.end());
        for (const uint32_t i : positions)
            if (list.rank[i] == rank) list.merge(i, add);
    }
    list.compact();
}

void BpeMerges::mergeByHeap(std::vector<BpeSymbol>& s) const {
    SymbolList list(s, table_);
    std::vector<uint64_t> first;
    first.reserve(s.size());
    for (uint32_t i = 0; i < s.size(); ++i)
        if (list.rank[i] != kNone) first.push_back(static_cast<uint64_t>(list.rank[i]) << 32 | i);
    std::priority_queue<uint64_t, std::vector<uint64_t>, std::greater<>> queue(std::greater<>{}, std::move(first));
    while (!queue.empty()) {
        const uint64_t top = queue.top();
        queue.pop();
        const auto i = static_cast<uint32_t>(top);
        if (list.rank[i] != static_cast<uint32_t>(top >> 32)) continue;  // merged or changed since it was queued
        list.merge(i, [&](uint32_t k) { queue.push(static_cast<uint64_t>(list.rank[k]) << 32 | k); });
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
