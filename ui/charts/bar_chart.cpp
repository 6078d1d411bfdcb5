#include <assay/charts/bar_chart.h>
#include <assay/charts/line_chart.h>
#include <assay/models/format.h>

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "say.h"

namespace assay::charts {
namespace {


// A bar with rounded corners at its free end only.
void bar(QPainter& painter, const QRectF& rect, bool up) {
    const double r = std::min({2.0, rect.width() / 2, rect.height()});
    QPainterPath path;
    if (up) {
        path.moveTo(rect.bottomLeft());
        path.lineTo(rect.left(), rect.top() + r);
        path.quadTo(rect.topLeft(), rect.topLeft() + QPointF(r, 0));
        path.lineTo(rect.right() - r, rect.top());
        path.quadTo(rect.topRight(), rect.topRight() + QPointF(0, r));
        path.lineTo(rect.bottomRight());
        path.closeSubpath();
    } else {
        path.addRect(rect);
    }
    painter.drawPath(path);
}

}  // namespace

double BarChart::placeOf(double value) const {
    const auto at = std::upper_bound(edges.begin(), edges.end(), value);
    if (at == edges.begin()) return 0;
    if (at == edges.end()) return static_cast<double>(counts.size());
    const double low = *(at - 1), high = *at;
    return static_cast<double>(at - edges.begin() - 1) + (high > low ? (value - low) / (high - low) : 0);
}

void BarChart::paintBars(QPainter& painter, const Look& look) const {
    const double zero = std::clamp(frame_.py(0), frame_.area.top(), frame_.area.bottom());
    const size_t bars = std::max<size_t>(1, static_cast<size_t>(series.size()));
    const double room = frame_.area.width() / static_cast<double>(std::max<size_t>(1, groups.size()));
    const double width = std::clamp(room * 0.72 / static_cast<double>(bars), 1.0, 72.0);
    for (size_t g = 0; g < groups.size(); ++g) {
        const double start = frame_.area.left() + (static_cast<double>(g) + 0.5) * room - width * static_cast<double>(bars) / 2;
        for (size_t s = 0; s < std::min(bars, groups[g].values.size()); ++s) {
            const double value = groups[g].values[s];
            if (!std::isfinite(value)) continue;
            const double left = start + static_cast<double>(s) * width, py = frame_.py(value);
            painter.setPen(Qt::NoPen);
            painter.setBrush(look.data(static_cast<int>(bars > 1 ? s : 0)));
            const double inset = width > 4 ? 1 : 0;
            bar(painter, QRectF(QPointF(left + inset, std::min(py, zero)), QPointF(left + width - inset, std::max(py, zero))), value >= 0);
            if (s < groups[g].errors.size() && std::isfinite(groups[g].errors[s]) && groups[g].errors[s] > 0) {
                painter.setPen(QPen(look.tokens.text, 1.25));
                const double middle = left + width / 2, top = frame_.py(value + groups[g].errors[s]), bottom = frame_.py(value - groups[g].errors[s]);
                painter.drawLine(QPointF(middle, top), QPointF(middle, bottom));
            }
        }
    }
}

void BarChart::paintHistogram(QPainter& painter, const Look& look) const {
    const double room = frame_.area.width() / static_cast<double>(counts.size());
    const double limitAt = std::isfinite(limit) ? placeOf(limit) : 1e300;
    for (size_t i = 0; i < counts.size(); ++i) {
        if (!std::isfinite(counts[i]) || counts[i] <= 0) continue;
        QColor color = look.data(0);
        if (static_cast<double>(i) + 0.5 > limitAt) color.setAlphaF(0.4f);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        const double gap = room > 6 ? 1.5 : room > 3 ? 0.5 : 0;
        const double top = std::min(frame_.py(counts[i]), frame_.area.bottom() - 1);   // a bin that is not empty is seen
        bar(painter, QRectF(QPointF(frame_.area.left() + static_cast<double>(i) * room + gap, top), QPointF(frame_.area.left() + static_cast<double>(i + 1) * room - gap, frame_.area.bottom())), true);
    }
    if (!std::isfinite(limit)) return;
    const double px = frame_.area.left() + limitAt * room;
    painter.setPen(QPen(look.tokens.warn, 1.25, Qt::DashLine));
    painter.drawLine(QPointF(px, frame_.area.top()), QPointF(px, frame_.area.bottom()));
    const QFontMetricsF metrics(look.small);
    const QString text = label(limitText, look.small, frame_.area.width() * 0.6);
    const double width = metrics.horizontalAdvance(text);
    // Above the plot, where no bar reaches.
    const double left = std::clamp(px - width / 2, frame_.area.left(), std::max(frame_.area.left(), frame_.area.right() - width - 2));
    painter.setFont(look.small);
    painter.setPen(look.tokens.warn);
    painter.drawText(QRectF(left, frame_.area.top() - metrics.height() - 2, width + 2, metrics.height()), Qt::AlignLeft | Qt::AlignVCenter, text);
}

// Names below the bars; of a histogram the edges. As many as fit, the first and the last always.
void BarChart::paintNames(QPainter& painter, const Look& look) const {
    const QFontMetricsF metrics(look.small);
    painter.setFont(look.small);
    painter.setPen(look.tokens.text2);
    const double top = frame_.area.bottom() + 5, height = metrics.height();
    if (isHistogram()) {
        const size_t last = counts.size();
        const double room = frame_.area.width() / static_cast<double>(last);
        std::vector<QString> texts;
        double most = 0;
        for (const double edge : edges) {
            texts.push_back(xText ? xText(edge) : models::formatNumber(edge));
            most = std::max(most, metrics.horizontalAdvance(texts.back()));
        }
        const auto every = static_cast<size_t>(std::max(1.0, std::ceil((most + 20) / room)));
        auto draw = [&](size_t i) {
            const double px = frame_.area.left() + static_cast<double>(i) * room, width = metrics.horizontalAdvance(texts[i]);
            const double left = std::clamp(px - width / 2, frame_.outer.left(), std::max(frame_.outer.left(), frame_.outer.right() - width - 2));
            painter.drawText(QRectF(left, top, width + 2, height), Qt::AlignLeft | Qt::TextDontClip, texts[i]);
        };
        for (size_t i = 0; i + every <= last; i += every) draw(i);
        draw(last);
        return;
    }
    const double room = frame_.area.width() / static_cast<double>(std::max<size_t>(1, groups.size()));
    const size_t every = static_cast<size_t>(std::max(1.0, std::ceil(44 / room)));
    for (size_t g = 0; g < groups.size(); g += every) {
        const double width = room * static_cast<double>(every) - 6;
        painter.drawText(QRectF(frame_.area.left() + (static_cast<double>(g) + 0.5) * room - width / 2, top, width, height), Qt::AlignHCenter | Qt::TextDontClip, label(groups[g].name, look.small, width));
    }
}

void BarChart::paint(QPainter& painter, const QRectF& outer, const Look& look) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    Range data;
    if (isHistogram())
        for (const double count : counts) data.include(count);
    for (const Group& group : groups)
        for (size_t s = 0; s < group.values.size(); ++s) {
            data.include(group.values[s]);
            if (s < group.errors.size() && std::isfinite(group.errors[s]) && std::isfinite(group.values[s])) {
                data.include(group.values[s] + group.errors[s]);
                data.include(group.values[s] - group.errors[s]);
            }
        }
    if (!data.valid()) {
        drawEmpty(painter, outer, emptyText.isEmpty() ? say(QT_TRANSLATE_NOOP("charts", "Nothing measured yet")) : emptyText, look);
        frame_ = {};
        painter.restore();
        return;
    }
    data.include(0);   // the length of a bar is its value
    Axis x, y;
    x.title = xTitle;
    x.range = {0, static_cast<double>(std::max(1, columns()))};
    x.text = [](double) { return QString(); };
    y.title = yTitle;
    y.text = yText;
    const double room = data.span() > 0 ? data.span() * 0.06 : 1;
    y.range = {data.low < 0 ? data.low - room : 0, data.high > 0 ? data.high + room : 0};
    const bool legend = !isHistogram() && series.size() > 1;
    frame_ = layoutFrame(outer, std::move(x), std::move(y), look, legend ? 32 : isHistogram() && std::isfinite(limit) ? std::ceil(QFontMetricsF(look.small).height()) + 6 : 10);
    frame_.x.ticks.clear();
    drawFrame(painter, frame_, look);
    if (isHistogram()) paintHistogram(painter, look);
    else paintBars(painter, look);
    if (!isHistogram() && data.low < 0 && data.high > 0) {
        painter.setPen(QPen(look.tokens.text3, 1));
        painter.drawLine(QPointF(frame_.area.left(), frame_.py(0)), QPointF(frame_.area.right(), frame_.py(0)));
    }
    painter.setBrush(Qt::NoBrush);
    paintNames(painter, look);
    if (legend) {
        const QFontMetricsF metrics(look.small);
        painter.setFont(look.small);
        double left = frame_.area.left();
        for (int s = 0; s < series.size(); ++s) {
            const QString text = label(series[s], look.small, 160);
            const double width = metrics.horizontalAdvance(text);
            if (left + width + 20 > outer.right()) break;
            painter.setPen(Qt::NoPen);
            painter.setBrush(look.data(s));
            painter.drawRoundedRect(QRectF(left, outer.top() + 10, 9, 9), 2, 2);
            painter.setPen(look.tokens.text2);
            painter.setBrush(Qt::NoBrush);
            painter.drawText(QRectF(left + 14, outer.top() + 5, width + 2, 19), Qt::AlignLeft | Qt::AlignVCenter, text);
            left += width + 30;
        }
    }
    painter.restore();
}

