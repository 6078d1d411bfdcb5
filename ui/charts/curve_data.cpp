#include <assay/charts/curve_data.h>

#include <algorithm>
#include <cmath>

namespace assay::charts {
namespace {

constexpr size_t kBlock = 32;
constexpr size_t kCoarse = 32 * kBlock;

bool before(const QPointF& a, const QPointF& b) { return a.x() < b.x(); }

}  // namespace

CurveData::CurveData(std::vector<QPointF> points) : points_(std::move(points)) {
    if (!std::is_sorted(points_.begin(), points_.end(), before)) std::stable_sort(points_.begin(), points_.end(), before);
    blocks_.reserve(points_.size() / kBlock + 1);
    for (size_t begin = 0; begin < points_.size(); begin += kBlock) {
        size_t least = begin, greatest = begin;
        const size_t end = std::min(begin + kBlock, points_.size());
        for (size_t i = begin + 1; i < end; ++i) {
            if (points_[i].y() < points_[least].y()) least = i;
            if (points_[i].y() > points_[greatest].y()) greatest = i;
        }
        const Block block{points_[least].y(), points_[greatest].y(), static_cast<uint32_t>(least), static_cast<uint32_t>(greatest)};
        blocks_.push_back(block);
        if (begin % kCoarse == 0) coarse_.push_back(block);
        if (block.low < coarse_.back().low) coarse_.back().low = block.low, coarse_.back().least = block.least;
        if (block.high > coarse_.back().high) coarse_.back().high = block.high, coarse_.back().greatest = block.greatest;
    }
}

void CurveData::extremes(size_t begin, size_t end, size_t& least, size_t& greatest) const {
    least = greatest = begin;
    double low = points_[begin].y(), high = low;
    auto see = [&](size_t i) {
        const double y = points_[i].y();
        if (y < low) low = y, least = i;
        if (y > high) high = y, greatest = i;
    };
    size_t i = begin;
    for (; i < end && i % kBlock != 0; ++i) see(i);
    while (i + kBlock <= end) {
        const bool coarse = i % kCoarse == 0 && i + kCoarse <= end;
        const Block& block = coarse ? coarse_[i / kCoarse] : blocks_[i / kBlock];
        i += coarse ? kCoarse : kBlock;
        if (block.low < low) low = block.low, least = block.least;
        if (block.high > high) high = block.high, greatest = block.greatest;
    }
    for (; i < end; ++i) see(i);
}

std::vector<QPointF> CurveData::thin(const Axis& axis, int columns) const {
    std::vector<QPointF> out;
    if (points_.empty() || columns < 1) return out;
    const QPointF low(axis.range.low, 0), high(axis.range.high, 0);
    auto first = static_cast<size_t>(std::lower_bound(points_.begin(), points_.end(), low, before) - points_.begin());
    auto last = static_cast<size_t>(std::upper_bound(points_.begin(), points_.end(), high, before) - points_.begin());
    if (first > 0) --first;
    if (last < points_.size()) ++last;
    if (last - first <= static_cast<size_t>(columns) * 4) return {points_.begin() + static_cast<std::ptrdiff_t>(first), points_.begin() + static_cast<std::ptrdiff_t>(last)};
    out.reserve(static_cast<size_t>(columns) * 4 + 8);
    size_t begin = first, step = (last - first) / static_cast<size_t>(columns);
    // First point at or beyond `x` from `begin` on; near where an even spread would have it.
    auto find = [&](double x) {
        size_t low = begin, high = begin + std::max<size_t>(step, 1);
        while (high < last && points_[high].x() < x) {
            low = high;
            high += std::max<size_t>(step, 1);
            step *= 2;
        }
        high = std::min(high, last);
        if (high - low > 32) {   // steps are mostly even: a guess is nearly right, and a search in a million points waits for memory
            const double from = points_[low].x(), to = points_[high - 1].x();
            if (x > from && x < to) {
                const size_t guess = low + static_cast<size_t>((x - from) / (to - from) * static_cast<double>(high - 1 - low));
                if (guess > low + 3 && points_[guess - 3].x() < x) low = guess - 3;
                if (guess + 4 < high && points_[guess + 4].x() >= x) high = guess + 4;
            }
        }
        const auto at = std::lower_bound(points_.begin() + static_cast<std::ptrdiff_t>(low), points_.begin() + static_cast<std::ptrdiff_t>(high), QPointF(x, 0), before);
        return static_cast<size_t>(at - points_.begin());
    };
    // Column -1 holds what lies left of the view (one point), column `columns` what lies right of it.
    for (int column = -1; column <= columns && begin < last; ++column) {
        size_t end = last;
        if (column < columns) {
            const double border = axis.value(static_cast<double>(column + 1) / columns);
            end = find(border);
            step = std::max<size_t>(1, end - begin);
        }
        if (end == begin) continue;
        size_t least = 0, greatest = 0;
        extremes(begin, end, least, greatest);
        size_t chosen[] = {begin, std::min(least, greatest), std::max(least, greatest), end - 1};
        for (size_t k = 0; k < 4; ++k)
            if (k == 0 || chosen[k] != chosen[k - 1]) out.push_back(points_[chosen[k]]);
        begin = end;
    }
    return out;
}

Range CurveData::yRange(double xLow, double xHigh) const {
    Range out;
    const auto first = static_cast<size_t>(std::lower_bound(points_.begin(), points_.end(), QPointF(xLow, 0), before) - points_.begin());
    const auto last = static_cast<size_t>(std::upper_bound(points_.begin(), points_.end(), QPointF(xHigh, 0), before) - points_.begin());
    if (first >= last) return out;
    size_t least = 0, greatest = 0;
    extremes(first, last, least, greatest);
    return {points_[least].y(), points_[greatest].y()};
}

size_t CurveData::nearest(double x) const {
    const auto at = static_cast<size_t>(std::lower_bound(points_.begin(), points_.end(), QPointF(x, 0), before) - points_.begin());
    if (at == 0) return 0;
    if (at == points_.size()) return at - 1;
    return x - points_[at - 1].x() <= points_[at].x() - x ? at - 1 : at;
}

std::vector<QPointF> smoothed(const std::vector<QPointF>& points, double weight) {
    std::vector<QPointF> out;
    out.reserve(points.size());
    double sum = 0, share = 0;   // of what was seen so far
    for (const QPointF& p : points) {
        sum = weight * sum + (1 - weight) * p.y();
        share = weight * share + (1 - weight);
        out.emplace_back(p.x(), sum / share);
    }
    return out;
}

}  // namespace assay::charts
