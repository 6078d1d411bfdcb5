#pragma once
// Text generation from one prompt.

#include <assay/infer/session.h>

#include <functional>
#include <stop_token>
#include <utility>
#include <vector>

namespace assay::infer {

struct GenerateOptions {
    int64_t maxTokens = 64;
    double temperature = 0;      // 0: greedy, the smallest id of equal logits
    uint64_t seed = 0;           // token i of a seed is a pure function of (seed, i, logits)
    bool ignoreEos = false;      // go on past EOS; logits are not altered
    std::vector<int64_t> eosIds;
    int64_t top = 0;             // logits of the last prompt position to return
    std::function<void(int32_t id)> onToken;
    std::stop_token stop;
};
struct Generated {
    std::vector<int32_t> ids;    // EOS included
    std::vector<std::pair<int32_t, float>> top;  // descending, equal logits by id
    std::string stopReason;      // "eos", "length", "context", "cancelled"
};
Result<Generated> generate(Session& session, std::span<const int32_t> prompt, const GenerateOptions& options);

int32_t argmax(const float* logits, int64_t n);
// A uniform number in [0, 1) chooses among softmax(logits / temperature), accumulated in fp64.
int32_t sampleToken(const float* logits, int64_t n, double temperature, double uniform);

}  // namespace assay::infer
