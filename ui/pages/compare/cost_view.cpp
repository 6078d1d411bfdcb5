#include "cost_view.h"

#include <assay/models/format.h>
#include <assay/models/json_values.h>

#include <QCheckBox>
#include <QComboBox>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "cost_points.h"

namespace assay::pages {

CostView::CostView(presenters::ComparePresenter& presenter, QWidget* parent)
    : QWidget(parent), presenter_(presenter), card_(new widgets::Card(tr("Cost against accuracy"), this)), plot_(new widgets::ScatterPlot(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(card_);
    card_->setBodyMargins(8);
    const auto box = [&](const char* name, const QString& title) {
        auto* made = new QComboBox(this);
        made->setObjectName(QString::fromLatin1(name));
        made->setAccessibleName(title);
        made->setToolTip(title);
        made->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        made->setMinimumContentsLength(11);
        connect(made, &QComboBox::activated, this, &CostView::axesChosen);
        return made;
    };
    x_ = box("compare-x", tr("Horizontal axis"));
    y_ = box("compare-y", tr("Vertical axis"));
    log_ = new QCheckBox(tr("log x"), this);
    log_->setObjectName(QStringLiteral("compare-log-x"));
    log_->setAccessibleName(tr("Logarithmic horizontal axis"));
    connect(log_, &QCheckBox::toggled, plot_, &widgets::ScatterPlot::setLogX);
    for (QWidget* control : {static_cast<QWidget*>(x_), static_cast<QWidget*>(y_), static_cast<QWidget*>(log_)}) card_->addHeaderWidget(control);
    card_->addHeaderWidget(widgets::makeExportButton(plot_, tr("cost against accuracy")));
    plot_->setObjectName(QStringLiteral("compare-scatter"));
    plot_->setAccessibleName(tr("Cost against accuracy of every set-up"));
    card_->body()->addWidget(plot_, 1);
    connect(plot_, &widgets::ScatterPlot::selected, this, &CostView::selected);
    connect(plot_, &widgets::ScatterPlot::opened, this, &CostView::opened);
}

// The axes say what the chart shows where there is no room for a title.
void CostView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    card_->setTitle(width() < 520 ? QString() : tr("Cost against accuracy"));
    x_->setFixedWidth(width() < 640 ? 136 : 228);   // the longest name of a cost
    y_->setFixedWidth(width() < 640 ? 136 : 156);
}

bool CostView::logX() const { return log_->isChecked(); }
void CostView::setLogX(bool on) { log_->setChecked(on); }

void CostView::axesChosen() { presenter_.setAxes(x_->currentData().toString(), y_->currentData().toString()); }

void CostView::fillAxes() {
    for (QComboBox* box : {x_, y_}) {
        const QSignalBlocker quiet(box);
        box->clear();
        const QString axis = box == x_ ? tr("x: %1") : tr("y: %1");
        for (const report::Metric* metric : presenter_.measuredMetrics()) box->addItem(axis.arg(presenters::metricTitle(*metric)), QString::fromLatin1(metric->name));
        box->setCurrentIndex(box->findData(QString::fromLatin1((box == x_ ? presenter_.xMetric() : presenter_.yMetric()).name)));
    }
}

void CostView::refresh() {
    fillAxes();
    const report::Comparison& comparison = presenter_.comparison();
    const report::Metric &x = presenter_.xMetric(), &y = presenter_.yMetric();
    fillCostPlot(*plot_, comparison, x, y, [this](const report::Setup& setup) { return presenter_.colorOf(QString::fromStdString(setup.id)); }, 28);
    const auto& target = comparison.target;
    const bool drawn = target && report::findMetric(target->metric) == &y;
    plot_->setTarget(drawn ? target->value : models::kNan, drawn ? tr("target %1 %2").arg(QString::fromStdString(report::relationSign(target->relation)), QString::fromStdString(report::exact(target->value))) : QString());
}

}  // namespace assay::pages
