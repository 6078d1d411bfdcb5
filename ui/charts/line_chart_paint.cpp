#include <assay/charts/line_chart.h>
#include <assay/charts/raster_line.h>
#include <assay/models/format.h>

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <optional>

#include "say.h"

namespace assay::charts {
namespace {

constexpr double kLegendRow = 20;
constexpr int kLegendRows = 3;
constexpr double kLegendName = 200;
constexpr size_t kTrueDashes = 4000;   // points


// Calls `piece(begin, count)` for every stretch of `points` without a non-finite value inside.
template <class Piece>
void pieces(const std::vector<QPointF>& points, const std::vector<double>& breaks, Piece&& piece) {
    size_t begin = 0;
    for (size_t i = 1; i < points.size(); ++i) {
        const auto next = std::upper_bound(breaks.begin(), breaks.end(), points[i - 1].x());
        if (next == breaks.end() || *next >= points[i].x()) continue;
        piece(begin, i - begin);
        begin = i;
    }
    if (begin < points.size()) piece(begin, points.size() - begin);
}

// Where values lie on the canvas; as Frame::px, for many values.
class Place {
public:
    Place(const Axis& axis, double origin, double length) : log_(axis.log) {
        const double low = log_ ? std::log10(axis.range.low) : axis.range.low, span = (log_ ? std::log10(axis.range.high) : axis.range.high) - low;
        factor_ = span > 0 ? length / span : 0;
        offset_ = span > 0 ? origin : origin + length / 2;
        low_ = low;
    }
    double operator()(double value) const { return std::clamp(offset_ + ((log_ ? std::log10(value) : value) - low_) * factor_, -1e7, 1e7); }

private:
    bool log_;
    double low_, factor_, offset_;
};

}  // namespace

QString LineChart::legendText(const Curve& curve) const {
    if (curve.nonFinite.empty()) return {};
    return say(QT_TRANSLATE_N_NOOP("charts", "%n not finite"), static_cast<int>(curve.nonFinite.size()));
}

double LineChart::layoutLegend(const QRectF& outer, const Look& look) {
    items_.clear();
    moreItems_ = 0;
    if (!legend_) return 8;
    const QFontMetricsF metrics(look.small);
    double left = outer.left() + 8, top = outer.top() + 4;
    int row = 0;
    for (const Curve& curve : curves_) {
        if (curve.name.isEmpty()) continue;
        const QString extra = legendText(curve);
        const double width = 18 + metrics.horizontalAdvance(label(curve.name, look.small, kLegendName)) + (extra.isEmpty() ? 0 : 6 + metrics.horizontalAdvance(extra)) + 12;
        if (left + width > outer.right() - 8 && left > outer.left() + 8) {
            left = outer.left() + 8;
            if (++row >= kLegendRows) {
                row = kLegendRows - 1;
                moreItems_ = 1;   // counted below
                break;
            }
            top += kLegendRow;
        }
        items_.push_back({QRectF(left, top, width, kLegendRow), curve.id});
        left += width;
    }
    if (items_.empty()) return 8;
    if (moreItems_) {
        moreItems_ = static_cast<size_t>(std::count_if(curves_.begin(), curves_.end(), [](const Curve& c) { return !c.name.isEmpty(); })) - items_.size();
        while (items_.size() > 1 && items_.back().rect.right() > outer.right() - 90 && items_.back().rect.top() > outer.top() + 30) {
            items_.pop_back();   // room for the words "and N more"
            ++moreItems_;
        }
    }
    return (row + 1) * kLegendRow + 12;
}

void LineChart::paintLegend(QPainter& painter, const Look& look) const {
    const QFontMetricsF metrics(look.small);
    painter.setFont(look.small);
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const LegendItem& item : items_) {
        const auto found = std::find_if(curves_.begin(), curves_.end(), [&](const Curve& c) { return c.id == item.id; });
        if (found == curves_.end()) continue;
        const bool hidden = hidden_.contains(item.id);
        const double middle = item.rect.center().y();
        QPen pen(hidden ? look.tokens.line : look.data(found->color), 2.5, found->dashed ? Qt::DotLine : Qt::SolidLine, Qt::RoundCap);
        if (found->dashed) pen.setCapStyle(Qt::FlatCap);
        painter.setPen(pen);
        painter.drawLine(QPointF(item.rect.left() + 1, middle), QPointF(item.rect.left() + 12, middle));
        double left = item.rect.left() + 18;
        const QString name = label(found->name, look.small, kLegendName);
        QFont font = look.small;
        font.setStrikeOut(hidden);
        painter.setFont(font);
        painter.setPen(hidden ? look.tokens.text3 : look.tokens.text2);
        painter.drawText(QRectF(left, item.rect.top(), kLegendName + 4, item.rect.height()), Qt::AlignLeft | Qt::AlignVCenter, name);
        painter.setFont(look.small);
        if (const QString extra = legendText(*found); !extra.isEmpty()) {
            left += metrics.horizontalAdvance(name) + 6;
            painter.setPen(hidden ? look.tokens.text3 : look.tokens.bad);
            painter.drawText(QRectF(left, item.rect.top(), 400, item.rect.height()), Qt::AlignLeft | Qt::AlignVCenter, extra);
        }
    }
    if (moreItems_ > 0 && !items_.empty()) {
        const QRectF last = items_.back().rect;
        painter.setPen(look.tokens.text3);
        painter.drawText(QRectF(last.right(), last.top(), 160, last.height()), Qt::AlignLeft | Qt::AlignVCenter, say(QT_TRANSLATE_N_NOOP("charts", "and %n more"), static_cast<int>(moreItems_)));
    }
}

