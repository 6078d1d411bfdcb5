#pragma once
// Prefill and decode timing of models that are measured against each other.
#include <assay/infer/session.h>

#include <stop_token>

namespace assay::infer {

struct Shape {
    int64_t prefill = 128, decode = 64, batch = 1, depth = 0;
};
struct SpeedSample {
    double prefillTokensPerS = 0, decodeTokensPerS = 0, ttftMs = 0, tpotMs = 0;
};
// One repeat: the caches hold `depth` tokens (untimed); then all prompts are prefilled (timed; TTFT = the wait of one
// prompt until its first token is chosen), then `decode` steps of all sequences, greedy (timed).
Result<SpeedSample> timeOnce(Session& session, const Shape& shape, uint64_t seed);

double median(std::vector<double> values);
double standardError(const std::vector<double>& values);  // sd / √n; NaN for one value

}  // namespace assay::infer
