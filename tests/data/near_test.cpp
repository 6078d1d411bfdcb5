// Near-duplicates by word shingles: the similarity is Jaccard's, clusters do not grow by chains, exact duplicates are found
// however many there are.
#include "prepare/near.h"

#include "prepare/duplicates.h"

#include <map>
#include <random>

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

// What each of the sketches falls to: itself, or the leader of its cluster.
std::vector<uint64_t> leaders(NearDuplicates& near, const std::vector<std::string>& texts) {
    std::vector<uint64_t> out;
    for (uint64_t d = 0; d < texts.size(); ++d) {
        EXPECT_TRUE(near.add(sketchOf(texts[d]), d, d, static_cast<int64_t>(d) + 1));
        out.push_back(d);
    }
    uint64_t before = 0;
    EXPECT_TRUE(near.findMatches({}, [&](const NearDuplicates::Match& m) {
        EXPECT_GE(m.document, before);  // in order
        EXPECT_EQ(m.line, static_cast<int64_t>(m.document) + 1);
        EXPECT_FALSE(m.heldOut);
        before = m.document + 1;
        out[m.document] = m.leader;
    }));
    return out;
}

TEST(Near, ChainsDoNotGrow_marin6854) {
    // Neighbours share 90 of 100 words: J = 86/106 = 0.81. Two steps apart: 76/116 = 0.66.
    TempFolder folder;
    NearDuplicates near(folder.path(), 0.8);
    std::vector<std::string> texts;
    for (int d = 0; d < 50; ++d) texts.push_back(words(d * 10, d * 10 + 100));
    const std::vector<uint64_t> found = leaders(near, texts);
    std::vector<uint64_t> kept;
    for (uint64_t d = 0; d < found.size(); ++d) {
        if (found[d] == d) kept.push_back(d);
        EXPECT_LE(d - found[d], 1u);  // only what is similar to the leader itself
        EXPECT_EQ(found[found[d]], found[d]);  // a leader stays
    }
    EXPECT_GE(kept.size(), 25u);
    for (size_t i = 1; i < kept.size(); ++i) EXPECT_LE(kept[i] - kept[i - 1], 2u);
}

TEST(Near, ManySimilarDocumentsAreOneCluster) {
    TempFolder folder;
    NearDuplicates near(folder.path(), 0.8);
    std::vector<std::string> texts;
    for (int d = 0; d < 2000; ++d) texts.push_back(words(0, 100) + std::to_string(d));
    const std::vector<uint64_t> found = leaders(near, texts);
    EXPECT_EQ(std::count(found.begin(), found.end(), 0u), 2000);
    EXPECT_EQ(near.clusters(), 1);
    auto largest = near.largest(3);
    ASSERT_TRUE(largest);
    EXPECT_EQ(largest->at(0).leader, 0u);
    EXPECT_EQ(largest->at(0).members, 1999u);
}

// At 0.9 a pair is missed with probability (1 - 0.9^5)^16 = 1e-6; at 0.85 with 1e-4.
TEST(Near, SimilarPairsAreFound) {
    TempFolder folder;
    NearDuplicates near(folder.path(), 0.8);
    std::vector<std::string> texts;
    for (int d = 0; d < 300; ++d) {
        texts.push_back(words(d * 1000, d * 1000 + 200));
        texts.push_back(words(d * 1000 + 10, d * 1000 + 210));  // J = 186/206 = 0.90
    }
    const std::vector<uint64_t> found = leaders(near, texts);
    int pairs = 0;
    for (uint64_t d = 0; d < 300; ++d) pairs += found[2 * d + 1] == 2 * d;
    EXPECT_GE(pairs, 299);
}

