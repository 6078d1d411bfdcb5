#pragma once
// Learns which neighbouring symbols of words to merge (Sennrich et al. 2016). Deterministic: the most frequent pair first, of
// equals the one with the smaller ids. What a merged symbol is called is the caller's.
#include <assay/core/error.h>

#include <cstdint>
#include <functional>
#include <queue>
#include <stop_token>
#include <unordered_map>
#include <vector>

namespace assay::data {

class MergeLearner {
public:
    void addWord(std::vector<int32_t> symbols, int64_t count);
    // Merges while `more` holds and a pair is left that occurs twice. `join`: id of the symbol that the two become; a new one
    // or one that is there already. kCancelled when stopped.
    Result<void> learn(const std::function<bool()>& more, const std::function<int32_t(int32_t left, int32_t right)>& join, const std::stop_token& stop);

private:
    struct Word {
        std::vector<int32_t> symbols;
        int64_t count = 0;
    };
    struct PairInfo {
        int64_t count = 0;
        std::vector<uint32_t> words;  // where it occurs; may name a word twice or one it has left
    };
    struct Candidate {
        int64_t count;
        uint64_t pair;
        bool operator<(const Candidate& o) const { return count != o.count ? count < o.count : pair > o.pair; }
    };
    static uint64_t keyOf(int32_t a, int32_t b) { return static_cast<uint64_t>(static_cast<uint32_t>(a)) << 32 | static_cast<uint32_t>(b); }
    void change(uint64_t pair, int64_t by, uint32_t word);
    void merge(uint64_t pair, int32_t fresh);

    std::vector<Word> words_;
    std::unordered_map<uint64_t, PairInfo> pairs_;
    std::priority_queue<Candidate> queue_;
};

}  // namespace assay::data
