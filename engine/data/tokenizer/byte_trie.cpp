#include "tokenizer/byte_trie.h"

#include <algorithm>

namespace assay::data {

// Cell 0 is nobody's: a node without children has base 0 and would find cells 0 to 255, whose parents are others.
ByteTrie::ByteTrie() {
    grow();
    used_[0] = true;
}

void ByteTrie::grow() {
    cells_.resize(cells_.size() + 256);
    used_.resize(cells_.size(), false);
}

// A base with which all these children fall on free cells. Bases are multiples of nothing: base ^ byte stays inside the
// block of 256 cells of the base, so a new block always has room.
uint32_t ByteTrie::placeFor(const std::vector<unsigned char>& bytes) {
    while (firstFree_ < used_.size() && used_[firstFree_]) ++firstFree_;
    constexpr uint32_t kTries = 512;  // cells looked at: the arrays stay dense enough and building stays linear
    uint32_t tried = 0;
    for (uint32_t at = firstFree_; at < used_.size() && tried < kTries; ++at) {
        if (used_[at]) continue;
        ++tried;
        const uint32_t base = at ^ bytes[0];
        if (std::all_of(bytes.begin(), bytes.end(), [&](unsigned char b) { return !used_[base ^ b]; })) return base;
    }
    const auto base = static_cast<uint32_t>(cells_.size());
    grow();
    return base;
}

ByteTrie::Node ByteTrie::addRoot(std::vector<std::pair<std::string_view, int32_t>> keys) {
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first == b.first; }), keys.end());
    while (firstFree_ < used_.size() && used_[firstFree_]) ++firstFree_;
    if (firstFree_ == used_.size()) grow();
    const Node root = firstFree_;
    used_[root] = true;
    // Keys [from, to) share their first `depth` bytes, which lead to `node`.
    struct Work {
        Node node;
        size_t from, to, depth;
    };
    std::vector<Work> work{{root, 0, keys.size(), 0}};
    std::vector<unsigned char> bytes;
    std::vector<size_t> starts;
    while (!work.empty()) {
        Work w = work.back();
        work.pop_back();
        if (w.from < w.to && keys[w.from].first.size() == w.depth) cells_[w.node].value = keys[w.from++].second;
        bytes.clear();
        starts.clear();
        for (size_t i = w.from; i < w.to; ++i) {
            const auto b = static_cast<unsigned char>(keys[i].first[w.depth]);
            if (bytes.empty() || bytes.back() != b) {
                bytes.push_back(b);
                starts.push_back(i);
            }
        }
        if (bytes.empty()) continue;
        starts.push_back(w.to);
        const uint32_t base = placeFor(bytes);
        cells_[w.node].base = base;
        for (size_t k = 0; k < bytes.size(); ++k) {
            const Node at = base ^ bytes[k];
            used_[at] = true;
            cells_[at].parent = w.node;
            work.push_back({at, starts[k], starts[k + 1], w.depth + 1});
        }
    }
    return root;
}

}  // namespace assay::data
