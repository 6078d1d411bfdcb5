// Thinning against a plain loop over every point.
#include <assay/charts/curve_data.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

using namespace assay::charts;

namespace {

Axis axis(double low, double high, bool log = false) {
    Axis a;
    a.log = log;
    a.range = {low, high};
    return a;
}

// First, least, greatest and last value of every column, the column of each point by its place on the axis.
struct Column {
    double first, least, greatest, last;
    bool operator==(const Column&) const = default;
};
std::map<int, Column> columnsOf(const std::vector<QPointF>& points, const Axis& a, int columns) {
    std::map<int, Column> out;
    for (const QPointF& p : points) {
        if (p.x() < a.range.low || p.x() >= a.range.high) continue;
        int column = static_cast<int>(std::floor(a.place(p.x()) * columns));
        while (column > 0 && p.x() < a.value(static_cast<double>(column) / columns)) --column;   // rounding at a border
        while (p.x() >= a.value(static_cast<double>(column + 1) / columns)) ++column;
        auto [at, isNew] = out.try_emplace(column, Column{p.y(), p.y(), p.y(), p.y()});
        at->second.least = std::min(at->second.least, p.y());
        at->second.greatest = std::max(at->second.greatest, p.y());
        at->second.last = p.y();
    }
    return out;
}

std::vector<QPointF> noise(size_t count, unsigned seed, double first, double step) {
    std::mt19937 random(seed);
    std::normal_distribution<double> value(0, 1);
    std::vector<QPointF> points;
    for (size_t i = 0; i < count; ++i) points.emplace_back(first + static_cast<double>(i) * step, value(random));
    return points;
}

}  // namespace

TEST(Thinning, KeepsFirstLeastGreatestAndLastOfEveryColumn) {
    for (const size_t count : {5'000u, 33'333u, 200'000u})
        for (const int columns : {7, 100, 641})
            for (const bool log : {false, true}) {
                const auto points = noise(count, static_cast<unsigned>(count + static_cast<size_t>(columns)), 1, 0.5);
                const CurveData data(points);
                const double end = points.back().x();
                for (const auto& [low, high] : {std::pair(1.0, end + 1), {end * 0.2, end * 0.7}, {end * 0.5, end * 2}}) {
                    const Axis a = axis(low, high, log);
                    const auto thin = data.thin(a, columns);
                    EXPECT_LE(thin.size(), static_cast<size_t>(columns) * 4 + 8);
                    EXPECT_EQ(columnsOf(thin, a, columns), columnsOf(points, a, columns)) << count << " points, " << columns << " columns, log " << log;
                    EXPECT_TRUE(std::is_sorted(thin.begin(), thin.end(), [](const QPointF& p, const QPointF& q) { return p.x() < q.x(); }));
                }
            }
}

TEST(Thinning, ASpikeUpAndASpikeDownInOneColumnBothStay) {
    auto points = noise(100'000, 1, 0, 1);
    for (auto& p : points) p.setY(1);
    points[50'010].setY(1e6);
    points[50'020].setY(-1e6);
    points[50'021].setY(2e6);
    const auto thin = CurveData(points).thin(axis(0, 100'000), 50);   // 2,000 points a column
    auto has = [&](double x, double y) { return std::find(thin.begin(), thin.end(), QPointF(x, y)) != thin.end(); };
    EXPECT_TRUE(has(50'020, -1e6));
    EXPECT_TRUE(has(50'021, 2e6));
}

TEST(Thinning, NeighboursOutsideOfTheViewComeToo) {
    const auto points = noise(10'000, 2, 0, 1);
    const auto thin = CurveData(points).thin(axis(1000.5, 8000.5), 100);
    EXPECT_EQ(thin.front().x(), 1000);
    EXPECT_EQ(thin.back().x(), 8001);
    const auto between = CurveData(points).thin(axis(10.2, 10.4), 100);   // a view between two points
    ASSERT_EQ(between.size(), 2u);
    EXPECT_EQ(between[0].x(), 10);
    EXPECT_EQ(between[1].x(), 11);
}

TEST(Thinning, FewPointsComeAsTheyAre) {
    const auto points = noise(300, 3, 0, 1);
    EXPECT_EQ(CurveData(points).thin(axis(0, 299), 100), points);
    EXPECT_TRUE(CurveData().thin(axis(0, 1), 100).empty());
    EXPECT_EQ(CurveData({{5, 5}}).thin(axis(0, 10), 100).size(), 1u);
}

TEST(Thinning, ManyPointsAtOnePlace) {
    std::vector<QPointF> points(50'000, QPointF(3, 1));
    points[20'000].setY(9);
    points[20'001].setY(-9);
    const auto thin = CurveData(points).thin(axis(0, 10), 10);
    EXPECT_LE(thin.size(), 4u);
    Range y;
    for (const QPointF& p : thin) y.include(p.y());
    EXPECT_EQ(y, (Range{-9, 9}));
}

TEST(CurveData, RangesAndNearestPointsAreThoseOfAPlainLoop) {
    const auto points = noise(10'000, 4, 0, 1);
    const CurveData data(points);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> place(-100, 10'100);
    for (int i = 0; i < 200; ++i) {
        const double a = place(random), b = place(random), low = std::min(a, b), high = std::max(a, b);
        Range expected;
        size_t nearest = 0;
        for (size_t k = 0; k < points.size(); ++k) {
            if (points[k].x() >= low && points[k].x() <= high) expected.include(points[k].y());
            if (std::abs(points[k].x() - a) < std::abs(points[nearest].x() - a)) nearest = k;
        }
        const Range found = data.yRange(low, high);
        EXPECT_EQ(found.valid(), expected.valid());
        if (expected.valid()) {
            EXPECT_EQ(found, expected);
        }
        EXPECT_EQ(data.nearest(a), nearest);
    }
}

TEST(CurveData, PointsOutOfOrderAreSorted) {
    const CurveData data({{3, 30}, {1, 10}, {2, 20}, {1, 11}});
    EXPECT_EQ(data.points(), (std::vector<QPointF>{{1, 10}, {1, 11}, {2, 20}, {3, 30}}));
}

TEST(Smoothing, IsTheBiasCorrectedMean) {
    // By hand for a weight of 1/2: sums 1, 0.5+0.5·3 …, each divided by the weight it has seen.
    const auto smooth = smoothed({{0, 1}, {1, 3}, {2, 5}}, 0.5);
    ASSERT_EQ(smooth.size(), 3u);
    EXPECT_DOUBLE_EQ(smooth[0].y(), 1);
    EXPECT_DOUBLE_EQ(smooth[1].y(), (0.25 * 1 + 0.5 * 3) / 0.75);
    EXPECT_DOUBLE_EQ(smooth[2].y(), (0.125 * 1 + 0.25 * 3 + 0.5 * 5) / 0.875);
    for (const QPointF& p : smoothed(std::vector<QPointF>(100, QPointF(0, 7)), 0.99)) EXPECT_NEAR(p.y(), 7, 1e-12);
}
