// Near-duplicates by word shingles: the similarity is Jaccard's, clusters do not grow by chains, exact duplicates are found
// however many there are.
#include "prepare/near.h"

#include <set>

#include "support.h"

namespace assay::data {
namespace {

std::string words(int from, int to) {
    std::string out;
    for (int i = from; i < to; ++i) out += "w" + std::to_string(i) + " ";
    return out;
}
double similarity(const std::string& a, const std::string& b) {
    const NearSketch x = sketchOf(a), y = sketchOf(b);
    return jaccard(x.shingles.data(), x.shingles.size(), y.shingles.data(), y.shingles.size());
}

TEST(Near, JaccardByArithmetic) {
    // 100 words: 96 shingles of five. Words 0-99 and 10-109 share the 86 shingles of words 10-99.
    EXPECT_EQ(sketchOf(words(0, 100)).shingles.size(), 96u);
    EXPECT_DOUBLE_EQ(similarity(words(0, 100), words(10, 110)), 86.0 / (96 + 96 - 86));
    EXPECT_DOUBLE_EQ(similarity(words(0, 100), words(0, 100)), 1);
    EXPECT_DOUBLE_EQ(similarity(words(0, 100), words(200, 300)), 0);
    EXPECT_DOUBLE_EQ(similarity("One, two!", "one two"), 1);  // signs and case are no difference
    EXPECT_DOUBLE_EQ(similarity("one two", "one three"), 0);  // fewer than five words are one shingle
    EXPECT_EQ(sketchOf("\xE4\xB8\xAD\xE6\x96\x87\xE5\xAD\x97\xE7\xAC\xA6\xE4\xB8\xB2\xE4\xB8\xAD").shingles.size(), 2u);  // six characters, each a word
}

TEST(Near, ChainsDoNotGrow_marin6854) {
    // Neighbours share 90 of 100 words: J = 86/106 = 0.81. Two steps apart: 76/116 = 0.66.
    TempFolder folder;
    NearDuplicates near(folder.path(), 0.8, false);
    std::vector<uint64_t> kept;
    for (uint64_t d = 0; d < 50; ++d) {
        auto found = near.add(sketchOf(words(static_cast<int>(d) * 10, static_cast<int>(d) * 10 + 100)), d, d);
        ASSERT_TRUE(found);
        if (found->leader == d) kept.push_back(d);
        EXPECT_LE(d - found->leader, 1u);  // only what is similar to the leader itself
    }
    EXPECT_GE(kept.size(), 25u);
    for (size_t i = 1; i < kept.size(); ++i) EXPECT_LE(kept[i] - kept[i - 1], 2u);
}

TEST(Near, ManySimilarDocumentsAreOneCluster) {
    TempFolder folder;
    NearDuplicates near(folder.path(), 0.8, false);
    int64_t kept = 0;
    for (uint64_t d = 0; d < 2000; ++d) {
        auto found = near.add(sketchOf(words(0, 100) + std::to_string(d)), d, d);
        ASSERT_TRUE(found);
        kept += found->leader == d;
    }
    EXPECT_EQ(kept, 1);
    EXPECT_EQ(near.clusters(), 1);
    EXPECT_EQ(near.largest(3)[0].members, 1999u);
}

// At 0.9 a pair is missed with probability (1 - 0.9^5)^16 = 1e-6; at 0.85 with 1e-4.
TEST(Near, SimilarPairsAreFound) {
    TempFolder folder;
    NearDuplicates near(folder.path(), 0.8, false);
    int found = 0;
    for (uint64_t d = 0; d < 300; ++d) {
        const int base = static_cast<int>(d) * 1000;
        ASSERT_TRUE(near.add(sketchOf(words(base, base + 200)), 2 * d, 2 * d));
        auto second = near.add(sketchOf(words(base + 10, base + 210)), 2 * d + 1, 2 * d + 1);  // J = 186/206 = 0.90
        ASSERT_TRUE(second);
        found += second->leader == 2 * d;
    }
    EXPECT_GE(found, 299);
}

TEST(Near, ExactDuplicatesBeyondMemory) {
    TempFolder folder;
    ExactDuplicates exact(folder.path());
    constexpr uint64_t kDistinct = 400'000, kDocuments = 1'300'000;  // more than are held in memory
    for (uint64_t d = 0; d < kDocuments; ++d) {
        const uint64_t h = d % kDistinct * 0x9E3779B97F4A7C15ull;
        ASSERT_TRUE(exact.add({~h, h}, d));
    }
    std::vector<bool> dropped(kDocuments);
    int64_t count = 0;
    ASSERT_TRUE(exact.finish([&](uint64_t d) {
        EXPECT_FALSE(dropped[d]);
        dropped[d] = true;
        ++count;
    }));
    EXPECT_EQ(count, static_cast<int64_t>(kDocuments - kDistinct));
    for (uint64_t d = 0; d < kDistinct; ++d) ASSERT_FALSE(dropped[d]) << d;
}

}  // namespace
}  // namespace assay::data
