#include "status_cell.h"

#include <assay/style/theme_notifier.h>

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::shell {
namespace {

constexpr int kDot = 8, kMeter = 36, kGap = 6, kEdge = 6;

QFont strong() {
    QFont face = style::font(style::Type::kSmall);
    face.setWeight(QFont::Medium);
    return face;
}

int widthOf(const QFont& face, const QString& text) { return text.isEmpty() ? 0 : QFontMetrics(face).horizontalAdvance(text) + 4; }

}  // namespace

StatusCell::StatusCell(const QString& caption, QWidget* parent) : QAbstractButton(parent), caption_(caption), fraction_(std::numeric_limits<double>::quiet_NaN()) {
    setFocusPolicy(Qt::NoFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&style::themeNotifier(), &style::ThemeNotifier::themeChanged, this, QOverload<>::of(&QWidget::update));
    describe();
}

void StatusCell::describe() {
    QStringList words;
    for (const QString& word : {caption_, value_, after_})
        if (!word.isEmpty()) words.append(word);
    setAccessibleName(words.join(QLatin1Char(' ')));
}

void StatusCell::set(const QString& value, const QString& tip) {
    setToolTip(tip);
    if (value == value_) return;
    value_ = value;
    describe();
    updateGeometry();
    update();
}

void StatusCell::setAfter(const QString& text) {
    if (text == after_) return;
    after_ = text;
    describe();
    updateGeometry();
    update();
}

void StatusCell::setDot(style::Tone tone) {
    dot_ = true;
    tone_ = tone;
    update();
}

void StatusCell::setMeter(double fraction) {
    const bool resized = std::isnan(fraction) != std::isnan(fraction_);
    fraction_ = fraction;
    if (resized) updateGeometry();
    update();
}

void StatusCell::setOpens(bool opens) {
    setFocusPolicy(opens ? Qt::TabFocus : Qt::NoFocus);
    if (opens) setCursor(Qt::PointingHandCursor);
}

QSize StatusCell::sizeHint() const {
    const QFont plain = style::font(style::Type::kSmall);
    int width = 2 * kEdge + widthOf(plain, caption_) + widthOf(strong(), value_) + widthOf(plain, after_);
    if (dot_) width += kDot + kGap;
    if (!std::isnan(fraction_)) width += kMeter + kGap;
    return {width, style::size::kStatusBar - 2};
}

void StatusCell::paintEvent(QPaintEvent*) {
    const style::Tokens& t = style::tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (hasFocus() || (underMouse() && focusPolicy() != Qt::NoFocus)) {
        painter.setPen(hasFocus() ? QPen(t.accent, 1) : QPen(Qt::NoPen));
        painter.setBrush(t.sunken);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 1.5, -0.5, -1.5), 4, 4);
    }
    int x = kEdge;
    if (dot_) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(tone_ == style::Tone::kNeutral ? t.text3 : style::toneText(tone_));
        painter.drawEllipse(QRectF(x, (height() - kDot) / 2.0, kDot, kDot));
        x += kDot + kGap;
    }
    const auto write = [&](const QString& text, const QFont& face, const QColor& color) {
        if (text.isEmpty()) return;
        painter.setFont(face);
        painter.setPen(color);
        painter.drawText(QRect(x, 0, width() - x, height()), Qt::AlignVCenter | Qt::AlignLeft, text);
        x += widthOf(face, text);
    };
    write(caption_, style::font(style::Type::kSmall), t.text2);
    if (!std::isnan(fraction_)) {
        const QRectF bar(x, height() / 2.0 - 2.5, kMeter, 5);
        painter.setPen(Qt::NoPen);
        painter.setBrush(t.line);
        painter.drawRoundedRect(bar, 2.5, 2.5);
        painter.setBrush(fraction_ > 0.92 ? t.bad : fraction_ > 0.8 ? t.warn : t.accent);
        painter.drawRoundedRect(QRectF(bar.x(), bar.y(), std::max(3.0, bar.width() * std::clamp(fraction_, 0.0, 1.0)), bar.height()), 2.5, 2.5);
        x += kMeter + kGap;
    }
    write(value_, strong(), t.text);
    write(after_, style::font(style::Type::kSmall), t.text2);
}

}  // namespace assay::shell
