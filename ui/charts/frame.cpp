#include <assay/charts/frame.h>
#include <assay/models/format.h>

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace assay::charts {
namespace {

double widest(const std::vector<QString>& labels, const QFontMetricsF& metrics) {
    double width = 0;
    for (const QString& text : labels) width = std::max(width, metrics.horizontalAdvance(text));
    return width;
}

double crisp(const QPainter& painter, double v) {   // the middle of a device pixel: a hairline is one pixel, not two grey ones
    const double scale = painter.device() ? painter.device()->devicePixelRatioF() : 1;
    return (std::floor(v * scale) + 0.5) / scale;
}

}  // namespace

QColor Look::data(int index) const {
    const int n = static_cast<int>(tokens.data.size());
    return tokens.data[static_cast<size_t>(((index % n) + n) % n)];
}

QColor Look::tone(style::Tone tone) const {
    switch (tone) {
        case style::Tone::kAccent: return tokens.accent;
        case style::Tone::kGood: return tokens.good;
        case style::Tone::kWarn: return tokens.warn;
        case style::Tone::kBad: return tokens.bad;
        case style::Tone::kNeutral: break;
    }
    return tokens.text3;
}

Look screenLook() { return {style::tokens(), style::font(style::Type::kSmall), style::font(style::Type::kSecondary), 1.5, false}; }

Look paperLook() {
    Look look{style::tokens(style::Theme::kLight), style::font(style::Type::kSmall), style::font(style::Type::kSecondary), 1.25, true};
    for (QFont* font : {&look.small, &look.body}) font->setHintingPreference(QFont::PreferNoHinting);
    return look;
}

Frame layoutFrame(const QRectF& outer, Axis x, Axis y, const Look& look, double top) {
    const QFontMetricsF metrics(look.small);
    const double lineHeight = std::ceil(metrics.height());
    Frame frame;
    frame.outer = outer;
    frame.area = outer.adjusted(8, top, -12, -(lineHeight + 8));
    if (!x.title.isEmpty()) frame.area.setBottom(frame.area.bottom() - lineHeight - 2);
    if (frame.area.height() < 16) frame.area.setHeight(16);
    chooseTicks(y, std::clamp(static_cast<int>(frame.area.height() / 44), 2, 8));
    double left = std::ceil(widest(y.labels, metrics)) + 8;
    if (!y.title.isEmpty()) left += lineHeight + 6;
    frame.area.setLeft(outer.left() + 4 + left);
    if (frame.area.width() < 16) frame.area.setWidth(16);
    int wanted = std::clamp(static_cast<int>(frame.area.width() / 76), 2, 9);
    for (; wanted >= 1; --wanted) {   // fewer while labels would touch
        chooseTicks(x, wanted);
        const double room = frame.area.width() / std::max<double>(1, static_cast<double>(x.labels.size()));
        if (x.labels.size() < 3 || widest(x.labels, metrics) + 12 <= room) break;
    }
    if (!x.labels.empty()) {   // the last label is centred on its tick and may need room at the right
        const double over = x.place(x.ticks.back()) * frame.area.width() + metrics.horizontalAdvance(x.labels.back()) / 2 - frame.area.width() - 10;
        if (over > 0) frame.area.setRight(frame.area.right() - over);
    }
    frame.x = std::move(x);
    frame.y = std::move(y);
    return frame;
}

void drawFrame(QPainter& painter, const Frame& frame, const Look& look) {
    const QFontMetricsF metrics(look.small);
    const QRectF& a = frame.area;
    painter.setFont(look.small);
    painter.setRenderHint(QPainter::Antialiasing, true);
    QPen grid(look.tokens.line, 1);
    for (size_t i = 0; i < frame.y.ticks.size(); ++i) {
        const double py = frame.py(frame.y.ticks[i]);
        if (py < a.top() - 0.5 || py > a.bottom() + 0.5) continue;
        const double line = look.vector ? py : crisp(painter, py);
        painter.setPen(grid);
        painter.drawLine(QPointF(a.left(), line), QPointF(a.right(), line));
        painter.setPen(look.tokens.text2);
        painter.drawText(QRectF(frame.outer.left(), py - metrics.height() / 2, a.left() - 8 - frame.outer.left(), metrics.height()), Qt::AlignRight | Qt::AlignVCenter, frame.y.labels[i]);
    }
    const double base = look.vector ? a.bottom() : crisp(painter, a.bottom());
    painter.setPen(QPen(look.tokens.text3, 1));
    painter.drawLine(QPointF(a.left(), base), QPointF(a.right(), base));
    for (size_t i = 0; i < frame.x.ticks.size(); ++i) {
        const double px = frame.px(frame.x.ticks[i]);
        if (px < a.left() - 0.5 || px > a.right() + 0.5) continue;
        const double line = look.vector ? px : crisp(painter, px);
        painter.setPen(QPen(look.tokens.text3, 1));
        painter.drawLine(QPointF(line, base), QPointF(line, base + 3));
        const double width = metrics.horizontalAdvance(frame.x.labels[i]);
        const double left = std::clamp(px - width / 2, frame.outer.left(), std::max(frame.outer.left(), frame.outer.right() - width));
        painter.setPen(look.tokens.text2);
        painter.drawText(QRectF(left - 1, a.bottom() + 5, width + 2, metrics.height()), Qt::AlignHCenter | Qt::AlignTop | Qt::TextDontClip, frame.x.labels[i]);
    }
    painter.setPen(look.tokens.text2);
    if (!frame.x.title.isEmpty())
        painter.drawText(QRectF(a.left(), a.bottom() + 7 + metrics.height(), a.width(), metrics.height()), Qt::AlignHCenter | Qt::AlignTop | Qt::TextDontClip, label(frame.x.title, look.small, a.width()));
    if (!frame.y.title.isEmpty()) {
        painter.save();
        painter.translate(frame.outer.left() + 4 + metrics.height() / 2, a.center().y());
        painter.rotate(-90);
        painter.drawText(QRectF(-a.height() / 2, -metrics.height() / 2, a.height(), metrics.height()), Qt::AlignCenter | Qt::TextDontClip, label(frame.y.title, look.small, a.height()));
        painter.restore();
    }
}

QPainterPath markerPath(style::Marker marker, const QPointF& c, double r) {
    QPainterPath path;
    auto polygon = [&](std::initializer_list<QPointF> points) {
        bool first = true;
        for (const QPointF& p : points) {
            first ? path.moveTo(c + p * r) : path.lineTo(c + p * r);
            first = false;
        }
        path.closeSubpath();
    };
    switch (marker) {
        case style::Marker::kCircle: path.addEllipse(c, r, r); break;
        case style::Marker::kSquare: polygon({{-.88, -.88}, {.88, -.88}, {.88, .88}, {-.88, .88}}); break;
        case style::Marker::kDiamond: polygon({{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}}); break;
        case style::Marker::kTriangle: polygon({{0, -1.15}, {1.1, .8}, {-1.1, .8}}); break;
        case style::Marker::kTriangleDown: polygon({{-1.1, -.8}, {1.1, -.8}, {0, 1.15}}); break;
        case style::Marker::kPlus:
            polygon({{-.4, -1.15}, {.4, -1.15}, {.4, -.4}, {1.15, -.4}, {1.15, .4}, {.4, .4}, {.4, 1.15}, {-.4, 1.15}, {-.4, .4}, {-1.15, .4}, {-1.15, -.4}, {-.4, -.4}});
            break;
        case style::Marker::kCross:
            polygon({{-1.1, -.55}, {-.55, -1.1}, {0, -.55}, {.55, -1.1}, {1.1, -.55}, {.55, 0}, {1.1, .55}, {.55, 1.1}, {0, .55}, {-.55, 1.1}, {-1.1, .55}, {-.55, 0}});
            break;
    }
    return path;
}

void drawMarker(QPainter& painter, int marker, const QPointF& at, double radius, const QColor& fill, const QColor& edge) {
    painter.setPen(QPen(edge, 1));
    painter.setBrush(fill);
    painter.drawPath(markerPath(style::dataMarker(marker), at, radius));
    painter.setBrush(Qt::NoBrush);
}

void drawEmpty(QPainter& painter, const QRectF& area, const QString& text, const Look& look) {
    painter.setFont(look.body);
    painter.setPen(look.tokens.text2);
    painter.drawText(area.adjusted(16, 8, -16, -8), Qt::AlignCenter | Qt::TextWordWrap, text);
}

QString label(const QString& text, const QFont& font, double width) {
    // Measuring four thousand letters to keep twenty is waste; no letter is narrower than two pixels.
    const QString clean = models::shortened(text, std::clamp(static_cast<int>(width / 2), 8, 400));
    const QString shown = QFontMetricsF(font).elidedText(clean, Qt::ElideMiddle, width);
    bool turns = false;
    for (const QChar c : shown) turns = turns || c.direction() == QChar::DirR || c.direction() == QChar::DirAL;
    return turns ? QChar(0x2068) + shown + QChar(0x2069) : shown;
}

void drawReadout(QPainter& painter, const QRectF& within, const QPointF& at, const QString& heading, const std::vector<ReadoutRow>& rows, const Look& look) {
    const QFontMetricsF metrics(look.small);
    const double lineHeight = std::ceil(metrics.height()) + 2;
    double names = 0, values = 0;
    for (const ReadoutRow& row : rows) {
        names = std::max(names, std::min(180.0, metrics.horizontalAdvance(label(row.name, look.small, 180))));
        values = std::max(values, metrics.horizontalAdvance(row.value));
    }
    const double content = std::max(names + values + 28, metrics.horizontalAdvance(heading));
    const QSizeF size(std::ceil(content) + 17, (static_cast<double>(rows.size()) + (heading.isEmpty() ? 0 : 1)) * lineHeight + 10);
    QPointF corner = at + QPointF(12, -size.height() - 8);
    if (corner.x() + size.width() > within.right()) corner.setX(at.x() - 12 - size.width());
    if (corner.y() < within.top()) corner.setY(std::min(at.y() + 12, within.bottom() - size.height()));
    corner.setX(std::round(std::max(within.left(), corner.x())));
    corner.setY(std::round(std::max(within.top(), corner.y())));
    const QRectF box(corner, size);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(look.tokens.line, 1));
    QColor back = look.tokens.surface;
    back.setAlpha(242);
    painter.setBrush(back);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), style::size::kSmallRadius, style::size::kSmallRadius);
    painter.setFont(look.small);
    double top = box.top() + 5;
    if (!heading.isEmpty()) {
        painter.setPen(look.tokens.text2);
        painter.drawText(QRectF(box.left() + 8, top, content, lineHeight), Qt::AlignLeft | Qt::AlignVCenter, heading);
        top += lineHeight;
    }
    for (const ReadoutRow& row : rows) {
        double left = box.left() + 8;
        if (row.color.isValid()) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(row.color);
            painter.drawEllipse(QRectF(left, top + lineHeight / 2 - 3.5, 7, 7));
            left += 13;
        }
        painter.setPen(look.tokens.text2);
        painter.drawText(QRectF(left, top, names + 2, lineHeight), Qt::AlignLeft | Qt::AlignVCenter, label(row.name, look.small, 180));
        painter.setPen(look.tokens.text);
        painter.drawText(QRectF(box.left() + 8, top, content, lineHeight), Qt::AlignRight | Qt::AlignVCenter, row.value);
        top += lineHeight;
    }
    painter.setBrush(Qt::NoBrush);
}

}  // namespace assay::charts
