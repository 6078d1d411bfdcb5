#include <assay/charts/line_chart.h>
#include <assay/charts/scatter_chart.h>
#include <assay/models/format.h>

#include <QFontMetricsF>
#include <QLineF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "say.h"

namespace assay::charts {
namespace {

constexpr double kRadius = 5;
constexpr double kRing = 11;   // with its line: nothing of it may be cut
constexpr double kName = 190;


QColor faded(QColor color) {
    color.setAlphaF(0.4f);
    return color;
}

bool crosses(const QLineF& line, const QRectF& box) {
    if (box.contains(line.p1()) || box.contains(line.p2())) return true;
    const QLineF edges[] = {{box.topLeft(), box.topRight()}, {box.topRight(), box.bottomRight()}, {box.bottomRight(), box.bottomLeft()}, {box.bottomLeft(), box.topLeft()}};
    return std::any_of(std::begin(edges), std::end(edges), [&](const QLineF& edge) { return line.intersects(edge, nullptr) == QLineF::BoundedIntersection; });
}

Range everything(const std::vector<Point>& points, bool x, bool log) {
    Range out;
    for (const Point& p : points) {
        const double value = x ? p.x : p.y, error = x ? p.xError : p.yError;
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || (log && value <= 0)) continue;
        out.include(value);
        if (std::isfinite(error) && (!log || value - error > 0)) out.include(value - error);
        if (std::isfinite(error)) out.include(value + error);
    }
    return out;
}

}  // namespace

bool ScatterChart::drawable(const Point& p) const { return std::isfinite(p.x) && std::isfinite(p.y) && (!logX || p.x > 0) && (!logY || p.y > 0); }

Range ScatterChart::everythingX() const { return padded(everything(points, true, logX), logX, true); }

Range ScatterChart::everythingY() const {
    Range data = everything(points, false, logY);
    if (data.valid()) data.include(target);
    return padded(data, logY);
}

void ScatterChart::paintBars(QPainter& painter, const Point& p, const QColor& color) const {
    painter.setPen(QPen(color, 1.25));
    const QPointF at = frame_.at(p.x, p.y);
    auto low = [](double v, double e, bool log, const Axis& axis) { return log && v - e <= 0 ? axis.range.low : v - e; };
    if (p.xError > 0 && std::isfinite(p.xError)) painter.drawLine(QPointF(frame_.px(low(p.x, p.xError, logX, frame_.x)), at.y()), QPointF(frame_.px(p.x + p.xError), at.y()));
    if (p.yError > 0 && std::isfinite(p.yError)) painter.drawLine(QPointF(at.x(), frame_.py(low(p.y, p.yError, logY, frame_.y))), QPointF(at.x(), frame_.py(p.y + p.yError)));
}

