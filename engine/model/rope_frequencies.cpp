#include <algorithm>
#include <cmath>
#include <numbers>

#include "assay/model/rope.h"

namespace assay::model {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;

double llama3Frequency(double frequency, const RopeScaling& s) {
    const double wavelength = kTwoPi / frequency, context = static_cast<double>(s.originalContext);
    if (wavelength > context / s.lowFreqFactor) return frequency / s.factor;
    if (wavelength < context / s.highFreqFactor) return frequency;
    const double smooth = (context / wavelength - s.lowFreqFactor) / (s.highFreqFactor - s.lowFreqFactor);
    return (1 - smooth) * frequency / s.factor + smooth * frequency;
}

// Dimensions that turn often are kept, slow ones interpolated, a ramp between.
void stretchYarn(std::vector<double>& frequencies, const ModelConfig& c) {
    const RopeScaling& s = c.ropeScaling;
    const double width = static_cast<double>(c.headDim);
    const auto dimensionOf = [&](double turns) {
        return width * std::log(static_cast<double>(s.originalContext) / (turns * kTwoPi)) / (2 * std::log(c.ropeTheta));
    };
    double low = dimensionOf(s.betaFast), high = dimensionOf(s.betaSlow);
    if (s.truncate) {
        low = std::floor(low);
        high = std::ceil(high);
    }
    low = std::max(low, 0.0);
    high = std::min(high, width - 1);
    if (low == high) high += 0.001;
    for (size_t i = 0; i < frequencies.size(); ++i) {
        const double ramp = std::clamp((static_cast<double>(i) - low) / (high - low), 0.0, 1.0);
        frequencies[i] = frequencies[i] / s.factor * ramp + frequencies[i] * (1 - ramp);
    }
}

double magnitudeOf(const RopeScaling& s) {
    if (s.kind != "yarn" && s.kind != "longrope") return 1;
    if (s.attentionFactor > 0) return s.attentionFactor;
    if (s.factor <= 1) return 1;
    if (s.kind == "yarn") return 0.1 * std::log(s.factor) + 1;
    return std::sqrt(1 + std::log(s.factor) / std::log(static_cast<double>(s.originalContext)));
}

}  // namespace

RopeFrequencies ropeFrequencies(const ModelConfig& c, int64_t length) {
    const RopeScaling& s = c.ropeScaling;
    const double width = static_cast<double>(c.headDim), stretch = static_cast<double>(length) / static_cast<double>(s.originalContext);
    double base = c.ropeTheta;
    if (s.kind == "dynamic" && stretch > 1) base *= std::pow(s.factor * stretch - (s.factor - 1), width / (width - 2));
    RopeFrequencies out;
    out.inverse.resize(static_cast<size_t>(c.headDim / 2));
    for (size_t i = 0; i < out.inverse.size(); ++i) {
        double& frequency = out.inverse[i];
        frequency = 1.0 / std::pow(base, 2.0 * static_cast<double>(i) / width);
        if (s.kind == "linear") frequency /= s.factor;
        else if (s.kind == "llama3") frequency = llama3Frequency(frequency, s);
        else if (s.kind == "longrope") frequency /= (stretch > 1 ? s.longFactors : s.shortFactors)[i];
    }
    if (s.kind == "yarn") stretchYarn(out.inverse, c);
    out.magnitude = magnitudeOf(s);
    return out;
}

}  // namespace assay::model
