// Gradients in buckets and the shards of ZeRO 1: as engine/train/parallel lays them out (bucket_layout.cpp, shard.cpp).
#include "parallel_memory.h"

#include <algorithm>
#include <numeric>

namespace assay::plan {
namespace {

constexpr int64_t kFirstBucketBytes = int64_t{1} << 20, kBucketBytes = int64_t{25} << 20, kSumBytes = 4;

int64_t blocks(int64_t elements) { return (elements + kShardBlock - 1) / kShardBlock; }
int64_t alignedElements(int64_t elements) { return blocks(elements) * kShardBlock; }

}  // namespace

ParallelBytes parallelBytes(const std::vector<int64_t>& elements, const ParallelShape& shape) {
    ParallelBytes out;
    out.part.assign(elements.size(), 0);
    const bool scatter = shape.sharded && !shape.wholeParameters;
    struct Bucket {
        std::vector<std::pair<size_t, int64_t>> parameters;  // with their first element
        int64_t elements = 0;
    };
    std::vector<Bucket> buckets;
    for (size_t i = elements.size(); i-- > 0;) {
        const int64_t limit = buckets.size() <= 1 ? kFirstBucketBytes : kBucketBytes;
        if (buckets.empty() || (buckets.back().elements + elements[i]) * kSumBytes > limit) buckets.emplace_back();
        buckets.back().parameters.emplace_back(i, buckets.back().elements);
        buckets.back().elements += scatter ? alignedElements(elements[i]) : elements[i];
    }
    for (size_t b = 0; b < buckets.size(); ++b) {
        Bucket& bucket = buckets[b];
        const int64_t chunk = alignedElements((bucket.elements + shape.ranks - 1) / shape.ranks);
        if (scatter) bucket.elements = chunk * shape.ranks;
        out.gradients += bucket.elements * kSumBytes;
        if (!scatter) continue;
        const int64_t first = chunk * shape.rank, last = first + chunk;
        for (const auto& [parameter, begin] : bucket.parameters) out.part[parameter] = std::max<int64_t>(0, std::min(last, begin + elements[parameter]) - std::max(first, begin));
        out.exchange = std::max(out.exchange, (bucket.elements + (b > 0 ? buckets[b - 1].elements : 0)) * kSumBytes);
    }
    if (!shape.sharded) out.part = elements;
    if (!shape.sharded || scatter) return out;
    // Whole parameters, the largest first, each to the rank that has least.
    std::vector<size_t> order(elements.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return elements[a] > elements[b]; });
    std::vector<int64_t> load(static_cast<size_t>(shape.ranks), 0);
    for (const size_t i : order) {
        const auto least = std::min_element(load.begin(), load.end());
        if (least - load.begin() == shape.rank) out.part[i] = elements[i];
        *least += elements[i];
    }
    return out;
}

}  // namespace assay::plan
