#include "prepare/bigram.h"

#include <algorithm>

namespace assay::data {
namespace {
// D = n1/(n1 + 2 n2); one half where the text has no singletons or no doubletons to estimate it from.
double estimate(int64_t ones, int64_t twos) {
    return ones == 0 || twos == 0 ? 0.5 : static_cast<double>(ones) / static_cast<double>(ones + 2 * twos);
}
}  // namespace

BigramModel::BigramModel(std::vector<uint64_t> pairs, int64_t vocab) : vocab_(vocab) {
    std::sort(pairs.begin(), pairs.end());
    int64_t ones = 0, twos = 0;
    for (size_t i = 0; i < pairs.size();) {
        size_t j = i;
        while (j < pairs.size() && pairs[j] == pairs[i]) ++j;
        const auto count = static_cast<int64_t>(j - i);
        keys_.push_back(pairs[i]);
        counts_.push_back(static_cast<uint32_t>(count));
        ones += count == 1;
        twos += count == 2;
        History& h = histories_[static_cast<int32_t>(pairs[i] >> 32)];
        h.count += count;
        ++h.distinct;
        ++continuations_[static_cast<int32_t>(pairs[i] & UINT32_MAX)];
        i = j;
    }
    discount_ = estimate(ones, twos);
    ones = twos = 0;
    for (const auto& [word, count] : continuations_) {
        ones += count == 1;
        twos += count == 2;
    }
    lowerDiscount_ = estimate(ones, twos);
    distinctPairs_ = static_cast<int64_t>(keys_.size());
    seenWords_ = static_cast<int64_t>(continuations_.size());
}

double BigramModel::probability(int32_t previous, int32_t next) const {
    const double uniform = 1.0 / static_cast<double>(vocab_);
    double lower = uniform;
    if (distinctPairs_ > 0) {
        const auto total = static_cast<double>(distinctPairs_);
        const auto found = continuations_.find(next);
        const double seen = found == continuations_.end() ? 0 : static_cast<double>(found->second);
        lower = std::max(seen - lowerDiscount_, 0.0) / total + lowerDiscount_ * static_cast<double>(seenWords_) / total * uniform;
    }
    const auto history = histories_.find(previous);
    if (history == histories_.end()) return lower;
    const auto total = static_cast<double>(history->second.count);
    const auto at = std::lower_bound(keys_.begin(), keys_.end(), bigramKey(previous, next));
    const double seen = at != keys_.end() && *at == bigramKey(previous, next) ? counts_[static_cast<size_t>(at - keys_.begin())] : 0.0;
    return std::max(seen - discount_, 0.0) / total + discount_ * static_cast<double>(history->second.distinct) / total * lower;
}

}  // namespace assay::data
