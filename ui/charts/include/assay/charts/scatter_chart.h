#pragma once
// Points with error bars, a frontier, a target and names that do not cover one another.

#include <assay/charts/frame.h>

namespace assay::charts {

struct Point {
    QString id, name;
    int color = 0, marker = 0;
    double x = 0, y = 0, xError = 0, yError = 0;   // half widths; 0: none
    bool faded = false, ringed = false;
};

class ScatterChart {
public:
    std::vector<Point> points;
    std::vector<QPointF> frontier;
    double target = kNone;
    QString targetText, emptyText, selected;
    QString xTitle, yTitle;
    Text xText, yText;
    bool logX = false, logY = false;
    Range viewX, viewY;          // zoom; invalid: everything

    void paint(QPainter& painter, const QRectF& outer, const Look& look);
    const Frame& frame() const { return frame_; }
    int pointAt(const QPointF& at) const;        // index, or -1
    QString summary() const;
    QByteArray csv() const;
    Range everythingX() const;
    Range everythingY() const;

private:
    bool drawable(const Point& point) const;
    void paintBars(QPainter& painter, const Point& point, const QColor& color) const;
    void paintLabels(QPainter& painter, const Look& look, const std::vector<size_t>& order, const QRectF& targetBox) const;
    Frame frame_;
};

}  // namespace assay::charts
