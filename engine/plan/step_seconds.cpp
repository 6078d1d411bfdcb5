#include "assay/plan/step_seconds.h"

#include <algorithm>
#include <cmath>

#include "train_step.h"

namespace assay::plan {
namespace {

using Number = config::PrecisionSpec::Kind;
constexpr double kFloatBytes = 4;
constexpr double kLargeTensor = 32 << 20;       // above it memory comes fresh from the system each time (app/worker/environment.cpp)
constexpr double kSelectiveShare = 0.8;
constexpr double kScoreTensors = 6;
constexpr double kCaches = 16e6;                // weights beyond it are read from memory by every product
constexpr double kLoopbackPasses = 12;          // over memory, for a byte that goes from rank to rank through the loopback device
constexpr double kStepSeconds = 150e-6;         // batch to tensors, sums over ranks, the report

double sizeOf(const model::ParameterInfo& p) {
    double n = 1;
    for (const int64_t side : p.shape) n *= static_cast<double>(side);
    return n;
}

double freshPenalty(const KernelRates& rates) {  // seconds a byte, beyond writing it
    return std::max(0.0, rates.pass("fresh_memory") - rates.pass("memory") / 2) / kFloatBytes;
}

}  // namespace

config::PrecisionSpec precisionOf(std::string_view type) {
    config::PrecisionSpec out;
    out.kind = type == "bf16" ? Number::kBf16 : type == "amp_bf16" ? Number::kAmpBf16 : type == "amp_fp16" ? Number::kAmpFp16 : Number::kFp32;
    return out;
}

std::string_view typeOf(const config::PrecisionSpec& precision) {
    switch (precision.kind) {
        case Number::kBf16: return "bf16";
        case Number::kAmpBf16: return "amp_bf16";
        case Number::kAmpFp16: return "amp_fp16";
        case Number::kFp32: break;
    }
    return "fp32";
}

double layerSaved(const model::ModelConfig& config, const TrainShape& shape) {
    model::ModelConfig one = config;
    one.dropout = 0;
    one.layers = 1;
    TrainShape plain = shape;
    plain.accumulation = plain.ranks = 1;
    plain.saves = false;
    plain.checkpointing = {};
    const int64_t least = trainMemory(one, plain).saved;
    one.layers = 2;
    return static_cast<double>(trainMemory(one, plain).saved - least);
}

LayerParts layerParts(const KernelRates& rates, const model::ModelConfig& config, const TrainShape& shape, std::string_view type) {
    LayerParts out;
    const int64_t positions = shape.rows * shape.columns;
    model::ModelConfig one = config;
    one.layers = 1;
    for (const model::ParameterInfo& p : model::parametersOf(one)) {
        if (p.layer != 0 || p.shape.size() != 2) continue;
        const int64_t in = p.shape[0], width = p.shape[1];
        // An expert gets its share of the choices.
        const bool expert = config.experts > 0 && p.role == model::Role::kMlp;
        const int64_t rows = expert ? std::max<int64_t>(1, positions * config.expertsPerToken / config.experts) : positions;
        out.products.forward += rates.product(type, rows, width, in);
        out.products.backward += rates.product(type, rows, in, width) + rates.product(type, in, width, rows);
    }
    const char* kind = config.dropout > 0 ? "dropout" : shape.masked ? "masked" : "causal";
    out.attention = rates.attention(type, kind, shape.columns, config.headDim, shape.rows * config.heads);
    return out;
}

StepParts stepParts(const KernelRates& rates, const model::ModelConfig& config, const TrainShape& shape) {
    StepParts out;
    const std::string_view type = typeOf(shape.precision);
    const bool narrow = shape.precision.kind == Number::kBf16;
    const double layers = static_cast<double>(config.layers), batches = static_cast<double>(shape.accumulation), positions = static_cast<double>(shape.rows * shape.columns);
    const double perByte = 1 / rates.bytesPerS(), fresh = freshPenalty(rates), element = narrow ? kFloatBytes / 2 : kFloatBytes;
    const auto freshly = [&](double bytes) { return bytes > kLargeTensor ? bytes * fresh : 0; };

    LayerParts layer = layerParts(rates, config, shape, type);
    layer.rest = rates.layerRest(type, config.experts > 0 ? "llama" : config.family, layerSaved(config, shape), config.dropout > 0);
    double freshGradients = 0, weightPasses = 0;
    model::ModelConfig one = config;
    one.layers = 1;
    for (const model::ParameterInfo& p : model::parametersOf(one)) freshGradients += freshly(sizeOf(p) * element) * (p.layer < 0 ? 1 : layers);
    const ParameterTotals totals = parameterTotals(config);
    const double parameters = static_cast<double>(totals.elements);
    const int64_t tensors = totals.tensors;
    // Products are measured with what they read in the caches; large models read and write their weights in memory.
    if (parameters * element > kCaches) weightPasses = 3 * parameters * element * perByte;
    const double hidden = static_cast<double>(config.hidden), inner = static_cast<double>(config.ffn * std::max<int64_t>(config.expertsPerToken, 1)), gated = config.family == "gpt2" ? 4 : 8;
    const double freshActivations = layers * (gated * freshly(positions * inner * element) + 6 * freshly(positions * hidden * element));
    // The embedding and the last norm are worth about half a layer of what is not products.
    const double layerSeconds = std::max(layer.products.sum() + layer.attention.sum() + layer.rest.sum(), 0.0);
    out.attention = batches * layers * std::min(layer.attention.sum(), layerSeconds);
    out.layers = batches * (layers * layerSeconds + 0.5 * std::max(layer.rest.sum(), 0.0) + weightPasses + freshGradients + freshActivations) - out.attention;
    // Groups of layers run forward a second time; the selective way repeats what is cheap and large: norms, activations.
    using Way = config::CheckpointingSpec::Kind;
    const double ahead = std::max(layer.all().forward, 0.0);
    if (shape.checkpointing.kind == Way::kSelective || shape.checkpointing.kind == Way::kOffload) out.recompute = batches * layers * kSelectiveShare * std::max(layer.rest.forward, 0.0);
    else if (shape.checkpointing.kind != Way::kNone) out.recompute = batches * layers * ahead;
    // Dropout's path holds all scores, in fp32 and several times; the calibration's are small enough to be kept memory.
    if (config.dropout > 0) out.attention += batches * layers * kScoreTensors * freshly(positions * static_cast<double>(config.heads * shape.columns) * kFloatBytes);
    if (config.dropout > 0 && !rates.knowsDropout(type, config.family)) out.layers += batches * (2 * layers + 1) * positions * hidden * rates.pass("dropout");
    if (shape.masked) out.attention += batches * positions * static_cast<double>(shape.columns) * rates.pass("mask");

    const double vocab = static_cast<double>(config.vocab);
    const std::string_view lossType = narrow ? "bf16" : "fp32";
    const double chunks = std::ceil(positions / std::clamp(std::floor(static_cast<double>(kLossChunk) / vocab), 32.0, 4096.0)), rows = std::ceil(positions / chunks);  // of equal size
    const int64_t n = static_cast<int64_t>(rows);
    out.loss = batches * chunks *
               (rates.product(lossType, n, config.vocab, config.hidden) + rates.product(lossType, n, config.hidden, config.vocab) + rates.product(lossType, config.vocab, config.hidden, n) + rates.lossRest(lossType, rows * vocab)) *
               (positions / (chunks * rows));
    // The embedding's gradient is dense, but for a tied head's, to which its rows are added; further chunks of the loss are added to
    // the head's.
    const double table = vocab * hidden * element;
    out.tables = batches * ((config.tieEmbeddings ? 0 : table * perByte + freshly(table)) + std::max(0.0, chunks - 1) * 2 * table * perByte);

    const char* rounding = !narrow ? "none" : shape.precision.stochastic ? "stochastic" : "master";
    out.update = rates.update(shape.optimizer.name, rounding, tensors, parameters) + rates.update("gradient_norm", "none", tensors, parameters) + rates.update("clipping", "none", tensors, parameters);
    if (shape.precision.kind == Number::kAmpFp16) out.update += 1.5 * rates.update("gradient_norm", "none", tensors, parameters);
    if (shape.averaged) out.update += 3 * kFloatBytes * parameters * perByte;
    // Gradients of further micro-batches are added; those of narrow models in fp32.
    out.update += (narrow && batches > 1 ? batches * 5 : (batches - 1) * 3) * parameters * element * perByte;
    if (shape.ranks > 1) {  // buckets of fp32 sums go around the ring; ranks on one machine share the cores that carry them
        const double flat = parameters * kFloatBytes, ring = 2 * static_cast<double>(shape.ranks - 1) / static_cast<double>(shape.ranks);
        out.exchange = ring * flat * kLoopbackPasses * perByte;
        if (shape.sharded) out.update /= static_cast<double>(shape.ranks);
    }
    out.other = kStepSeconds;
    return out;
}

}  // namespace assay::plan