void LineChart::paintBand(QPainter& painter, const Curve& curve, const QColor& color) const {
    if (curve.band.size() != curve.points.size() || curve.points.size() < 2) return;
    QPolygonF outline;
    const size_t stride = std::max<size_t>(1, curve.points.size() / 2000);   // a band is smooth; its outline need not hold every point
    auto add = [&](size_t i, double y) {
        if (!std::isfinite(y) || (logY_ && y <= 0) || (logX_ && curve.points[i].x() <= 0)) return;
        outline << QPointF(std::clamp(frame_.px(curve.points[i].x()), -1e6, 1e6), std::clamp(frame_.py(y), -1e6, 1e6));
    };
    const size_t n = curve.points.size();
    for (size_t i = 0; i < n; i += stride) add(i, curve.band[i].y());
    add(n - 1, curve.band[n - 1].y());
    add(n - 1, curve.band[n - 1].x());
    for (size_t i = (n - 1) / stride * stride + 1; i-- > 0;)
        if (i % stride == 0) add(i, curve.band[i].x());
    QColor fill = color;
    fill.setAlphaF(0.16f);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawPolygon(outline);
    painter.setBrush(Qt::NoBrush);
}

void LineChart::paintNonFinite(QPainter& painter, const Curve& curve, const Look& look) const {
    if (curve.nonFinite.empty()) return;
    double last = -1e9;
    painter.setPen(QPen(look.data(curve.color), 1.25));
    for (const double x : curve.nonFinite) {
        if (logX_ && x <= 0) continue;
        const double px = frame_.px(x);
        if (px < frame_.area.left() || px > frame_.area.right() || px - last < 5) continue;   // marks that would cover one another are one
        last = px;
        const double py = frame_.area.bottom() - 5;
        painter.drawLine(QPointF(px - 2.5, py - 2.5), QPointF(px + 2.5, py + 2.5));
        painter.drawLine(QPointF(px - 2.5, py + 2.5), QPointF(px + 2.5, py - 2.5));
    }
}

