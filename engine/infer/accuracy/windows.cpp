#include <assay/infer/accuracy.h>

#include <assay/core/hash.h>

#include <fmt/format.h>

#include <algorithm>

namespace assay::infer {

Result<Windows> cutWindows(const std::string& text, const data::Tokenizer& tokenizer, const config::PerplexitySpec& spec,
                           int64_t context) {
    if (spec.window < 2)
        return fail(ErrorCode::kBadUsage, fmt::format("accuracy.perplexity.window: {} is too small", spec.window), "Use at least 2.");
    if (spec.window > context)
        return fail(ErrorCode::kBadUsage,
                    fmt::format("accuracy.perplexity.window: {} is more than the model's context of {}", spec.window, context),
                    fmt::format("Use a window of at most {}.", context));
    Windows out;
    out.window = spec.window;
    out.mode = spec.mode;
    out.textSha256 = sha256Hex(text);
    out.tokenizerKey = tokenizer.contentKey();
    data::Encoding encoding;
    data::EncodeOptions options;
    options.offsets = true;
    tokenizer.encode(text, options, encoding);
    if (spec.maxTokens > 0 && int64_t(encoding.ids.size()) > spec.maxTokens) {
        encoding.ids.resize(spec.maxTokens);
        encoding.offsets.resize(spec.maxTokens);
    }
    const bool bos = tokenizer.addsBos() && tokenizer.bosId() >= 0;
    const int64_t step = spec.window - (bos ? 1 : 0), total = int64_t(encoding.ids.size());
    const bool half = spec.mode == config::PerplexityMode::kHalf;
    out.firstTarget = half ? spec.window / 2 + 1 : 1;
    for (int64_t begin = 0; begin < total; begin += step) {
        const int64_t count = std::min(step, total - begin);
        const int64_t size = count + (bos ? 1 : 0);
        std::vector<int32_t> window(static_cast<size_t>(size), tokenizer.bosId());
        std::copy_n(encoding.ids.begin() + begin, count, window.end() - count);
        if (size < 2 || (half && size < spec.window)) break;
        out.scoredTokens += std::max<int64_t>(0, size - out.firstTarget);
        for (int64_t i = out.firstTarget; i < size; ++i) {
            const auto [from, to] = encoding.offsets[begin + i - (bos ? 1 : 0)];
            out.scoredBytes += to - from;
        }
        out.ids.push_back(std::move(window));
    }
    if (out.scoredTokens == 0)
        return fail(ErrorCode::kBadUsage,
                    fmt::format("the text has {} tokens: nothing to score in mode {} with a window of {}", total, half ? "half" : "full",
                                spec.window),
                    half ? "Give a longer text or a smaller window; mode half scores whole windows only." : "Give a longer text.");
    return out;
}

}  // namespace assay::infer
