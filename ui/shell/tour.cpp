#include "tour.h"

#include <assay/style/tokens.h>
#include <assay/widgets/controls.h>

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>

namespace assay::shell {

Tour::Tour(QList<Step> steps, QWidget* window) : QFrame(window), steps_(std::move(steps)) {
    setObjectName(QStringLiteral("tour"));
    setAccessibleName(tr("Tour"));
    setFocusPolicy(Qt::StrongFocus);
    setFixedWidth(320);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 12);
    layout->setSpacing(6);
    title_ = new QLabel(this);
    title_->setObjectName(QStringLiteral("tour-title"));
    title_->setFont(style::font(style::Type::kCardTitle));
    text_ = new QLabel(this);
    text_->setObjectName(QStringLiteral("tour-text"));
    text_->setWordWrap(true);
    for (QLabel* label : {title_, text_}) {
        label->setTextFormat(Qt::PlainText);
        layout->addWidget(label);
    }
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 6, 0, 0);
    count_ = new QLabel(this);
    count_->setFont(style::font(style::Type::kSmall));
    skip_ = widgets::makeButton(tr("Skip the tour"), widgets::ButtonKind::kQuiet, {}, this);
    skip_->setObjectName(QStringLiteral("tour-skip"));
    next_ = widgets::makeButton(tr("Next"), widgets::ButtonKind::kPrimary, {}, this);
    next_->setObjectName(QStringLiteral("tour-next"));
    row->addWidget(count_, 1);
    row->addWidget(skip_);
    row->addWidget(next_);
    layout->addLayout(row);
    connect(skip_, &QPushButton::clicked, this, &Tour::end);
    connect(next_, &QPushButton::clicked, this, [this] {
        if (++step_ >= steps_.size()) return end();
        showStep();
    });
    window->installEventFilter(this);
    hide();
}

void Tour::start() {
    step_ = 0;
    showStep();
    show();
    raise();
    next_->setFocus(Qt::OtherFocusReason);
}

void Tour::showStep() {
    const Step& step = steps_[step_];
    title_->setText(step.title);
    text_->setText(step.text);
    count_->setText(tr("%1 of %2").arg(step_ + 1).arg(steps_.size()));
    const bool last = step_ + 1 == steps_.size();
    next_->setText(last ? tr("Done") : tr("Next"));
    skip_->setVisible(!last);
    setAccessibleDescription(step.title + QStringLiteral(". ") + step.text);
    place();
}

// Beside the target where there is room: right of it, else above it; inside the window in any case.
void Tour::place() {
    layout()->activate();
    setFixedHeight(layout()->totalHeightForWidth(width()));
    const QWidget* target = steps_[std::min(step_, static_cast<int>(steps_.size()) - 1)].target;
    QPoint at((parentWidget()->width() - width()) / 2, (parentWidget()->height() - height()) / 2);
    if (target) {
        const QRect box(target->mapTo(parentWidget(), QPoint()), target->size());
        at = box.width() < parentWidget()->width() / 2 ? QPoint(box.right() + 12, box.top() + 56) : QPoint(box.left() + 12, box.top() - height() - 12);
        if (at.y() < 0) at = box.topLeft() + QPoint(24, 24);
    }
    at.setX(std::clamp(at.x(), 12, std::max(12, parentWidget()->width() - width() - 12)));
    at.setY(std::clamp(at.y(), 12, std::max(12, parentWidget()->height() - height() - style::size::kStatusBar - 12)));
    move(at);
}

void Tour::end() {
    hide();
    Q_EMIT finished();
}

bool Tour::eventFilter(QObject*, QEvent* event) {
    if (event->type() == QEvent::Resize && isVisible()) place();
    return false;
}

void Tour::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) return end();
    QFrame::keyPressEvent(event);
}

void Tour::paintEvent(QPaintEvent*) {
    const style::Tokens& t = style::tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(t.accent, 1));
    painter.setBrush(t.surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), style::size::kRadius, style::size::kRadius);
}

}  // namespace assay::shell
