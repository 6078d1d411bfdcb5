// Plots under the hand: crosshair, zoom by drag, wheel and keys, legend, what is said, and how they leave the program.
#include <assay/widgets/plot.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>
#include <cmath>
#include <csignal>

using namespace assay;
using namespace assay::widgets;

namespace {

PlotCurve curve(const char* name, std::vector<QPointF> points, std::vector<double> nonFinite = {}) {
    PlotCurve c;
    c.id = c.name = QString::fromUtf8(name);
    c.points = std::move(points);
    c.nonFinite = std::move(nonFinite);
    return c;
}

std::vector<QPointF> ramp(double last, int count) {
    std::vector<QPointF> points;
    for (int i = 0; i < count; ++i) points.emplace_back(last * i / (count - 1), i);
    return points;
}

// Painted once with x from 0 to 1000; pixels and values are then related by the hovered signal.
class LinePlots : public testing::Test {
protected:
    void SetUp() override {
        plot.resize(640, 320);
        plot.setAxes(QStringLiteral("step"), QStringLiteral("loss"));
        plot.setCurves({curve("a", ramp(1000, 101)), curve("b", {{0, 5}, {1000, 7}})});
        plot.grab();
    }
    double valueAt(int px) {
        move(px, 160);
        return hovered.isEmpty() ? NAN : hovered.last()[0].toDouble();
    }
    void move(int x, int y) {
        QMouseEvent event(QEvent::MouseMove, QPointF(x, y), plot.mapToGlobal(QPointF(x, y)), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&plot, &event);
    }
    void drag(int from, int to) {
        QTest::mousePress(&plot, Qt::LeftButton, {}, QPoint(from, 160));
        QMouseEvent event(QEvent::MouseMove, QPointF(to, 160), plot.mapToGlobal(QPointF(to, 160)), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&plot, &event);
        QTest::mouseRelease(&plot, Qt::LeftButton, {}, QPoint(to, 160));
    }
    void wheel(int x, int delta, int y = 160) {
        QWheelEvent event(QPointF(x, y), plot.mapToGlobal(QPointF(x, y)), QPoint(), QPoint(0, delta), Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&plot, &event);
    }
    double low() const { return ranges.last()[0].toDouble(); }
    double high() const { return ranges.last()[1].toDouble(); }

    LinePlot plot;
    QSignalSpy hovered{&plot, &LinePlot::hovered};
    QSignalSpy ranges{&plot, &LinePlot::rangeChanged};
};

}  // namespace

TEST_F(LinePlots, TheCrosshairReadsTheAxis) {
    const double first = valueAt(200), second = valueAt(300), third = valueAt(400);
    EXPECT_NEAR(second - first, third - second, 1e-6);   // linear
    EXPECT_NEAR(100.0 / (second - first), plot.pixelColumns() / 1000.0, 0.01);
    const QImage without = [&] { move(2, 2); return plot.grab().toImage(); }();
    move(300, 160);
    EXPECT_NE(plot.grab().toImage(), without);
    move(2, 2);   // outside of the axes it goes
    EXPECT_TRUE(std::isnan(hovered.last()[0].toDouble()));
    EXPECT_EQ(plot.grab().toImage(), without);
}

TEST_F(LinePlots, DraggingZoomsToWhatWasMarked) {
    const double from = valueAt(200), to = valueAt(400);
    drag(200, 400);
    ASSERT_EQ(ranges.count(), 1);
    EXPECT_NEAR(low(), from, 1e-6);
    EXPECT_NEAR(high(), to, 1e-6);
    plot.grab();
    drag(400, 200);   // leftwards is the same, within the zoom
    ASSERT_EQ(ranges.count(), 2);
    EXPECT_GT(low(), from);
    EXPECT_LT(high(), to);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, QPoint(300, 160));   // a click is no zoom
    EXPECT_EQ(ranges.count(), 2);
}

