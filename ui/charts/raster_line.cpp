#include <assay/charts/raster_line.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::charts {
namespace {

constexpr int kSub = 4;

struct Span {   // covered interval of one sub-column
    float low = std::numeric_limits<float>::max(), high = std::numeric_limits<float>::lowest();
};

// What a round pen of radius r covers along one segment, in every sub-column it touches. Outside of the image nothing is
// kept, but a segment may be arbitrarily long.
void cover(std::vector<Span>& spans, const QPointF& a, const QPointF& b, double r) {
    const double dx = b.x() - a.x(), slope = dx > 1e-9 ? (b.y() - a.y()) / dx : 0;
    const double reach = r * slope / std::sqrt(1 + slope * slope);   // where on the pen the upper and lower tangents touch
    const int most = static_cast<int>(spans.size()) - 1;
    const int first = static_cast<int>(std::clamp(std::ceil((a.x() - r) * kSub - 0.5), 0.0, most + 1.0));
    const int last = static_cast<int>(std::clamp(std::floor((b.x() + r) * kSub - 0.5), -1.0, static_cast<double>(most)));
    for (int i = first; i <= last; ++i) {
        const double x = (i + 0.5) / kSub;
        const double left = std::max(a.x() - x, -r), right = std::min(b.x() - x, r);   // centres of the pen that reach this column
        if (left > right) continue;
        auto edge = [&](double shift, double side) {
            const double y = dx > 1e-9 ? a.y() + slope * (x + shift - a.x()) : a.y();
            return y + side * std::sqrt(std::max(0.0, r * r - shift * shift));
        };
        double low = edge(std::clamp(-reach, left, right), -1), high = edge(std::clamp(reach, left, right), 1);
        if (dx <= 1e-9) {   // upright
            const double half = std::sqrt(std::max(0.0, r * r - (a.x() - x) * (a.x() - x)));
            low = std::min(a.y(), b.y()) - half;
            high = std::max(a.y(), b.y()) + half;
        }
        spans[static_cast<size_t>(i)].low = std::min(spans[static_cast<size_t>(i)].low, static_cast<float>(low));
        spans[static_cast<size_t>(i)].high = std::max(spans[static_cast<size_t>(i)].high, static_cast<float>(high));
    }
}

// A vertex with the pen on it. Half heights of the pen at every distance of sub-columns are in `pen`.
void stamp(std::vector<Span>& spans, const QPointF& at, const std::vector<float>& pen) {
    const int reach = static_cast<int>(pen.size()) - 1, most = static_cast<int>(spans.size()) - 1;
    if (at.x() < -1e6 || at.x() > 1e6) return;
    const int middle = static_cast<int>(std::floor(at.x() * kSub));
    const auto y = static_cast<float>(at.y());
    for (int k = std::max(-reach, -middle); k <= std::min(reach, most - middle); ++k) {
        Span& span = spans[static_cast<size_t>(middle + k)];
        const float half = pen[static_cast<size_t>(k < 0 ? -k : k)];
        span.low = std::min(span.low, y - half);
        span.high = std::max(span.high, y + half);
    }
}

}  // namespace

void drawLine(QImage& image, const QPointF* points, size_t count, double width, const QColor& color, double dash) {
    if (count == 0 || image.isNull()) return;
    const int columns = image.width(), rows = image.height();
    const double r = width / 2;
    std::vector<Span> spans(static_cast<size_t>(columns) * kSub);
    if (count == 1) cover(spans, points[0], points[0], r);
    // Between vertices of neighbouring sub-columns the two stamps already span the segment.
    std::vector<float> pen;
    for (int k = 0; k <= r * kSub; ++k) pen.push_back(static_cast<float>(std::sqrt(r * r - k * k / static_cast<double>(kSub * kSub))));
    for (size_t i = 1; i < count; ++i) {
        if (points[i].x() - points[i - 1].x() > 1.0 / kSub) {
            cover(spans, points[i - 1], points[i], r);
            continue;
        }
        stamp(spans, points[i - 1], pen);
        stamp(spans, points[i], pen);
    }

    std::vector<float> part(static_cast<size_t>(rows) + 2), steps(static_cast<size_t>(rows) + 2);   // ends of intervals; changes of full cover
    const int stride = static_cast<int>(image.bytesPerLine() / 4);
    auto* const pixels = reinterpret_cast<QRgb*>(image.bits());
    const float red = static_cast<float>(color.redF()), green = static_cast<float>(color.greenF()), blue = static_cast<float>(color.blueF()), alpha = static_cast<float>(color.alphaF());
    const auto limit = static_cast<float>(rows);
    for (int column = 0; column < columns; ++column) {
        if (dash > 0 && std::fmod(column, 2 * dash) >= dash) continue;
        int top = rows, bottom = -1;
        for (int k = 0; k < kSub; ++k) {
            const Span& span = spans[static_cast<size_t>(column) * kSub + static_cast<size_t>(k)];
            const float low = std::max(span.low, 0.0f), high = std::min(span.high, limit);
            if (!(low < high)) continue;
            const int begin = static_cast<int>(low), end = static_cast<int>(high);
            if (begin == end) {
                part[static_cast<size_t>(begin)] += high - low;
            } else {
                part[static_cast<size_t>(begin)] += static_cast<float>(begin + 1) - low;
                part[static_cast<size_t>(end)] += high - static_cast<float>(end);
                steps[static_cast<size_t>(begin) + 1] += 1;
                steps[static_cast<size_t>(end)] -= 1;
            }
            top = std::min(top, begin);
            bottom = std::max(bottom, std::min(end, rows - 1));
        }
        if (bottom < 0) continue;
        float full = 0;
        QRgb* pixel = pixels + static_cast<std::ptrdiff_t>(top) * stride + column;
        const QRgb solid = qPremultiply(color.rgba());
        for (int row = top; row <= bottom; ++row, pixel += stride) {
            full += steps[static_cast<size_t>(row)];
            const float covered = std::min(1.0f, (full + part[static_cast<size_t>(row)]) / kSub);
            if (covered <= 0) continue;
            if (covered >= 0.999f && alpha >= 0.999f) {
                *pixel = solid;
                continue;
            }
            const float a = covered * alpha, keep = 1 - a;
            const QRgb under = *pixel;
            auto mix = [&](float value, int below) { return static_cast<int>(value * a * 255 + static_cast<float>(below) * keep + 0.5f); };
            *pixel = qRgba(mix(red, qRed(under)), mix(green, qGreen(under)), mix(blue, qBlue(under)), mix(1, qAlpha(under)));
        }
        for (int row = top; row <= bottom + 1 && row < rows + 2; ++row) part[static_cast<size_t>(row)] = steps[static_cast<size_t>(row)] = 0;
    }
}

}  // namespace assay::charts
