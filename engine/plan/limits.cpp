// Sizes that a file may name and no machine has: refused before they are multiplied with one another.
#include <fmt/format.h>

#include <algorithm>

#include "estimate.h"

namespace assay::plan {
namespace {

constexpr double kMostHeld = 1e17;     // bytes of one rank: 64-bit sums of a dozen such stay right
constexpr double kMostTokens = 4e18;   // of one step

double real(int64_t value) { return static_cast<double>(value); }

Result<void> tooMuch(const char* what, double bytes, const char* hint) {
    return fail(ErrorCode::kInvalidFile, fmt::format("{} would take about {:.0e} bytes, more than the {:.0e} that Assay reckons with", what, bytes, kMostHeld), hint);
}

}  // namespace

Result<void> sizesWithin(const Leaf& leaf) {
    const auto& c = leaf.model.config;
    if (c.family.empty()) return {};
    const double layers = real(c.layers), width = real(c.heads) * real(c.headDim);
    const double parameters = real(c.vocab) * real(c.hidden) * 2 + real(c.context) * real(c.hidden) + layers * real(c.hidden) * (4 * width + 3 * real(c.ffn) * std::max(real(c.experts), 1.0) + 16);
    if (parameters * 40 > kMostHeld) return tooMuch("A model of these sizes", parameters * 40, "use smaller values for hidden, ffn, vocab or layers");
    if (leaf.spec.kind == config::Kind::kTrain && leaf.spec.train) {
        const auto& t = *leaf.spec.train;
        const double columns = real(leaf.spec.data ? leaf.spec.data->sequenceLength : c.context);
        const double ranks = real(std::max<int64_t>(1, t.parallel.data)), rows = t.microBatch > 0 ? real(t.microBatch) : std::max(1.0, real(t.globalBatch) / ranks);
        if (real(t.globalBatch) * columns > kMostTokens)
            return fail(ErrorCode::kInvalidFile, fmt::format("train.global_batch: {} sequences of {} tokens are more than a step can count", t.globalBatch, static_cast<int64_t>(columns)), "use a smaller global_batch");
        double held = rows * columns * 4 * (layers * (16 * real(c.hidden) + 10 * width + 8 * real(c.ffn) * std::max(real(c.expertsPerToken), 1.0) + real(c.heads)) + 16 * real(c.hidden) + columns * (layers + 2));
        if (c.dropout > 0) held += rows * real(c.heads) * columns * columns * 16 * layers;
        if (held > kMostHeld) return tooMuch("A micro-batch of these sizes", held, "use a smaller train.micro_batch or data.sequence_length");
    }
    if (leaf.spec.kind == config::Kind::kBenchmark && leaf.spec.benchmark) {
        const auto& b = *leaf.spec.benchmark;
        const auto most = [](const auto& list) { return list.empty() ? 1.0 : real(*std::max_element(list.begin(), list.end())); };
        const double sequences = most(b.batch), positions = most(b.depth) + most(b.prefill) + real(b.decode);
        const double held = sequences * positions * (8 * layers * real(c.kvHeads) * real(c.headDim) + 64 * real(c.hidden) + 16 * real(c.ffn)) + sequences * real(c.vocab) * 8;
        if (held > kMostHeld) return tooMuch("A benchmark of these sizes", held, "use smaller batches, depths or prompts");
    }
    return {};
}

}  // namespace assay::plan
