#include "assay/core/ids.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>
#include <vector>

#include "assay/core/clock.h"

namespace assay {
namespace {

// The time part in milliseconds since 2025-01-01, by Crockford's alphabet (no i, l, o, u).
uint64_t timeOf(const std::string& id) {
    uint64_t value = 0;
    for (char c : id.substr(0, 8))
        value = value * 32 + std::string("0123456789abcdefghjkmnpqrstvwxyz").find(c);
    return value;
}

TEST(Ids, carryTheTimeInSortOrder) {
    const double before = wallSeconds();
    const std::string id = newRunId();
    const double after = wallSeconds();
    ASSERT_TRUE(isRunId(id)) << id;
    const double seconds = 1735689600.0 + static_cast<double>(timeOf(id)) / 1000.0;
    EXPECT_GE(seconds, before - 0.002);
    EXPECT_LE(seconds, after + 0.002);
    EXPECT_LT(timeOf(id) >> 39, 1u) << "more than half of the range is used up";
}

TEST(Ids, areStrictlyIncreasingInOneThread) {
    std::string previous = newRunId();
    for (int i = 0; i < 100000; ++i) {
        std::string next = newRunId();
        ASSERT_LT(previous, next);
        previous = std::move(next);
    }
}

TEST(Ids, areUniqueOverThreads) {
    std::vector<std::vector<std::string>> made(4);
    std::vector<std::thread> threads;
    for (auto& list : made)
        threads.emplace_back([&list] {
            for (int i = 0; i < 5000; ++i)
                list.push_back(newRunId());
        });
    for (auto& thread : threads)
        thread.join();
    std::set<std::string> all;
    for (const auto& list : made)
        all.insert(list.begin(), list.end());
    EXPECT_EQ(all.size(), 20000u);
}

TEST(Ids, recogniseOnlyTheirOwnForm) {
    EXPECT_TRUE(isRunId("0123456789abc"));
    for (const char* text : {"", "0123456789ab", "0123456789abcd", "0123456789ABC", "0123456789abi",
                             "0123456789ab/", "../../../etc/"})
        EXPECT_FALSE(isRunId(text)) << text;
}

TEST(Ids, randomHexIsHexAndDiffers) {
    const std::string a = randomHex(32), b = randomHex(32);
    EXPECT_EQ(a.size(), 64u);
    EXPECT_EQ(a.find_first_not_of("0123456789abcdef"), std::string::npos);
    EXPECT_NE(a, b);
    EXPECT_EQ(randomHex(0), "");
}

}  // namespace
}  // namespace assay
