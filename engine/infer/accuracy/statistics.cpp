#include <assay/infer/accuracy.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace assay::infer {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// Standard error of the ratio Σ value / Σ tokens over windows (Cochran 1977, 6.4): residuals value − ratio · tokens.
template <class Value>
double ratioError(std::span<const WindowSums> windows, double ratio, Value value) {
    double squares = 0, tokens = 0;
    for (size_t i = 0; i < windows.size(); ++i) {
        const double residual = value(i) - ratio * double(windows[i].tokens);
        squares += residual * residual;
        tokens += double(windows[i].tokens);
    }
    const double n = double(windows.size());
    return windows.size() < 2 ? kMissing : std::sqrt(squares * n / (n - 1)) / tokens;
}

}  // namespace

Accuracy summarize(std::span<const WindowSums> windows, int64_t bytes) {
    Accuracy out;
    for (const auto& window : windows) {
        out.tokens += window.tokens;
        out.nll += window.nll;
    }
    const double mean = out.nll / double(out.tokens);
    out.perplexity = std::exp(mean);
    out.perplexitySe = out.perplexity * ratioError(windows, mean, [&](size_t i) { return windows[i].nll; });
    out.bitsPerByte = bytes > 0 ? out.nll / std::numbers::ln2 / double(bytes) : kMissing;
    return out;
}

Comparison compare(std::span<const WindowSums> base, std::span<const WindowSums> other, std::vector<float>& klPerToken,
                   int64_t sameTop1) {
    Comparison out;
    double tokens = 0, difference = 0, kl = 0;
    for (size_t i = 0; i < base.size(); ++i) {
        tokens += double(base[i].tokens);
        difference += other[i].nll - base[i].nll;
        kl += other[i].kl;
    }
    const double mean = difference / tokens;
    out.perplexityRatio = std::exp(mean);
    out.perplexityRatioSe = out.perplexityRatio * ratioError(base, mean, [&](size_t i) { return other[i].nll - base[i].nll; });
    out.klMean = kl / tokens;
    out.klSe = ratioError(other, out.klMean, [&](size_t i) { return other[i].kl; });
    std::sort(klPerToken.begin(), klPerToken.end());
    out.klMedian = percentile(klPerToken, 0.5);
    out.klP99 = percentile(klPerToken, 0.99);
    out.klP999 = percentile(klPerToken, 0.999);
    out.klMax = klPerToken.empty() ? kMissing : klPerToken.back();
    out.sameTop1 = double(sameTop1) / tokens;
    return out;
}

double percentile(std::span<const float> sorted, double fraction) {
    // Smallest n with 1 − fraction^n ≥ 0.99: below it the largest value seen may well lie under the percentile.
    const double least = std::ceil(std::log(0.01) / std::log(fraction) - 1e-9);
    const size_t n = sorted.size();
    if (n == 0 || double(n) < least) return kMissing;
    const double at = fraction * double(n - 1);
    const size_t low = size_t(at), high = std::min(low + 1, n - 1);
    return double(sorted[low]) + (at - double(low)) * (double(sorted[high]) - double(sorted[low]));
}

Json accuracyJson(const Measured& measured, const Windows& windows) {
    const auto known = [](double value) { return std::isnan(value) ? Json() : jsonNumber(value); };
    const auto& a = measured.accuracy;
    Json out = {{"tokens", a.tokens},
                {"nll", jsonNumber(a.nll)},
                {"perplexity", jsonNumber(a.perplexity)},
                {"perplexity_se", known(a.perplexitySe)},
                {"bits_per_byte", known(a.bitsPerByte)},
                {"scored_bytes", windows.scoredBytes},  // what bits_per_byte divides by
                {"mode", windows.mode == config::PerplexityMode::kHalf ? "half" : "full"},
                {"window", windows.window},
                {"text_sha256", windows.textSha256},
                {"tokenizer_key", windows.tokenizerKey}};
    if (measured.comparison) {
        const auto& c = *measured.comparison;
        out["kl_divergence"] = {{"mean", known(c.klMean)}, {"se", known(c.klSe)},     {"median", known(c.klMedian)},
                                {"p99", known(c.klP99)},   {"p999", known(c.klP999)}, {"max", known(c.klMax)}};
        out["same_top1"] = known(c.sameTop1);
        out["perplexity_ratio"] = known(c.perplexityRatio);
        out["perplexity_ratio_se"] = known(c.perplexityRatioSe);
    }
    return out;
}

}  // namespace assay::infer
