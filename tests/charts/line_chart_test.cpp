#include <assay/charts/line_chart.h>
#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <cmath>

#include "recorder.h"

using namespace assay::charts;

namespace {

Curve curve(const char* name, std::vector<QPointF> points, std::vector<double> nonFinite = {}) {
    Curve c;
    c.id = c.name = QString::fromUtf8(name);
    c.points = std::move(points);
    c.nonFinite = std::move(nonFinite);
    return c;
}

Recorded painted(LineChart& chart, const Look& look = paperLook(), const QSize& size = {480, 280}) {
    Recorder recorder(size);
    QPainter painter(&recorder);
    chart.paint(painter, QRectF(QPointF(), QSizeF(size)), look);
    return recorder.recorded;
}

}  // namespace

TEST(LineChart, OneCanvasOnScreenAndPathsOnPaper) {
    LineChart chart;
    chart.setCurves({curve("a", {{0, 1}, {1, 2}, {2, 3}}), curve("b", {{0, 2}, {2, 0}})});
    EXPECT_EQ(painted(chart, screenLook()).pictures, 1);
    EXPECT_EQ(painted(chart, paperLook()).pictures, 0);
}

TEST(LineChart, OnePointStandsInTheMiddle) {
    LineChart chart;
    chart.setCurves({curve("a", {{100, 2.5}})});
    painted(chart);
    const Frame& frame = chart.frame();
    EXPECT_NEAR(frame.px(100), frame.area.center().x(), 0.5);
    EXPECT_NEAR(frame.py(2.5), frame.area.center().y(), 0.5);
}

TEST(LineChart, AConstantSeriesStandsInTheMiddle) {
    for (const double value : {0.0, 3.0, -7e9, 1e-12, 1e15}) {
        LineChart chart;
        chart.setCurves({curve("a", {{0, value}, {10, value}})});
        painted(chart);
        const Frame& frame = chart.frame();
        EXPECT_NEAR(frame.py(value), frame.area.center().y(), 1) << value;
        EXPECT_GE(frame.y.ticks.size(), 2u) << value;
    }
}

TEST(LineChart, SmallestAndGreatestNumbersFitTheAxis) {
    for (const double scale : {1e-12, 1.0, 1e15}) {
        LineChart chart;
        chart.setCurves({curve("a", {{0, scale}, {1, 2 * scale}})});
        const Recorded picture = painted(chart);
        EXPECT_GT(chart.frame().area.width(), 300) << scale;   // labels leave the room to the data
        EXPECT_GT(chart.frame().py(scale), chart.frame().py(2 * scale));
    }
    LineChart both;   // twenty-seven decades on one logarithmic axis
    both.setLog(false, true);
    both.setCurves({curve("a", {{0, 1e-12}, {1, 1e15}})});
    painted(both);
    EXPECT_NEAR(both.frame().y.place(std::sqrt(1e-12 * 1e15)), 0.5, 1e-6);
}

TEST(LineChart, ValuesThatALogarithmCannotShowAreCounted) {
    LineChart chart;
    chart.setLog(false, true);
    chart.setCurves({curve("a", {{0, 1}, {1, 0}, {2, -3}, {3, 10}})});
    EXPECT_TRUE(chart.note().contains(QStringLiteral("2 value"))) << chart.note().toStdString();
    EXPECT_TRUE(painted(chart).has(QStringLiteral("2 value")));
    chart.setHidden(QStringLiteral("a"), true);
    EXPECT_TRUE(chart.note().isEmpty());
    LineChart none;
    none.setLog(false, true);
    none.setCurves({curve("a", {{0, -1}, {1, 0}})});
    EXPECT_TRUE(painted(none).has(QStringLiteral("logarithmic"))) << "nothing can be drawn, which is said";
}

TEST(LineChart, OnlyNonFiniteValuesAreSaid) {
    LineChart chart;
    chart.setCurves({curve("a", {}, {1, 2, 3})});
    EXPECT_FALSE(chart.hasPoints());
    EXPECT_TRUE(painted(chart).has(QStringLiteral("No finite value")));
    EXPECT_TRUE(chart.summary().contains(QStringLiteral("no finite value")));
    EXPECT_TRUE(chart.summary().contains(QStringLiteral("3 not finite")));
    LineChart empty;
    empty.setEmptyText(QStringLiteral("No run yet"));
    EXPECT_TRUE(painted(empty).has(QStringLiteral("No run yet")));
}

