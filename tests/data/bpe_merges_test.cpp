#include "tokenizer/bpe_merges.h"

#include <assay/core/random.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tokenizer/byte_trie.h"

namespace assay::data {
namespace {

// Merges over the symbols 0 to 3. `rising`: each is of symbols made before, as a trainer writes them; otherwise in any order,
// so that a merge can make a pair of a lower rank.
std::vector<ModelData::Merge> randomMerges(uint64_t key, bool rising) {
    std::vector<ModelData::Merge> out;
    std::set<std::pair<int32_t, int32_t>> seen;
    int32_t tokens = 4;
    for (uint64_t i = 0; i < 40; ++i) {
        const auto left = static_cast<int32_t>(mixBits(key, 2 * i) % static_cast<uint64_t>(tokens)), right = static_cast<int32_t>(mixBits(key, 2 * i + 1) % static_cast<uint64_t>(tokens));
        if (!seen.emplace(left, right).second) continue;
        out.push_back({left, right, tokens++, static_cast<uint32_t>(out.size())});
    }
    if (!rising)
        for (size_t i = out.size(); i > 1; --i) std::swap(out[i - 1].rank, out[mixBits(key, 1000 + i) % i].rank);
    return out;
}

TEST(BpeMerges, EveryWayEqualsTheDefinition) {
    for (const bool rising : {true, false})
        for (uint64_t key = 0; key < 400; ++key) {
            BpeMerges merges;
            merges.build(randomMerges(key, rising));
            const size_t length = key % 4 == 0 ? 1 + mixBits(key, 7) % 600 : 1 + mixBits(key, 7) % (BpeMerges::kShort + 8);
            const uint64_t symbols = 1 + mixBits(key, 8) % 4;  // runs of one symbol too
            std::vector<BpeSymbol> fast;
            for (size_t i = 0; i < length; ++i) fast.push_back({static_cast<int32_t>(mixBits(key, 2000 + i) % symbols), static_cast<uint32_t>(i + 1)});
            std::vector<BpeSymbol> plain = fast;
            merges.merge(fast);
            merges.mergePlainly(plain);
            ASSERT_EQ(fast.size(), plain.size()) << key << rising;
            for (size_t i = 0; i < fast.size(); ++i) ASSERT_TRUE(fast[i].id == plain[i].id && fast[i].end == plain[i].end) << key << rising;
        }
}

// A merge that makes a pair of a lower rank, over and over: no order of the work may cost the square of the length.
TEST(BpeMerges, LowerRanksAfterHigherOnesStayQuick) {
    const std::vector<ModelData::Merge> list{{3, 2, 4, 0}, {0, 1, 3, 1}};
    BpeMerges merges;
    merges.build(list);
    std::vector<BpeSymbol> symbols;
    constexpr uint32_t kTimes = 200'000;
    for (uint32_t i = 0; i < 3 * kTimes; ++i) symbols.push_back({static_cast<int32_t>(i % 3), i + 1});
    merges.merge(symbols);  // 0 1 2 0 1 2 … becomes 4 4 …; ctest stops it if it takes minutes
    ASSERT_EQ(symbols.size(), kTimes);
    EXPECT_EQ(symbols.back().id, 4);
    EXPECT_EQ(symbols.back().end, 3 * kTimes);
}

TEST(ByteTrie, FindsWhatWasPutIn) {
    std::vector<std::string> words;
    for (uint64_t i = 0; i < 3000; ++i) {
        std::string w;
        for (uint64_t k = 0; k <= mixBits(i, 1) % 9; ++k) w += static_cast<char>(k % 3 == 0 ? mixBits(i, 10 + k) : 'a' + mixBits(i, 10 + k) % 4);
        words.push_back(w);
    }
    words.push_back(words.front());  // the first of equal keys stays
    ByteTrie trie;
    std::map<std::string, int32_t> expected[2];
    ByteTrie::Node roots[2];
    for (int r = 0; r < 2; ++r) {
        std::vector<std::pair<std::string_view, int32_t>> keys;
        for (size_t i = static_cast<size_t>(r); i < words.size(); i += static_cast<size_t>(r) + 1) {
            keys.emplace_back(words[i], static_cast<int32_t>(i));
            expected[r].emplace(words[i], static_cast<int32_t>(i));
        }
        roots[r] = trie.addRoot(std::move(keys));
    }
    for (int r = 0; r < 2; ++r)
        for (const std::string& word : words) {
            ByteTrie::Node node = roots[r];
            for (size_t i = 0; i < word.size() && node != ByteTrie::kNoNode; ++i) {
                node = trie.child(node, static_cast<unsigned char>(word[i]));
                const auto found = expected[r].find(word.substr(0, i + 1));
                ASSERT_EQ(node == ByteTrie::kNoNode ? -1 : trie.value(node), found == expected[r].end() ? -1 : found->second);
            }
        }
}

}  // namespace
}  // namespace assay::data
