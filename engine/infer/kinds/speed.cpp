#include "kinds/speed.h"

#include <assay/infer/generate.h>

#include <assay/core/clock.h>
#include <assay/core/random.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::infer {

Result<SpeedSample> timeOnce(Session& session, const Shape& shape, uint64_t seed) {
    const int64_t vocab = session.model().config().vocab;
    const auto tokens = [&](int64_t sequence, int64_t from, int64_t count) {
        std::vector<int32_t> ids(count);
        for (int64_t i = 0; i < count; ++i) ids[i] = int32_t(mixBits(seed + uint64_t(sequence), uint64_t(from + i)) % uint64_t(vocab));
        return ids;
    };
    std::vector<std::vector<int32_t>> prompts;
    for (int64_t s = 0; s < shape.batch; ++s) {
        session.clear(int32_t(s));
        if (shape.depth > 0) ASSAY_TRY_VOID(session.prefill(tokens(s, 0, shape.depth), int32_t(s)));
        prompts.push_back(tokens(s, shape.depth, shape.prefill));
    }
    SpeedSample sample;
    std::vector<Row> next(shape.batch);
    const double start = monotonicSeconds();
    for (int64_t s = 0; s < shape.batch; ++s) {
        ASSAY_TRY_VOID(session.prefill(prompts[s], int32_t(s)));
        next[s] = {argmax(session.logits(session.rows() - 1, 1), vocab), int32_t(s)};
    }
    const double first = monotonicSeconds();
    for (int64_t step = 0; step < shape.decode; ++step) {
        ASSAY_TRY_VOID(session.forward(next));
        const float* logits = session.logits(0, shape.batch);
        for (int64_t s = 0; s < shape.batch; ++s) next[s].id = argmax(logits + s * vocab, vocab);
    }
    const double end = monotonicSeconds();
    sample.prefillTokensPerS = double(shape.batch * shape.prefill) / (first - start);
    sample.ttftMs = (first - start) / double(shape.batch) * 1000;
    if (shape.decode > 0) {
        sample.decodeTokensPerS = double(shape.batch * shape.decode) / (end - first);
        sample.tpotMs = (end - first) / double(shape.decode) * 1000;
    }
    return sample;
}

double median(std::vector<double> values) {
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    std::sort(values.begin(), values.end());
    const size_t n = values.size();
    return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

double standardError(const std::vector<double>& values) {
    const double n = double(values.size());
    if (values.size() < 2) return std::numeric_limits<double>::quiet_NaN();
    double mean = 0, squares = 0;
    for (const double v : values) mean += v / n;
    for (const double v : values) squares += (v - mean) * (v - mean);
    return std::sqrt(squares / (n - 1) / n);
}

}  // namespace assay::infer
