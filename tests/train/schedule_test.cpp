#include "assay/train/schedule.h"

#include <gtest/gtest.h>

#include <cmath>

namespace assay::train {
namespace {

config::ScheduleSpec spec(const char* name, int64_t warmup, double minLr) { return {name, warmup, minLr}; }

class EverySchedule : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Registry, EverySchedule, ::testing::Values("constant", "linear", "cosine", "wsd"));

TEST(Schedules, TheTestsCoverTheRegistry) { EXPECT_EQ(scheduleNames(), (std::vector<std::string_view>{"constant", "linear", "cosine", "wsd"})); }

TEST_P(EverySchedule, WarmUpStartsAtOneShareAndEndsAtThePeak) {
    const auto s = spec(GetParam().c_str(), 10, 0);
    for (int64_t step = 0; step < 10; ++step) EXPECT_DOUBLE_EQ(learningRate(s, 0.5, step, 100), 0.5 * static_cast<double>(step + 1) / 10);
    EXPECT_DOUBLE_EQ(learningRate(s, 0.5, 10, 100), 0.5);
}

TEST_P(EverySchedule, EndsAtTheMinimumAndNeverRises) {
    const auto s = spec(GetParam().c_str(), 5, 0.01);
    const double end = GetParam() == "constant" ? 0.5 : 0.01;
    EXPECT_NEAR(learningRate(s, 0.5, 99, 100), end, 1e-12);
    EXPECT_NEAR(learningRate(s, 0.5, 500, 100), end, 1e-12);
    for (int64_t step = 6; step < 100; ++step) EXPECT_LE(learningRate(s, 0.5, step, 100), learningRate(s, 0.5, step - 1, 100) + 1e-15);
}

TEST_P(EverySchedule, WarmUpAsLongAsTheRunIsFine) {
    const auto s = spec(GetParam().c_str(), 3, 0);
    for (int64_t step = 0; step < 3; ++step) EXPECT_TRUE(std::isfinite(learningRate(s, 1, step, 3)));
    EXPECT_TRUE(std::isfinite(learningRate(spec(GetParam().c_str(), 0, 0), 1, 0, 1)));
}

TEST(Schedules, MiddleValues) {
    // 101 steps without warm-up: step 50 is half-way, 90 is half-way through the last fifth.
    EXPECT_NEAR(learningRate(spec("cosine", 0, 0.2), 1.0, 50, 101), 0.6, 1e-12);
    EXPECT_NEAR(learningRate(spec("cosine", 0, 0), 1.0, 25, 101), 0.5 * (1 + std::sqrt(0.5)), 1e-12);
    EXPECT_NEAR(learningRate(spec("linear", 0, 0.2), 1.0, 25, 101), 0.8, 1e-12);
    EXPECT_NEAR(learningRate(spec("wsd", 0, 0.2), 1.0, 79, 101), 1.0, 1e-12);
    EXPECT_NEAR(learningRate(spec("wsd", 0, 0.2), 1.0, 90, 101), 0.6, 1e-12);
}

TEST(Schedules, UnknownNameIsAnErrorThatListsTheKnown) {
    const auto checked = checkSchedule(spec("spiral", 0, 0));
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().code, ErrorCode::kInvalidFile);
    EXPECT_NE(checked.error().hint.find("cosine"), std::string::npos);
    EXPECT_FALSE(checkSchedule(spec("cosine", -1, 0)));
}

}  // namespace
}  // namespace assay::train
