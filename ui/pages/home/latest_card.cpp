#include "latest_card.h"

#include <assay/widgets/controls.h>

#include <QVBoxLayout>

#include "compare/cost_points.h"

namespace assay::pages {

constexpr int kLeastChart = 140, kMostChart = 520;

LatestCard::LatestCard(presenters::LatestComparison& latest, QWidget* parent)
    : QWidget(parent), latest_(latest), card_(new widgets::Card(tr("Cost against accuracy"), this)), headline_(new widgets::PlainLabel({}, this, style::Type::kBody)), plot_(new widgets::ScatterPlot(this)) {
    setObjectName(QStringLiteral("home-latest"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(card_);
    card_->setBodyMargins(8);
    auto* open = widgets::makeButton(tr("Compare"), widgets::ButtonKind::kQuiet, {}, this);
    open->setObjectName(QStringLiteral("home-latest-open"));
    open->setAccessibleName(tr("Compare the set-ups of the newest experiment"));
    connect(open, &QPushButton::clicked, this, [this] { Q_EMIT openWanted(latest_.run()); });
    card_->addHeaderWidget(open);
    headline_->setObjectName(QStringLiteral("home-latest-headline"));
    headline_->setContentsMargins(6, 2, 6, 0);
    plot_->setObjectName(QStringLiteral("home-latest-plot"));
    plot_->setAccessibleName(tr("Cost against accuracy of the newest experiment"));
    plot_->setMinimumHeight(kLeastChart);
    setMaximumHeight(kMostChart);   // header and sentence included
    connect(plot_, &widgets::ScatterPlot::opened, this, [this] { Q_EMIT openWanted(latest_.run()); });
    card_->body()->addWidget(headline_);
    card_->body()->addWidget(plot_, 1);
    connect(&latest_, &presenters::LatestComparison::changed, this, &LatestCard::refresh);
    refresh();
}

void LatestCard::setRoom(bool enough) {
    if (enough == std::exchange(room_, enough)) return;
    setVisible(room_ && latest_.isThere());
}

void LatestCard::refresh() {
    setVisible(room_ && latest_.isThere());
    if (!latest_.isThere()) return;
    const report::Comparison& comparison = latest_.comparison();
    const report::Metric *x = report::findMetric(comparison.x), *y = report::findMetric(comparison.y);
    card_->setNote(latest_.name());
    headline_->setFullText(latest_.headline());
    headline_->setVisible(!latest_.headline().isEmpty());
    int color = 0;
    fillCostPlot(*plot_, comparison, *x, *y, [&](const report::Setup&) { return color++; }, 24);
}

}  // namespace assay::pages