TEST_F(LinePlots, DoubleClickShowsEverything) {
    drag(200, 400);
    QTest::mouseDClick(&plot, Qt::LeftButton, {}, QPoint(300, 160));
    ASSERT_EQ(ranges.count(), 2);
    EXPECT_TRUE(std::isnan(low()) && std::isnan(high()));
    QTest::mouseDClick(&plot, Qt::LeftButton, {}, QPoint(300, 160));
    EXPECT_EQ(ranges.count(), 2);   // nothing to tell twice
}

TEST_F(LinePlots, TheWheelKeepsTheValueUnderThePointer) {
    const double before = valueAt(420);
    wheel(420, 120);
    ASSERT_EQ(ranges.count(), 1);
    EXPECT_NEAR(high() - low(), 800, 1e-6);   // one notch: 0.8
    plot.grab();
    move(100, 160);
    EXPECT_NEAR(valueAt(420), before, 4);   // three pixels: the labels of the other axis may have another width
    wheel(420, -1200);   // out beyond everything
    EXPECT_TRUE(std::isnan(low()));
    const auto told = ranges.count();
    wheel(420, 120, 318);   // over the labels the page scrolls
    EXPECT_EQ(ranges.count(), told);
}

TEST_F(LinePlots, NewPointsKeepTheZoom) {
    drag(200, 400);
    const double from = low(), to = high();
    plot.setCurves({curve("a", ramp(2000, 201))});
    plot.grab();
    EXPECT_EQ(ranges.count(), 1);
    move(10, 10);
    const double left = valueAt(620);
    EXPECT_LE(left, to + 1);
    EXPECT_GE(left, from);
}

TEST_F(LinePlots, KeysDoWhatTheMouseDoes) {
    plot.setFocus();
    QTest::keyClick(&plot, Qt::Key_Right);
    EXPECT_EQ(hovered.last()[0].toDouble(), 0);
    QTest::keyClick(&plot, Qt::Key_Right);
    EXPECT_EQ(hovered.last()[0].toDouble(), 10);
    QTest::keyClick(&plot, Qt::Key_Right, Qt::ShiftModifier);
    EXPECT_EQ(hovered.last()[0].toDouble(), 110);
    QTest::keyClick(&plot, Qt::Key_Left);
    EXPECT_EQ(hovered.last()[0].toDouble(), 100);
    QTest::keyClick(&plot, Qt::Key_Plus);
    ASSERT_EQ(ranges.count(), 1);
    EXPECT_NEAR(high() - low(), 500, 1e-6);
    EXPECT_NEAR(low(), 50, 1e-6);   // around the crosshair: 100 stays where it is
    plot.grab();
    QTest::keyClick(&plot, Qt::Key_0);
    EXPECT_TRUE(std::isnan(low()));
    QTest::keyClick(&plot, Qt::Key_Escape);
    EXPECT_TRUE(std::isnan(hovered.last()[0].toDouble()));
}

TEST_F(LinePlots, TheLegendHidesACurve) {
    const QImage both = plot.grab().toImage();
    QTest::mouseClick(&plot, Qt::LeftButton, {}, QPoint(20, 14));   // the first name
    const QImage one = plot.grab().toImage();
    EXPECT_NE(one, both);
    EXPECT_EQ(ranges.count(), 0);
    QTest::keyClick(&plot, Qt::Key_1);
    EXPECT_EQ(plot.grab().toImage(), both);
    QTest::keyClick(&plot, Qt::Key_1);
    EXPECT_EQ(plot.grab().toImage(), one);
}

TEST_F(LinePlots, TheDescriptionSaysWhatThePictureShows) {
    EXPECT_EQ(plot.accessibleName(), QStringLiteral("Curves"));
    EXPECT_TRUE(plot.accessibleDescription().contains(QStringLiteral("2 curve")));
    EXPECT_TRUE(plot.accessibleDescription().contains(QStringLiteral("b: last 7")));
    plot.setCurves({curve("c", {}, {1, 2})});
    EXPECT_TRUE(plot.accessibleDescription().contains(QStringLiteral("2 not finite")));
}

