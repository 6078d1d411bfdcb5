#include "curves_view.h"

#include <assay/models/format.h>
#include <assay/presenters/engine_session.h>
#include <assay/presenters/series_export.h>
#include <assay/models/json_values.h>

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <cmath>
#include <limits>

namespace assay::pages {
namespace {

using presenters::XAxis;

constexpr qsizetype kMostCurves = 40;
// What each entry of the metric box shows; both: training drawn through, held-out dashed.
const QStringList kMetrics[] = {{QStringLiteral("train/loss")}, {QStringLiteral("eval/loss")}, {QStringLiteral("train/loss"), QStringLiteral("eval/loss")}};

}  // namespace

CurvesView::CurvesView(presenters::ComparePresenter& presenter, presenters::AppContext& context, QWidget* parent)
    : QWidget(parent), presenter_(presenter), context_(context), card_(new widgets::Card(tr("Training curves"), this)), plot_(new widgets::LinePlot(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(card_);
    card_->setBodyMargins(8);
    const auto box = [&](const char* name, const QString& title, const QStringList& items) {
        auto* made = new QComboBox(this);
        made->setObjectName(QString::fromLatin1(name));
        made->setAccessibleName(title);
        made->setToolTip(title);
        made->addItems(items);
        card_->addHeaderWidget(made);
        return made;
    };
    const auto check = [&](const char* name, const QString& title) {
        auto* made = new QCheckBox(title, this);
        made->setObjectName(QString::fromLatin1(name));
        made->setAccessibleName(title);
        card_->addHeaderWidget(made);
        connect(made, &QCheckBox::toggled, this, &CurvesView::applyOptions);
        return made;
    };
    metric_ = box("curves-metric", tr("Curves shown"), {tr("training loss"), tr("held-out loss"), tr("both losses")});
    axis_ = box("curves-axis", tr("Horizontal axis"), {tr("by step"), tr("by time"), tr("by tokens"), tr("by cost")});
    smoothing_ = box("curves-smoothing", tr("Smoothing"), {tr("not smoothed"), tr("smoothing 0.6"), tr("smoothing 0.9"), tr("smoothing 0.97")});
    smoothing_->setCurrentIndex(2);
    logX_ = check("curves-log-x", tr("log x"));
    logY_ = check("curves-log-y", tr("log y"));
    card_->addHeaderWidget(widgets::makeExportButton(plot_, tr("training curves")));
    plot_->setCsvSource([this](const QString& path) {
        std::vector<presenters::SeriesToSave> all;
        for (const Line& line : lines_) all.push_back({line.run.id, line.run.name, line.source->metric()});
        presenters::saveSeries(context_, this, std::move(all), path);
    });
    plot_->setObjectName(QStringLiteral("compare-curves"));
    plot_->setAccessibleName(tr("Training curves"));
    plot_->setLegend(true);
    plot_->setEmptyText(tr("None of these runs trained a model."));
    card_->body()->addWidget(plot_, 1);
    connect(metric_, &QComboBox::currentIndexChanged, this, [this] {
        boundTo_.clear();
        rebind();
    });
    connect(axis_, &QComboBox::currentIndexChanged, this, [this] {
        plot_->resetZoom();
        applyOptions();
    });
    connect(smoothing_, &QComboBox::currentIndexChanged, this, &CurvesView::applyOptions);
    connect(plot_, &widgets::LinePlot::rangeChanged, this, [this](double low, double high) {
        for (const Line& line : lines_) line.source->setXRange(low, high);
    });
}

Json CurvesView::state() const {
    return {{"metric", metric_->currentIndex()}, {"axis", axis_->currentIndex()}, {"smoothing", smoothing_->currentIndex()}, {"log_x", logX_->isChecked()}, {"log_y", logY_->isChecked()}};
}

void CurvesView::restore(const Json& state) {
    if (!state.is_object()) return;
    metric_->setCurrentIndex(static_cast<int>(std::clamp<int64_t>(jsonIntegerOr(state, "metric", 0), 0, 2)));
    axis_->setCurrentIndex(static_cast<int>(std::clamp<int64_t>(jsonIntegerOr(state, "axis", 0), 0, 3)));
    smoothing_->setCurrentIndex(static_cast<int>(std::clamp<int64_t>(jsonIntegerOr(state, "smoothing", 2), 0, 3)));
    logX_->setChecked(jsonBoolOr(state, "log_x", false));
    logY_->setChecked(jsonBoolOr(state, "log_y", false));
}

void CurvesView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    rebind();
}

void CurvesView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    for (const Line& line : lines_) line.source->setMaxPoints(4 * std::max(plot_->pixelColumns(), 100));
}

