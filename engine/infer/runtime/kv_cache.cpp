#include "runtime/kv_cache.h"

#include <cstring>

namespace assay::infer {

Result<KvCache> KvCache::create(const model::ModelConfig& config, int64_t sequences, int64_t capacity, bool half) {
    KvCache cache;
    cache.half_ = half;
    cache.heads_ = config.kvHeads;
    cache.width_ = config.headDim;
    cache.capacity_ = capacity;
    cache.lengths_.assign(sequences, 0);
    const int64_t bytes = config.layers * sequences * config.kvHeads * capacity * config.headDim * (half ? 2 : 4);
    ASSAY_TRY(cache.keys_, Buffer::allocate(bytes));
    ASSAY_TRY(cache.values_, Buffer::allocate(bytes));
    return cache;
}

void KvCache::write(int64_t layer, int32_t sequence, int64_t position, const float* keys, const float* values) {
    for (int64_t head = 0; head < heads_; ++head) {
        const int64_t at = offset(layer, sequence, head) + position * width_;
        if (half_) {
            kernels().floatToHalf(keys + head * width_, width_, keys_.as<uint16_t>() + at);
            kernels().floatToHalf(values + head * width_, width_, values_.as<uint16_t>() + at);
        } else {
            std::memcpy(keys_.as<float>() + at, keys + head * width_, size_t(width_) * 4);
            std::memcpy(values_.as<float>() + at, values + head * width_, size_t(width_) * 4);
        }
    }
}

HeadRows KvCache::keys(int64_t layer, int32_t sequence, int64_t head, int64_t first, int64_t rows) const {
    const char* data = keys_.as<char>() + (offset(layer, sequence, head) + first * width_) * (half_ ? 2 : 4);
    return {data, half_, rows, width_};
}
HeadRows KvCache::values(int64_t layer, int32_t sequence, int64_t head, int64_t first, int64_t rows) const {
    const char* data = values_.as<char>() + (offset(layer, sequence, head) + first * width_) * (half_ ? 2 : 4);
    return {data, half_, rows, width_};
}

}  // namespace assay::infer
