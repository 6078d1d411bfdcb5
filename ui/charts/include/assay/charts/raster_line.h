#pragma once
// Antialiased lines with a round pen, ascending in x. A few sub-columns a pixel, one covered interval each: the work is that of
// the columns, not of a stroker's outline. Pixels lie column by column in memory, as they are painted, and are turned once.

#include <QColor>
#include <QPointF>
#include <QSize>
#include <cstdint>
#include <vector>

class QPainter;

namespace assay::charts {

class LineCanvas {
public:
    explicit LineCanvas(const QSize& size);   // device pixels
    ~LineCanvas();
    LineCanvas(const LineCanvas&) = delete;
    LineCanvas& operator=(const LineCanvas&) = delete;
    // `points` in pixels of the canvas. `dash` > 0: drawn and left out by turns, that many pixels each.
    void line(const QPointF* points, size_t count, double width, const QColor& color, double dash = 0);
    // What was drawn goes to `at`, `scale` pixels a unit; the canvas is empty afterwards.
    void flush(QPainter& painter, const QPointF& at, double scale);

private:
    struct Ink;
    void cover(const QPointF* points, size_t count, double radius);
    void tangents(const QPointF& a, const QPointF& b, double radius);
    void stamp(int subColumn, float low, float high);
    void paintColumn(int column, const Ink& ink);

    int columns_, rows_, sub_ = 4;
    size_t pitch_;                            // from one column to the next
    std::vector<uint32_t> pixels_;            // premultiplied
    std::vector<float> lows_, highs_;         // the covered interval of every sub-column
    std::vector<float> pen_;                  // half heights of the pen at every distance of sub-columns
    int top_, bottom_;                        // rows that were touched
    bool stale_ = true;                       // the pixels are those of a picture that has left
};

}  // namespace assay::charts