TEST_F(LinePlots, EdgesOfDataDoNoHarm) {
    for (const auto& points : std::vector<std::vector<QPointF>>{{}, {{5, 1}}, {{0, 3}, {10, 3}}, {{0, 1e-12}, {1, 1e15}}, ramp(1e-9, 11), {{1e6, 2}, {1e6 + 1, 3}}, {{7, 1}, {7, 2}}})
        for (const bool log : {false, true}) {
            plot.setLogY(log);
            plot.setCurves({curve("a", points, {0.5})});
            EXPECT_FALSE(plot.grab().isNull());
            for (int i = 0; i < 40; ++i) wheel(300, 120);   // as deep as it goes
            EXPECT_FALSE(plot.grab().isNull());
            valueAt(300);
            plot.resetZoom();
        }
}

TEST_F(LinePlots, AMetricThatBeginsLateIsZoomedThere) {
    plot.setCurves({curve("late", {{1e6, 2}, {1e6 + 500, 1}, {1e6 + 1000, 0.5}})});
    plot.grab();
    move(10, 10);
    EXPECT_NEAR(valueAt(340), 1e6 + 500, 40);
    drag(200, 400);
    EXPECT_GE(low(), 1e6);
    EXPECT_LE(high(), 1e6 + 1000);
}

TEST_F(LinePlots, LeavesAsEveryFormat) {
    QTemporaryDir folder;
    for (const auto& [ending, start] : {std::pair("png", "\x89PNG"), {"svg", "<?xml"}, {"pdf", "%PDF"}, {"csv", "curve,step,loss"}}) {
        const QString path = folder.filePath(QStringLiteral("chart.") + QLatin1String(ending));
        const auto done = exportPlot(&plot, path);
        ASSERT_TRUE(done.has_value()) << done.error().text();
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        EXPECT_TRUE(bytes.startsWith(start)) << ending;
        EXPECT_FALSE(bytes.contains("<image")) << ending;
        EXPECT_FALSE(bytes.contains("/Subtype /Image")) << ending;
        if (QLatin1String(ending) == QLatin1String("csv")) {
            EXPECT_EQ(bytes.count("\r\n"), 1 + 101 + 2);
            EXPECT_TRUE(bytes.contains("\r\na,10,1,,\r\n"));
            EXPECT_TRUE(bytes.endsWith("\r\nb,1000,7,,\r\n"));
        }
    }
    EXPECT_FALSE(exportPlot(&plot, folder.filePath(QStringLiteral("chart.bmp"))).has_value());
    EXPECT_EQ(QDir(folder.path()).entryList(QDir::Files).size(), 4);
}

TEST_F(LinePlots, AFailedExportSaysWhyAndLeavesNothing) {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("there/chart.svg"));   // no such folder
    EXPECT_FALSE(exportPlot(&plot, path).has_value());
    ASSERT_TRUE(QDir(folder.path()).mkdir(QStringLiteral("chart.svg")));       // a folder in its place
    const auto done = exportPlot(&plot, folder.filePath(QStringLiteral("chart.svg")));
    ASSERT_FALSE(done.has_value());
    EXPECT_FALSE(done.error().text().empty());
    EXPECT_EQ(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), QStringList{QStringLiteral("chart.svg")});
    EXPECT_FALSE(exportPlot(&plot, QStringLiteral("/proc/assay-chart.png")).has_value());   // not even root writes there
}

