#include "rail_button.h"

#include <assay/style/icons.h>
#include <assay/style/theme_notifier.h>
#include <assay/style/tokens.h>

#include <QPainter>
#include <QPainterPath>

namespace assay::shell {
namespace {
constexpr int kHeight = 30, kIcon = 16, kLeft = 10, kGap = 10;
}

RailButton::RailButton(const QString& icon, const QString& text, QWidget* parent) : QAbstractButton(parent), icon_(icon) {
    setText(text);
    setAccessibleName(text);
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setFont(style::font(style::Type::kBody));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&style::themeNotifier(), &style::ThemeNotifier::themeChanged, this, QOverload<>::of(&QWidget::update));
}

void RailButton::setCollapsed(bool collapsed) {
    collapsed_ = collapsed;
    updateGeometry();
    update();
}

QSize RailButton::sizeHint() const {
    const int words = collapsed_ ? 0 : kGap + fontMetrics().horizontalAdvance(this->text());
    return {kLeft * 2 + kIcon + words, kHeight};
}

void RailButton::paintEvent(QPaintEvent*) {
    const style::Tokens& t = style::tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    if (isChecked() || hovered_ || isDown()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(isChecked() ? t.accentBackground : t.sunken);
        painter.drawRoundedRect(box, style::size::kSmallRadius, style::size::kSmallRadius);
    }
    if (hasFocus()) {
        painter.setPen(QPen(t.accent, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), style::size::kSmallRadius, style::size::kSmallRadius);
    }
    const QColor color = isChecked() ? t.accent : t.text2;
    const int iconX = collapsed_ ? (width() - kIcon) / 2 : kLeft;
    painter.drawPixmap(iconX, (height() - kIcon) / 2, style::pixmap(icon_, color, kIcon, devicePixelRatioF()));
    if (collapsed_) return;
    QFont face = font();
    if (isChecked()) face.setWeight(QFont::Medium);
    painter.setFont(face);
    painter.setPen(color);
    const QRect place = rect().adjusted(kLeft + kIcon + kGap, 0, -4, 0);
    painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft, painter.fontMetrics().elidedText(text(), Qt::ElideRight, place.width()));
}

void RailButton::enterEvent(QEnterEvent* event) {
    hovered_ = true;
    update();
    QAbstractButton::enterEvent(event);
}

void RailButton::leaveEvent(QEvent* event) {
    hovered_ = false;
    update();
    QAbstractButton::leaveEvent(event);
}

BrandMark::BrandMark(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("brand"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&style::themeNotifier(), &style::ThemeNotifier::themeChanged, this, QOverload<>::of(&QWidget::update));
}

void BrandMark::setCollapsed(bool collapsed) {
    collapsed_ = collapsed;
    update();
}

QSize BrandMark::sizeHint() const { return {style::size::kRailCollapsed - 16, 40}; }

// Three lines on the accent: the bars of a balance sheet.
void BrandMark::paintEvent(QPaintEvent*) {
    const style::Tokens& t = style::tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(t.accent);
    const QRectF mark(collapsed_ ? (width() - 18) / 2.0 : 10, 4, 18, 18);
    painter.drawRoundedRect(mark, 5, 5);
    painter.setBrush(t.onAccent);
    for (int line = 0; line < 3; ++line) painter.drawRoundedRect(QRectF(mark.x() + 4, mark.y() + 4 + line * 4, 10, 2), 1, 1);
    if (collapsed_) return;
    QFont face = style::font(style::Type::kTitle);
    face.setPixelSize(15);
    painter.setFont(face);
    painter.setPen(t.text);
    painter.drawText(QRectF(36, 0, width() - 36, 26), Qt::AlignVCenter | Qt::AlignLeft, QStringLiteral("Assay"));
}

}  // namespace assay::shell
