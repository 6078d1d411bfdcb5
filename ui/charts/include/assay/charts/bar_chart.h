#pragma once
// Grouped bars with error bars, and histograms with a limit.

#include <assay/charts/frame.h>

#include <QStringList>

namespace assay::charts {

struct Group {
    QString name;
    std::vector<double> values, errors;   // NaN: none
};

class BarChart {
public:
    QString xTitle, yTitle, emptyText, limitText;
    Text xText, yText;
    QStringList series;
    std::vector<Group> groups;
    std::vector<double> edges, counts;    // histogram, when not empty
    double limit = kNone;

    void paint(QPainter& painter, const QRectF& outer, const Look& look);
    const Frame& frame() const { return frame_; }
    int columnAt(const QPointF& at) const;        // group or bin, or -1
    QString columnTitle(int column) const;
    std::vector<ReadoutRow> columnRows(int column, const Look& look) const;
    int columns() const { return static_cast<int>(isHistogram() ? counts.size() : groups.size()); }
    bool isHistogram() const { return !counts.empty() && edges.size() == counts.size() + 1; }
    QString summary() const;
    QByteArray csv() const;

private:
    void paintBars(QPainter& painter, const Look& look) const;
    void paintHistogram(QPainter& painter, const Look& look) const;
    void paintNames(QPainter& painter, const Look& look) const;
    double placeOf(double value) const;           // of a value between the edges: 0 … bins
    Frame frame_;
};

}  // namespace assay::charts
