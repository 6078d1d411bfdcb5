#include <assay/widgets/card.h>

#include "label_style.h"

#include <QAbstractScrollArea>
#include <QEvent>
#include <QHBoxLayout>
#include <QStyle>
#include <QVBoxLayout>

namespace assay::widgets {
Card::Card(const QString& title, QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("card"));
    setSurface(this, QStringLiteral("card"));
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(1, 1, 1, 1);  // the line stays visible beside tables that touch it
    all->setSpacing(0);
    body_ = new QVBoxLayout;
    setBodyMargins(style::size::kCardPadding);
    body_->setSpacing(8);
    all->addLayout(body_, 1);
    all->addStretch(0);   // takes what a body of fixed height leaves, so that the header stays at the top
    if (!title.isEmpty()) setTitle(title);
}

void Card::ensureHeader() {
    if (header_) return;
    header_ = new QWidget(this);
    header_->setObjectName(QStringLiteral("card-header"));
    setSurface(header_, QStringLiteral("header"));
    header_->setMinimumHeight(37);
    header_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    headerRow_ = new QHBoxLayout(header_);
    headerRow_->setContentsMargins(style::size::kCardPadding, 4, 8, 4);
    headerRow_->setSpacing(8);
    title_ = new PlainLabel({}, header_, style::Type::kCardTitle);
    title_->setObjectName(QStringLiteral("card-title"));
    headerRow_->addWidget(title_, 1);
    static_cast<QVBoxLayout*>(layout())->insertWidget(0, header_);
}

void Card::setTitle(const QString& title) {
    ensureHeader();
    static_cast<PlainLabel*>(title_)->setFullText(title);
    setAccessibleName(title);
}

void Card::setNote(const QString& text) {
    ensureHeader();
    if (!note_) {
        auto* note = new PlainLabel({}, header_, style::Type::kSecondary);
        note->setObjectName(QStringLiteral("card-note"));
        note->setDim(3);
        note->setContentsMargins(0, 0, 4, 0);
        note->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        headerRow_->insertWidget(1, note, 0);
        note_ = note;
    }
    static_cast<PlainLabel*>(note_)->setFullText(text);
    note_->setVisible(!text.isEmpty());
}

void Card::addHeaderWidget(QWidget* widget) {
    ensureHeader();
    headerRow_->addWidget(widget, 0, Qt::AlignVCenter);
}

QVBoxLayout* Card::body() {
    return body_;
}

// A view that touches the card's line needs none of its own.
void Card::flatten() {
    for (int i = 0; i < body_->count(); ++i) {
        auto* area = qobject_cast<QAbstractScrollArea*>(body_->itemAt(i)->widget());
        if (!area || area->property("flat").toBool()) continue;
        area->setProperty("flat", true);
        area->setFrameShape(QFrame::NoFrame);
        area->style()->unpolish(area);
        area->style()->polish(area);
    }
}

bool Card::event(QEvent* event) {
    const bool done = QFrame::event(event);
    if ((event->type() == QEvent::LayoutRequest || event->type() == QEvent::ChildPolished) && bare_) flatten();
    return done;
}

void Card::setBodyMargins(int margin) {
    bare_ = margin == 0;
    if (bare_) flatten();
    // Rounded corners are cut by what touches them: a little stays at the bottom.
    body_->setContentsMargins(margin, margin, margin, margin == 0 ? 4 : margin);
}

PageHeader::PageHeader(const QString& title, QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("page-header"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(style::size::kGap);
    leading_ = new QHBoxLayout;
    badges_ = new QHBoxLayout;
    actions_ = new QHBoxLayout;
    for (QHBoxLayout* part : {leading_, badges_, actions_}) part->setSpacing(8);
    auto* label = new PlainLabel({}, this, style::Type::kTitle);
    label->setObjectName(QStringLiteral("page-title"));
    label->setElideMode(Qt::ElideMiddle);
    label->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    title_ = label;
    row->addLayout(leading_);
    row->addWidget(title_, 0);
    row->addLayout(badges_);
    row->addStretch(1);
    row->addLayout(actions_);
    setMinimumHeight(style::size::kControlHeight);
    setTitle(title);
}

void PageHeader::setTitle(const QString& title) {
    static_cast<PlainLabel*>(title_)->setFullText(title);
    setAccessibleName(title);
}

void PageHeader::addBadge(QWidget* badge) {
    badges_->addWidget(badge, 0, Qt::AlignVCenter);
}

void PageHeader::addAction(QWidget* button) {
    actions_->addWidget(button, 0, Qt::AlignVCenter);
}

void PageHeader::addLeading(QWidget* widget) {
    leading_->addWidget(widget, 0, Qt::AlignVCenter);
}

}  // namespace assay::widgets
