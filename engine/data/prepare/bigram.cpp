#include "prepare/bigram.h"

#include <assay/core/random.h>

#include <algorithm>

namespace assay::data {
namespace {
// D = n1/(n1 + 2 n2); one half where the text has no singletons or no doubletons to estimate it from.
double estimate(int64_t ones, int64_t twos) {
    return ones == 0 || twos == 0 ? 0.5 : static_cast<double>(ones) / static_cast<double>(ones + 2 * twos);
}
}  // namespace

void BigramCounter::grow() {
    std::vector<uint64_t> keys(std::max<size_t>(keys_.size() * 2, 1 << 12));
    std::vector<uint32_t> counts(keys.size());
    for (size_t i = 0; i < keys_.size(); ++i) {
        if (counts_[i] == 0) continue;
        size_t at = mixBits(keys_[i]) & (keys.size() - 1);
        while (counts[at] > 0) at = (at + 1) & (keys.size() - 1);
        keys[at] = keys_[i];
        counts[at] = counts_[i];
    }
    keys_ = std::move(keys);
    counts_ = std::move(counts);
}

void BigramCounter::add(uint64_t pair) {
    if (overflowed_) return;
    if ((used_ + 1) * 4 > keys_.size() * 3) grow();
    size_t at = mixBits(pair) & (keys_.size() - 1);
    while (counts_[at] > 0 && keys_[at] != pair) at = (at + 1) & (keys_.size() - 1);
    if (counts_[at] == 0) {
        if (used_ >= most_) {
            overflowed_ = true;
            keys_ = {};
            counts_ = {};
            return;
        }
        ++used_;
        keys_[at] = pair;
    }
    if (counts_[at] < UINT32_MAX) ++counts_[at];
    ++total_;
}

std::vector<BigramCounter::Entry> BigramCounter::sorted() const {
    std::vector<Entry> out;
    out.reserve(used_);
    each([&](uint64_t pair, uint32_t count) { out.push_back({pair, count}); });
    std::sort(out.begin(), out.end(), [](const Entry& a, const Entry& b) { return a.pair < b.pair; });
    return out;
}

BigramModel::BigramModel(std::vector<uint64_t> pairs, int64_t vocab) : vocab_(vocab) {
    std::sort(pairs.begin(), pairs.end());
    std::vector<BigramCounter::Entry> entries;
    for (size_t i = 0; i < pairs.size();) {
        size_t j = i;
        while (j < pairs.size() && pairs[j] == pairs[i]) ++j;
        entries.push_back({pairs[i], static_cast<uint32_t>(j - i)});
        i = j;
    }
    fill(entries);
}

BigramModel::BigramModel(const BigramCounter& pairs, int64_t vocab) : vocab_(vocab) { fill(pairs.sorted()); }

void BigramModel::fill(const std::vector<BigramCounter::Entry>& pairs) {
    int64_t ones = 0, twos = 0;
    for (const auto& [pair, times] : pairs) {
        const auto count = static_cast<int64_t>(times);
        keys_.push_back(pair);
        counts_.push_back(times);
        ones += count == 1;
        twos += count == 2;
        History& h = histories_[static_cast<int32_t>(pair >> 32)];
        h.count += count;
        ++h.distinct;
        ++continuations_[static_cast<int32_t>(pair & UINT32_MAX)];
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
