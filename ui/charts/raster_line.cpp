#include <assay/charts/raster_line.h>

#include <QImage>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::charts {
namespace {

constexpr int kMostSub = 4;   // sub-columns of a pixel; two where a line is so dense that it is an area
constexpr int kTile = 16;   // columns and rows turned at a time: one cache line each

// Charts are painted one after the other: the pixels of one are kept for the next, which saves the kernel clearing them anew.
constexpr size_t kMostSpare = 8 << 20;
thread_local std::vector<uint32_t> spare;

// All four channels of a premultiplied pixel times part/256.
uint32_t times(uint32_t pixel, uint32_t part) { return (((pixel & 0xff00ff) * part >> 8) & 0xff00ff) | (((pixel >> 8 & 0xff00ff) * part) & 0xff00ff00); }

}  // namespace

struct LineCanvas::Ink {
    uint32_t color, alpha;   // premultiplied; 0 … 255
    uint32_t keep(uint32_t cover) const { return 256 - (cover * alpha + 127) / 255; }   // of what lies below
};

LineCanvas::LineCanvas(const QSize& size)
    : columns_(std::max(1, size.width())), rows_(std::max(1, size.height())), pitch_(static_cast<size_t>((rows_ + kTile - 1) / kTile * kTile)),
      lows_(static_cast<size_t>(columns_) * kMostSub), highs_(lows_.size()), top_(rows_), bottom_(-1) {
    pixels_.swap(spare);
    pixels_.resize(pitch_ * static_cast<size_t>((columns_ + kTile - 1) / kTile * kTile));
}

LineCanvas::~LineCanvas() {
    if (pixels_.size() <= kMostSpare) spare.swap(pixels_);
}

// The pen at all heights between `low` and `high`.
void LineCanvas::stamp(int middle, float low, float high) {
    const int reach = static_cast<int>(pen_.size()) - 1, most = columns_ * sub_ - 1;
    for (int k = std::max(-reach, -middle); k <= std::min(reach, most - middle); ++k) {
        const auto at = static_cast<size_t>(middle + k);
        const float half = pen_[static_cast<size_t>(k < 0 ? -k : k)];
        lows_[at] = std::min(lows_[at], low - half);
        highs_[at] = std::max(highs_[at], high + half);
    }
}

// The two lines that touch the pen at both ends. Outside of the canvas nothing is kept, but a segment may be arbitrarily long.
void LineCanvas::tangents(const QPointF& a, const QPointF& b, double r) {
    const double slope = (b.y() - a.y()) / (b.x() - a.x()), length = std::sqrt(1 + slope * slope);
    const double reach = r * slope / length, off = r * length;   // where on the pen they touch; how far above and below, measured upright
    const double most = columns_ * sub_;
    auto columns = [&](double shift, double up, auto&& take) {
        const int first = static_cast<int>(std::clamp(std::ceil((a.x() + shift) * sub_ - 0.5), 0.0, most));
        const int last = static_cast<int>(std::clamp(std::floor((b.x() + shift) * sub_ - 0.5), -1.0, most - 1));
        const double start = a.y() + up + slope * (0.5 / sub_ - a.x()), step = slope / sub_;
        for (int i = first; i <= last; ++i) take(static_cast<size_t>(i), static_cast<float>(start + step * i));
    };
    columns(reach, -off, [&](size_t i, float y) { lows_[i] = std::min(lows_[i], y); });
    columns(-reach, off, [&](size_t i, float y) { highs_[i] = std::max(highs_[i], y); });
}

void LineCanvas::cover(const QPointF* points, size_t count, double r) {
    pen_.clear();
    for (int k = 0; k <= r * sub_; ++k) pen_.push_back(static_cast<float>(std::sqrt(r * r - k * k / static_cast<double>(sub_ * sub_))));
    const double far = 1e6;   // such a vertex cannot be seen, its segment can
    auto place = [&](const QPointF& p) { return static_cast<int>(std::floor(std::clamp(p.x(), -far, far) * sub_)); };
    // Vertices of one sub-column are stamped together.
    int middle = place(points[0]);
    float low = static_cast<float>(points[0].y()), high = low;
    for (size_t i = 1; i < count; ++i) {
        const int next = place(points[i]);
        const auto y = static_cast<float>(points[i].y());
        if (next != middle) {
            stamp(middle, low, high);
            low = high = y;
            // Between neighbouring sub-columns the stamps already span the segment: each reaches into the other's column.
            if (next - middle > 1) tangents(points[i - 1], points[i], r);
            middle = next;
        }
        low = std::min(low, y);
        high = std::max(high, y);
    }
    stamp(middle, low, high);
}

