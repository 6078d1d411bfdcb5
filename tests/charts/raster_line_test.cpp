// The line canvas: cover by arithmetic, and the same picture as QPainter's own antialiased stroker.
#include <assay/charts/raster_line.h>
#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <cmath>
#include <random>

using namespace assay::charts;

namespace {

QImage blank(int width, int height) {
    QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    return image;
}

QImage drawn(int width, int height, const std::vector<QPointF>& points, double pen, const QColor& color, double dash = 0) {
    QImage image = blank(width, height);
    LineCanvas canvas(image.size());
    canvas.line(points.data(), points.size(), pen, color, dash);
    QPainter painter(&image);
    canvas.flush(painter, {}, 1);
    return image;
}

double darkness(const QImage& image, int x, int y) { return (255 - qRed(image.pixel(x, y))) / 255.0; }

double ink(const QImage& image) {
    double sum = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) sum += darkness(image, x, y);
    return sum;
}

}  // namespace

TEST(LineCanvas, AFlatLineCoversWhatItsWidthSays) {
    const QImage image = drawn(40, 20, {{5, 10}, {35, 10}}, 3, Qt::black);   // rows 8.5 … 11.5
    EXPECT_NEAR(darkness(image, 20, 8), 0.5, 0.02);
    EXPECT_EQ(darkness(image, 20, 9), 1);
    EXPECT_EQ(darkness(image, 20, 10), 1);
    EXPECT_NEAR(darkness(image, 20, 11), 0.5, 0.02);
    EXPECT_EQ(darkness(image, 20, 7), 0);
    EXPECT_EQ(darkness(image, 20, 12), 0);
    EXPECT_EQ(darkness(image, 1, 10), 0);
}

TEST(LineCanvas, AlphaIsThatOfTheColour) {
    QColor half(Qt::black);
    half.setAlpha(128);
    const QImage image = drawn(40, 20, {{5, 10}, {35, 10}}, 4, half);
    EXPECT_NEAR(darkness(image, 20, 10), 128 / 255.0, 0.01);
}

TEST(LineCanvas, LooksAsTheStrokerDrawsIt) {
    for (const double slope : {0.0, 0.3, 1.0, -2.5, 12.0}) {
        std::vector<QPointF> points;
        for (int i = 0; i <= 8; ++i) points.emplace_back(10 + i * 5.0, 60 + (i % 2 ? slope * 5 : 0));
        const QImage ours = drawn(60, 130, points, 2, Qt::black);
        QImage theirs = blank(60, 130);
        {
            QPainter painter(&theirs);
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(QPen(Qt::black, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            painter.drawPolyline(points.data(), static_cast<int>(points.size()));
        }
        double difference = 0;
        for (int y = 0; y < 130; ++y)
            for (int x = 0; x < 60; ++x) difference += std::abs(darkness(ours, x, y) - darkness(theirs, x, y));
        EXPECT_LT(difference, 0.16 * ink(theirs)) << "slope " << slope;
        EXPECT_NEAR(ink(ours), ink(theirs), 0.12 * ink(theirs)) << "slope " << slope;
    }
}

TEST(LineCanvas, DenseDataIsAnUnbrokenArea) {
    std::vector<QPointF> points;   // 40 points a column between rows 20 and 80
    for (int i = 0; i < 4000; ++i) points.emplace_back(i / 40.0, i % 2 ? 20 : 80);
    const QImage image = drawn(100, 100, points, 1.5, Qt::black);
    for (int x = 1; x < 99; ++x)
        for (int y = 21; y < 79; ++y) ASSERT_EQ(darkness(image, x, y), 1) << x << ' ' << y;
    for (int x = 0; x < 100; ++x) {
        EXPECT_EQ(darkness(image, x, 18), 0);
        EXPECT_EQ(darkness(image, x, 81), 0);
    }
}

TEST(LineCanvas, LinesThatLeaveTheCanvasAreCut) {
    const QImage image = drawn(50, 50, {{-1e7, -1e7}, {1e7, 1e7}}, 2, Qt::black);
    for (int i = 1; i < 49; ++i) EXPECT_GT(darkness(image, i, i), 0.6) << i;
    EXPECT_EQ(darkness(image, 10, 40), 0);
    EXPECT_EQ(ink(drawn(50, 50, {{10, -500}, {40, -400}}, 2, Qt::black)), 0);
    EXPECT_GT(ink(drawn(50, 50, {{25, -1e7}, {25, 1e7}}, 2, Qt::black)), 90);   // upright, 2 wide, 50 high
    EXPECT_NEAR(ink(drawn(50, 50, {{25, 45}, {25, 60}}, 2, Qt::black)), 12, 2.5);   // one end below the border
}

TEST(LineCanvas, OnePointIsADot) {
    const double area = 3.14159265 * 2 * 2;
    EXPECT_NEAR(ink(drawn(20, 20, {{10, 10}}, 4, Qt::black)), area, 0.1 * area);
}

TEST(LineCanvas, DashesLeaveGaps) {
    const QImage image = drawn(100, 20, {{0, 10}, {99, 10}}, 2, Qt::black, 5);
    EXPECT_EQ(darkness(image, 2, 10), 1);
    EXPECT_EQ(darkness(image, 7, 10), 0);
    EXPECT_EQ(darkness(image, 12, 10), 1);
}

TEST(LineCanvas, IsEmptyAfterAFlush) {
    LineCanvas canvas(QSize(20, 20));
    const QPointF first[] = {{0, 5}, {20, 5}}, second[] = {{0, 15}, {20, 15}};
    QImage image = blank(20, 20);
    QPainter painter(&image);
    canvas.line(first, 2, 2, Qt::black);
    canvas.flush(painter, {}, 1);
    image.fill(Qt::white);
    canvas.flush(painter, {}, 1);
    EXPECT_EQ(ink(image), 0);
    canvas.line(second, 2, 2, Qt::black);
    canvas.flush(painter, {}, 1);
    EXPECT_EQ(darkness(image, 10, 5), 0);
    EXPECT_EQ(darkness(image, 10, 15), 1);
}
