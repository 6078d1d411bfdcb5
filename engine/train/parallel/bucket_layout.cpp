#include "parallel/bucket_layout.h"

namespace assay::train {
namespace {

int64_t aligned(int64_t elements) { return (elements + kShardAlignment - 1) / kShardAlignment * kShardAlignment; }

}  // namespace

std::vector<BucketShape> bucketLayout(const std::vector<LayoutInput>& parameters, const LayoutLimits& limits) {
    std::vector<BucketShape> buckets;
    for (size_t i = parameters.size(); i-- > 0;) {
        const LayoutInput& p = parameters[i];
        const int64_t limit = buckets.size() <= 1 ? limits.firstBytes : limits.bytes;
        const bool other = buckets.empty() || parameters[buckets.back().parameters.back()].elementBytes != p.elementBytes;
        if (other || (buckets.back().elements + p.elements) * p.elementBytes > limit) buckets.emplace_back();
        BucketShape& bucket = buckets.back();
        bucket.parameters.push_back(i);
        bucket.offsets.push_back(bucket.elements);
        bucket.elements += limits.shards > 1 ? aligned(p.elements) : p.elements;
    }
    if (limits.shards > 1)
        for (BucketShape& bucket : buckets) bucket.elements = limits.shards * aligned((bucket.elements + limits.shards - 1) / limits.shards);
    return buckets;
}

}  // namespace assay::train
