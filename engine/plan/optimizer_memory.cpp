// Bytes that a training run holds from its first step to its last: as engine/train/optimizers lays them out.
#include <algorithm>

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

// Layers are alike: two tell what a thousand hold.
int64_t times(const model::ParameterInfo& p, int64_t layers) { return p.layer < 0 ? 1 : p.layer == 0 ? layers : 0; }
std::vector<model::ParameterInfo> parametersOfOneLayer(model::ModelConfig config) {
    config.layers = 1;
    return model::parametersOf(config);
}

}  // namespace

ParameterTotals parameterTotals(const model::ModelConfig& config) {
    ParameterTotals out;
    for (const model::ParameterInfo& p : parametersOfOneLayer(config)) {
        const int64_t elements = product(p.shape);
        out.elements += elements * times(p, config.layers);
        out.tensors += times(p, config.layers);
        out.largest = std::max(out.largest, elements);
    }
    return out;
}

int64_t updateBytes(const model::ModelConfig& config, const TrainShape& shape) {
    const bool narrow = shape.precision.kind == config::PrecisionSpec::Kind::kBf16;
    int64_t copies = shape.optimizer.name == "adafactor" ? 1 : 0;         // the estimate that becomes the change
    if (narrow && shape.accumulation == 1 && shape.ranks <= 1) ++copies;  // the gradient in fp32
    if (narrow && shape.precision.stochastic) ++copies;                    // the weight in fp32
    return copies * parameterTotals(config).largest * kWide;
}

StaticBytes staticBytes(const model::ModelConfig& config, const TrainShape& shape) {
    StaticBytes out;
    const bool narrow = shape.precision.kind == config::PrecisionSpec::Kind::kBf16;
    if (shape.ranks <= 1) {
        for (const model::ParameterInfo& p : parametersOfOneLayer(config)) {
            const int64_t elements = product(p.shape), count = times(p, config.layers);
            int64_t state = stateBytes(shape.optimizer, p.shape, elements);
            if (narrow && !shape.precision.stochastic) state += elements * kWide;  // the master copy
            if (shape.averaged) state += elements * kWide;
            out.weights += count * elements * (narrow ? kNarrow : kWide);
            // Gradients of several micro-batches of a narrow model are summed in fp32.
            out.gradients += count * elements * (narrow && shape.accumulation == 1 ? kNarrow : kWide);
            out.optimizer += count * state;
        }
        return out;
    }
    // Where a layer's gradients lie in the buckets differs from layer to layer.
    const std::vector<model::ParameterInfo> parameters = model::parametersOf(config);
    std::vector<int64_t> elements;
    for (const model::ParameterInfo& p : parameters) elements.push_back(product(p.shape));
    const ParallelBytes parallel = parallelBytes(elements, {shape.ranks, shape.rank, shape.sharded, shape.optimizer.name == "adafactor"});
    for (size_t i = 0; i < parameters.size(); ++i) {
        out.weights += elements[i] * (narrow ? kNarrow : kWide);
        out.optimizer += stateBytes(shape.optimizer, parameters[i].shape, parallel.part[i]);
        if (narrow && !shape.precision.stochastic) out.optimizer += parallel.part[i] * kWide;
        if (shape.averaged) out.optimizer += parallel.part[i] * kWide;
    }
    out.gradients = parallel.gradients;
    out.exchange = parallel.exchange;
    return out;
}

}  // namespace assay::plan