int BarChart::columnAt(const QPointF& at) const {
    if (columns() == 0 || !frame_.area.contains(at)) return -1;
    return std::clamp(static_cast<int>((at.x() - frame_.area.left()) / frame_.area.width() * columns()), 0, columns() - 1);
}

QString BarChart::columnTitle(int column) const {
    const auto i = static_cast<size_t>(column);
    auto text = [&](double v) { return xText ? xText(v) : models::formatNumber(v); };
    if (isHistogram()) return text(edges[i]) + QStringLiteral(" – ") + text(edges[i + 1]);
    return models::shortened(groups[i].name, 60);
}

std::vector<ReadoutRow> BarChart::columnRows(int column, const Look& look) const {
    const auto i = static_cast<size_t>(column);
    auto text = [&](double v) { return yText ? yText(v) : models::formatNumber(v); };
    if (isHistogram()) return {{QColor(), yTitle, text(counts[i])}};
    std::vector<ReadoutRow> rows;
    for (size_t s = 0; s < groups[i].values.size(); ++s) {
        const double value = groups[i].values[s];
        QString shown = std::isfinite(value) ? text(value) : std::isnan(value) ? models::notMeasured() : models::formatNumber(value);
        if (s < groups[i].errors.size() && groups[i].errors[s] > 0) shown += QStringLiteral(" ± ") + text(groups[i].errors[s]);
        rows.push_back({look.data(series.size() > 1 ? static_cast<int>(s) : 0), s < static_cast<size_t>(series.size()) ? series[static_cast<int>(s)] : yTitle, shown});
    }
    return rows;
}

