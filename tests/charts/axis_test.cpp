// Ticks stand at 1-2-5 steps or decades, and each is written so that it can be told from the next.
#include <assay/charts/axis.h>
#include <assay/models/format.h>
#include <gtest/gtest.h>

#include <QSet>
#include <cmath>

using namespace assay::charts;

namespace {

Axis axis(double low, double high, int wanted, bool log = false) {
    Axis a;
    a.log = log;
    a.range = {low, high};
    chooseTicks(a, wanted);
    return a;
}

std::vector<std::string> labels(const Axis& a) {
    std::vector<std::string> out;
    for (const QString& text : a.labels) out.push_back(text.toStdString());
    return out;
}

using Texts = std::vector<std::string>;

}  // namespace

// Between step 1 and step 2 there is no step; a narrow zoom into one still shows where it is.
TEST(Axis, countsHaveWholeTicks) {
    Axis steps;
    steps.whole = true;
    steps.range = {0, 4};
    chooseTicks(steps, 9);
    EXPECT_EQ(labels(steps), (Texts{"0", "1", "2", "3", "4"}));
    steps.range = {2.2, 2.6};
    chooseTicks(steps, 4);
    EXPECT_GE(steps.ticks.size(), 2u);
}

TEST(Ticks, StepsAreOneTwoOrFive) {
    for (double scale = 1e-12; scale < 1e16; scale *= 3.7)
        for (const double start : {0.0, -0.3, 0.7, 123.4}) {
            const Axis a = axis(start * scale, (start + 1) * scale, 6);
            ASSERT_GE(a.ticks.size(), 2u) << scale;
            ASSERT_LE(a.ticks.size(), 7u) << scale;
            const double step = a.ticks[1] - a.ticks[0];
            const double lead = step / std::pow(10.0, std::floor(std::log10(step * 1.0001)));
            EXPECT_TRUE(std::abs(lead - 1) < 1e-3 || std::abs(lead - 2) < 1e-3 || std::abs(lead - 5) < 1e-3) << step;
            for (size_t i = 0; i < a.ticks.size(); ++i) {
                EXPECT_NEAR(a.ticks[i] / step, std::round(a.ticks[i] / step), 1e-6);
                EXPECT_GE(a.ticks[i], a.range.low - step * 1e-5);
                EXPECT_LE(a.ticks[i], a.range.high + step * 1e-5);
            }
        }
}