// Greedy: the important names first, each at the first free place; away from its point it gets a thin leader.
void ScatterChart::paintLabels(QPainter& painter, const Look& look, const std::vector<size_t>& order, const QRectF& targetBox) const {
    const QFontMetricsF metrics(look.body);
    const double height = std::ceil(metrics.height()) - 2;
    std::vector<QRectF> taken;
    std::vector<QRectF> names;
    std::vector<QLineF> leaders;
    if (targetBox.isValid()) taken.push_back(targetBox);
    // From a point to its name, if that stands away from it.
    const auto leaderOf = [](const QPointF& at, const QRectF& name) {
        const QPointF end(std::clamp(at.x(), name.left(), name.right()), at.y() < name.top() ? name.top() : at.y() > name.bottom() ? name.bottom() : name.center().y());
        const QPointF way = end - at;
        return QLineF(at + way * (kRadius + 2) / std::max(1.0, std::hypot(way.x(), way.y())), end);
    };
    for (const size_t i : order) {
        const QPointF at = frame_.at(points[i].x, points[i].y);
        const double r = points[i].ringed ? kRing : kRadius + 1;
        taken.emplace_back(at.x() - r, at.y() - r, 2 * r, 2 * r);
        if (points[i].yError > 0) taken.emplace_back(at.x() - 1, frame_.py(points[i].y + points[i].yError), 2, frame_.py(points[i].y - points[i].yError) - frame_.py(points[i].y + points[i].yError));
    }
    // True: it has its name, or can have none. At first only beside its point.
    const auto name = [&](size_t i, bool last) {
        const Point& p = points[i];
        if (p.name.isEmpty()) return true;
        const QPointF at = frame_.at(p.x, p.y);
        if (!frame_.area.adjusted(-2, -2, 2, 2).contains(at)) return true;
        const bool strong = p.ringed || (!selected.isEmpty() && p.id == selected);
        QFont font = look.body;
        if (strong) font.setWeight(QFont::DemiBold);
        const QString text = label(p.name, font, kName);
        const double width = std::ceil(QFontMetricsF(font).horizontalAdvance(text)) + 2;
        const double near = p.ringed ? 13 : 10;
        QRectF box;
        bool moved = false;
        // A name that stands away from its point leaves the way from the other points to theirs free, if it can.
        auto blocks = [&](const QRectF& candidate) {
            return std::any_of(order.begin(), order.end(), [&](size_t other) {
                const QPointF there = frame_.at(points[other].x, points[other].y);
                return other != i && there != at && QRectF(there.x() - 12, there.y() - 28, 24, 56).intersects(candidate);
            });
        };
        auto attempt = [&](double left, double middle, bool away = false, bool considerate = false) {
            const QRectF candidate(left, middle - height / 2, width, height);
            if (!frame_.area.adjusted(0, 0, 8, 0).contains(candidate)) return false;
            if (std::any_of(taken.begin(), taken.end(), [&](const QRectF& r) { return r.intersects(candidate); })) return false;
            if (std::any_of(leaders.begin(), leaders.end(), [&](const QLineF& line) { return crosses(line, candidate); })) return false;
            if (considerate && blocks(candidate)) return false;
            if (away) {   // its own leader must not cross a name that stands already
                const QLineF leader = leaderOf(at, candidate);
                if (std::any_of(names.begin(), names.end(), [&](const QRectF& r) { return crosses(leader, r); })) return false;
            }
            box = candidate;
            return true;
        };
        bool placed = attempt(at.x() + near, at.y() - 9) || attempt(at.x() + near, at.y()) || attempt(at.x() + near, at.y() + 9) || attempt(at.x() - near - width, at.y() - 9) ||
                      attempt(at.x() - near - width, at.y()) || attempt(at.x() - near - width, at.y() + 9) || attempt(at.x() - width / 2, at.y() - near - 6) || attempt(at.x() - width / 2, at.y() + near + 6);
        if (!placed && !last) return false;
        for (const bool considerate : {true, false})
            for (double distance = 24; !placed && distance <= 132; distance += 12)
                for (const double angle : {-50.0, -130.0, 50.0, 130.0, -75.0, -105.0, 75.0, 105.0, -20.0, -160.0, 20.0, 160.0}) {
                    const double rad = angle * 3.14159265358979 / 180, dx = std::cos(rad) * distance, dy = std::sin(rad) * distance;
                    if (attempt(dx >= 0 ? at.x() + dx : at.x() + dx - width, at.y() + dy, true, considerate)) {
                        placed = moved = true;
                        break;
                    }
                }
        if (!placed) {
            if (!strong) return true;   // its name is shown under the pointer and in the table
            box = QRectF(std::clamp(at.x() + near, frame_.area.left(), std::max(frame_.area.left(), frame_.area.right() - width)), at.y() - 9 - height / 2, width, height);
        }
        taken.push_back(box);
        names.push_back(box);
        if (moved) {
            leaders.push_back(leaderOf(at, box));
            painter.setPen(QPen(look.tokens.text3, 0.75));
            painter.drawLine(leaders.back());
        }
        painter.setFont(font);
        painter.setPen(p.faded && !strong ? look.tokens.text3 : look.tokens.text);
        painter.drawText(box.adjusted(0, -3, 4, 3), Qt::AlignLeft | Qt::AlignVCenter, text);
        return true;
    };
    std::vector<size_t> waiting;
    for (const size_t i : order)
        if (!name(i, false)) waiting.push_back(i);
    // Near the edges there are the fewest places.
    std::stable_sort(waiting.begin(), waiting.end(), [&](size_t a, size_t b) {
        const auto urgency = [&](size_t i) { return (points[i].ringed || points[i].id == selected ? 1e9 : 0) + std::abs(frame_.px(points[i].x) - frame_.area.center().x()); };
        return urgency(a) > urgency(b);
    });
    for (const size_t i : waiting) name(i, true);
}

