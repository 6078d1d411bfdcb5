#pragma once
#include <cstdint>
#include <vector>

namespace assay::plan {

constexpr int64_t kShardBlock = 256;  // elements: engine/train/parallel/bucket_layout.h

struct ParallelShape {
    int64_t ranks = 1, rank = 0;
    bool sharded = false, wholeParameters = false;
};
struct ParallelBytes {
    int64_t gradients = 0;      // the buckets, with the padding of equal shards
    int64_t exchange = 0;       // at most, beside them: copies of the buckets whose sums are under way
    std::vector<int64_t> part;  // elements of each parameter that the rank updates
};
// `elements` of each parameter in the order of the model; sums are fp32.
ParallelBytes parallelBytes(const std::vector<int64_t>& elements, const ParallelShape& shape);

}  // namespace assay::plan