void CurvesView::refresh() {
    if (isVisible()) rebind();
}

void CurvesView::rebind() {
    const auto runs = presenter_.curveRuns();
    QString key = QString::number(metric_->currentIndex());
    for (const auto& run : runs) key += QLatin1Char(' ') + run.id;
    if (key == boundTo_) return;
    boundTo_ = key;
    lines_.clear();
    for (const auto& run : runs)
        for (const QString& metric : kMetrics[metric_->currentIndex()]) {
            if (static_cast<qsizetype>(lines_.size()) == kMostCurves) break;
            auto source = std::make_unique<presenters::SeriesSource>(context_.session, run.id, metric);
            source->setMaxPoints(4 * std::max(plot_->pixelColumns(), 100));
            connect(source.get(), &presenters::SeriesSource::changed, this, &CurvesView::draw);
            lines_.push_back({run, std::move(source)});
        }
    applyOptions();
}

void CurvesView::applyOptions() {
    static constexpr double kWeights[] = {0, 0.6, 0.9, 0.97};
    static constexpr XAxis kAxes[] = {XAxis::kStep, XAxis::kTime, XAxis::kTokens, XAxis::kCost};
    const XAxis axis = kAxes[std::clamp(axis_->currentIndex(), 0, 3)];
    for (const Line& line : lines_) line.source->setXAxis(axis, line.run.usdPerSecond);
    const QString titles[] = {tr("step"), tr("running time"), tr("tokens"), tr("cost")};
    std::function<QString(double)> text = [](double x) { return models::formatCompact(x); };
    if (axis == XAxis::kTime) text = [](double x) { return models::formatSeconds(x); };
    if (axis == XAxis::kCost) text = [](double x) { return models::formatUsd(x); };
    plot_->setAxes(titles[std::clamp(axis_->currentIndex(), 0, 3)], tr("loss, nats per token"), text, [](double y) { return models::formatNumber(y, 4); });
    plot_->setLogX(logX_->isChecked());
    plot_->setLogY(logY_->isChecked());
    plot_->setSmoothing(kWeights[std::clamp(smoothing_->currentIndex(), 0, 3)]);
    draw();
}

void CurvesView::draw() {
    std::vector<widgets::PlotCurve> curves;
    double total = 0, low = models::kNan, high = models::kNan;
    bool sampled = false;
    const bool both = metric_->currentIndex() == 2;
    for (const Line& line : lines_) {
        const presenters::Curve& data = line.source->curve();
        total += static_cast<double>(data.total);
        sampled = sampled || data.sampled;
        if (data.low < data.high && !logX_->isChecked()) {   // only a part is here: the whole stays the way out of the zoom
            low = std::fmin(low, data.low);
            high = std::fmax(high, data.high);
        }
        if (data.points.empty() && data.nonFinite.empty()) continue;
        const bool heldOut = line.source->metric() == QLatin1String("eval/loss");
        widgets::PlotCurve curve;
        curve.id = line.run.id + QLatin1Char('/') + line.source->metric();
        curve.name = both ? (heldOut ? tr("%1, held-out") : tr("%1, training")).arg(line.run.name) : line.run.name;
        curve.color = line.run.color;
        curve.dashed = both && heldOut;
        curve.points.reserve(data.points.size());
        for (const auto& point : data.points) curve.points.emplace_back(point.x, point.y);
        curve.nonFinite = data.nonFinite;
        curves.push_back(std::move(curve));
    }
    plot_->setSampled(sampled);
    plot_->setCurves(std::move(curves));
    plot_->setXRange(low, high);
    plot_->setNote(sampled ? tr("%1 points, min-max per pixel").arg(models::formatCompact(total)) : QString());
}

}  // namespace assay::pages
