// Charts under the offscreen platform: first paint, zoom frames, live updates, raw millions.

#include <assay/style/tokens.h>
#include <assay/widgets/plot.h>

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <random>

using namespace assay;
using Clock = std::chrono::steady_clock;

namespace {

double milliseconds(Clock::time_point since) { return std::chrono::duration<double, std::milli>(Clock::now() - since).count(); }
double cpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::vector<QPointF> noisyLoss(size_t count, double last, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0, 0.06);
    std::vector<QPointF> points;
    points.reserve(count);
    for (size_t i = 0; i < count; ++i) {
        const double t = static_cast<double>(i) / static_cast<double>(count);
        points.emplace_back(t * last, 1.6 + 0.1 * seed / 10 + 2 * std::exp(-6 * t) + noise(random));
    }
    return points;
}

std::vector<widgets::PlotCurve> curves(size_t count, size_t points) {
    std::vector<widgets::PlotCurve> out;
    for (size_t i = 0; i < count; ++i)
        out.push_back({QString::number(i), QStringLiteral("run %1").arg(i), static_cast<int>(i), false, false, noisyLoss(points, 1e6, static_cast<unsigned>(i)), {}, {}});
    return out;
}

// Median of `frames` pictures, each after a turn of the wheel.
void zoomFrame(const char* what, widgets::LinePlot& plot, QImage& image, int frames) {
    std::vector<double> times;
    const double cpu = cpuSeconds();
    const QPointF at(plot.width() * 0.6, plot.height() / 2.0);
    for (int i = 0; i < frames; ++i) {
        const int turn = i % 12 < 6 ? 120 : -120;
        const auto start = Clock::now();
        QWheelEvent wheel(at, at, QPoint(), QPoint(0, turn), Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&plot, &wheel);
        plot.QWidget::render(&image);
        times.push_back(milliseconds(start));
    }
    std::sort(times.begin(), times.end());
    std::printf("zoom frame, %s: %.1f ms (%.1f ms of CPU)\n", what, times[times.size() / 2], (cpuSeconds() - cpu) / frames * 1000);
}

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    style::install(application, style::ThemeChoice::kLight);
    const QSize size(1676, 640);   // 1,600 pixel columns between the axes
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    auto make = [&](widgets::LinePlot& plot) {
        plot.setAxes(QStringLiteral("step"), QStringLiteral("loss, nats/token"));
        plot.resize(size);
    };
    {
        widgets::LinePlot warm;   // fonts are loaded once a process
        make(warm);
        warm.setCurves(curves(1, 100));
        warm.QWidget::render(&image);
    }
    {
        widgets::LinePlot plot;
        make(plot);
        auto thinned = curves(1, 4 * 1600);
        const auto start = Clock::now();
        plot.setCurves(std::move(thinned));
        plot.QWidget::render(&image);
        std::printf("first paint, 1 M points thinned to 6,400: %.1f ms\n", milliseconds(start));
    }
    {
        widgets::LinePlot plot;
        make(plot);
        plot.setCurves(curves(10, 4 * 1600));
        plot.QWidget::render(&image);
        std::printf("columns: %d\n", plot.pixelColumns());
        zoomFrame("10 curves x 4 points a column", plot, image, 60);
        plot.setSmoothing(0.9);
        zoomFrame("the same raw and smoothed", plot, image, 60);
    }
    {
        widgets::LinePlot plot;
        make(plot);
        auto raw = curves(10, 1'000'000);
        const auto start = Clock::now();
        plot.setCurves(std::move(raw));
        plot.QWidget::render(&image);
        std::printf("first paint, 10 x 1 M raw points: %.1f ms\n", milliseconds(start));
        zoomFrame("10 x 1 M raw points", plot, image, 60);
    }
    {
        // Twenty charts of a run page, each gets new points ten times a second.
        constexpr int kCharts = 20, kUpdates = 30;
        std::vector<std::unique_ptr<widgets::LinePlot>> plots;
        const QSize small(336, 196);
        QImage canvas(small, QImage::Format_ARGB32_Premultiplied);
        for (int i = 0; i < kCharts; ++i) {
            plots.push_back(std::make_unique<widgets::LinePlot>());
            plots.back()->resize(small);
        }
        std::vector<std::vector<widgets::PlotCurve>> data;
        for (int i = 0; i < kCharts; ++i) data.push_back(curves(1, 4 * 270));
        const double before = cpuSeconds();
        for (int update = 0; update < kUpdates; ++update)
            for (int i = 0; i < kCharts; ++i) {
                data[static_cast<size_t>(i)][0].points.back().ry() += 0.01;
                plots[static_cast<size_t>(i)]->setCurves(data[static_cast<size_t>(i)]);
                plots[static_cast<size_t>(i)]->QWidget::render(&canvas);
            }
        const double perUpdate = (cpuSeconds() - before) / kUpdates;
        std::printf("20 live charts, 10 updates/s: %.1f %% of a core\n", perUpdate * 10 * 100);
        widgets::LinePlot one;
        make(one);
        auto twenty = curves(20, 4 * 1600);
        const double start = cpuSeconds();
        for (int update = 0; update < kUpdates; ++update) {
            one.setCurves(twenty);
            one.QWidget::render(&image);
        }
        std::printf("20 live curves in one wide chart, 10 updates/s: %.1f %% of a core\n", (cpuSeconds() - start) / kUpdates * 10 * 100);
    }
    return 0;
}
