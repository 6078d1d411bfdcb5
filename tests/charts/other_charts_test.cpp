// Scatter, bars and parallel axes; and that vector output holds no pictures, of any chart.
#include <assay/charts/bar_chart.h>
#include <assay/charts/line_chart.h>
#include <assay/charts/parallel_chart.h>
#include <assay/charts/scatter_chart.h>
#include <gtest/gtest.h>

#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <cmath>
#include <functional>
#include <random>

#include "recorder.h"

using namespace assay::charts;

namespace {

const QRectF kRect(0, 0, 640, 400);

ScatterChart crowd(int count, double spread) {
    ScatterChart chart;
    std::mt19937 random(7);
    std::normal_distribution<double> value(0, spread);
    for (int i = 0; i < count; ++i) {
        Point p;
        p.id = QString::number(i);
        p.name = QStringLiteral("set-up-%1").arg(i);
        p.color = p.marker = i;
        p.x = 5 + value(random);
        p.y = 1 + value(random) / 10;
        p.yError = 0.005;
        p.ringed = i == 3;
        chart.points.push_back(p);
    }
    return chart;
}

BarChart bars() {
    BarChart chart;
    chart.series = {QStringLiteral("math"), QStringLiteral("code")};
    chart.groups = {{QStringLiteral("fp32"), {0.5, 0.25}, {0.1, 0.05}}, {QStringLiteral("int4"), {kNone, 1}, {}}};
    return chart;
}

ParallelChart parallel() {
    ParallelChart chart;
    chart.dimensions = {{QStringLiteral("lr"), QStringLiteral("learning rate"), {}, {}, false, true, {}}, {QStringLiteral("opt"), QStringLiteral("optimizer"), {}, {QStringLiteral("adamw"), QStringLiteral("lion")}, false, false, {}},
                        {QStringLiteral("loss"), QStringLiteral("loss"), {}, {}, true, false, {}}};
    chart.strands = {{QStringLiteral("1"), QStringLiteral("one"), 0, {1e-4, 0, 2.5}}, {QStringLiteral("2"), QStringLiteral("two"), 1, {1e-2, 1, 1.5}}, {QStringLiteral("3"), QStringLiteral("three"), 2, {1e-3, 1, kNone}}};
    return chart;
}

std::vector<std::pair<const char*, std::function<void(QPainter&)>>> everyChart() {
    return {{"line",
             [](QPainter& painter) {
                 LineChart chart;
                 Curve raw;
                 raw.id = raw.name = QStringLiteral("loss");
                 for (int i = 0; i < 20'000; ++i) raw.points.emplace_back(i, std::sin(i * 0.37));
                 raw.nonFinite = {50.5};
                 Curve dashed = raw;
                 dashed.id = dashed.name = QStringLiteral("held-out");
                 dashed.dashed = true;
                 dashed.points.resize(40);
                 dashed.band.assign(40, QPointF(-1, 1));
                 chart.setCurves({raw, dashed});
                 chart.setSmoothing(0.9);
                 chart.setMarks({{100, QStringLiteral("resumed"), assay::style::Tone::kWarn}});
                 chart.setReferences({{0.5, QStringLiteral("bigram")}});
                 chart.paint(painter, kRect, paperLook());
             }},
            {"scatter", [](QPainter& painter) { crowd(12, 2).paint(painter, kRect, paperLook()); }},
            {"bars", [](QPainter& painter) { bars().paint(painter, kRect, paperLook()); }},
            {"parallel", [](QPainter& painter) { parallel().paint(painter, kRect, paperLook()); }}};
}

}  // namespace

TEST(VectorOutput, SvgHoldsNoPicture) {
    for (const auto& [name, paint] : everyChart()) {
        QBuffer buffer;
        buffer.open(QIODevice::WriteOnly);
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setSize(kRect.size().toSize());
        {
            QPainter painter(&generator);
            paint(painter);
        }
        EXPECT_FALSE(buffer.data().contains("<image")) << name;
        EXPECT_TRUE(buffer.data().contains("<text")) << name;
        EXPECT_GT(buffer.data().count("<p"), 2) << name;   // paths and polylines
    }
}

TEST(VectorOutput, PdfHoldsNoPicture) {
    for (const auto& [name, paint] : everyChart()) {
        QBuffer buffer;
        buffer.open(QIODevice::WriteOnly);
        {
            QPdfWriter writer(&buffer);
            QPainter painter(&writer);
            paint(painter);
        }
        EXPECT_FALSE(buffer.data().contains("/Subtype /Image")) << name;
        EXPECT_TRUE(buffer.data().contains("/FontFile2") || buffer.data().contains("/FontFile3")) << name << ": text stays text";
    }
}

TEST(ScatterChart, NamesCoverNeitherOneAnotherNorThePoints) {
    for (const auto& [count, spread] : {std::pair(8, 2.0), {25, 1.0}, {60, 0.2}}) {
        ScatterChart chart = crowd(count, spread);
        Recorder recorder(kRect.size().toSize());
        QPainter painter(&recorder);
        chart.paint(painter, kRect, paperLook());
        std::vector<QRectF> names;
        for (const auto& text : recorder.recorded.texts)
            if (text.text.startsWith(QLatin1String("set-up-"))) names.push_back(text.box.adjusted(0, 2, 0, -2));   // the letters, without the space above and below
        EXPECT_GE(names.size(), count == 8 ? 8u : 1u);
        EXPECT_TRUE(recorder.recorded.has(QStringLiteral("set-up-3"))) << "the answer has its name, however crowded";
        for (size_t i = 0; i < names.size(); ++i)
            for (size_t k = i + 1; k < names.size(); ++k) EXPECT_FALSE(names[i].intersects(names[k])) << count << " points";
        int covered = 0;
        for (const Point& p : chart.points)
            for (const QRectF& name : names) covered += name.adjusted(2, 2, -2, -2).contains(chart.frame().at(p.x, p.y));
        EXPECT_LE(covered, count == 60 ? 1 : 0);   // the answer's name may have no free place
    }
}

TEST(ScatterChart, PointsWithoutAPlaceAreCounted) {
    ScatterChart chart = crowd(3, 1);
    chart.points[1].y = kNone;
    chart.logX = true;
    chart.points[2].x = 0;
    Recorder recorder(kRect.size().toSize());
    QPainter painter(&recorder);
    chart.paint(painter, kRect, paperLook());
    EXPECT_TRUE(recorder.recorded.has(QStringLiteral("2 set-up")));
    EXPECT_EQ(chart.pointAt(chart.frame().at(chart.points[0].x, chart.points[0].y)), 0);
    EXPECT_EQ(chart.pointAt({-500, -500}), -1);
}

TEST(ScatterChart, TheTargetIsInTheRange) {
    ScatterChart chart = crowd(3, 1);
    chart.target = 4;
    const Range y = chart.everythingY();
    EXPECT_GT(y.high, 4);
}

// The answer may cost next to nothing: its ring must not be cut at the axis.
TEST(ScatterChart, TheRingHasRoomAtZero) {
    for (const bool log : {false, true}) {
        ScatterChart chart = crowd(6, 1);
        for (Point& p : chart.points) p.x = std::abs(p.x) + 1;
        chart.points[3].x = log ? 0.5 : 1e-9;
        chart.logX = log;
        Recorder recorder(kRect.size().toSize());
        QPainter painter(&recorder);
        chart.paint(painter, kRect, paperLook());
        EXPECT_GE(chart.frame().px(chart.points[3].x) - chart.frame().area.left(), 11) << log;
        chart.viewX = {0.25, 10};   // as a person zoomed it
        chart.paint(painter, kRect, paperLook());
        EXPECT_EQ(chart.frame().x.range.low, 0.25);
    }
}

TEST(BarChart, BarsBeginAtZeroAndMissingOnesAreSaid) {
    BarChart chart = bars();
    Recorder recorder(kRect.size().toSize());
    QPainter painter(&recorder);
    chart.paint(painter, kRect, paperLook());
    EXPECT_EQ(chart.frame().y.range.low, 0);
    EXPECT_GT(chart.frame().y.range.high, 1);
    const auto rows = chart.columnRows(1, paperLook());
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_FALSE(rows[0].value.contains(QLatin1String("nan")));
    EXPECT_EQ(rows[1].value, QStringLiteral("1"));
    EXPECT_EQ(chart.csv().toStdString(), "name,series,value,error\r\nfp32,math,0.5,0.1\r\nfp32,code,0.25,0.05\r\nint4,math,,\r\nint4,code,1,\r\n");
    EXPECT_EQ(chart.columnAt({chart.frame().area.left() + 1, chart.frame().area.center().y()}), 0);
    EXPECT_EQ(chart.columnAt({chart.frame().area.right() - 1, chart.frame().area.center().y()}), 1);
}

TEST(BarChart, TheLimitIsNamedAboveTheBars) {
    BarChart chart;
    chart.edges = {0, 10, 20, 40};
    chart.counts = {300, 0, 1};
    chart.limit = 4;   // in the first bar, the highest
    chart.limitText = QStringLiteral("the limit");
    Recorder recorder(kRect.size().toSize());
    QPainter painter(&recorder);
    chart.paint(painter, kRect, paperLook());
    ASSERT_TRUE(recorder.recorded.has(QStringLiteral("the limit")));
    for (const auto& text : recorder.recorded.texts)
        if (text.text == QLatin1String("the limit")) {
            EXPECT_LE(text.box.bottom(), chart.frame().area.top() + 0.5);
            EXPECT_GE(text.box.top(), kRect.top());
        }
}

TEST(BarChart, AHistogramNamesItsBins) {
    BarChart chart;
    chart.edges = {0, 10, 20, 40};
    chart.counts = {3, 0, 1};
    EXPECT_TRUE(chart.isHistogram());
    EXPECT_EQ(chart.columnTitle(2), QStringLiteral("20 – 40"));
    EXPECT_EQ(chart.csv().toStdString(), "from,to,count\r\n0,10,3\r\n10,20,0\r\n20,40,1\r\n");
    EXPECT_TRUE(chart.summary().contains(QStringLiteral("3 bin")));
}

TEST(ParallelChart, BrushesKeepWhatLiesInside) {
    ParallelChart chart = parallel();
    EXPECT_TRUE(chart.kept(chart.strands[2]));
    chart.dimensions[2].brush = {1, 2};
    EXPECT_FALSE(chart.kept(chart.strands[0]));
    EXPECT_TRUE(chart.kept(chart.strands[1]));
    EXPECT_FALSE(chart.kept(chart.strands[2])) << "a value that is not there lies in no brush";
    EXPECT_TRUE(chart.summary().contains(QStringLiteral("1 inside")));
    EXPECT_EQ(chart.csv().toStdString(), "id,name,lr,opt,loss\r\n1,one,1e-04,adamw,2.5\r\n2,two,0.01,lion,1.5\r\n3,three,0.001,lion,\r\n");
}
