#pragma once
// An antialiased line with a round pen, ascending in x, painted into an image. Four sub-columns a pixel, one covered interval
// each: the work is that of the columns, not of a stroker's outline.

#include <QColor>
#include <QImage>
#include <QPointF>
#include <vector>

namespace assay::charts {

// `points` in pixels of `image` (ARGB32_Premultiplied). `dash` > 0: drawn and left out by turns, that many pixels each.
void drawLine(QImage& image, const QPointF* points, size_t count, double width, const QColor& color, double dash = 0);

}  // namespace assay::charts
