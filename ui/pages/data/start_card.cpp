#include "start_card.h"

#include <assay/models/format.h>
#include <assay/widgets/controls.h>

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace assay::pages {

constexpr int kMostShown = 6, kWidth = 560;

StartCard::StartCard(presenters::DataPresenter& presenter, QWidget* parent) : QWidget(parent), presenter_(presenter) {
    setObjectName(QStringLiteral("data-start"));
    auto* all = new QHBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    auto* column = new QVBoxLayout;
    column->setSpacing(style::size::kGap);
    all->addStretch(1);
    all->addLayout(column, 100);
    all->addStretch(1);
    column->addStretch(2);
    empty_ = new widgets::EmptyState(QStringLiteral("data"), tr("Drop text, JSONL, CSV, Parquet or Arrow files here to see their rows, their problems, and the tokens a model would get, before anything is trained."), tr("Open a dataset"), this);
    empty_->setObjectName(QStringLiteral("data-empty"));
    empty_->setMaximumWidth(kWidth);
    empty_->setMinimumHeight(200);
    connect(empty_, &widgets::EmptyState::clicked, this, &StartCard::openWanted);
    column->addWidget(empty_);
    recent_ = makeList("data-recent", tr("Recent datasets"));
    column->addWidget(recent_);
    found_ = makeList("data-found", tr("In the Hugging Face cache"));
    column->addWidget(found_);
    column->addStretch(3);
    refresh();
    refreshFound();
}

widgets::Card* StartCard::makeList(const char* name, const QString& title) {
    auto* card = new widgets::Card(title, this);
    card->setObjectName(QLatin1String(name));
    card->setMaximumWidth(kWidth);
    card->setBodyMargins(4);
    card->body()->setSpacing(0);
    return card;
}

QWidget* StartCard::makeRow(widgets::Card* card, const QString& name, const QString& title, const QString& detail, const QString& path, std::function<void()> open) {
    auto* row = new QWidget(card);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 8, 0);
    line->setSpacing(8);
    auto* button = widgets::makeButton(models::shortened(title, 44), widgets::ButtonKind::kQuiet, QStringLiteral("file"), row);
    button->setObjectName(name);
    button->setAccessibleName(tr("Open %1").arg(title));
    button->setToolTip(path.toHtmlEscaped());
    button->setEnabled(static_cast<bool>(open));
    if (open) connect(button, &QPushButton::clicked, this, open);
    auto* label = new widgets::PlainLabel(detail, row, style::Type::kSecondary);
    label->setDim(3);
    label->setElideMode(Qt::ElideMiddle);
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    line->addWidget(button);
    line->addWidget(label, 1);
    card->body()->addWidget(row);
    return row;
}

void StartCard::refreshFound() {
    const auto& found = presenter_.found();
    for (QWidget* row : foundRows_) row->deleteLater();
    foundRows_.clear();
    found_->setVisible(!found.empty());
    for (int i = 0; i < static_cast<int>(found.size()) && i < kMostShown; ++i) {
        const auto& dataset = found[static_cast<size_t>(i)];
        std::function<void()> open;
        if (!dataset.path.isEmpty()) open = [this, i] { presenter_.openFound(i); };
        foundRows_.append(makeRow(found_, QStringLiteral("data-found-%1").arg(i), dataset.title, dataset.detail, dataset.path, std::move(open)));
    }
}

void StartCard::refresh() {
    const auto recent = presenter_.recent();
    QStringList shape;
    for (const auto& dataset : recent) shape << dataset.title + QLatin1Char('\n') + dataset.detail;
    recent_->setVisible(!recent.empty());
    if (shape == shown_) return;
    shown_ = shape;
    for (QWidget* row : rows_) row->deleteLater();
    rows_.clear();
    for (int i = 0; i < static_cast<int>(recent.size()) && i < kMostShown; ++i) {
        const auto& dataset = recent[static_cast<size_t>(i)];
        rows_.append(makeRow(recent_, QStringLiteral("data-recent-%1").arg(i), dataset.title, dataset.detail, {}, [this, i] { presenter_.openRecent(i); }));
    }
}

}  // namespace assay::pages
