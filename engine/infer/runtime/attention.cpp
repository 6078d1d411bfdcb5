#include "runtime/attention.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace assay::infer {
namespace {

constexpr int64_t kQueryBlock = 16;  // rows of one head that share the reading of the keys

}  // namespace

int64_t attentionScratch(const model::ModelConfig& config, int64_t capacity) {
    return std::max(kQueryBlock, config.heads / config.kvHeads) * capacity;
}

void attend(ThreadPool& pool, const KvCache& cache, int64_t layer, const model::ModelConfig& config,
            std::span<const Segment> segments, const float* queries, int64_t stride, float* out, float* scratch) {
    const int64_t width = config.headDim, heads = config.heads, group = heads / config.kvHeads;
    const float scale = 1.0f / std::sqrt(float(width));
    const int64_t perThread = attentionScratch(config, cache.capacity());
    const auto& kernel = kernels();
    const int64_t window = model::windowOf(config, layer);

    // `count` queries at `q`, `queryStride` apart, see keys [0, visible + i · step) each, or the last `window` of those. Scores are
    // counted from the first key that any of them sees.
    const auto run = [&](const Segment& segment, int64_t head, const float* q, int64_t queryStride, int64_t count,
                         int64_t visible, int64_t step, float* to, int64_t outStride, int thread) {
        float* scores = scratch + thread * perThread;
        const int64_t scoreStride = cache.capacity(), begin = window > 0 ? std::max<int64_t>(0, visible - window) : 0;
        const int64_t most = visible + (count - 1) * step - begin;
        const auto keys = cache.keys(layer, segment.sequence, head / group, begin, most);
        kernel.scores(q, queryStride, count, keys, scale, scores, scoreStride);
        for (int64_t i = 0; i < count; ++i) {
            const int64_t seen = visible + i * step - begin, skipped = window > 0 ? std::max<int64_t>(0, seen - window) : 0;
            kernel.softmax(scores + i * scoreStride + skipped, seen - skipped);
            std::fill_n(scores + i * scoreStride, skipped, 0.0f);
            std::fill(scores + i * scoreStride + seen, scores + i * scoreStride + most, 0.0f);
            std::memset(to + i * outStride, 0, size_t(width) * 4);
        }
        kernel.mixValues(scores, scoreStride, count, cache.values(layer, segment.sequence, head / group, begin, most), to, outStride);
    };

    int64_t blocks = 0;
    bool single = true;
    for (const auto& segment : segments) {
        blocks += (segment.count + kQueryBlock - 1) / kQueryBlock;
        single = single && segment.count == 1;
    }
    if (single && int64_t(segments.size()) * config.kvHeads >= 2 * pool.threads()) {
        // Decode: the query heads of a key head go together.
        pool.parallelFor(int64_t(segments.size()) * config.kvHeads, [&](int64_t task, int thread) {
            const auto& segment = segments[task / config.kvHeads];
            const int64_t head = task % config.kvHeads * group;
            run(segment, head, queries + segment.first * stride + head * width, width, group, segment.start + 1, 0,
                out + (segment.first * heads + head) * width, width, thread);
        });
        return;
    }
    pool.parallelFor(blocks * heads, [&](int64_t task, int thread) {
        const int64_t head = task % heads;
        // Last blocks first: they see most keys, so the threads end together.
        int64_t block = blocks - 1 - task / heads;
        const Segment* segment = segments.data();
        for (int64_t own; block >= (own = (segment->count + kQueryBlock - 1) / kQueryBlock); ++segment) block -= own;
        const int64_t begin = block * kQueryBlock, count = std::min(kQueryBlock, segment->count - begin);
        const int64_t row = segment->first + begin;
        run(*segment, head, queries + row * stride + head * width, stride, count, segment->start + begin + 1, 1,
            out + (row * heads + head) * width, heads * width, thread);
    });
}

}  // namespace assay::infer
