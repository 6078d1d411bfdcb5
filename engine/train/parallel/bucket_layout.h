#pragma once
// Which gradients travel together, and where shards are cut: pure arithmetic, the same on every rank and in every session.
// Sums depend on nothing but the layout, so a run that is resumed adds in the same order.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::train {

// Shards begin at multiples of this inside their parameter: blocks of the 8-bit optimizer stay whole, and vector loops meet
// the same elements as in an unsharded run. engine/plan/optimizer_memory.cpp has the same number.
constexpr int64_t kShardAlignment = 256;

struct BucketShape {
    std::vector<size_t> parameters;  // in the reverse order of the model, as the backward pass finishes them
    std::vector<int64_t> offsets;    // of each, in elements
    int64_t elements = 0;            // with the padding of equal shards
};

struct LayoutInput {
    int64_t elements = 0;
    int64_t elementBytes = 4;  // of the sums; another size starts another bucket
};
struct LayoutLimits {
    int64_t firstBytes = 0, bytes = 0;
    int shards = 1;  // > 1: buckets are padded to so many equal parts
};
std::vector<BucketShape> bucketLayout(const std::vector<LayoutInput>& parameters, const LayoutLimits& limits);

}  // namespace assay::train
