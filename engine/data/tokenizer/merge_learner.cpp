#include "tokenizer/merge_learner.h"

#include <algorithm>

namespace assay::data {

void MergeLearner::addWord(std::vector<int32_t> symbols, int64_t count) { words_.push_back({std::move(symbols), count}); }

void MergeLearner::change(uint64_t pair, int64_t by, uint32_t word) {
    PairInfo& info = pairs_[pair];
    info.count += by;
    if (by > 0 && (info.words.empty() || info.words.back() != word)) info.words.push_back(word);
}

Result<void> MergeLearner::learn(const std::function<bool()>& more, const std::function<int32_t(int32_t left, int32_t right)>& join, const std::stop_token& stop) {
    for (uint32_t w = 0; w < words_.size(); ++w) {
        const auto& s = words_[w].symbols;
        for (size_t i = 0; i + 1 < s.size(); ++i) change(keyOf(s[i], s[i + 1]), words_[w].count, w);
    }
    for (const auto& [pair, info] : pairs_) queue_.push({info.count, pair});
    for (uint64_t n = 0; !queue_.empty() && more();) {
        const Candidate top = queue_.top();
        queue_.pop();
        const int64_t count = pairs_[top.pair].count;
        if (count != top.count) {  // counts only fall for queued pairs of old symbols: queue the true value
            if (count > 1) queue_.push({count, top.pair});
            continue;
        }
        if (count < 2) break;
        if ((n++ & 63) == 0 && stop.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
        merge(top.pair, join(static_cast<int32_t>(top.pair >> 32), static_cast<int32_t>(top.pair & UINT32_MAX)));
    }
    return {};
}

void MergeLearner::merge(uint64_t pair, int32_t fresh) {
    const auto left = static_cast<int32_t>(pair >> 32), right = static_cast<int32_t>(pair & UINT32_MAX);
    std::vector<uint32_t> where = std::move(pairs_[pair].words);
    std::sort(where.begin(), where.end());
    where.erase(std::unique(where.begin(), where.end()), where.end());
    std::vector<uint64_t> grown;
    for (const uint32_t w : where) {
        Word& word = words_[w];
        auto& s = word.symbols;
        size_t out = 0;
        for (size_t i = 0; i < s.size();) {
            if (i + 1 == s.size() || s[i] != left || s[i + 1] != right) {
                s[out++] = s[i++];
                continue;
            }
            // Left neighbour as already rewritten, right neighbour as it still stands.
            if (out > 0) {
                change(keyOf(s[out - 1], left), -word.count, w);
                grown.push_back(keyOf(s[out - 1], fresh));
                change(grown.back(), word.count, w);
            }
            if (i + 2 < s.size()) {
                change(keyOf(right, s[i + 2]), -word.count, w);
                grown.push_back(keyOf(fresh, s[i + 2]));
                change(grown.back(), word.count, w);
            }
            s[out++] = fresh;
            i += 2;
        }
        s.resize(out);
    }
    pairs_[pair].count = 0;
    pairs_[pair].words.clear();
    std::sort(grown.begin(), grown.end());
    grown.erase(std::unique(grown.begin(), grown.end()), grown.end());
    for (const uint64_t p : grown)
        if (const int64_t count = pairs_[p].count; count > 0) queue_.push({count, p});
}

}  // namespace assay::data
