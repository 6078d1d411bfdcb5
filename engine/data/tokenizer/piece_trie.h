#pragma once
// A trie over the bytes of pieces: all pieces that begin a text, in one pass. Built once, then only read.
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::data {

class PieceTrie {
public:
    PieceTrie() = default;
    // Of two equal pieces the later one counts. Empty pieces are left out.
    explicit PieceTrie(std::vector<std::pair<std::string_view, int32_t>> pieces) {
        std::stable_sort(pieces.begin(), pieces.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        std::vector<std::pair<std::string_view, int32_t>> distinct;
        for (const auto& p : pieces) {
            if (p.first.empty()) continue;
            if (!distinct.empty() && distinct.back().first == p.first) {
                distinct.back() = p;
            } else {
                distinct.push_back(p);
            }
        }
        // Level by level, so that the children of a node stand together, in the order of their bytes.
        struct Range {
            uint32_t node;
            size_t from, to, depth;
        };
        nodes_.push_back({});
        std::vector<Range> queue{{0, 0, distinct.size(), 0}};
        for (size_t q = 0; q < queue.size(); ++q) {
            auto [node, from, to, depth] = queue[q];
            while (from < to && distinct[from].first.size() == depth) nodes_[node].id = distinct[from++].second;
            nodes_[node].children = static_cast<uint32_t>(nodes_.size());
            for (size_t i = from; i < to;) {
                const char byte = distinct[i].first[depth];
                size_t j = i;
                while (j < to && distinct[j].first[depth] == byte) ++j;
                const auto child = static_cast<uint32_t>(nodes_.size());
                nodes_.push_back({});
                nodes_.back().byte = static_cast<unsigned char>(byte);
                queue.push_back({child, i, j, depth + 1});
                ++nodes_[node].count;
                i = j;
            }
        }
    }

    // each(length, id) for every piece that `text` begins with, the shortest first.
    template <class Each>
    void prefixes(std::string_view text, Each each) const {
        uint32_t node = 0;
        for (size_t i = 0; i < text.size(); ++i) {
            if (!step(node, static_cast<unsigned char>(text[i]))) return;
            if (nodes_[node].id >= 0) each(i + 1, nodes_[node].id);
        }
    }
    int32_t find(std::string_view piece) const {  // -1: none
        uint32_t node = 0;
        for (const char c : piece)
            if (!step(node, static_cast<unsigned char>(c))) return -1;
        return piece.empty() ? -1 : nodes_[node].id;
    }

private:
    struct Node {
        int32_t id = -1;
        uint32_t children = 0;
        uint16_t count = 0;
        unsigned char byte = 0;
    };
    bool step(uint32_t& node, unsigned char byte) const {
        const Node& n = nodes_[node];
        const auto first = nodes_.begin() + n.children, last = first + n.count;
        const auto found = std::lower_bound(first, last, byte, [](const Node& a, unsigned char b) { return a.byte < b; });
        if (found == last || found->byte != byte) return false;
        node = static_cast<uint32_t>(found - nodes_.begin());
        return true;
    }
    std::vector<Node> nodes_{Node{}};
};

}  // namespace assay::data
