// Bytes that a training run holds from its first step to its last: as engine/train/optimizers lays them out.
#include "assay/plan/memory.h"
#include "parallel_memory.h"

namespace assay::plan {
namespace {

constexpr int64_t kWide = 4, kNarrow = 2;
constexpr int64_t kSmallestEightBit = 4096, kEightBitBlock = 256;  // optimizers/adamw_8bit.cpp

int64_t product(const std::vector<int64_t>& shape) {
    int64_t elements = 1;
    for (const int64_t n : shape) elements *= n;
    return elements;
}

// State of `elements` of one parameter of that shape. Adam's moments, one momentum, the means of rows and columns, or codes and
// scales of blocks.
int64_t stateBytes(const config::OptimizerSpec& optimizer, const std::vector<int64_t>& shape, int64_t elements) {
    if (elements == 0) return 0;
    if (optimizer.name == "sgd") return optimizer.momentum == 0 ? 0 : elements * kWide;
    if (optimizer.name == "lion") return elements * kWide;
    if (optimizer.name == "adafactor" && shape.size() >= 2) return (elements / shape.back() + elements / shape[shape.size() - 2]) * kWide;
    if (optimizer.name == "adafactor") return elements * kWide;
    if (optimizer.name == "adamw_8bit" && product(shape) >= kSmallestEightBit) return 2 * (elements + (elements + kEightBitBlock - 1) / kEightBitBlock * kWide);
    return 2 * elements * kWide;
}

}  // namespace

StaticBytes staticBytes(const model::ModelConfig& config, const TrainShape& shape) {
    StaticBytes out;
    const bool narrow = shape.precision.kind == config::PrecisionSpec::Kind::kBf16;
    const std::vector<model::ParameterInfo> parameters = model::parametersOf(config);
    std::vector<int64_t> elements;
    for (const model::ParameterInfo& p : parameters) elements.push_back(product(p.shape));
    const ParallelBytes parallel = parallelBytes(elements, {shape.ranks, shape.rank, shape.sharded && shape.ranks > 1, shape.optimizer.name == "adafactor"});
    for (size_t i = 0; i < parameters.size(); ++i) {
        out.weights += elements[i] * (narrow ? kNarrow : kWide);
        // Gradients of several micro-batches of a narrow model are summed in fp32.
        out.gradients += elements[i] * (narrow && shape.accumulation == 1 ? kNarrow : kWide);
        out.optimizer += stateBytes(shape.optimizer, parameters[i].shape, parallel.part[i]);
        if (narrow && !shape.precision.stochastic) out.optimizer += parallel.part[i] * kWide;  // the master copy
        if (shape.averaged) out.optimizer += parallel.part[i] * kWide;
    }
    if (shape.ranks > 1) {
        out.gradients = parallel.gradients;
        out.exchange = parallel.exchange;
    }
    return out;
}

}  // namespace assay::plan
