#pragma once
#include <assay/model/config.h>

#include <vector>

namespace assay::infer {

// Cosines and sines [positions][headDim / 2] of rotary embedding (Su et al. 2021) with the scaling kinds of Hugging Face's
// modeling_rope_utils: linear, llama3, yarn (factors of the attention scale included). `dynamic` equals no scaling up to
// the original context and is kUnsupported beyond it, since it would re-rotate cached keys.
struct RopeTable {
    std::vector<float> cosines, sines;
    int64_t half = 0;
};
Result<RopeTable> makeRopeTable(const model::ModelConfig& config, int64_t positions);

}  // namespace assay::infer