void ScatterChart::paint(QPainter& painter, const QRectF& outer, const Look& look) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    std::vector<size_t> order;
    for (size_t i = 0; i < points.size(); ++i)
        if (drawable(points[i])) order.push_back(i);
    Axis x, y;
    x.title = xTitle;
    x.text = xText;
    x.log = logX;
    x.range = viewX.valid() && viewX.span() > 0 ? viewX : everythingX();
    y.title = yTitle;
    y.text = yText;
    y.log = logY;
    y.range = viewY.valid() && viewY.span() > 0 ? viewY : everythingY();
    const QFontMetricsF metrics(look.small);
    const size_t left = points.size() - order.size();
    const double foot = left > 0 ? metrics.height() + 2 : 0;
    const QRectF all = outer.adjusted(0, 0, 0, -foot);
    frame_ = layoutFrame(all, Axis(x), Axis(y), look, 12);
    // A cost near zero: the ring around its point needs room beside the axis.
    double nearest = frame_.area.width();
    for (const size_t i : order)
        if (points[i].ringed || points[i].id == selected) nearest = std::min(nearest, frame_.px(points[i].x) - frame_.area.left());
    if (!viewX.valid() && nearest >= 0 && nearest < kRing + 2 && frame_.area.width() > 100) {
        const double share = (kRing + 2 - nearest) / (frame_.area.width() - kRing - 2);
        x.range.low = logX ? x.range.low / std::pow(x.range.high / x.range.low, share) : x.range.low - share * x.range.span();
        frame_ = layoutFrame(all, std::move(x), std::move(y), look, 12);
    }
    if (order.empty()) {
        QString text = emptyText.isEmpty() ? say(QT_TRANSLATE_NOOP("charts", "Nothing to compare yet")) : emptyText;
        if (left > 0) text = say(QT_TRANSLATE_N_NOOP("charts", "%n set-up(s) without a cost and an accuracy that could be drawn"), static_cast<int>(left));
        drawEmpty(painter, outer, text, look);
        painter.restore();
        return;
    }
    drawFrame(painter, frame_, look);
    painter.save();
    painter.setClipRect(frame_.area.adjusted(-kRing, -kRing, kRing, kRing));
    if (frontier.size() > 1) {
        QPolygonF line;
        for (const QPointF& p : frontier)
            if ((!logX || p.x() > 0) && (!logY || p.y() > 0) && std::isfinite(p.x()) && std::isfinite(p.y())) line << frame_.at(p.x(), p.y());
        QColor color = look.tokens.text3;
        painter.setPen(QPen(color, 1.25, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(line);
    }
    QRectF targetBox;
    if (std::isfinite(target)) {
        const double py = frame_.py(target);
        if (py >= frame_.area.top() && py <= frame_.area.bottom()) {
            painter.setPen(QPen(look.tokens.good, 1.25, Qt::DashLine));
            painter.drawLine(QPointF(frame_.area.left(), py), QPointF(frame_.area.right(), py));
            painter.setFont(look.small);
            const QString text = label(targetText, look.small, frame_.area.width() * 0.6);
            const double width = metrics.horizontalAdvance(text);
            targetBox = QRectF(frame_.area.right() - width, py - metrics.height() - 2, width, metrics.height());
            painter.setPen(look.tokens.good);
            painter.drawText(targetBox.adjusted(-2, 0, 0, 0), Qt::AlignRight | Qt::AlignVCenter, text);
        }
    }
    // Faded ones lie below, the answer and the selection above.
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        auto rank = [&](const Point& p) { return (p.faded ? 0 : 1) + (p.ringed ? 2 : 0) + (!selected.isEmpty() && p.id == selected ? 4 : 0); };
        return rank(points[a]) < rank(points[b]);
    });
    for (const size_t i : order) {
        const Point& p = points[i];
        const QPointF at = frame_.at(p.x, p.y);
        const QColor color = p.faded ? faded(look.data(p.color)) : look.data(p.color);
        if (!selected.isEmpty() && p.id == selected) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(look.tokens.accentBackground);
            painter.drawEllipse(at, 11, 11);
        }
        paintBars(painter, p, color);
        painter.setPen(QPen(look.tokens.surface, 1));
        painter.setBrush(look.tokens.surface);
        if (p.faded) painter.drawPath(markerPath(style::dataMarker(p.marker), at, kRadius));   // the line below must not shine through
        drawMarker(painter, p.marker, at, kRadius, color, look.tokens.surface);
        if (p.ringed || (!selected.isEmpty() && p.id == selected)) {
            painter.setPen(QPen(look.tokens.accent, p.ringed ? 2 : 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(at, 10, 10);
        }
    }
    painter.restore();
    std::reverse(order.begin(), order.end());
    paintLabels(painter, look, order, targetBox);
    if (left > 0) {
        painter.setFont(look.small);
        painter.setPen(look.tokens.text3);
        painter.drawText(QRectF(frame_.area.left(), outer.bottom() - metrics.height() - 2, frame_.area.width(), metrics.height()), Qt::AlignRight | Qt::AlignVCenter,
                         say(QT_TRANSLATE_N_NOOP("charts", "%n set-up(s) without a cost and an accuracy that could be drawn"), static_cast<int>(left)));
    }
    painter.restore();
}

