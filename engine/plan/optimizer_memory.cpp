// Bytes that a training run holds from its first step to its last: as engine/train/optimizers lays them out.
#include "assay/plan/memory.h"

namespace assay::plan {
namespace {

constexpr int64_t kWide = 4, kNarrow = 2;
constexpr int64_t kSmallestEightBit = 4096, kEightBitBlock = 256;  // optimizers/adamw_8bit.cpp

// State of one parameter. Adam's moments, one momentum, the means of rows and columns, or codes and scales of blocks.
int64_t stateBytes(const config::OptimizerSpec& optimizer, const std::vector<int64_t>& shape) {
    int64_t elements = 1;
    for (const int64_t n : shape) elements *= n;
    if (optimizer.name == "sgd") return optimizer.momentum == 0 ? 0 : elements * kWide;
    if (optimizer.name == "lion") return elements * kWide;
    if (optimizer.name == "adafactor" && shape.size() >= 2) return (elements / shape.back() + elements / shape[shape.size() - 2]) * kWide;
    if (optimizer.name == "adafactor") return elements * kWide;
    if (optimizer.name == "adamw_8bit" && elements >= kSmallestEightBit) return 2 * (elements + (elements + kEightBitBlock - 1) / kEightBitBlock * kWide);
    return 2 * elements * kWide;
}

}  // namespace

StaticBytes staticBytes(const model::ModelConfig& config, const TrainShape& shape) {
    StaticBytes out;
    const bool narrow = shape.precision.kind == config::PrecisionSpec::Kind::kBf16;
    for (const model::ParameterInfo& p : model::parametersOf(config)) {
        int64_t elements = 1;
        for (const int64_t n : p.shape) elements *= n;
        out.weights += elements * (narrow ? kNarrow : kWide);
        // Gradients of several micro-batches of a narrow model are summed in fp32.
        out.gradients += elements * (narrow && shape.accumulation == 1 ? kNarrow : kWide);
        out.optimizer += stateBytes(shape.optimizer, p.shape);
        if (narrow && !shape.precision.stochastic) out.optimizer += elements * kWide;  // the master copy
        if (shape.averaged) out.optimizer += elements * kWide;
    }
    return out;
}

}  // namespace assay::plan
