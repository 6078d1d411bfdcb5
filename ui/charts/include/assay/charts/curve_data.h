#pragma once
// The points of one line, thinned for the screen: first, least, greatest and last of every pixel column (M4), with least
// and greatest of blocks of 32 points kept, so that a view of a million points costs what its columns cost.

#include <assay/charts/axis.h>

#include <QPointF>
#include <cstdint>

namespace assay::charts {

class CurveData {
public:
    CurveData() = default;
    // Finite, x ascending (equal x is fine). Points out of order start nothing new: they are sorted first, stably.
    explicit CurveData(std::vector<QPointF> points);

    const std::vector<QPointF>& points() const { return points_; }
    bool empty() const { return points_.empty(); }
    // Points for a view of `columns` pixel columns; the neighbours outside come too, so that lines reach the edge.
    // Few points come as they are. Column borders are even on `axis`, logarithmic or not.
    std::vector<QPointF> thin(const Axis& axis, int columns) const;
    Range yRange(double xLow, double xHigh) const;
    size_t nearest(double x) const;      // index; the data must not be empty

private:
    struct Block {
        double low, high;
        uint32_t least, greatest;        // their indices
    };
    void extremes(size_t begin, size_t end, size_t& least, size_t& greatest) const;   // begin < end
    std::vector<QPointF> points_;
    std::vector<Block> blocks_, coarse_;   // of 32 points, and of 32 blocks
};

// Exponential smoothing with bias correction: early values are not pulled towards 0, a constant stays constant.
std::vector<QPointF> smoothed(const std::vector<QPointF>& points, double weight);

}  // namespace assay::charts
