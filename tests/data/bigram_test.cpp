#include "prepare/bigram.h"

#include <gtest/gtest.h>

#include <cmath>

namespace assay::data {
namespace {

// Pairs: (0,1) three times, (0,2) twice, (1,2) once, (2,0) once; vocabulary 4.
std::vector<uint64_t> corpus() {
    return {bigramKey(0, 1), bigramKey(0, 1), bigramKey(0, 1), bigramKey(0, 2), bigramKey(0, 2), bigramKey(1, 2), bigramKey(2, 0)};
}

TEST(Bigram, WorkedOutByHand) {
    const BigramModel m(corpus(), 4);
    // n1 = 2, n2 = 1: D = 2/(2 + 2) = 1/2.  Continuations: 1 from {0}, 2 from {0, 1}, 0 from {2}: n1 = 2, n2 = 1: E = 1/2.
    EXPECT_DOUBLE_EQ(m.discount(), 0.5);
    // Four distinct pairs, three words seen: p(w) = max(N - 1/2, 0)/4 + (1/2 · 3/4) · 1/4
    const double one = 0.5 / 4 + 0.375 / 4, two = 1.5 / 4 + 0.375 / 4, unseen = 0.375 / 4;
    EXPECT_DOUBLE_EQ(m.probability(3, 1), one);      // a history never seen
    EXPECT_DOUBLE_EQ(m.probability(3, 3), unseen);
    // c(0) = 5 with two continuations: (3 - 1/2)/5 + 1/2 · 2/5 · p(1)
    EXPECT_DOUBLE_EQ(m.probability(0, 1), 2.5 / 5 + 0.2 * one);
    EXPECT_DOUBLE_EQ(m.probability(0, 2), 1.5 / 5 + 0.2 * two);
    EXPECT_DOUBLE_EQ(m.probability(0, 3), 0.2 * unseen);
    EXPECT_DOUBLE_EQ(m.probability(1, 2), 0.5 / 1 + 0.5 * two);
}

TEST(Bigram, ProbabilitiesSumToOne) {
    const BigramModel m(corpus(), 4);
    for (int history = 0; history < 4; ++history) {
        double sum = 0;
        for (int word = 0; word < 4; ++word) sum += m.probability(history, word);
        EXPECT_NEAR(sum, 1, 1e-12) << history;
    }
}

TEST(Bigram, NothingSeenIsUniform) {
    const BigramModel m({}, 8);
    EXPECT_DOUBLE_EQ(m.probability(1, 2), 1.0 / 8);
}

}  // namespace
}  // namespace assay::data
