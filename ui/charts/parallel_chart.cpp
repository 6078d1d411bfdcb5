#include <assay/charts/line_chart.h>
#include <assay/charts/parallel_chart.h>
#include <assay/models/format.h>

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "say.h"

namespace assay::charts {
void ParallelChart::layout(const QRectF& outer, const Look& look) {
    const QFontMetricsF metrics(look.small);
    axes_.clear();
    for (size_t d = 0; d < dimensions.size(); ++d) {
        const Dimension& dimension = dimensions[d];
        Axis axis;
        axis.text = dimension.text;
        if (!dimension.categories.isEmpty()) {   // each at its own height, whole names as they are
            axis.range = {-0.5, static_cast<double>(dimension.categories.size()) - 0.5};
            for (int c = 0; c < dimension.categories.size(); ++c) {
                axis.ticks.push_back(c);
                axis.labels.push_back(dimension.categories[c]);
            }
        } else {
            Range data;
            for (const Strand& strand : strands)
                if (d < strand.values.size() && (!dimension.log || strand.values[d] > 0)) data.include(strand.values[d]);
            axis.log = dimension.log && data.valid();
            axis.range = padded(data, axis.log);
            chooseTicks(axis, std::clamp(static_cast<int>(outer.height() / 60), 2, 6));
        }
        axes_.push_back(std::move(axis));
    }
    area_ = outer.adjusted(48, metrics.height() * 2 + 14, -48, -12);
    if (area_.height() < 20) area_.setHeight(20);
    if (area_.width() < 20) area_.setWidth(20);
}

double ParallelChart::px(size_t axis) const {
    if (axes_.size() < 2) return area_.center().x();
    return area_.left() + area_.width() * static_cast<double>(axis) / static_cast<double>(axes_.size() - 1);
}

double ParallelChart::py(size_t axis, double value) const { return area_.bottom() - axes_[axis].place(value) * area_.height(); }

double ParallelChart::valueAt(int axis, double y) const { return axes_[static_cast<size_t>(axis)].value((area_.bottom() - y) / area_.height()); }

bool ParallelChart::kept(const Strand& strand) const {
    for (size_t d = 0; d < dimensions.size(); ++d) {
        const Range& brush = dimensions[d].brush;
        if (!brush.valid()) continue;
        if (d >= strand.values.size() || !(strand.values[d] >= brush.low && strand.values[d] <= brush.high)) return false;
    }
    return true;
}

QString ParallelChart::valueText(int axis, double value) const {
    const Dimension& dimension = dimensions[static_cast<size_t>(axis)];
    if (std::isnan(value)) return models::notMeasured();
    if (!dimension.categories.isEmpty()) {
        const int at = static_cast<int>(std::lround(value));
        return at >= 0 && at < dimension.categories.size() ? dimension.categories[at] : models::notMeasured();
    }
    return dimension.text ? dimension.text(value) : models::formatNumber(value);
}

void ParallelChart::paint(QPainter& painter, const QRectF& outer, const Look& look) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    layout(outer, look);
    if (dimensions.empty() || strands.empty()) {
        drawEmpty(painter, outer, say(QT_TRANSLATE_NOOP("charts", "Nothing to compare yet")), look);
        painter.restore();
        return;
    }
    auto draw = [&](const Strand& strand, bool strong, bool pale) {
        QColor color = look.data(strand.color);
        color.setAlphaF(pale ? 0.12f : strong ? 1.0f : 0.75f);
        painter.setPen(QPen(color, strong ? 2.5 : 1.25, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        QPolygonF line;
        auto finish = [&] {
            if (line.size() > 1) painter.drawPolyline(line);
            else if (line.size() == 1) painter.drawPoint(line[0]);
            line.clear();
        };
        for (size_t d = 0; d < axes_.size(); ++d) {
            const double value = d < strand.values.size() ? strand.values[d] : kNone;
            if (!std::isfinite(value) || (axes_[d].log && value <= 0)) finish();
            else line << QPointF(px(d), py(d, value));
        }
        finish();
    };
    for (const Strand& strand : strands)
        if (!kept(strand)) draw(strand, false, true);
    for (const Strand& strand : strands)
        if (kept(strand) && strand.id != selected && strand.id != hovered) draw(strand, false, !selected.isEmpty() && hovered.isEmpty() && strands.size() > 20);
    for (const Strand& strand : strands)
        if ((strand.id == selected && !selected.isEmpty()) || (strand.id == hovered && !hovered.isEmpty())) draw(strand, true, !kept(strand));

    const QFontMetricsF metrics(look.small);
    const double room = axes_.size() > 1 ? area_.width() / static_cast<double>(axes_.size() - 1) : area_.width();
    for (size_t d = 0; d < axes_.size(); ++d) {
        const double x = px(d);
        painter.setPen(QPen(look.tokens.text3, 1));
        painter.drawLine(QPointF(x, area_.top()), QPointF(x, area_.bottom()));
        if (dimensions[d].brush.valid()) {
            QColor fill = look.tokens.accent;
            fill.setAlphaF(0.22f);
            painter.setPen(QPen(look.tokens.accent, 1));
            painter.setBrush(fill);
            const double top = std::max(area_.top(), py(d, dimensions[d].brush.high)), bottom = std::min(area_.bottom(), py(d, dimensions[d].brush.low));
            painter.drawRect(QRectF(QPointF(x - 7, top), QPointF(x + 7, bottom)));
            painter.setBrush(Qt::NoBrush);
        }
        const bool lastAxis = d + 1 == axes_.size() && d > 0;
        painter.setFont(look.small);
        for (size_t t = 0; t < axes_[d].ticks.size(); ++t) {
            const double y = py(d, axes_[d].ticks[t]);
            if (y < area_.top() - 1 || y > area_.bottom() + 1) continue;
            const QString text = label(axes_[d].labels[t], look.small, lastAxis ? 44 + room * 0.3 : room - 14);
            const double width = metrics.horizontalAdvance(text);
            QRectF box(x + 6, y - metrics.height() / 2, width + 2, metrics.height());
            if (lastAxis) box.moveRight(x - 6);
            QColor halo = look.tokens.surface;
            halo.setAlphaF(0.8f);
            painter.fillRect(box, halo);   // the lines run behind the numbers
            painter.setPen(look.tokens.text2);
            painter.drawText(box, lastAxis ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter, text);
        }
        const double width = std::min(room - 8, d == 0 || lastAxis ? 48 + room / 2 - 8 : room - 8);
        const double left = std::clamp(x - width / 2, outer.left() + 4, std::max(outer.left() + 4, outer.right() - 4 - width));
        const auto align = d == 0 ? Qt::AlignLeft : lastAxis ? Qt::AlignRight : Qt::AlignHCenter;
        painter.setPen(look.tokens.text);
        painter.drawText(QRectF(left, outer.top() + 4, width, metrics.height()), align | Qt::AlignVCenter, label(dimensions[d].title, look.small, width));
        if (dimensions[d].categories.isEmpty()) {
            painter.setPen(look.tokens.text3);
            painter.drawText(QRectF(left, outer.top() + 4 + metrics.height(), width, metrics.height()), align | Qt::AlignVCenter, dimensions[d].lowerIsBetter ? say(QT_TRANSLATE_NOOP("charts", "less is better")) : say(QT_TRANSLATE_NOOP("charts", "more is better")));
        }
    }
    painter.restore();
}

int ParallelChart::axisAt(const QPointF& at) const {
    if (at.y() < area_.top() - 6 || at.y() > area_.bottom() + 6) return -1;
    for (size_t d = 0; d < axes_.size(); ++d)
        if (std::abs(at.x() - px(d)) <= 9) return static_cast<int>(d);
    return -1;
}

int ParallelChart::strandAt(const QPointF& at) const {
    int best = -1;
    double distance = 7;
    for (size_t s = 0; s < strands.size(); ++s) {
        if (!kept(strands[s])) continue;
        for (size_t d = 0; d + 1 < axes_.size() && d + 1 < strands[s].values.size(); ++d) {
            const double a = strands[s].values[d], b = strands[s].values[d + 1];
            if (at.x() < px(d) || at.x() > px(d + 1) || !std::isfinite(a) || !std::isfinite(b)) continue;
            const double share = (at.x() - px(d)) / (px(d + 1) - px(d)), y0 = py(d, a), y1 = py(d + 1, b);
            const double off = std::abs(at.y() - (y0 + share * (y1 - y0))) * std::cos(std::atan2(y1 - y0, px(d + 1) - px(d)));
            if (off < distance) {
                distance = off;
                best = static_cast<int>(s);
            }
        }
    }
    return best;
}

QString ParallelChart::summary() const {
    QStringList names;
    for (const Dimension& dimension : dimensions) names << dimension.title;
    const auto inside = std::count_if(strands.begin(), strands.end(), [&](const Strand& s) { return kept(s); });
    return say(QT_TRANSLATE_N_NOOP("charts", "%n line(s)"), static_cast<int>(strands.size())) + QStringLiteral(" · ") + say(QT_TRANSLATE_N_NOOP("charts", "%n inside the brushes"), static_cast<int>(inside)) + QStringLiteral(" · ") + names.join(QStringLiteral(", "));
}

QByteArray ParallelChart::csv() const {
    QByteArray out = "id,name";
    for (const Dimension& dimension : dimensions) out += "," + csvField(dimension.key.isEmpty() ? dimension.title : dimension.key);
    out += "\r\n";
    for (const Strand& strand : strands) {
        out += csvField(strand.id) + "," + csvField(strand.name);
        for (size_t d = 0; d < dimensions.size(); ++d) {
            const double value = d < strand.values.size() ? strand.values[d] : kNone;
            out += ",";
            if (std::isnan(value)) continue;
            out += dimensions[d].categories.isEmpty() ? csvNumber(value) : csvField(valueText(static_cast<int>(d), value));
        }
        out += "\r\n";
    }
    return out;
}

}  // namespace assay::charts
