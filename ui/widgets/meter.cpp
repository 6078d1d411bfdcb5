#include "label_style.h"

#include <assay/models/format.h>
#include <assay/style/theme_notifier.h>
#include <assay/widgets/controls.h>

#include <QPainter>
#include <QPainterPath>
#include <algorithm>

namespace assay::widgets {
namespace {

constexpr int kRow = 22;   // height of a legend row
constexpr int kGap = 6;    // between bar and legend

QColor segmentColor(int color) {
    return color < 0 ? style::tokens().text3 : style::dataColor(color);
}

QString legendLine(const std::vector<Meter::Segment>& segments) {
    QStringList parts;
    for (const Meter::Segment& segment : segments) parts.append(segment.text.isEmpty() ? segment.label : segment.label + QLatin1Char(' ') + segment.text);
    return parts.join(QStringLiteral(" · "));
}

}  // namespace

Meter::Meter(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("meter"));
    setFont(style::font(style::Type::kSecondary));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&style::themeNotifier(), &style::ThemeNotifier::themeChanged, this, qOverload<>(&QWidget::update));
}

void Meter::setSegments(std::vector<Segment> segments, double capacity) {
    segments_ = std::move(segments);
    capacity_ = capacity;
    for (Segment& segment : segments_) segment.label = oneLine(segment.label);
    setAccessibleDescription(legendLine(segments_));
    if (accessibleName().isEmpty()) setAccessibleName(tr("Shares"));
    updateGeometry();
    update();
}

void Meter::setLegend(bool rows) {
    rows_ = rows;
    updateGeometry();
    update();
}

void Meter::setBarHeight(int pixels) {
    barHeight_ = pixels;
    updateGeometry();
    update();
}

QSize Meter::sizeHint() const {
    const int legend = segments_.empty() ? 0 : rows_ ? kGap + kRow * static_cast<int>(segments_.size()) : kGap + 16;
    return {240, barHeight_ + legend};
}

QSize Meter::minimumSizeHint() const {
    return {120, sizeHint().height()};
}

void Meter::paintEvent(QPaintEvent*) {
    const style::Tokens& t = style::tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF bar(0, 0, width(), barHeight_);
    QPainterPath clip;
    clip.addRoundedRect(bar, std::min(4.0, barHeight_ / 2.0), std::min(4.0, barHeight_ / 2.0));
    painter.save();
    painter.setClipPath(clip);
    painter.fillRect(bar, t.sunken);
    double total = 0;
    for (const Segment& segment : segments_) total += std::max(0.0, segment.value);
    // Over capacity: the bar shows everything, and what lies beyond the capacity is hatched in "bad".
    const double scale = std::max(total, capacity_) > 0 ? width() / std::max(total, capacity_) : 0;
    double x = 0;
    for (const Segment& segment : segments_) {
        const double part = std::max(0.0, segment.value) * scale;
        if (part <= 0) continue;
        painter.fillRect(QRectF(x, 0, part, barHeight_), segmentColor(segment.color));
        if (x > 0) painter.fillRect(QRectF(x, 0, 1, barHeight_), t.surface);
        x += part;
    }
    if (capacity_ > 0 && total > capacity_) {
        const QRectF beyond(capacity_ * scale, 0, width() - capacity_ * scale, barHeight_);
        painter.fillRect(beyond, t.bad);
        painter.fillRect(beyond, QBrush(t.badBackground, Qt::BDiagPattern));
        painter.fillRect(QRectF(beyond.x() - 1, 0, 2, barHeight_), t.surface);
    }
    painter.restore();
    if (segments_.empty()) return;
    painter.setFont(font());
    if (!rows_) {
        painter.setPen(t.text2);
        const QRect place(0, barHeight_ + kGap, width(), 16);
        return painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, fontMetrics().elidedText(legendLine(segments_), Qt::ElideRight, width()));
    }
    int y = barHeight_ + kGap;
    for (const Segment& segment : segments_) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(segmentColor(segment.color));
        painter.drawEllipse(QRectF(0, y + kRow / 2.0 - 4, 8, 8));
        painter.setPen(t.text);
        const int valueWidth = fontMetrics().horizontalAdvance(segment.text) + 1;
        painter.drawText(QRect(16, y, std::max(0, width() - 16 - valueWidth - 8), kRow), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                         fontMetrics().elidedText(segment.label, Qt::ElideRight, std::max(0, width() - 16 - valueWidth - 8)));
        painter.drawText(QRect(width() - valueWidth, y, valueWidth, kRow), Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, segment.text);
        y += kRow;
    }
}

}  // namespace assay::widgets
