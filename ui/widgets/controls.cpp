// Buttons, segmented control, progress line, key-value list.
#include <assay/widgets/controls.h>

#include "label_style.h"

#include <assay/models/format.h>
#include <assay/style/icons.h>
#include <assay/style/theme_notifier.h>
#include <assay/widgets/card.h>

#include <QCoreApplication>
#include <QGridLayout>
#include <QPainter>
#include <QTimerEvent>
#include <algorithm>
#include <cmath>

namespace assay::widgets {

QPushButton* makeButton(const QString& text, ButtonKind kind, const QString& icon, QWidget* parent) {
    auto* button = new QPushButton(text, parent);
    QString name = text.isEmpty() ? icon : text;
    button->setAccessibleName(QString(text).remove(QLatin1Char('&')));
    button->setObjectName(QStringLiteral("button-") + name.remove(QLatin1Char('&')).simplified().toLower().replace(QLatin1Char(' '), QLatin1Char('-')));
    button->setAutoDefault(false);
    button->setMinimumHeight(style::size::kControlHeight);
    switch (kind) {
        case ButtonKind::kPrimary: button->setProperty("kind", QStringLiteral("primary")); break;
        case ButtonKind::kQuiet: button->setProperty("kind", QStringLiteral("quiet")); break;
        case ButtonKind::kDanger: button->setProperty("kind", QStringLiteral("danger")); break;
        case ButtonKind::kNormal: break;
    }
    QFont font = style::font(style::Type::kBody);
    font.setWeight(QFont::Medium);
    button->setFont(font);
    if (!icon.isEmpty()) {
        button->setIcon(style::icon(icon));
        button->setIconSize({16, 16});
    }
    button->setCursor(Qt::ArrowCursor);
    return button;
}

ProgressLine::ProgressLine(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("progress-line"));
    setAccessibleName(tr("Progress"));
    setFont(style::font(style::Type::kSecondary));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&style::themeNotifier(), &style::ThemeNotifier::themeChanged, this, qOverload<>(&QWidget::update));
}

void ProgressLine::set(double fraction, const QString& text) {
    fraction_ = fraction;
    text_ = oneLine(text);
    setAccessibleDescription(std::isfinite(fraction) ? models::formatPercent(fraction, 0) + QStringLiteral(", ") + text_ : text_);
    const bool moving = !std::isfinite(fraction);
    if (moving && timer_ == 0) timer_ = startTimer(40);
    if (!moving && timer_ != 0) {
        killTimer(timer_);
        timer_ = 0;
    }
    updateGeometry();
    update();
}

QSize ProgressLine::sizeHint() const {
    return {160 + (text_.isEmpty() ? 0 : fontMetrics().horizontalAdvance(text_) + 12), 18};
}

void ProgressLine::timerEvent(QTimerEvent* event) {
    if (event->timerId() != timer_) return QWidget::timerEvent(event);
    phase_ = (phase_ + 1) % 50;
    if (isVisible()) update();
}

void ProgressLine::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int textWidth = text_.isEmpty() ? 0 : qMin(fontMetrics().horizontalAdvance(text_) + 1, width() * 2 / 3);
    const QRectF track(0, height() / 2.0 - 3, qMax(0, width() - (textWidth ? textWidth + 12 : 0)), 6);
    painter.setPen(Qt::NoPen);
    painter.setBrush(style::tokens().line);
    painter.drawRoundedRect(track, 3, 3);
    painter.setBrush(style::tokens().accent);
    if (std::isfinite(fraction_)) {
        const double part = std::clamp(fraction_, 0.0, 1.0) * track.width();
        if (part > 0) painter.drawRoundedRect(QRectF(track.x(), track.y(), qMax(part, 6.0), 6), 3, 3);
    } else {
        const double piece = track.width() * 0.25, left = track.x() + (track.width() + piece) * phase_ / 50.0 - piece;
        painter.drawRoundedRect(QRectF(left, track.y(), piece, 6).intersected(track), 3, 3);
    }
    painter.setPen(style::tokens().text2);
    painter.drawText(QRect(width() - textWidth, 0, textWidth, height()), Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine,
                     fontMetrics().elidedText(text_, Qt::ElideRight, textWidth));
}

QString namedValue(const QString& name, const QString& value) {
    //: Name and value of a fact, as a screen reader says it
    return QCoreApplication::translate("assay::widgets::KeyValueList", "%1: %2").arg(name, value);
}

KeyValueList::KeyValueList(QWidget* parent) : QWidget(parent), grid_(new QGridLayout(this)) {
    setObjectName(QStringLiteral("key-value-list"));
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setHorizontalSpacing(8);
    grid_->setVerticalSpacing(4);
    grid_->setColumnStretch(2, 1);
}

namespace {

class Dot final : public QWidget {
public:
    Dot(int color, QWidget* parent) : QWidget(parent), color_(color) { setFixedSize(8, 18); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(style::dataColor(color_));
        painter.drawEllipse(QRectF(0, 5, 8, 8));
    }

private:
    int color_;
};

}  // namespace

void KeyValueList::setRows(const std::vector<Row>& rows) {
    while (QLayoutItem* item = grid_->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
    int line = 0;
    const bool dots = std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.color >= 0; });
    for (const Row& row : rows) {
        auto* key = new PlainLabel(row.key, this);
        key->setDim(2);
        key->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
        auto* value = new QLabel(this);
        dress(value, style::Type::kBody, 0);
        value->setText(models::plain(row.value));
        value->setWordWrap(true);
        value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);   // one line: level with its key, which is centred in the row
        value->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        value->setObjectName(QStringLiteral("value-%1").arg(line));
        value->setAccessibleName(namedValue(row.key, value->text()));
        if (!row.tip.isEmpty()) {
            const QString tip = plainTip(row.tip);
            key->setToolTip(tip);
            value->setToolTip(tip);
        }
        if (row.color >= 0) grid_->addWidget(new Dot(row.color, this), line, 0, Qt::AlignTop);
        grid_->addWidget(key, line, dots ? 1 : 0, 1, dots ? 1 : 2, Qt::AlignTop);
        grid_->addWidget(value, line, 2);
        ++line;
    }
}

}  // namespace assay::widgets
