#pragma once
// Double-array trie (Aoe 1989) over byte strings: one array access a byte, longest match from a root. Built once, then
// only read. Several roots share the arrays.
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::data {

class ByteTrie {
public:
    using Node = uint32_t;
    static constexpr Node kNoNode = UINT32_MAX;

    ByteTrie();
    // Adds a root with these keys (not empty, in any order) and their values (>= 0); of equal keys the lowest value stays.
    // Takes at most about 12 bytes for each byte of the keys.
    Node addRoot(std::vector<std::pair<std::string_view, int32_t>> keys);
    Node child(Node node, unsigned char byte) const {
        const uint32_t at = cells_[node].base ^ byte;
        return cells_[at].parent == node ? at : kNoNode;
    }
    int32_t value(Node node) const { return cells_[node].value; }  // -1: no key ends here

private:
    struct Cell {
        uint32_t base = 0, parent = kNoNode;  // the child by byte b is the cell base ^ b, if its parent is this one
        int32_t value = -1;
    };
    uint32_t placeFor(const std::vector<unsigned char>& bytes);
    void grow();
    std::vector<Cell> cells_;
    std::vector<bool> used_;
    uint32_t firstFree_ = 0;
};

}  // namespace assay::data
