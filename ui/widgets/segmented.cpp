#include <assay/style/theme_notifier.h>
#include <assay/widgets/controls.h>

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <functional>

namespace assay::widgets {
namespace {

// One word of the control. Only the chosen one is in the tab order; arrow keys go on to the next.
class Segment final : public QAbstractButton {
public:
    Segment(const QString& text, QWidget* parent) : QAbstractButton(parent) {
        setText(text);
        setCheckable(true);
        setAutoExclusive(true);
        setAttribute(Qt::WA_Hover);
        setFont(style::font(style::Type::kSecondary));
        setSizePolicy(QSizePolicy::MinimumExpanding, QSizePolicy::Fixed);
        setAccessibleName(text);
        connect(&style::themeNotifier(), &style::ThemeNotifier::themeChanged, this, qOverload<>(&QWidget::update));
    }
    bool first = false, last = false;
    std::function<void(int)> move;   // by so many words
    QSize sizeHint() const override {
        QFont bold = font();
        bold.setWeight(QFont::Medium);
        return {QFontMetrics(bold).horizontalAdvance(text()) + 21, style::size::kControlHeight - 2};
    }
    QSize minimumSizeHint() const override { return {QFontMetrics(font()).horizontalAdvance(text()) + 9, sizeHint().height()}; }

protected:
    void keyPressEvent(QKeyEvent* event) override {
        const int step = layoutDirection() == Qt::RightToLeft ? -1 : 1;
        switch (event->key()) {
            case Qt::Key_Left:
            case Qt::Key_Up: return move(-step);
            case Qt::Key_Right:
            case Qt::Key_Down: return move(step);
            default: QAbstractButton::keyPressEvent(event);
        }
    }
    void paintEvent(QPaintEvent*) override {
        const style::Tokens& t = style::tokens();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        constexpr qreal kRadius = style::size::kSmallRadius;
        // The outline belongs to the whole control: each segment draws its part of one rounded box.
        const QRectF whole = QRectF(rect()).adjusted(first ? 0.5 : -20, 0.5, last ? -0.5 : 20, -0.5);
        painter.setClipRect(rect());
        const QColor fill = isChecked() ? (isEnabled() ? t.accentBackground : t.sunken) : underMouse() && isEnabled() ? t.background : t.surface;
        painter.setBrush(fill);
        painter.setPen(QPen(t.line, 1));
        painter.drawRoundedRect(whole, kRadius, kRadius);
        if (!last) painter.drawLine(QPointF(width() - 0.5, 1), QPointF(width() - 0.5, height() - 1));
        QFont face = font();
        if (isChecked()) face.setWeight(QFont::Medium);
        painter.setFont(face);
        painter.setPen(!isEnabled() ? t.text3 : isChecked() ? t.accent : underMouse() ? t.text : t.text2);
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextSingleLine, QFontMetrics(face).elidedText(text(), Qt::ElideRight, width() - 6));
        if (hasFocus() && window()->testAttribute(Qt::WA_KeyboardFocusChange)) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(t.accent, 2));
            painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), kRadius - 1, kRadius - 1);
        }
    }
};

}  // namespace

SegmentedControl::SegmentedControl(const QStringList& labels, QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("segmented"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    setLabels(labels);
}

int SegmentedControl::current() const {
    for (size_t i = 0; i < buttons_.size(); ++i)
        if (buttons_[i]->isChecked()) return static_cast<int>(i);
    return -1;
}

void SegmentedControl::setCurrent(int index) {
    if (index < 0 || index >= static_cast<int>(buttons_.size()) || index == current()) return;
    buttons_[static_cast<size_t>(index)]->setChecked(true);
}

void SegmentedControl::setLabels(const QStringList& labels) {
    const int before = current();
    for (QAbstractButton* button : buttons_) {
        button->disconnect(this);
        button->hide();
        button->setAutoExclusive(false);
        button->deleteLater();
        layout()->removeWidget(button);
    }
    buttons_.clear();
    for (int i = 0; i < labels.size(); ++i) {
        auto* segment = new Segment(labels[i], this);
        segment->setObjectName(QStringLiteral("segment-%1").arg(i));
        segment->first = i == 0;
        segment->last = i == labels.size() - 1;
        segment->move = [this, i](int by) {
            const int to = i + by;
            if (to < 0 || to >= static_cast<int>(buttons_.size())) return;
            buttons_[static_cast<size_t>(to)]->click();
            buttons_[static_cast<size_t>(to)]->setFocus(Qt::TabFocusReason);
        };
        layout()->addWidget(segment);
        buttons_.push_back(segment);
    }
    const int chosen = buttons_.empty() ? -1 : std::clamp(before, 0, static_cast<int>(buttons_.size()) - 1);
    if (chosen >= 0) buttons_[static_cast<size_t>(chosen)]->setChecked(true);
    for (size_t i = 0; i < buttons_.size(); ++i) {
        buttons_[i]->setFocusPolicy(static_cast<int>(i) == chosen ? Qt::StrongFocus : Qt::ClickFocus);
        connect(buttons_[i], &QAbstractButton::toggled, this, [this, i](bool on) {
            buttons_[i]->setFocusPolicy(on ? Qt::StrongFocus : Qt::ClickFocus);
            if (on) Q_EMIT currentChanged(static_cast<int>(i));
        });
    }
}

}  // namespace assay::widgets