QString BarChart::summary() const {
    if (columns() == 0) return emptyText;
    QStringList lines;
    lines << (isHistogram() ? say(QT_TRANSLATE_N_NOOP("charts", "Histogram of %n bin(s)"), columns()) : say(QT_TRANSLATE_N_NOOP("charts", "%n group(s) of bars"), columns()));
    for (int c = 0; c < columns() && c < 20; ++c) {
        QStringList values;
        for (const ReadoutRow& row : columnRows(c, screenLook())) values << (row.name.isEmpty() ? row.value : row.name + QLatin1Char(' ') + row.value);
        lines << columnTitle(c) + QStringLiteral(": ") + values.join(QStringLiteral(", "));
    }
    if (std::isfinite(limit)) lines << limitText;
    return lines.join(QStringLiteral("; "));
}

QByteArray BarChart::csv() const {
    QByteArray out;
    if (isHistogram()) {
        out = "from,to,count\r\n";
        for (size_t i = 0; i < counts.size(); ++i) out += csvNumber(edges[i]) + "," + csvNumber(edges[i + 1]) + "," + csvNumber(counts[i]) + "\r\n";
        return out;
    }
    out = "name,series,value,error\r\n";
    for (const Group& group : groups)
        for (size_t s = 0; s < group.values.size(); ++s) {
            const QString name = s < static_cast<size_t>(series.size()) ? series[static_cast<int>(s)] : QString();
            out += csvField(group.name) + "," + csvField(name) + "," + (std::isnan(group.values[s]) ? QByteArray() : csvNumber(group.values[s])) + "," +
                   (s < group.errors.size() && !std::isnan(group.errors[s]) ? csvNumber(group.errors[s]) : QByteArray()) + "\r\n";
        }
    return out;
}

}  // namespace assay::charts
