#include "runtime/rope.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace assay::infer {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;

double llama3(double frequency, const model::RopeScaling& s) {
    const double wavelength = kTwoPi / frequency;
    const double longest = double(s.originalContext) / s.lowFreqFactor, shortest = double(s.originalContext) / s.highFreqFactor;
    if (wavelength > longest) return frequency / s.factor;
    if (wavelength < shortest) return frequency;
    const double smooth = (double(s.originalContext) / wavelength - s.lowFreqFactor) / (s.highFreqFactor - s.lowFreqFactor);
    return (1 - smooth) * frequency / s.factor + smooth * frequency;
}

// YaRN (Peng et al. 2023): dimensions that turn often are kept, slow ones interpolated, a ramp between.
void yarn(std::vector<double>& frequencies, const model::ModelConfig& config) {
    const auto& s = config.ropeScaling;
    const double dim = double(config.headDim);
    const auto dimensionOf = [&](double turns) {
        return dim * std::log(double(s.originalContext) / (turns * kTwoPi)) / (2 * std::log(config.ropeTheta));
    };
    const double low = std::max(std::floor(dimensionOf(s.betaFast)), 0.0), high = std::min(std::ceil(dimensionOf(s.betaSlow)), dim - 1);
    for (size_t i = 0; i < frequencies.size(); ++i) {
        const double ramp = std::clamp((double(i) - low) / std::max(high - low, 0.001), 0.0, 1.0);
        frequencies[i] = frequencies[i] / s.factor * ramp + frequencies[i] * (1 - ramp);
    }
}

}  // namespace

Result<RopeTable> makeRopeTable(const model::ModelConfig& config, int64_t positions) {
    const auto& scaling = config.ropeScaling;
    RopeTable table;
    table.half = config.headDim / 2;
    std::vector<double> frequencies(table.half);
    for (int64_t i = 0; i < table.half; ++i)
        frequencies[i] = 1.0 / std::pow(config.ropeTheta, 2.0 * double(i) / double(config.headDim));
    double magnitude = 1;
    if (scaling.kind == "linear") {
        for (double& f : frequencies) f /= scaling.factor;
    } else if (scaling.kind == "llama3") {
        for (double& f : frequencies) f = llama3(f, scaling);
    } else if (scaling.kind == "yarn") {
        yarn(frequencies, config);
        if (scaling.attentionFactor > 0) magnitude = scaling.attentionFactor;
        else if (scaling.factor > 1) magnitude = 0.1 * std::log(scaling.factor) + 1;
    } else if (scaling.kind == "dynamic") {
        if (positions > scaling.originalContext)
            return fail(ErrorCode::kUnsupported,
                        fmt::format("dynamic rope scaling beyond {} positions re-rotates cached keys", scaling.originalContext),
                        "Use a shorter window, prompt or max_tokens.");
    } else if (!scaling.kind.empty()) {
        return fail(ErrorCode::kUnsupported, fmt::format("rope scaling '{}' is not known", scaling.kind),
                    "Known: linear, dynamic, llama3, yarn.");
    }
    table.cosines.resize(positions * table.half);
    table.sines.resize(positions * table.half);
    for (int64_t p = 0; p < positions; ++p)
        for (int64_t i = 0; i < table.half; ++i) {
            const float angle = float(p) * float(frequencies[i]);  // fp32, as the models were trained
            table.cosines[p * table.half + i] = float(std::cos(double(angle)) * magnitude);
            table.sines[p * table.half + i] = float(std::sin(double(angle)) * magnitude);
        }
    return table;
}

}  // namespace assay::infer
