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
    empty_ = new widgets::EmptyState(QStringLiteral("data"), tr("Drop text, JSONL or CSV files here to see their rows, their problems, and the tokens a model would get, before anything is trained."), tr("Open a dataset"), this);
    empty_->setObjectName(QStringLiteral("data-empty"));
    empty_->setMaximumWidth(kWidth);
    empty_->setMinimumHeight(200);
    connect(empty_, &widgets::EmptyState::clicked, this, &StartCard::openWanted);
    column->addWidget(empty_);
    recent_ = new widgets::Card(tr("Recent datasets"), this);
    recent_->setObjectName(QStringLiteral("data-recent"));
    recent_->setMaximumWidth(kWidth);
    recent_->setBodyMargins(4);
    recent_->body()->setSpacing(0);
    column->addWidget(recent_);
    column->addStretch(3);
    refresh();
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
        auto* row = new QWidget(recent_);
        auto* line = new QHBoxLayout(row);
        line->setContentsMargins(0, 0, 8, 0);
        line->setSpacing(8);
        auto* open = widgets::makeButton(models::shortened(dataset.title, 44), widgets::ButtonKind::kQuiet, QStringLiteral("file"), row);
        open->setObjectName(QStringLiteral("data-recent-%1").arg(i));
        open->setAccessibleName(tr("Open %1").arg(dataset.title));
        connect(open, &QPushButton::clicked, this, [this, i] { presenter_.openRecent(i); });
        auto* detail = new widgets::PlainLabel(dataset.detail, row, style::Type::kSecondary);
        detail->setDim(3);
        detail->setElideMode(Qt::ElideMiddle);
        detail->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        line->addWidget(open);
        line->addWidget(detail, 1);
        recent_->body()->addWidget(row);
        rows_.append(row);
    }
}

}  // namespace assay::pages
