#pragma once
// Keys and values of past tokens: per layer, sequence and key head one run of [capacity][headDim], keys after rotation. The
// attention code asks for runs by (layer, sequence, head), so that a paged cache can take this one's place.
#include "kernels/kernels.h"

#include <assay/infer/memory.h>
#include <assay/model/config.h>

#include <vector>

namespace assay::infer {

class KvCache {
public:
    static Result<KvCache> create(const model::ModelConfig& config, int64_t sequences, int64_t capacity, bool half);
    KvCache() = default;
    int64_t capacity() const { return capacity_; }
    int64_t length(int32_t sequence) const { return lengths_[sequence]; }
    void setLength(int32_t sequence, int64_t length) { lengths_[sequence] = length; }
    int64_t bytes() const { return keys_.bytes() + values_.bytes(); }

    // keys, values: [kvHeads][headDim] of one token.
    void write(int64_t layer, int32_t sequence, int64_t position, const float* keys, const float* values);
    // Positions [first, first + rows).
    HeadRows keys(int64_t layer, int32_t sequence, int64_t head, int64_t first, int64_t rows) const;
    HeadRows values(int64_t layer, int32_t sequence, int64_t head, int64_t first, int64_t rows) const;

private:
    int64_t offset(int64_t layer, int32_t sequence, int64_t head) const {
        return ((layer * int64_t(lengths_.size()) + sequence) * heads_ + head) * capacity_ * width_;
    }
    Buffer keys_, values_;
    bool half_ = false;
    int64_t heads_ = 0, width_ = 0, capacity_ = 0;
    std::vector<int64_t> lengths_;
};

}  // namespace assay::infer
