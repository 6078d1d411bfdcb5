#pragma once
// Interpolated Kneser-Ney bigram model (Chen & Goodman 1998): the yardstick that a trained model must beat.
//   p(w | h) = max(c(h,w) - D, 0)/c(h) + D·N1+(h·)/c(h) · p(w)
//   p(w)     = max(N1+(·w) - E, 0)/N1+(··) + E·|{w: N1+(·w) > 0}|/N1+(··) · 1/V
// with D = n1/(n1 + 2 n2) from the counts of pairs and E likewise from the continuation counts; an unseen h gives p(w).
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace assay::data {

// Pair → how often, in memory that ends at a few million different pairs: then there is no yardstick.
class BigramCounter {
public:
    explicit BigramCounter(size_t mostPairs) : most_(mostPairs) {}
    void add(uint64_t pair);
    bool overflowed() const { return overflowed_; }
    int64_t total() const { return total_; }
    size_t pairs() const { return used_; }
    struct Entry {
        uint64_t pair;
        uint32_t count;
    };
    std::vector<Entry> sorted() const;  // ascending
    template <class Each>
    void each(Each&& each) const {
        for (size_t i = 0; i < keys_.size(); ++i)
            if (counts_[i] > 0) each(keys_[i], counts_[i]);
    }

private:
    void grow();
    size_t most_, used_ = 0;
    bool overflowed_ = false;
    int64_t total_ = 0;
    std::vector<uint64_t> keys_;
    std::vector<uint32_t> counts_;  // 0: free
};

class BigramModel {
public:
    // `pairs`: previous id << 32 | next id, one entry per scored position, in any order.
    BigramModel(std::vector<uint64_t> pairs, int64_t vocab);
    BigramModel(const BigramCounter& pairs, int64_t vocab);
    double probability(int32_t previous, int32_t next) const;
    double discount() const { return discount_; }

private:
    void fill(const std::vector<BigramCounter::Entry>& pairs);
    struct History {
        int64_t count = 0, distinct = 0;
    };
    int64_t vocab_;
    double discount_ = 0.5, lowerDiscount_ = 0.5;
    int64_t distinctPairs_ = 0, seenWords_ = 0;
    std::vector<uint64_t> keys_;     // distinct pairs, ascending
    std::vector<uint32_t> counts_;
    std::unordered_map<int32_t, History> histories_;
    std::unordered_map<int32_t, int64_t> continuations_;  // N1+(·w)
};

inline uint64_t bigramKey(int32_t previous, int32_t next) {
    return static_cast<uint64_t>(static_cast<uint32_t>(previous)) << 32 | static_cast<uint32_t>(next);
}

}  // namespace assay::data
