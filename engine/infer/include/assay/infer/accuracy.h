#pragma once
// Perplexity and divergence exactly as METRICS.md defines them.

#include <assay/config/spec.h>
#include <assay/core/json.h>
#include <assay/data/tokenizer.h>
#include <assay/infer/inference_model.h>

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace assay::infer {

// A text cut into windows of ids. Targets [firstTarget, size) of a window are scored; with `bos` the first id is one.
struct Windows {
    std::vector<std::vector<int32_t>> ids;
    int64_t firstTarget = 1;
    int64_t scoredTokens = 0;
    int64_t scoredBytes = 0;  // UTF-8 bytes of the scored tokens: what bits per byte divides by
    int64_t window = 0;
    config::PerplexityMode mode = config::PerplexityMode::kFull;
    std::string textSha256, tokenizerKey;
};
// kBadUsage when nothing is left to score or the window does not fit the context.
Result<Windows> cutWindows(const std::string& text, const data::Tokenizer& tokenizer, const config::PerplexitySpec& spec,
                           int64_t context);

struct WindowSums {  // of one window
    int64_t tokens = 0;
    double nll = 0;
    double kl = 0;  // only in a comparison
};
struct Accuracy {
    int64_t tokens = 0;
    double nll = 0, perplexity = 0, perplexitySe = 0, bitsPerByte = 0;  // se: NaN for a single window
};
struct Comparison {
    double klMean = 0, klSe = 0, klMedian = 0, klP99 = 0, klP999 = 0, klMax = 0;  // NaN: too few tokens to say
    double sameTop1 = 0, perplexityRatio = 0, perplexityRatioSe = 0;
};

// From per-window sums: standard errors by the delta method with windows as the units, since tokens of one window are
// correlated.
Accuracy summarize(std::span<const WindowSums> windows, int64_t bytes);
Comparison compare(std::span<const WindowSums> base, std::span<const WindowSums> other, std::vector<float>& klPerToken,
                   int64_t sameTop1);

// Linear interpolation on sorted values; NaN when there are fewer than the 99 %-confidence minimum of METRICS.md
// (P50 7, P90 44, P95 90, P99 459, P99.9 4603).
double percentile(std::span<const float> sorted, double fraction);

struct Measured {
    Accuracy accuracy;
    std::optional<Comparison> comparison;  // with the first model
};
// Runs all models over the same windows; the first one is the base of the comparisons. Nothing when stopped.
Result<std::optional<std::vector<Measured>>> measure(std::span<const ModelPtr> models, const Windows& windows, ThreadPool& pool,
                                                     const ProgressSink& progress, const std::stop_token& stop);

Json accuracyJson(const Measured& measured, const Windows& windows);  // keys of setup.accuracy (EVENTS.md)

}  // namespace assay::infer
