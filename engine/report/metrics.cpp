#include <assay/report/comparison.h>

#include "mark.h"

namespace assay::report {

const std::vector<Metric>& metrics() {
    static const std::vector<Metric> kMetrics{
        {"cost.usd_per_1m_output_tokens", L("USD per 1M output tokens"), "USD", true, &Setup::usdPer1mOutputTokens,
         L("Price of an hour of the machine divided by the tokens it decodes in that hour, times one million. Electricity is added when its price is given and the power was measured.")},
        {"cost.usd_per_run", L("USD per run"), "USD", true, &Setup::usdPerRun,
         L("Hours that the runs of the experiment took, summed over their ranks, times the price of an hour. It is what the whole experiment cost, so set-ups of one experiment share it.")},
        {"accuracy.perplexity", L("Perplexity"), "", true, &Setup::perplexity,
         L("Exponential of the mean negative log-likelihood of the scored tokens. Mode full: the text is cut into windows that do not overlap, and every token but the first of its window is scored; mode half: only the second half of each whole window.")},
        {"accuracy.perplexity_ratio", L("Perplexity ratio"), "", true, &Setup::perplexityRatio,
         L("Perplexity divided by that of the baseline. From paired differences of the same windows where both were measured together; otherwise the two standard errors are combined as if independent. 1 means no loss.")},
        {"accuracy.bits_per_byte", L("Bits per byte"), "bit", true, &Setup::bitsPerByte,
         L("Negative log-likelihood of the text in bits, divided by its bytes. Comparable between tokenizers.")},
        {"accuracy.kl_divergence", L("KL divergence"), "nat", true, &Setup::klDivergence,
         L("Mean over tokens of the Kullback-Leibler divergence from the full-precision model's distribution to this one's. 0 for identical models.")},
        {"accuracy.same_top1", L("Same top-1"), "", false, &Setup::sameTop1,
         L("Share of tokens for which the most probable next token is the full-precision model's.")},
        {"accuracy.eval_loss", L("Held-out loss"), "nat", true, &Setup::evalLoss,
         L("Mean negative log-likelihood of the labelled held-out tokens at the end of the training, in nats. Only comparable where the same tokens are labelled and the tokenizer is the same.")},
        {"speed.prefill_tokens_per_s", L("Prefill"), "tokens/s", false, &Setup::prefillTokensPerS, L("Prompt tokens computed divided by the time to compute them; median of the repeats.")},
        {"speed.decode_tokens_per_s", L("Decode"), "tokens/s", false, &Setup::decodeTokensPerS, L("Tokens generated after the first divided by the time from the first to the last; median of the repeats.")},
        {"speed.train_tokens_per_s", L("Training"), "tokens/s", false, &Setup::trainTokensPerS, L("Real tokens (no padding) divided by the time of the training steps.")},
        {"speed.train_step_ms", L("Training step"), "ms", true, &Setup::trainStepMs, L("Time of one optimizer step with the wait for its data; median over the steps.")},
        {"speed.ttft_ms", L("Time to first token"), "ms", true, &Setup::ttftMs, L("From the arrival of a request to its first token.")},
        {"speed.tpot_ms", L("Time per output token"), "ms", true, &Setup::tpotMs, L("Time from the first to the last token divided by the number of tokens after the first.")},
        {"bytes.weights", L("Weights"), "bytes", true, &Setup::weightBytes, L("Bytes of the weights that are resident while decoding, read from the allocator.")},
        {"bytes.peak", L("Peak memory"), "bytes", true, &Setup::peakBytes, L("Most tensor bytes alive at one time during the benchmark.")},
        {"bytes.train_peak", L("Training memory"), "bytes", true, &Setup::trainPeakBytes, L("Most tensor bytes alive at one time while training, in one process.")},
    };
    return kMetrics;
}

const Metric* findMetric(std::string_view name) {
    const Metric* found = nullptr;
    for (const Metric& metric : metrics()) {
        const std::string_view full = metric.name;
        if (full == name) return &metric;
        if (full.substr(full.find('.') + 1) == name) found = &metric;  // the last parts are unique
    }
    return found;
}

}  // namespace assay::report

