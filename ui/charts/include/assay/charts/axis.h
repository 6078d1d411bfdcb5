#pragma once
// One axis: its range, where its ticks stand and how they are written. Pure functions.

#include <QString>
#include <functional>
#include <limits>
#include <vector>

namespace assay::charts {

inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct Range {
    double low = kNone, high = kNone;
    bool valid() const { return low <= high; }
    double span() const { return high - low; }
    void include(double value);          // non-finite values are left out
    bool operator==(const Range& other) const = default;
};

using Text = std::function<QString(double)>;

struct Axis {
    QString title;
    Text text;                           // empty: SI suffixes and as many digits as the step needs
    bool log = false;
    bool whole = false;                  // values are counts: no tick stands between two of them
    Range range{0, 1};
    std::vector<double> ticks;
    std::vector<QString> labels;         // one a tick

    double place(double value) const;    // 0 … 1; beyond: outside
    double value(double place) const;
    QString valueText(double value) const;   // of one value: more digits than a tick
};

// Room around the data; a constant series gets a range around its value. Log: whole steps of the scale.
Range padded(Range data, bool log, bool fromZero = false);
// About `wanted` ticks at 1-2-5 steps, or decades (1-2-5 within few decades), with their labels.
void chooseTicks(Axis& axis, int wanted);
// All with one unit and as many decimals as tell them apart: 0, 25k, 50k; 1,000,005; 2e−7.
std::vector<QString> tickLabels(const std::vector<double>& ticks);

}  // namespace assay::charts