void LineCanvas::paintColumn(int column, const Ink& ink) {
    // Cover changes in the rows where an interval begins or ends, eight at most; between them it is the number of intervals.
    float lows[kMostSub], highs[kMostSub];
    int begins[kMostSub], ends[kMostSub], events[2 * kMostSub + 1], count = 0, intervals = 0;
    auto event = [&](int row) {
        int at = count++;
        for (; at > 0 && events[at - 1] > row; --at) events[at] = events[at - 1];
        events[at] = row;
    };
    const auto sub = static_cast<size_t>(sub_);
    for (size_t k = static_cast<size_t>(column) * sub, end = k + sub; k < end; ++k) {
        const float low = std::max(lows_[k], 0.0f), high = std::min(highs_[k], static_cast<float>(rows_));
        if (!(low < high)) continue;
        lows[intervals] = low;
        highs[intervals] = high;
        event(begins[intervals] = static_cast<int>(low));
        event(ends[intervals] = static_cast<int>(high));
        ++intervals;
    }
    if (count == 0) return;
    top_ = std::min(top_, events[0]);
    bottom_ = std::max(bottom_, std::min(events[count - 1], rows_ - 1));
    uint32_t* const pixels = pixels_.data() + static_cast<size_t>(column) * pitch_;
    auto paint = [&](int from, int to, uint32_t cover) {
        if (cover == 0) return;
        const uint32_t color = times(ink.color, cover), keep = ink.keep(cover);
        if (keep == 0) std::fill(pixels + from, pixels + to, color);
        else
            for (int row = from; row < to; ++row) pixels[row] = color + times(pixels[row], keep);
    };
    events[count] = events[count - 1] + 1;
    for (int i = 0; i < count; ++i) {
        const int row = events[i], next = events[i + 1];
        if (row == next || row >= rows_) continue;
        float part = 0;
        int whole = 0;   // intervals that cover all rows up to the next change
        for (int k = 0; k < intervals; ++k) {
            part += std::max(0.0f, std::min(highs[k], static_cast<float>(row + 1)) - std::max(lows[k], static_cast<float>(row)));
            whole += begins[k] <= row && ends[k] >= next;
        }
        paint(row, row + 1, static_cast<uint32_t>(part * (256.0f / static_cast<float>(sub_)) + 0.5f));
        paint(row + 1, next, static_cast<uint32_t>(whole * (256 / sub_)));
    }
}

void LineCanvas::line(const QPointF* points, size_t count, double width, const QColor& color, double dash) {
    if (count == 0) return;
    if (stale_) std::fill(pixels_.begin(), pixels_.end(), 0);
    stale_ = false;
    std::fill(lows_.begin(), lows_.end(), std::numeric_limits<float>::max());
    std::fill(highs_.begin(), highs_.end(), std::numeric_limits<float>::lowest());
    sub_ = count > static_cast<size_t>(columns_) * 2 ? 2 : kMostSub;
    cover(points, count, width / 2);
    const QRgb given = color.rgba();
    const Ink ink{qPremultiply(given), static_cast<uint32_t>(qAlpha(given))};
    for (int column = 0; column < columns_; ++column)
        if (!(dash > 0) || std::fmod(column, 2 * dash) < dash) paintColumn(column, ink);
}

void LineCanvas::flush(QPainter& painter, const QPointF& at, double scale) {
    if (bottom_ < top_) return;
    const int first = top_ / kTile * kTile, rows = bottom_ + 1 - first;
    QImage image(columns_, rows, QImage::Format_ARGB32_Premultiplied);
    auto* const out = reinterpret_cast<uint32_t*>(image.bits());
    const auto stride = static_cast<size_t>(image.bytesPerLine() / 4);
    for (int left = 0; left < columns_; left += kTile)
        for (int top = 0; top < rows; top += kTile) {
            const uint32_t* from = pixels_.data() + static_cast<size_t>(left) * pitch_ + static_cast<size_t>(first + top);
            uint32_t* to = out + static_cast<size_t>(top) * stride + static_cast<size_t>(left);
            const auto width = static_cast<size_t>(std::min(kTile, columns_ - left)), height = static_cast<size_t>(std::min(kTile, rows - top));
            for (size_t row = 0; row < height; ++row)
                for (size_t column = 0; column < width; ++column) to[row * stride + column] = from[column * pitch_ + row];
        }
    image.setDevicePixelRatio(scale);
    painter.drawImage(at + QPointF(0, first / scale), image);
    stale_ = true;
    top_ = rows_;
    bottom_ = -1;
}

}  // namespace assay::charts
