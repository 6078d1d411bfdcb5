// PlainLabel, Badge, StatTile.
#include "label_style.h"

#include <assay/models/format.h>
#include <assay/style/theme_notifier.h>
#include <assay/widgets/card.h>

#include <QEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QVBoxLayout>

namespace assay::widgets {
PlainLabel::PlainLabel(const QString& text, QWidget* parent, style::Type type) : QLabel(parent), type_(type) {
    setTextFormat(Qt::PlainText);
    setFont(style::font(type));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&style::themeNotifier(), &style::ThemeNotifier::themeChanged, this, &PlainLabel::refresh);
    setFullText(text);
}

void PlainLabel::setFullText(const QString& text) {
    full_ = oneLine(text);
    setAccessibleName(full_);
    updateGeometry();
    refresh();
}

void PlainLabel::setElideMode(Qt::TextElideMode mode) {
    mode_ = mode;
    refresh();
}

void PlainLabel::setTone(style::Tone tone) {
    tone_ = tone;
    refresh();
}

void PlainLabel::setDim(int level) {
    dim_ = level;
    tone_.reset();
    refresh();
}

QSize PlainLabel::minimumSizeHint() const {
    const QMargins margins = contentsMargins();
    const int letters = fontMetrics().horizontalAdvance(QStringLiteral("mm…"));
    return {qMin(letters, fontMetrics().horizontalAdvance(full_)) + margins.left() + margins.right(), fontMetrics().height() + margins.top() + margins.bottom()};
}

QSize PlainLabel::sizeHint() const {
    const QMargins margins = contentsMargins();
    return {fontMetrics().horizontalAdvance(full_) + 1 + margins.left() + margins.right(), qMax(fontMetrics().height(), 18) + margins.top() + margins.bottom()};
}

void PlainLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    refresh();
}

void PlainLabel::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        updateGeometry();
        refresh();
    }
}

void PlainLabel::refresh() {
    colorLabel(this, tone_ ? style::toneText(*tone_) : dimColor(dim_));
    const QString shown = width() > 0 ? fontMetrics().elidedText(full_, mode_, contentsRect().width()) : full_;
    if (shown != text()) QLabel::setText(shown);
    setToolTip(shown == full_ ? QString() : plainTip(full_));
}

Badge::Badge(const QString& text, style::Tone tone, QWidget* parent) : QWidget(parent), tone_(tone) {
    setObjectName(QStringLiteral("badge"));
    QFont font = style::font(style::Type::kSmall);
    font.setWeight(QFont::Medium);
    setFont(font);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    connect(&style::themeNotifier(), &style::ThemeNotifier::themeChanged, this, qOverload<>(&QWidget::update));
    set(text, tone);
}

void Badge::set(const QString& text, style::Tone tone) {
    text_ = oneLine(text);
    tone_ = tone;
    setAccessibleName(text_);
    setVisible(!text_.isEmpty() && (isVisible() || !testAttribute(Qt::WA_WState_ExplicitShowHide)));
    updateGeometry();
    update();
}

QSize Badge::sizeHint() const {
    return {fontMetrics().horizontalAdvance(text_) + 17, 18};
}

void Badge::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(style::toneBackground(tone_));
    painter.drawRoundedRect(rect(), height() / 2.0, height() / 2.0);
    painter.setPen(style::toneText(tone_));
    painter.drawText(rect().adjusted(8, 0, -8, 0), Qt::AlignCenter | Qt::TextSingleLine, fontMetrics().elidedText(text_, Qt::ElideRight, width() - 16));
}

StatTile::StatTile(const QString& caption, QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("stat-tile"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* top = new PlainLabel(caption, this, style::Type::kSmall);
    top->setDim(2);
    auto* middle = new PlainLabel(models::notMeasured(), this, style::Type::kFigure);
    auto* bottom = new PlainLabel({}, this, style::Type::kSmall);
    bottom->setDim(3);
    bottom->hide();
    for (PlainLabel* label : {top, middle, bottom}) column->addWidget(label);
    column->addStretch(1);
    caption_ = top;
    figure_ = middle;
    remark_ = bottom;
    setAccessibleName(caption);
    setAccessibleDescription(models::notMeasured());
}

void StatTile::set(const QString& figure, const QString& remark) {
    static_cast<PlainLabel*>(figure_)->setFullText(figure);
    static_cast<PlainLabel*>(remark_)->setFullText(remark);
    remark_->setVisible(!remark.isEmpty());
    setAccessibleDescription(remark.isEmpty() ? figure : figure + QStringLiteral(", ") + remark);
}

void StatTile::setTone(style::Tone tone) {
    if (tone == style::Tone::kNeutral) static_cast<PlainLabel*>(figure_)->setDim(0);
    else static_cast<PlainLabel*>(figure_)->setTone(tone);
}

}  // namespace assay::widgets