TEST(LineChart, ALineIsBrokenWhereAValueIsNotFinite) {
    auto darkAt = [](const std::vector<double>& bad) {
        LineChart chart;
        chart.setMarkers(false);
        chart.setLegend(false);
        chart.setCurves({curve("a", {{0, 1}, {10, 1}, {20, 1}, {30, 1}}, bad)});
        QImage image(480, 280, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        QPainter painter(&image);
        chart.paint(painter, QRectF(0, 0, 480, 280), screenLook());
        const QPoint at = chart.frame().at(15, 1).toPoint();
        for (int y = at.y() - 2; y <= at.y() + 2; ++y)
            if (image.pixelColor(at.x(), y).hsvSaturation() > 80) return true;   // grid lines are grey
        return false;
    };
    EXPECT_TRUE(darkAt({}));
    EXPECT_FALSE(darkAt({15}));
}

TEST(LineChart, ReadsTheNearestValueOfEveryCurveThatReachesThere) {
    LineChart chart;
    chart.setCurves({curve("a", {{0, 1}, {10, 2}, {20, 3}}), curve("b", {{0, 5}, {9, 6}})});
    painted(chart);
    std::vector<ReadoutRow> rows;
    EXPECT_EQ(chart.valueText(11, rows, screenLook()), 10);
    ASSERT_EQ(rows.size(), 1u);   // b has ended
    EXPECT_EQ(rows[0].name, QStringLiteral("a"));
    EXPECT_EQ(rows[0].value, QStringLiteral("2"));
    rows.clear();
    EXPECT_EQ(chart.valueText(8.8, rows, screenLook()), 9);
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[1].value, QStringLiteral("6"));
}

TEST(LineChart, TheNoteSaysWhatSmoothingWorksOn) {
    LineChart chart;
    chart.setCurves({curve("a", {{0, 1}, {1, 2}, {2, 3}})});
    chart.setSmoothing(0.9);
    EXPECT_EQ(chart.note(), QStringLiteral("smoothing 0.9"));
    chart.setSampled(true);
    EXPECT_EQ(chart.note(), QStringLiteral("smoothing 0.9 over the sampled points"));
    chart.setNote(QStringLiteral("12 M points"));
    EXPECT_EQ(chart.note(), QStringLiteral("12 M points · smoothing 0.9 over the sampled points"));
    chart.setSmoothing(0);
    EXPECT_EQ(chart.note(), QStringLiteral("12 M points"));
}

TEST(LineChart, LegendItemsDoNotTouchAndTheRestIsCounted) {
    LineChart chart;
    std::vector<Curve> curves;
    for (int i = 0; i < 40; ++i) curves.push_back(curve(("a run with a long name " + std::to_string(i)).c_str(), {{0, 1}, {1, 2}}));
    chart.setCurves(std::move(curves));
    const Recorded picture = painted(chart);
    const auto& items = chart.legend();
    ASSERT_GT(items.size(), 2u);
    for (size_t i = 0; i < items.size(); ++i) {
        EXPECT_LE(items[i].rect.bottom(), chart.frame().area.top());
        for (size_t k = i + 1; k < items.size(); ++k) EXPECT_FALSE(items[i].rect.intersects(items[k].rect));
    }
    EXPECT_TRUE(picture.has(QString::number(40 - items.size()) + QStringLiteral(" more")));
}

TEST(LineChart, CsvHoldsEveryPointInOrderWithItsBand) {
    LineChart chart;
    chart.setAxes(QStringLiteral("step"), QStringLiteral("loss, nats"), {}, {});
    Curve band = curve("=b", {{1, 0.1}});
    band.band = {{0.05, 0.2}};
    chart.setCurves({curve("a", {{0, 1.5}, {2, 1e-12}}, {1, 3}), band});
    EXPECT_EQ(chart.csv().toStdString(),
              "curve,step,\"loss, nats\",low,high\r\n"
              "a,0,1.5,,\r\na,1,nan,,\r\na,2,1e-12,,\r\na,3,nan,,\r\n"
              "'=b,1,0.1,0.05,0.2\r\n");   // a spreadsheet must not take a name for a formula
}

TEST(Csv, NumbersComeBackExactly) {
    for (const double value : {0.1, 1.0 / 3, 1e-12, 1e15, -0.0, 123456789.123456789, 5e-324}) EXPECT_EQ(csvNumber(value).toDouble(), value);
    EXPECT_EQ(csvNumber(HUGE_VAL), "inf");
    EXPECT_EQ(csvNumber(-HUGE_VAL), "-inf");
    EXPECT_EQ(csvField(QStringLiteral("a \"b\",\nc")).toStdString(), "\"a \"\"b\"\",\nc\"");
}
