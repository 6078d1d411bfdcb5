#pragma once
#include "runtime/kv_cache.h"

#include <assay/infer/thread_pool.h>

#include <span>

namespace assay::infer {

// Neighbouring rows of one sequence in a forward call.
struct Segment {
    int32_t sequence = 0;
    int64_t first = 0, count = 0;  // rows of the call
    int64_t start = 0;             // position of the first one
};

int64_t attentionScratch(const model::ModelConfig& config, int64_t capacity);  // floats a thread needs

// Causal attention of every row over its own sequence up to its own position, or over the model's window of the layer. Query rows lie `stride` apart, [heads][headDim]
// each; query head h reads key head h / (heads / kvHeads). out: [rows][heads · headDim].
void attend(ThreadPool& pool, const KvCache& cache, int64_t layer, const model::ModelConfig& config,
            std::span<const Segment> segments, const float* queries, int64_t stride, float* out, float* scratch);

}  // namespace assay::infer
