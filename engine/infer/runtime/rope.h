#pragma once
#include <assay/model/config.h>

#include <vector>

namespace assay::infer {

// Cosines and sines [positions][headDim / 2] of rotary embedding (assay/model/rope.h, factors of the attention scale included) for a
// session of so many positions. `dynamic` equals no scaling up to the original context and is kUnsupported beyond it, since it would
// re-rotate cached keys; `longrope` takes the long factors in every session that could go beyond it.
struct RopeTable {
    std::vector<float> cosines, sines;
    int64_t half = 0;
};
Result<RopeTable> makeRopeTable(const model::ModelConfig& config, int64_t positions);

}  // namespace assay::infer