TEST(Ticks, AreWrittenWithOneUnitAndEnoughDigits) {
    EXPECT_EQ(labels(axis(0, 50'000, 2)), (Texts{"0", "50k"}));
    EXPECT_EQ(labels(axis(0, 50'000, 4)), (Texts{"0", "20k", "40k"}));
    EXPECT_EQ(labels(axis(0, 1, 5)), (Texts{"0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
    EXPECT_EQ(labels(axis(-2, 2, 4)), (Texts{"−2", "−1", "0", "1", "2"}));
}

TEST(Ticks, NoTwoAreWrittenAlike) {
    for (const auto& [low, high] : {std::pair(0.0, 1e-12), {1e15, 1.0001e15}, {1'000'000.0, 1'000'007.0}, {0.99999, 1.00001}, {-1e-7, 1e-7}, {3.14159, 3.14161}, {0.0, 1e15}}) {
        const Axis a = axis(low, high, 6);
        QSet<QString> seen;
        for (const QString& text : a.labels) {
            EXPECT_FALSE(seen.contains(text)) << text.toStdString() << " twice between " << low << " and " << high;
            seen.insert(text);
        }
        EXPECT_GE(a.labels.size(), 2u);
    }
}

TEST(Ticks, AFormatterOfFewDigitsGivesWay) {
    Axis a;
    a.range = {25.0, 25.4};
    a.text = [](double v) { return QString::number(v, 'f', 0); };
    chooseTicks(a, 4);
    EXPECT_EQ(labels(a), (Texts{"25.0", "25.1", "25.2", "25.3", "25.4"}));
}

TEST(Ticks, AFormattersTicksHaveTheDecimalsOfTheStep) {
    auto written = [](double low, double high, int wanted, Text text) {
        Axis a;
        a.range = {low, high};
        a.text = std::move(text);
        chooseTicks(a, wanted);
        return labels(a);
    };
    const Text four = [](double v) { return assay::models::formatNumber(v, 4); };
    EXPECT_EQ(written(0.9998, 1.0001, 3, four), (Texts{"0.9998", "0.9999", "1.0000", "1.0001"}));
    EXPECT_EQ(written(0.99985, 1.0001, 5, four), (Texts{"0.99985", "0.99990", "0.99995", "1.00000", "1.00005", "1.00010"}));
    EXPECT_EQ(written(-0.5, 1.5, 4, four), (Texts{"−0.5", "0.0", "0.5", "1.0", "1.5"}));
    EXPECT_EQ(written(0, 2, 4, [](double v) { return assay::models::formatUsd(v); }), (Texts{"$0.00", "$0.50", "$1.00", "$1.50", "$2.00"}));
    EXPECT_EQ(written(1e6, 2e6, 2, [](double v) { return QStringLiteral("%1 MB").arg(v / 1e6); }), (Texts{"1.0 MB", "1.5 MB", "2.0 MB"}));
    EXPECT_EQ(written(5e5, 1.5e6, 2, [](double v) { return v < 1e6 ? QStringLiteral("500 kB") : QStringLiteral("%1 MB").arg(v / 1e6); }), (Texts{"500 kB", "1 MB", "1.5 MB"}));   // two units
    EXPECT_EQ(written(0, 120, 2, [](double v) { return assay::models::formatSeconds(v); }), (Texts{"0\u00a0s", "1:40"}));   // a clock is left alone
}

TEST(Ticks, LogarithmicDecades) {
    EXPECT_EQ(axis(1, 1e6, 7, true).ticks, (std::vector<double>{1, 10, 100, 1e3, 1e4, 1e5, 1e6}));
    EXPECT_EQ(labels(axis(1, 1e6, 7, true)), (Texts{"1", "10", "100", "1k", "10k", "100k", "1M"}));
    const Axis few = axis(1, 100, 8, true);   // within few decades 1, 2 and 5
    ASSERT_EQ(few.ticks.size(), 7u);
    for (size_t i = 0; i < 7; ++i) EXPECT_DOUBLE_EQ(few.ticks[i], (std::vector<double>{1, 2, 5, 10, 20, 50, 100})[i]);
    const Axis many = axis(1e-12, 1e15, 5, true);
    EXPECT_LE(many.ticks.size(), 6u);
    for (size_t i = 1; i < many.ticks.size(); ++i) EXPECT_NEAR(std::log10(many.ticks[i] / many.ticks[i - 1]), std::log10(many.ticks[1] / many.ticks[0]), 1e-9);
    EXPECT_GE(axis(2, 3, 4, true).ticks.size(), 3u);   // less than a decade: plain steps
}

TEST(Axis, PlaceAndValueAreInverse) {
    for (const bool log : {false, true}) {
        Axis a;
        a.log = log;
        a.range = {1e-3, 1e5};
        for (const double at : {0.0, 0.1, 0.5, 1.0}) EXPECT_NEAR(a.place(a.value(at)), at, 1e-9);
        EXPECT_EQ(a.place(1e-3), 0);
        EXPECT_EQ(a.place(1e5), 1);
    }
    Axis a;
    a.log = true;
    a.range = {1, 10'000};
    EXPECT_DOUBLE_EQ(a.place(100), 0.5);
    EXPECT_LT(a.place(0), 0);
    EXPECT_LT(a.place(-5), 0);
}

TEST(Range, ConstantsGetRoomAroundThem) {
    const Range constant = padded({3, 3}, false);
    EXPECT_LT(constant.low, 3);
    EXPECT_GT(constant.high, 3);
    const Range zero = padded({0, 0}, false);
    EXPECT_LT(zero.low, 0);
    EXPECT_GT(zero.high, 0);
    const Range log = padded({5, 5}, true);
    EXPECT_DOUBLE_EQ(log.low, 2.5);
    EXPECT_DOUBLE_EQ(log.high, 10);
    EXPECT_TRUE(padded({}, false).valid());
    EXPECT_GT(padded({}, true).low, 0);
    EXPECT_EQ(padded({1, 10}, false, true).low, 0);   // costs begin at nothing
}

TEST(Range, LeavesOutWhatIsNotFinite) {
    Range r;
    EXPECT_FALSE(r.valid());
    r.include(std::nan(""));
    r.include(HUGE_VAL);
    EXPECT_FALSE(r.valid());
    r.include(2);
    r.include(-1);
    EXPECT_EQ(r, (Range{-1, 2}));
}