TEST_F(LinePlots, AFileThatDoesNotFitIsNotThere) {
    QTemporaryDir folder;
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit small{200, before.rlim_max};   // writing stops after 200 bytes, as on a full disk
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    bool written = false;
    for (const char* name : {"chart.csv", "chart.png", "chart.svg", "chart.pdf"}) written = written || exportPlot(&plot, folder.filePath(QLatin1String(name))).has_value();
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_FALSE(written);
    EXPECT_TRUE(QDir(folder.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
}

TEST_F(LinePlots, AnOldFileStaysWhenTheNewOneFails) {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("chart.csv"));
    ASSERT_TRUE(exportPlot(&plot, path).has_value());
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray before = file.readAll();
    plot.setCurves({});
    ::chmod(QFile::encodeName(folder.path()).constData(), 0500);
    const bool written = exportPlot(&plot, path).has_value();
    ::chmod(QFile::encodeName(folder.path()).constData(), 0700);
    if (::geteuid() != 0) {   // root writes anywhere
        EXPECT_FALSE(written);
    }
    if (!written) {
        file.seek(0);
        EXPECT_EQ(file.readAll(), before);
    }
    EXPECT_EQ(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{QStringLiteral("chart.csv")});
}

TEST(ScatterPlot, ClicksKeysAndDoubleClicks) {
    ScatterPlot plot;
    plot.resize(500, 320);
    plot.setAxes(QStringLiteral("cost"), QStringLiteral("loss"));
    plot.setPoints({{QStringLiteral("1"), QStringLiteral("one"), 0, 0, 1, 1, 0, 0, false, false}, {QStringLiteral("2"), QStringLiteral("two"), 1, 1, 3, 2, 0, 0, false, true}});
    plot.grab();
    QSignalSpy selected(&plot, &ScatterPlot::selected), opened(&plot, &ScatterPlot::opened);
    QTest::keyClick(&plot, Qt::Key_Right);
    QTest::keyClick(&plot, Qt::Key_Right);
    QTest::keyClick(&plot, Qt::Key_Return);
    ASSERT_EQ(selected.count(), 2);
    EXPECT_EQ(selected[0][0].toString(), QStringLiteral("1"));
    EXPECT_EQ(selected[1][0].toString(), QStringLiteral("2"));
    ASSERT_EQ(opened.count(), 1);
    EXPECT_EQ(opened[0][0].toString(), QStringLiteral("2"));
    EXPECT_TRUE(plot.accessibleDescription().contains(QStringLiteral("two: 3, 2 (the answer)")) || plot.accessibleDescription().contains(QStringLiteral("(the answer)")));
}

TEST(ParallelPlot, ABrushNamesWhatItKeeps) {
    ParallelPlot plot;
    plot.resize(500, 320);
    plot.setAxes({{QStringLiteral("lr"), QStringLiteral("lr"), {}, {}, false, false}, {QStringLiteral("loss"), QStringLiteral("loss"), {}, {}, true, false}});
    plot.setLines({{QStringLiteral("low"), QStringLiteral("low"), 0, {0, 0}}, {QStringLiteral("high"), QStringLiteral("high"), 1, {10, 10}}});
    plot.grab();
    QSignalSpy brushed(&plot, &ParallelPlot::brushed);
    QTest::mousePress(&plot, Qt::LeftButton, {}, QPoint(48, 46));   // the first axis, its upper half
    QMouseEvent move(QEvent::MouseMove, QPointF(48, 150), plot.mapToGlobal(QPointF(48, 150)), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&plot, &move);
    QTest::mouseRelease(&plot, Qt::LeftButton, {}, QPoint(48, 150));
    ASSERT_EQ(brushed.count(), 1);
    EXPECT_EQ(brushed[0][0].toStringList(), QStringList{QStringLiteral("high")});
    QTest::keyClick(&plot, Qt::Key_0);
    EXPECT_EQ(brushed.last()[0].toStringList().size(), 2);
}

TEST(BarPlot, SaysItsBars) {
    BarPlot plot;
    plot.resize(300, 200);
    plot.setSeries({QStringLiteral("math")});
    plot.setGroups({{QStringLiteral("fp32"), {0.5}, {}}, {QStringLiteral("int4"), {0.25}, {}}});
    EXPECT_TRUE(plot.accessibleDescription().contains(QStringLiteral("fp32: math 0.5")) || plot.accessibleDescription().contains(QStringLiteral("fp32: math 0.50")));
    const QImage before = plot.grab().toImage();
    QTest::keyClick(&plot, Qt::Key_Right);
    EXPECT_NE(plot.grab().toImage(), before);   // the readout of the first group
}
