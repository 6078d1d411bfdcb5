#include "cost_view.h"

#include <assay/models/format.h>
#include <assay/models/json_values.h>

#include <QCheckBox>
#include <QComboBox>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <cmath>
#include <limits>

namespace assay::pages {
namespace {

constexpr double k95 = 1.96;

std::function<QString(double)> textOf(const report::Metric& metric) {
    const std::string_view unit = metric.unit;
    if (unit == "USD") return [](double value) { return value == 0 ? QStringLiteral("$0") : QStringLiteral("$") + models::formatNumber(value, 3); };
    if (unit == "bytes") return [](double value) { return models::formatBytes(value); };
    if (metric.value == &report::Setup::sameTop1) return [](double value) { return models::formatPercent(value); };
    return [](double value) { return models::formatNumber(value, 4); };
}

QString titleOf(const report::Metric& metric) {
    const QString label = presenters::metricTitle(metric), unit = QString::fromUtf8(metric.unit);
    const bool told = unit.isEmpty() || unit == QLatin1String("USD") || unit == QLatin1String("bytes");
    const QString name = told ? label : CostView::tr("%1, %2").arg(label, unit);
    return metric.lowerIsBetter ? CostView::tr("%1 → lower is better").arg(name) : CostView::tr("%1 → higher is better").arg(name);
}

}  // namespace

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
    const auto frontier = presenters::frontierOf(comparison, x, y);
    std::vector<widgets::ScatterPoint> points;
    for (const report::Setup& setup : comparison.setups) {
        const report::Value &across = setup.*x.value, &up = setup.*y.value;
        if (!across.value || !up.value) continue;
        widgets::ScatterPoint point;
        point.id = QString::fromStdString(setup.id);
        point.name = QString::fromStdString(report::shortName(setup, 28));
        if (setup.id == comparison.baseline) point.name = tr("%1 · base").arg(point.name);
        point.color = point.marker = presenter_.colorOf(point.id);
        point.x = *across.value;
        point.y = *up.value;
        point.xError = k95 * across.se.value_or(0);
        point.yError = k95 * up.se.value_or(0);
        point.faded = setup.id != comparison.baseline && std::find(frontier.begin(), frontier.end(), &setup) == frontier.end();
        point.ringed = setup.id == comparison.cheapest;
        points.push_back(std::move(point));
    }
    std::vector<QPointF> line;
    for (const report::Setup* setup : frontier) line.emplace_back(*(setup->*x.value).value, *(setup->*y.value).value);
    plot_->setAxes(titleOf(x), titleOf(y), textOf(x), textOf(y));
    plot_->setEmptyText(tr("No set-up has both a cost and an accuracy yet."));
    plot_->setFrontier(std::move(line));
    const auto& target = comparison.target;
    const bool drawn = target && report::findMetric(target->metric) == &y;
    plot_->setTarget(drawn ? target->value : models::kNan, drawn ? tr("target %1 %2").arg(QString::fromStdString(report::relationSign(target->relation)), QString::fromStdString(report::exact(target->value))) : QString());
    plot_->setPoints(std::move(points));
}

}  // namespace assay::pages
