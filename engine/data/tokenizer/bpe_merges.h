#pragma once
// The merges of a byte-pair encoding (Sennrich et al. 2016) applied to the symbols of one word: the pair of lowest rank,
// leftmost first, is merged until none is left.
#include <span>

#include "tokenizer/flat_map.h"
#include "tokenizer/model.h"

namespace assay::data {

struct BpeSymbol {
    int32_t id;
    uint32_t end;  // within the word
};

class BpeMerges {
public:
    // `firstNear`: the lowest id of those that most pairs are of (the bytes).
    void build(std::span<const ModelData::Merge> merges, int32_t firstNear = 0);
    // Both leave in `symbols` what is left; merge() takes what is quicker for the length.
    void merge(std::vector<BpeSymbol>& symbols) const;
    // By the definition, for tests: quadratic.
    void mergePlainly(std::vector<BpeSymbol>& symbols) const;

    static constexpr size_t kShort = 64;  // symbols up to which looking at all of them beats book-keeping

private:
    // Pairs of the ids from firstNear_ on, the bytes, have a table of their own.
    static constexpr uint32_t kNear = 320;
    MergeTable::Merge mergeOf(int32_t left, int32_t right) const;
    void mergeShort(std::vector<BpeSymbol>& symbols) const;
    void mergeLong(std::vector<BpeSymbol>& symbols) const;

    MergeTable table_;
    std::vector<MergeTable::Merge> near_;  // kNear x kNear, or empty
    uint32_t firstNear_ = 0;
    uint32_t ranks_ = 0;  // one more than the highest
};

}  // namespace assay::data
