#include "speed.h"

#include "assay/plan/step_seconds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace assay::plan {
namespace {

// Shares of a rate that real layers reach: of the probe's rate on a CPU, of the vendor's figures on an accelerator.
constexpr double kLayerShareHere = 0.85, kLayerShareVendor = 0.4, kMemoryShareVendor = 0.7;
// Of the probe's rate, what the kernels of engine/infer reach: 8- and 4-bit weights are multiplied as integers. Measured on
// AVX-512 with VNNI; processors without it are nearer to one another.
double inferShare(std::string_view scheme) { return scheme.starts_with("int8") ? 0.82 : scheme.starts_with("int4") ? 0.95 : 0.37; }

// From and to pinned memory over PCIe 4.0 with 16 lanes; newer ones carry twice as much.
constexpr double kHostLink = 20e9;

constexpr double kOperationSeconds = 8e-6;  // dispatching one tensor operation
constexpr double kOperationsPerLayer = 90;  // forward and backward

}  // namespace

Seconds& Seconds::operator+=(const Seconds& other) {
    const double sum = value + other.value;
    if (sum > 0) uncertainty = (value * uncertainty + other.value * other.uncertainty) / sum;  // errors of one model go together
    value = sum;
    return *this;
}

double trainingFlops(const model::ModelConfig& config, double tokens, int64_t sequenceLength) {
    const model::Family* family = model::findFamily(config.family);
    return family ? 3 * family->forwardFlopsPerToken(config, sequenceLength) * tokens : 0;  // the backward pass counts twice
}

double Speed::matrixRate(int64_t width, std::string_view format) const {
    if (here()) return kLayerShareHere * input_.calibration.gemmAt(width);
    double rate = hardware_.flopsOf(format);
    if (rate == 0) rate = hardware_.flopsOf("fp32");
    return kLayerShareVendor * rate;
}

const Calibration& Speed::calibrationFor(const TrainShape& shape) const {
    if (shape.threads == input_.calibration.threads || !input_.calibrationWith) return input_.calibration;
    auto& kept = others_[shape.threads];
    if (kept.threads != shape.threads) kept = input_.calibrationWith(static_cast<int>(shape.threads));
    return kept;
}

double Speed::memoryRate() const { return here() ? input_.calibration.bytesPerS : kMemoryShareVendor * hardware_.bandwidth; }

Seconds Speed::step(const model::ModelConfig& config, const TrainShape& shape, int64_t savedBytes, std::string_view format, std::string& note) const {
    const double tokens = static_cast<double>(shape.rows * shape.columns * shape.accumulation);
    const double flops = trainingFlops(config, tokens, shape.columns);
    if (here()) {
        // A run of the same shape first, else the nearest one of the same family and sequence length.
        const PastRun* best = nullptr;
        double bestDistance = 1e9;
        for (const PastRun& run : input_.history) {
            if (shape.ranks > 1) break;  // they tell of one process
            // Half precision may be faster or several times slower here: only its own runs tell.
            if (run.config.family != config.family || run.stepTokens <= 0 || run.precision != shape.precision.kind || run.checkpointing != shape.checkpointing) continue;
            const double theirs = trainingFlops(run.config, run.stepTokens, run.sequenceLength);
            const double distance = std::abs(std::log2(flops / theirs)) + std::abs(std::log2(double(shape.columns) / double(run.sequenceLength))) +
                                    std::abs(std::log2(double(shape.rows) / double(run.microBatch))) + std::abs(std::log2(double(config.hidden) / double(run.config.hidden)));
            if (distance < bestDistance) {
                bestDistance = distance;
                best = &run;
            }
        }
        const bool same = best && bestDistance < 0.01;
        if (const Calibration& calibration = calibrationFor(shape); !same && calibration.kernels) {
            const KernelRates& rates = *calibration.kernels;
            note = rates.disturbed() ? "Step time is the sum of its kernels, measured on this machine while others were at work on it"
                                     : "Step time is the sum of its kernels: products, attention, layers, loss and update as measured on this machine";
            return {stepParts(rates, config, shape).sum(), rates.disturbed() ? 0.3 : 0.2};
        }
        if (best && bestDistance <= 3) {
            const double value = best->stepSeconds * flops / trainingFlops(best->config, best->stepTokens, best->sequenceLength);
            note = same ? fmt::format("Step time is that of run {} of this store, which had the same shape", best->id)
                        : fmt::format("Step time is that of run {} of this store, scaled by the FLOP of a step", best->id);
            return {value, same ? 0.15 : 0.3};
        }
    }
    const double parameterBytes = 4.0 * static_cast<double>(parameterTotals(config).elements);
    // Every kept tensor is written once, read about twice and met by a gradient of its size; the update passes over weights,
    // gradients and both moments, the norm and the clipping over the gradients.
    const double traffic = 4.0 * static_cast<double>(savedBytes * shape.accumulation) + 10 * parameterBytes;
    const double calls = kOperationsPerLayer * static_cast<double>((config.layers + 1) * shape.accumulation);
    double value = (flops + recomputedFlops(config, shape)) / matrixRate(config.hidden, format) + traffic / memoryRate() + calls * kOperationSeconds;
    if (shape.ranks > 1) {
        const double link = here() ? 1e9 : std::max(hardware_.link, 1e9), share = 2.0 * double(shape.ranks - 1) / double(shape.ranks);
        value += share * parameterBytes / link;
    }
    double offloaded = 0;
    if (shape.checkpointing.kind == config::CheckpointingSpec::Kind::kOffload) {
        // Out during the forward pass, a third of the time, and back during the backward pass: what that does not hide is waited for.
        offloaded = static_cast<double>(trainMemory(config, shape).offloaded * shape.accumulation);
        value += std::max(0.0, offloaded / kHostLink - value / 3) + std::max(0.0, offloaded / kHostLink - value * 2 / 3);
    }
    note = here() ? "Step time is FLOP ÷ the matrix rate measured on this machine, plus memory traffic and the cost of single operations"
                  : fmt::format("Times on {} are estimates from the vendor's figures ({:.0f} % of the dense FLOP/s), not measured here", hardware_.label, 100 * kLayerShareVendor);
    if (offloaded > 0) note += fmt::format("; activations go to the machine's memory and back at {:.0f} GB/s beside the computation", kHostLink / 1e9);
    return {value, uncertainty()};
}

double Speed::forward(const model::ModelConfig& config, double tokens, int64_t context, std::string_view scheme) const {
    const model::Family* family = model::findFamily(config.family);
    if (!family) return 0;
    const double rate = here() ? inferShare(scheme) * input_.calibration.gemmAt(config.hidden) : matrixRate(config.hidden);
    return family->forwardFlopsPerToken(config, context) * tokens / rate;
}

// A core reads weights or multiplies; on a processor the two add up, an accelerator does both at once.
double Speed::decode(const model::ModelConfig& config, int64_t batch, int64_t context, int64_t weightBytes, int64_t cacheBytes, std::string_view scheme) const {
    const double compute = forward(config, static_cast<double>(batch), context, scheme), memory = static_cast<double>(weightBytes + cacheBytes) / memoryRate();
    return (here() ? compute + memory : std::max(compute, memory)) + 10e-6 * static_cast<double>(config.layers);
}

}  // namespace assay::plan
