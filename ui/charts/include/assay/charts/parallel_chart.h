#pragma once
// Parallel coordinates: one line a set-up across upright axes; a brush on an axis keeps what lies inside.

#include <assay/charts/frame.h>

#include <QStringList>

namespace assay::charts {

struct Dimension {
    QString key, title;
    Text text;
    QStringList categories;          // not empty: values are indices into it
    bool lowerIsBetter = false, log = false;
    Range brush;                     // invalid: none
};
struct Strand {
    QString id, name;
    int color = 0;
    std::vector<double> values;      // NaN: gap
};

class ParallelChart {
public:
    std::vector<Dimension> dimensions;
    std::vector<Strand> strands;
    QString selected, hovered;

    void paint(QPainter& painter, const QRectF& outer, const Look& look);
    const QRectF& area() const { return area_; }
    int axisAt(const QPointF& at) const;             // index, or -1
    int strandAt(const QPointF& at) const;
    double valueAt(int axis, double py) const;
    bool kept(const Strand& strand) const;           // inside every brush
    QString valueText(int axis, double value) const;
    QString summary() const;
    QByteArray csv() const;

private:
    void layout(const QRectF& outer, const Look& look);
    double px(size_t axis) const;
    double py(size_t axis, double value) const;
    std::vector<Axis> axes_;
    QRectF area_;
};

}  // namespace assay::charts
