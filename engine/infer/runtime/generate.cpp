#include <assay/infer/generate.h>

#include <assay/core/random.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace assay::infer {

int32_t argmax(const float* logits, int64_t n) { return int32_t(std::max_element(logits, logits + n) - logits); }

int32_t sampleToken(const float* logits, int64_t n, double temperature, double uniform) {
    const double top = *std::max_element(logits, logits + n);
    double total = 0;
    for (int64_t i = 0; i < n; ++i) total += std::exp((logits[i] - top) / temperature);
    double left = uniform * total;
    for (int64_t i = 0; i < n; ++i) {
        left -= std::exp((logits[i] - top) / temperature);
        if (left < 0) return int32_t(i);
    }
    return argmax(logits, n);  // rounding ate the last bit
}

Result<Generated> generate(Session& session, std::span<const int32_t> prompt, const GenerateOptions& options) {
    Generated out;
    const int64_t vocab = session.model().config().vocab;
    session.clear(0);
    if (prompt.empty())
        return fail(ErrorCode::kBadUsage, "the prompt has no tokens", "Give a prompt of at least one character.");
    ASSAY_TRY_VOID(session.prefill(prompt, 0));
    const float* logits = session.logits(session.rows() - 1, 1);
    if (options.top > 0) {
        std::vector<int32_t> order(vocab);
        std::iota(order.begin(), order.end(), 0);
        const int64_t count = std::min(options.top, vocab);
        std::partial_sort(order.begin(), order.begin() + count, order.end(), [&](int32_t a, int32_t b) {
            return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
        });
        for (int64_t i = 0; i < count; ++i) out.top.emplace_back(order[i], logits[order[i]]);
    }
    out.stopReason = "length";
    for (int64_t i = 0; i < options.maxTokens; ++i) {
        if (options.stop.stop_requested()) {
            out.stopReason = "cancelled";
            break;
        }
        const double uniform = double(mixBits(options.seed, uint64_t(i)) >> 11) * 0x1p-53;
        const int32_t id = options.temperature > 0 ? sampleToken(logits, vocab, options.temperature, uniform) : argmax(logits, vocab);
        out.ids.push_back(id);
        if (options.onToken) options.onToken(id);
        if (!options.ignoreEos && std::find(options.eosIds.begin(), options.eosIds.end(), id) != options.eosIds.end()) {
            out.stopReason = "eos";
            break;
        }
        if (i + 1 == options.maxTokens) break;
        if (session.length(0) >= session.model().config().context) {
            out.stopReason = "context";
            break;
        }
        const Row row{id, 0};
        ASSAY_TRY_VOID(session.forward({&row, 1}));
        logits = session.logits(0, 1);
    }
    return out;
}

}  // namespace assay::infer
