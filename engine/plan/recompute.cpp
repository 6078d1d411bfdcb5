// The price of activation checkpointing (engine/nn/checkpointing).
#include <fmt/format.h>

#include <algorithm>

#include "assay/plan/memory.h"

namespace assay::plan {

using Checkpoints = config::CheckpointingSpec::Kind;

double recomputedFlops(const model::ModelConfig& config, const TrainShape& shape) {
    const model::Family* family = model::findFamily(config.family);
    const auto kind = shape.checkpointing.kind;
    if (!family || kind == Checkpoints::kNone) return 0;
    const double tokens = static_cast<double>(shape.rows * shape.columns * shape.accumulation), layers = static_cast<double>(config.layers);
    const double width = static_cast<double>(config.heads * config.headDim);
    // Attention that keeps its scores; the rest of what is marked has no products.
    if (kind == Checkpoints::kSelective || kind == Checkpoints::kOffload) return config.dropout > 0 && !shape.device ? tokens * layers * 4 * width * static_cast<double>(shape.columns) : 0;
    const double head = 2.0 * static_cast<double>(config.hidden * config.vocab);
    const double all = family->forwardFlopsPerToken(config, shape.columns) - head;
    if (config.dropout > 0) return tokens * all;
    // The last product of a group is not needed again.
    const int64_t together = kind == Checkpoints::kFull ? 1 : std::clamp<int64_t>(shape.checkpointing.every, 1, config.layers);
    const double groups = static_cast<double>((config.layers + together - 1) / together);
    return tokens * (all - groups * 2.0 * static_cast<double>(config.hidden * config.ffn * std::max<int64_t>(config.expertsPerToken, 1)));
}

std::string describeCheckpointing(const config::CheckpointingSpec& checkpointing) {
    switch (checkpointing.kind) {
        case Checkpoints::kFull: return "Activation checkpointing: every layer keeps its input only and is computed again in the backward pass";
        case Checkpoints::kEvery:
            return fmt::format("Activation checkpointing: groups of {} layers keep their input only and are computed again in the backward pass", checkpointing.every);
        case Checkpoints::kSelective:
            return "Activation checkpointing: what is large and cheap is computed again in the backward pass: normalised states, activations of the MLP, casts, scores of attention";
        case Checkpoints::kOffload: return "Activation checkpointing: what layers keep waits in the machine's memory for the backward pass, and what is large and cheap is computed again there";
        case Checkpoints::kNone: break;
    }
    return {};
}

}  // namespace assay::plan
