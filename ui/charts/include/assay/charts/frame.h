#pragma once
// What every chart has around its data: grid, tick labels, axis titles, colours and fonts; and markers and labels.

#include <assay/charts/axis.h>
#include <assay/style/tokens.h>

#include <QPainterPath>
#include <QRectF>

class QPainter;

namespace assay::charts {

struct Look {
    style::Tokens tokens;
    QFont small, body;          // tick labels and names
    double line = 1.5;          // width of a curve
    bool vector = false;        // for SVG, PDF, print: paths instead of pixels
    QColor data(int index) const;
    QColor tone(style::Tone tone) const;
};
Look screenLook();              // the present theme
Look paperLook();               // light tokens, for export and print

struct Frame {
    QRectF area;                // of the data
    QRectF outer;
    Axis x, y;
    double px(double value) const { return area.left() + x.place(value) * area.width(); }
    double py(double value) const { return area.bottom() - y.place(value) * area.height(); }
    QPointF at(double xv, double yv) const { return {px(xv), py(yv)}; }
};
// Chooses the ticks for the room there is. `top`: room kept free above the data (a legend).
Frame layoutFrame(const QRectF& outer, Axis x, Axis y, const Look& look, double top = 8);
void drawFrame(QPainter& painter, const Frame& frame, const Look& look);

QPainterPath markerPath(style::Marker marker, const QPointF& at, double radius);
void drawMarker(QPainter& painter, int marker, const QPointF& at, double radius, const QColor& fill, const QColor& edge);
void drawEmpty(QPainter& painter, const QRectF& area, const QString& text, const Look& look);

// A name from data: one line, without direction controls, isolated against right-to-left text, elided in the middle.
QString label(const QString& text, const QFont& font, double width);

// A small box with a heading and rows of (swatch, name, value) beside `at`, inside `within`.
struct ReadoutRow {
    QColor color;               // invalid: no swatch
    QString name, value;
};
void drawReadout(QPainter& painter, const QRectF& within, const QPointF& at, const QString& heading, const std::vector<ReadoutRow>& rows, const Look& look);

}  // namespace assay::charts