TEST(Near, HeldOutDocumentsComeFirst) {
    TempFolder folder;
    for (const bool keep : {false, true}) {
        NearDuplicates near(folder.path(), 0.8);
        ASSERT_TRUE(near.add(sketchOf(words(0, 200)), 1, 0, 1, true));
        ASSERT_TRUE(near.add(sketchOf(words(10, 210)), 2, 11, 1));   // like the held-out one
        ASSERT_TRUE(near.add(sketchOf(words(10, 210)), 2, 12, 2));   // the same again
        ASSERT_TRUE(near.add(sketchOf(words(500, 700)), 3, 13, 3));
        NearDuplicates::Rules rules;
        rules.keepHeldOut = keep;
        std::vector<std::pair<uint64_t, bool>> found;
        ASSERT_TRUE(near.findMatches(rules, [&](const NearDuplicates::Match& m) { found.emplace_back(m.document, m.heldOut); }));
        const std::vector<std::pair<uint64_t, bool>> removed{{11, true}, {12, true}}, kept{{11, true}, {12, true}, {12, false}};
        EXPECT_EQ(found, keep ? kept : removed);
    }
}

TEST(Near, GroupsGrowByConnection) {
    TempFolder folder;
    NearDuplicates near(folder.path(), 0.8);
    // Each next is like the one before; the first and the last are not alike.
    for (uint64_t d = 0; d < 5; ++d) ASSERT_TRUE(near.add(sketchOf(words(static_cast<int>(d) * 5, static_cast<int>(d) * 5 + 200)), d, d + 1, 0));
    ASSERT_TRUE(near.add(sketchOf(words(5000, 5200)), 9, 6, 0));
    std::map<uint64_t, uint64_t> joined;
    ASSERT_TRUE(near.findGroups({}, [&](uint64_t document, uint64_t first) { joined[document] = first; }));
    EXPECT_EQ(joined, (std::map<uint64_t, uint64_t>{{2, 1}, {3, 1}, {4, 1}, {5, 1}}));
}

TEST(Near, SortingOutsideOfMemoryGivesTheSameOrder) {
    TempFolder folder;
    std::mt19937_64 random(7);
    for (const size_t n : {0u, 1u, 1000u, 100'000u}) {
        ExternalSort<uint64_t> sort(folder.path(), 4096);  // 512 values a run
        std::vector<uint64_t> expected, got;
        for (size_t i = 0; i < n; ++i) {
            expected.push_back(random() % 5000);
            ASSERT_TRUE(sort.add(expected.back()));
        }
        EXPECT_EQ(sort.runs() > 0, n > 512);
        std::sort(expected.begin(), expected.end());
        ASSERT_TRUE(sort.finish([&](uint64_t value) -> Result<void> {
            got.push_back(value);
            return {};
        }));
        EXPECT_EQ(got, expected);
    }
}

TEST(Near, ExactDuplicatesBeyondMemory) {
    TempFolder folder;
    ExactDuplicates exact(folder.path());
    constexpr uint64_t kDistinct = 400'000, kDocuments = 1'300'000;  // more than are held in memory
    for (uint64_t d = 0; d < kDocuments; ++d) {
        const uint64_t h = d % kDistinct * 0x9E3779B97F4A7C15ull;
        ASSERT_TRUE(exact.add({~h, h}, d + 1));
    }
    ASSERT_TRUE(exact.addHeldOut({~uint64_t{0}, 0}));  // equals documents 0, kDistinct, …
    std::vector<bool> dropped(kDocuments);
    int64_t count = 0, heldOut = 0;
    ASSERT_TRUE(exact.finish([&](const ExactDuplicates::Match& m) {
        heldOut += m.heldOut;
        if (!m.duplicate) return;
        EXPECT_FALSE(dropped[m.document - 1]);
        dropped[m.document - 1] = true;
        ++count;
    }));
    EXPECT_EQ(count, static_cast<int64_t>(kDocuments - kDistinct));
    EXPECT_EQ(heldOut, 4);  // 0, 400,000, 800,000 and 1,200,000
    for (uint64_t d = 0; d < kDistinct; ++d) ASSERT_FALSE(dropped[d]) << d;
}

}  // namespace
}  // namespace assay::data
