// The monitors on series whose answer is known by construction or by hand.
#include <assay/core/random.h>
#include <assay/train/watch.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace assay::train {
namespace {

double uniform(uint64_t seed, uint64_t i) { return static_cast<double>(mixBits(seed, i) >> 11) / 9007199254740992.0; }
double normal(uint64_t seed, uint64_t i) {  // Box and Muller
    return std::sqrt(-2 * std::log(uniform(seed, 2 * i) + 1e-300)) * std::cos(2 * std::numbers::pi * uniform(seed, 2 * i + 1));
}

TEST(Watch, MedianOfEvenAndOddNumbers) {
    EXPECT_EQ(medianOf({3, 1, 2}), 2);
    EXPECT_EQ(medianOf({4, 1, 3, 2}), 2.5);
    EXPECT_TRUE(std::isnan(medianOf({})));
}

TEST(Watch, ASpikeIsToldOnceAndAnotherAfterCalm) {
    SpikeMonitor monitor;
    std::vector<int> told;
    for (int i = 0; i < 200; ++i) {
        double value = 1 + 0.05 * normal(1, static_cast<uint64_t>(i));
        if ((i >= 50 && i < 54) || i == 120) value = 40;  // one incident of four values, one of one
        if (monitor.observe(value)) told.push_back(i);
    }
    EXPECT_EQ(told, (std::vector<int>{50, 120}));
    EXPECT_NEAR(monitor.median(), 1, 0.05);
}

// Norms of real trainings: log-normal, a falling level, warm-up; none of it is a spike. 100 runs of 1,000 values.
TEST(Watch, NoiseAndTrendsAreNoSpikes) {
    int told = 0;
    for (uint64_t seed = 0; seed < 100; ++seed) {
        SpikeMonitor monitor;
        for (uint64_t i = 0; i < 1000; ++i) told += monitor.observe((0.5 + 5 * std::exp(-static_cast<double>(i) / 100)) * std::exp(0.3 * normal(seed, i)));
    }
    EXPECT_EQ(told, 0);
}

TEST(Watch, ALevelThatStaysBecomesTheOrdinaryOne) {
    SpikeMonitor monitor;
    int told = 0;
    for (int i = 0; i < 400; ++i) told += monitor.observe(i < 100 ? 1 : 10);
    EXPECT_EQ(told, 1);
    SpikeMonitor constant;  // no deviation at all: only the ratio counts
    for (int i = 0; i < 50; ++i) EXPECT_FALSE(constant.observe(2));
    EXPECT_FALSE(constant.observe(5.9));
    EXPECT_FALSE(constant.observe(0));
    EXPECT_FALSE(constant.observe(std::nan("")));
    EXPECT_FALSE(constant.observe(INFINITY));
    EXPECT_TRUE(constant.observe(6.1));
}

TEST(Watch, TheSpeedMustStayLow) {
    ThroughputMonitor monitor;
    std::vector<int> told;
    for (int i = 0; i < 400; ++i) {
        double rate = 1000 + 50 * normal(2, static_cast<uint64_t>(i));
        if (i < 3) rate = 10;                    // warm-up
        if (i % 50 == 49) rate = 200;            // single slow steps: a checkpoint, another program
        if (i >= 200 && i < 240) rate *= 0.5;    // for 40 steps
        if (i >= 300 && i < 303) rate *= 0.5;    // for 3 steps
        if (monitor.observe(rate)) told.push_back(i);
    }
    ASSERT_EQ(told.size(), 1u);
    EXPECT_GE(told[0], 204);  // more than half of the last ten
    EXPECT_LE(told[0], 206);
    EXPECT_NEAR(monitor.usual(), 1000, 20);
}

TEST(Watch, SlowFromTheStartIsUsual) {
    ThroughputMonitor monitor;
    int told = 0;
    for (int i = 0; i < 100'000; ++i) told += monitor.observe(10);
    EXPECT_EQ(told, 0);
    EXPECT_EQ(monitor.usual(), 10);
}

TEST(Watch, StarvationIsAShareOfTime) {
    StarvationMonitor monitor;
    std::vector<int> told;
    for (int i = 0; i < 200; ++i)
        if (monitor.observe(i >= 50 && i < 100 ? 0.03 : i >= 150 ? 0.5 : 0.001, 0.1)) told.push_back(i);
    // (0.03 n + 0.001 (20 − n)) / 2 > 0.1 from n = 7 values on; again 0.5, capped at the step's 0.1, from n = 2 on.
    EXPECT_EQ(told, (std::vector<int>{56, 151}));
}

// Slopes of (0,0) (1,1) (2,4) (3,3): 1, 2, 1, 3, 1, −1; sorted −1 1 1 1 2 3: median 1.
TEST(Watch, TheilSenByHand) {
    EXPECT_EQ(theilSen({0, 1, 2, 3}, {0, 1, 4, 3}).slope, 1);
    EXPECT_TRUE(std::isnan(theilSen({0, 1}, {0, 1}).slope));
    // A line with 29 % of its points spoiled keeps its slope.
    std::vector<double> x, y;
    for (int i = 0; i < 100; ++i) {
        x.push_back(i);
        y.push_back(i % 7 < 2 ? 1e9 : 3.0 * i);
    }
    EXPECT_NEAR(theilSen(x, y).slope, 3, 1e-9);
}

TEST(Watch, ALeakIsFoundWithItsSize) {
    LeakDetector detector;
    int told = 0;
    for (int64_t step = 0; step < 2000; ++step)
        told += detector.observe(step, 100e6 + 5e4 * static_cast<double>(step) + 2e6 * normal(3, static_cast<uint64_t>(step)));
    EXPECT_EQ(told, 1);
    EXPECT_NEAR(*detector.growth(), 50e6, 1e6);  // 50 kB a step
}

// What is no leak: noise around a level, a saw, one step up, an allocator that fills up and is flat then.
TEST(Watch, WhatIsNoLeak) {
    std::array<int, 4> told{};
    for (uint64_t seed = 0; seed < 10; ++seed)
        for (size_t kind = 0; kind < told.size(); ++kind) {
            LeakDetector detector;
            for (int64_t step = 0; step < 1500; ++step) {
                const double noise = normal(seed, static_cast<uint64_t>(step)), at = static_cast<double>(step);
                const double bytes[] = {500e6 + 20e6 * noise, 500e6 + 1e6 * static_cast<double>(step % 97) + 1e6 * noise,
                                        (step < 700 ? 500e6 : 800e6) + 1e6 * noise, 500e6 + std::min(at, 60.0) * 3e6 + 1e6 * noise};
                told[kind] += detector.observe(step, bytes[kind]);
            }
        }
    EXPECT_EQ(told, (std::array<int, 4>{}));
}

TEST(Watch, ExactBytesThatDoNotChangeAreNoLeak) {
    LeakDetector detector;
    for (int64_t step = 0; step < 500; ++step) EXPECT_FALSE(detector.observe(step, 12345678));
    EXPECT_EQ(detector.growth(), 0);
    LeakDetector few;
    for (int64_t step = 0; step < 60; ++step) few.observe(step, 1);
    EXPECT_FALSE(few.growth());  // warm-up and too few samples
}

TEST(Watch, IncidentsAreCountedAndSayWhatToDo) {
    RunWatch watch;
    std::vector<Incident> all;
    for (int64_t step = 1; step <= 400; ++step) {
        StepFigures f{.step = step, .loss = step == 300 ? 9.0 : 3.0, .gradientNorm = step == 200 ? 50.0 : 1.0, .rate = step > 330 ? 100.0 : 1000.0, .stepSeconds = 1, .waitSeconds = step > 360 ? 0.5 : 0.0};
        f.tensorBytes = 1e8 + 1e6 * static_cast<double>(step);
        for (const Incident& incident : watch.observe(f)) all.push_back(incident);
    }
    std::map<std::string, int64_t> steps;
    for (const Incident& incident : all) {
        EXPECT_TRUE(steps.emplace(incident.kind, incident.step).second) << incident.kind << " twice";
        EXPECT_FALSE(incident.text.empty());
        EXPECT_FALSE(incident.hint.empty());
    }
    EXPECT_EQ(steps["grad_norm_spike"], 200);
    EXPECT_EQ(steps["loss_spike"], 300);
    EXPECT_EQ(steps.count("throughput_drop"), 1u);
    EXPECT_EQ(steps.count("data_starvation"), 1u);
    EXPECT_EQ(steps.count("memory_growth"), 1u);
    const auto summary = watch.summary();
    EXPECT_EQ(summary.at("warnings"), 5);
    EXPECT_EQ(summary.at("warnings/loss_spike"), 1);
    EXPECT_NEAR(summary.at("memory/tensor_growth_bytes"), 1e9, 1);
    EXPECT_FALSE(summary.contains("memory/gpu_growth_bytes"));  // not measured
}

TEST(Watch, AnOrdinaryRunSaysNothing) {
    RunWatch watch;
    for (int64_t step = 1; step <= 3000; ++step) {
        const auto i = static_cast<uint64_t>(step);
        StepFigures f{.step = step, .loss = 2 + 8 * std::exp(-static_cast<double>(step) / 300) + 0.1 * normal(7, i), .gradientNorm = std::exp(0.25 * normal(8, i)), .rate = 1000 * std::exp(0.1 * normal(9, i)),
                      .stepSeconds = 1, .waitSeconds = 0.01 * uniform(10, i), .tensorBytes = 1e8, .rssBytes = 8e8 + 5e6 * normal(11, i)};
        EXPECT_TRUE(watch.observe(f).empty()) << step;
    }
    EXPECT_EQ(watch.summary().at("warnings"), 0);
}

TEST(Watch, DiskLowIsToldOnceUntilThereIsRoom) {
    RunWatch watch;
    EXPECT_FALSE(watch.beforeSave(1, 100, 1000));
    const auto low = watch.beforeSave(2, 1e9, 1.5e9);
    ASSERT_TRUE(low);
    EXPECT_EQ(low->text, "the disk is nearly full: 1.50 GB are free, and a checkpoint takes 1.00 GB");
    EXPECT_FALSE(watch.beforeSave(3, 1e9, 1.4e9));
    EXPECT_FALSE(watch.beforeSave(4, 1e9, 5e9));
    EXPECT_TRUE(watch.beforeSave(5, 1e9, 0.5e9));
    EXPECT_EQ(watch.counts().at("disk_low"), 2);
}

}  // namespace
}  // namespace assay::train
