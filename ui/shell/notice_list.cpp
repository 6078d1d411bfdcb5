#include "notice_list.h"

#include <assay/models/format.h>
#include <assay/style/tokens.h>
#include <assay/widgets/controls.h>

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>

#include "toast_host.h"

namespace assay::shell {

NoticeList::NoticeList(presenters::NoticeLog& log, QWidget* window) : QFrame(window), log_(log) {
    setObjectName(QStringLiteral("notice-list"));
    setAccessibleName(tr("Notices"));
    setFocusPolicy(Qt::StrongFocus);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(14, 8, 8, 8);
    auto* title = new QLabel(tr("Notices"), this);
    title->setFont(style::font(style::Type::kCardTitle));
    head->addWidget(title, 1);
    auto* clear = widgets::makeButton(tr("Clear"), widgets::ButtonKind::kQuiet, {}, this);
    clear->setObjectName(QStringLiteral("notices-clear"));
    auto* close = widgets::makeButton(tr("Close"), widgets::ButtonKind::kQuiet, {}, this);
    close->setObjectName(QStringLiteral("notices-close"));
    head->addWidget(clear);
    head->addWidget(close);
    layout->addLayout(head);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    content_ = new QWidget(scroll);
    rows_ = new QVBoxLayout(content_);
    rows_->setContentsMargins(6, 0, 6, 6);
    rows_->setSpacing(2);
    scroll->setWidget(content_);
    layout->addWidget(scroll, 1);
    connect(clear, &QPushButton::clicked, &log, &presenters::NoticeLog::clear);
    connect(close, &QPushButton::clicked, this, &QWidget::hide);
    connect(&log, &presenters::NoticeLog::changed, this, [this] {
        if (isVisible()) refresh();
    });
    window->installEventFilter(this);
    hide();
}

void NoticeList::toggle(QWidget*) {
    if (isVisible()) return hide();
    refresh();
    place();
    show();
    raise();
    setFocus();
    log_.markRead();
}

void NoticeList::refresh() {
    while (QLayoutItem* item = rows_->takeAt(0)) {
        if (item->widget()) item->widget()->deleteLater();
        delete item;
    }
    const QDateTime now = QDateTime::currentDateTimeUtc();
    for (const auto& entry : log_.entries()) {
        auto* view = new NoticeView(entry.notice, false, content_);
        const QString ago = models::formatAgo(entry.time, now);
        view->setRemark(entry.times > 1 ? tr("%1, %n times", nullptr, entry.times).arg(ago) : ago);
        rows_->addWidget(view);
    }
    if (log_.entries().isEmpty()) {
        auto* none = new QLabel(tr("Nothing has happened yet that you need to know."), content_);
        none->setFont(style::font(style::Type::kSecondary));
        none->setWordWrap(true);
        none->setMargin(10);
        rows_->addWidget(none);
    }
    rows_->addStretch(1);
}

void NoticeList::place() {
    const int height = std::min(460, parentWidget()->height() - 80);
    setGeometry(parentWidget()->width() - 400 - 12, parentWidget()->height() - style::size::kStatusBar - height - 8, 400, height);
}

bool NoticeList::eventFilter(QObject*, QEvent* event) {
    if (event->type() == QEvent::Resize && isVisible()) place();
    return false;
}

void NoticeList::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) return hide();
    QFrame::keyPressEvent(event);
}

void NoticeList::paintEvent(QPaintEvent*) {
    const style::Tokens& t = style::tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(t.line, 1));
    painter.setBrush(t.surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), style::size::kRadius, style::size::kRadius);
}

}  // namespace assay::shell