void LineChart::paintMarks(QPainter& painter, const Look& look) const {
    const QFontMetricsF metrics(look.small);
    const QRectF& a = frame_.area;
    painter.setFont(look.small);
    std::vector<QRectF> taken;
    for (const Mark& mark : marks_) {
        if (!std::isfinite(mark.x) || (logX_ && mark.x <= 0)) continue;
        const double px = frame_.px(mark.x);
        if (px < a.left() - 0.5 || px > a.right() + 0.5) continue;
        const bool neutral = mark.tone == style::Tone::kNeutral;
        painter.setPen(QPen(look.tone(mark.tone), 1.25, neutral ? Qt::SolidLine : Qt::DashLine));
        painter.drawLine(QPointF(px, a.top()), QPointF(px, a.bottom()));
        if (mark.text.isEmpty()) continue;
        const QString text = label(mark.text, look.small, std::min(220.0, a.width() * 0.6));
        const double width = metrics.horizontalAdvance(text);
        QRectF box(px + 6, a.top() + 1, width, metrics.height());
        if (box.right() > a.right()) box.moveRight(px - 6);
        for (int tries = 0; tries < 6 && std::any_of(taken.begin(), taken.end(), [&](const QRectF& r) { return r.intersects(box.adjusted(-4, 0, 4, 0)); }); ++tries) box.translate(0, metrics.height() + 1);
        taken.push_back(box);
        painter.setPen(neutral ? look.tokens.text2 : look.tone(mark.tone));
        painter.drawText(box.adjusted(0, 0, 2, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
    }
    for (const Reference& reference : references_) {
        const double py = frame_.py(reference.y);
        if (py < a.top() || py > a.bottom()) continue;
        painter.setPen(QPen(look.tokens.text3, 1.25, Qt::DotLine));
        painter.drawLine(QPointF(a.left(), py), QPointF(a.right(), py));
        painter.setPen(look.tokens.text2);
        painter.drawText(QRectF(a.left(), py - metrics.height() - 1, a.width() - 2, metrics.height()), Qt::AlignRight | Qt::AlignBottom, label(reference.text, look.small, a.width()));
    }
}

void LineChart::paintLine(QPainter& painter, const CurveData& data, const Curve& curve, const QColor& color, double width, bool dashed, LineCanvas* canvas, double scale) const {
    const QRectF& a = frame_.area;
    const int columns = std::max(1, static_cast<int>(std::ceil(a.width() * (canvas ? scale : 2.0))));
    std::vector<QPointF> points = data.thin(frame_.x, columns);
    // Few dashes are drawn truly along the line; on the canvas they follow the columns.
    const bool strokes = !canvas || (dashed && points.size() <= kTrueDashes);
    if (strokes && canvas) canvas->flush(painter, a.topLeft(), scale);   // curves lie above one another in their order
    std::vector<std::pair<size_t, size_t>> parts;
    pieces(points, curve.nonFinite, [&](size_t begin, size_t count) { parts.emplace_back(begin, count); });
    const Place x(frame_.x, strokes ? a.left() : 0, a.width() * (strokes ? 1 : scale)), y(frame_.y, strokes ? a.bottom() : a.height() * scale, -a.height() * (strokes ? 1 : scale));
    for (QPointF& p : points) p = QPointF(x(p.x()), y(p.y()));
    for (const auto& [begin, count] : parts) {
        if (count == 1) {   // a value alone between two gaps, or a curve of one point
            if (!strokes) {
                canvas->line(&points[begin], 1, (width + 2.5) * scale, color);
                continue;
            }
            painter.setPen(Qt::NoPen);
            painter.setBrush(color);
            painter.drawEllipse(points[begin], width / 2 + 1.25, width / 2 + 1.25);
            painter.setBrush(Qt::NoBrush);
        } else if (!strokes) {
            canvas->line(&points[begin], count, width * scale, color, dashed ? 5 * scale : 0);
        } else {
            QPen pen(color, width, Qt::SolidLine, dashed ? Qt::FlatCap : Qt::RoundCap, Qt::RoundJoin);
            if (dashed) pen.setDashPattern({4, 3});
            painter.setPen(pen);
            painter.drawPolyline(&points[begin], static_cast<int>(count));
        }
    }
}

void LineChart::paintCurve(QPainter& painter, size_t index, const Look& look, LineCanvas* canvas, double scale) const {
    const Curve& curve = curves_[index];
    const Prepared& data = prepared_[index];
    QColor color = look.data(curve.color), pale = color;
    pale.setAlphaF(0.35f);
    const bool hasSmooth = !data.smooth.empty();
    paintLine(painter, data.raw, curve, curve.faint || hasSmooth ? pale : color, curve.faint || hasSmooth ? 1 : look.line, curve.dashed, canvas, scale);
    if (hasSmooth) paintLine(painter, data.smooth, curve, color, look.line + 0.25, curve.dashed, canvas, scale);
}

void LineChart::paint(QPainter& painter, const QRectF& outer, const Look& look) {
    painter.save();
    const double top = layoutLegend(outer, look);
    const QString note = this->note();
    const QFontMetricsF metrics(look.small);
    const double foot = note.isEmpty() ? 0 : metrics.height() + 2;
    Axis x, y;
    x.title = xTitle_;
    x.text = xText_;
    x.log = logX_;
    x.whole = wholeX_;
    x.range = view();
    y.title = yTitle_;
    y.text = yText_;
    y.log = logY_;
    Range data;
    for (size_t i = 0; i < curves_.size(); ++i) {
        if (hidden_.contains(curves_[i].id)) continue;
        const Range seen = prepared_[i].raw.yRange(x.range.low, x.range.high);
        if (seen.valid()) {
            data.include(seen.low);
            data.include(seen.high);
        }
        if (curves_[i].band.size() == curves_[i].points.size())
            for (size_t k = 0; k < curves_[i].band.size(); ++k)
                if (curves_[i].points[k].x() >= x.range.low && curves_[i].points[k].x() <= x.range.high)
                    for (const double v : {curves_[i].band[k].x(), curves_[i].band[k].y()})
                        if (!logY_ || v > 0) data.include(v);
    }
    if (!data.valid())   // a zoom between two points: the line that crosses the view decides
        for (size_t i = 0; i < curves_.size(); ++i)
            if (!hidden_.contains(curves_[i].id) && !prepared_[i].raw.empty())
                for (const QPointF& p : prepared_[i].raw.thin(x, 1)) data.include(p.y());
    for (const Reference& reference : references_)
        if (!logY_ || reference.y > 0) data.include(reference.y);
    y.range = padded(data, logY_);
    frame_ = layoutFrame(outer.adjusted(0, 0, 0, -foot), std::move(x), std::move(y), look, top);
    if (!hasPoints()) {
        size_t bad = 0, left = 0;
        for (const Curve& curve : curves_) bad += curve.nonFinite.size();
        for (const Prepared& one : prepared_) left += one.left;
        QString text = empty_.isEmpty() ? say(QT_TRANSLATE_NOOP("charts", "Nothing to show yet")) : empty_;
        if (left > 0) text = say(QT_TRANSLATE_NOOP("charts", "Every value is ≤ 0, which a logarithmic axis cannot show"));
        else if (bad > 0) text = say(QT_TRANSLATE_N_NOOP("charts", "No finite value: all %n are NaN or infinite"), static_cast<int>(bad));
        drawEmpty(painter, outer, text, look);
        paintLegend(painter, look);
        painter.restore();
        return;
    }
    drawFrame(painter, frame_, look);
    painter.save();
    painter.setClipRect(frame_.area.adjusted(-1, -1, 1, 1));
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (size_t i = 0; i < curves_.size(); ++i)
        if (!hidden_.contains(curves_[i].id)) paintBand(painter, curves_[i], look.data(curves_[i].color));
    const double scale = painter.device() ? painter.device()->devicePixelRatioF() : 1;
    std::optional<LineCanvas> canvas;
    if (!look.vector) canvas.emplace(QSize(static_cast<int>(std::ceil(frame_.area.width() * scale)), static_cast<int>(std::ceil(frame_.area.height() * scale))));
    for (size_t i = 0; i < curves_.size(); ++i)
        if (!hidden_.contains(curves_[i].id)) paintCurve(painter, i, look, canvas ? &*canvas : nullptr, scale);
    if (canvas) canvas->flush(painter, frame_.area.topLeft(), scale);
    for (size_t i = 0; i < curves_.size(); ++i) {
        if (hidden_.contains(curves_[i].id)) continue;
        paintNonFinite(painter, curves_[i], look);
        const auto& points = prepared_[i].raw.points();
        if (markers_ && points.size() <= 60 && !curves_[i].faint && points.size() * 14 < static_cast<size_t>(frame_.area.width()))
            for (const QPointF& p : points)
                if (p.x() >= frame_.x.range.low && p.x() <= frame_.x.range.high) drawMarker(painter, curves_[i].color, frame_.at(p.x(), p.y()), 3.5, look.data(curves_[i].color), look.tokens.surface);
    }
    painter.restore();
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintMarks(painter, look);
    paintLegend(painter, look);
    if (!note.isEmpty()) {
        painter.setFont(look.small);
        painter.setPen(look.tokens.text3);
        painter.drawText(QRectF(frame_.area.left(), outer.bottom() - metrics.height() - 2, frame_.area.width(), metrics.height()), Qt::AlignRight | Qt::AlignVCenter, label(note, look.small, frame_.area.width()));
    }
    painter.restore();
}

}  // namespace assay::charts
