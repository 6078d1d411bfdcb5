#include "home/next_step_row.h"

#include <assay/style/icons.h>
#include <assay/style/theme_notifier.h>
#include <assay/style/tokens.h>

#include <QPainter>
#include <QResizeEvent>

namespace assay::pages {
namespace {
constexpr int kPad = 10, kIcon = 16, kTextLeft = kPad + kIcon + 10, kChevron = 12;
}

NextStepRow::NextStepRow(const presenters::NextStep& step, QWidget* parent) : QAbstractButton(parent), icon_(step.icon), title_(step.title), text_(step.text) {
    setObjectName(QStringLiteral("next-") + step.id);
    setText(step.title);
    setAccessibleName(step.title);
    setAccessibleDescription(step.text);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&style::themeNotifier(), &style::ThemeNotifier::themeChanged, this, QOverload<>::of(&QWidget::update));
}

QRect NextStepRow::textBox(int width) const {
    const QFontMetrics small(style::font(style::Type::kSecondary));
    return small.boundingRect(QRect(0, 0, std::max(40, width - kTextLeft - kChevron - kPad), 1000), Qt::TextWordWrap | Qt::AlignLeft, text_);
}

int NextStepRow::heightAt(int width) const { return kPad + QFontMetrics(style::font(style::Type::kBody)).height() + 2 + textBox(width).height() + kPad; }

QSize NextStepRow::sizeHint() const { return {240, heightAt(width() > 40 ? width() : 240)}; }

// As high as the sentence needs at this width.
void NextStepRow::resizeEvent(QResizeEvent* event) {
    QAbstractButton::resizeEvent(event);
    if (event->oldSize().width() != width()) setFixedHeight(heightAt(width()));
}

void NextStepRow::paintEvent(QPaintEvent*) {
    const style::Tokens& t = style::tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(hasFocus() ? QPen(t.accent, 1.5) : QPen(Qt::NoPen));
    painter.setBrush(underMouse() || isDown() ? t.sunken : t.surface);
    painter.drawRoundedRect(box, style::size::kSmallRadius, style::size::kSmallRadius);
    const qreal ratio = devicePixelRatioF();
    painter.drawPixmap(kPad, kPad + 1, style::pixmap(icon_, t.accent, kIcon, ratio));
    painter.drawPixmap(width() - kPad - kChevron, (height() - kChevron) / 2, style::pixmap(QStringLiteral("chevron-right"), t.text3, kChevron, ratio));
    QFont strong = style::font(style::Type::kBody);
    strong.setWeight(QFont::Medium);
    painter.setFont(strong);
    painter.setPen(t.text);
    const int room = width() - kTextLeft - kChevron - kPad;
    const int line = painter.fontMetrics().height();
    painter.drawText(QRect(kTextLeft, kPad, room, line), Qt::AlignVCenter | Qt::AlignLeft, painter.fontMetrics().elidedText(title_, Qt::ElideRight, room));
    painter.setFont(style::font(style::Type::kSecondary));
    painter.setPen(t.text2);
    painter.drawText(QRect(kTextLeft, kPad + line + 2, room, height()), Qt::TextWordWrap | Qt::AlignLeft, text_);
}

}  // namespace assay::pages