int ScatterChart::pointAt(const QPointF& at) const {
    int best = -1;
    double distance = 14;
    for (size_t i = 0; i < points.size(); ++i) {
        if (!drawable(points[i])) continue;
        const QPointF way = frame_.at(points[i].x, points[i].y) - at;
        const double d = std::hypot(way.x(), way.y());
        if (d <= distance) {
            distance = d;
            best = static_cast<int>(i);
        }
    }
    return best;
}

QString ScatterChart::summary() const {
    if (points.empty()) return emptyText;
    QStringList lines;
    lines << say(QT_TRANSLATE_N_NOOP("charts", "%n set-up(s)"), static_cast<int>(points.size())) + QStringLiteral(", ") + xTitle + QStringLiteral(", ") + yTitle;
    for (size_t i = 0; i < points.size() && i < 20; ++i) {
        const Point& p = points[i];
        QString line = models::shortened(p.name, 60) + QStringLiteral(": ") + (xText ? xText(p.x) : models::formatNumber(p.x)) + QStringLiteral(", ") + (yText ? yText(p.y) : models::formatNumber(p.y));
        if (p.ringed) line += QStringLiteral(" (") + say(QT_TRANSLATE_NOOP("charts", "the answer")) + QStringLiteral(")");
        lines << line;
    }
    if (points.size() > 20) lines << say(QT_TRANSLATE_N_NOOP("charts", "and %n more"), static_cast<int>(points.size() - 20));
    return lines.join(QStringLiteral("; "));
}

QByteArray ScatterChart::csv() const {
    QByteArray out = "id,name," + csvField(xTitle.isEmpty() ? QStringLiteral("x") : xTitle) + "," + csvField(yTitle.isEmpty() ? QStringLiteral("y") : yTitle) + ",x_error,y_error,dominated\r\n";
    for (const Point& p : points)
        out += csvField(p.id) + "," + csvField(p.name) + "," + csvNumber(p.x) + "," + csvNumber(p.y) + "," + csvNumber(p.xError) + "," + csvNumber(p.yError) + (p.faded ? ",true\r\n" : ",false\r\n");
    return out;
}

}  // namespace assay::charts
