#include "curve_card.h"

#include <assay/models/format.h>
#include <assay/models/json_values.h>

#include <QLocale>
#include <QVBoxLayout>
#include <cmath>
#include <limits>

namespace assay::pages {
namespace {

using presenters::XAxis;

constexpr size_t kFewestToSmooth = 40;   // a held-out curve of a dozen points is shown as it is

// Exponential moving mean with bias correction: the first value is the first point, not a pull towards 0.
std::vector<QPointF> smoothed(const std::vector<QPointF>& points, double weight) {
    std::vector<QPointF> out;
    out.reserve(points.size());
    double sum = 0, norm = 0;
    for (const QPointF& point : points) {
        sum = weight * sum + (1 - weight) * point.y();
        norm = weight * norm + (1 - weight);
        out.emplace_back(point.x(), sum / norm);
    }
    return out;
}

int colorOf(const QString& metric, int index) {
    if (metric == QLatin1String("train/loss")) return 0;
    if (metric == QLatin1String("eval/loss")) return 1;
    if (metric == QLatin1String("train/tokens_per_s")) return 2;
    if (metric == QLatin1String("train/grad_norm")) return 4;
    return index;
}

}  // namespace

CurveCard::CurveCard(presenters::RunPresenter& presenter, const QString& title, const QStringList& metrics, QWidget* parent)
    : QWidget(parent), presenter_(presenter), metrics_(metrics), card_(new widgets::Card(title, this)), plot_(new widgets::LinePlot(this)) {
    QString name = metrics.join(QLatin1Char('-'));
    name.replace(QLatin1Char('/'), QLatin1Char('-'));
    setObjectName(QStringLiteral("curve-") + name);
    plot_->setObjectName(QStringLiteral("plot-") + name);
    plot_->setAccessibleName(title);
    plot_->setEmptyText(tr("No points yet"));
    plot_->setLegend(metrics.size() > 1);
    plot_->setMinimumSize(160, 120);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(card_);
    card_->setBodyMargins(4);
    card_->addHeaderWidget(widgets::makeExportButton(plot_, title));
    card_->body()->addWidget(plot_, 1);
    connect(plot_, &widgets::LinePlot::rangeChanged, this, [this](double low, double high) {
        for (const auto& source : sources_)
            if (source) source->setXRange(low, high);
    });
    plot_->setCsvSource([this](const QString& path) { presenter_.saveSeries(metrics_, path); });
    connect(&presenter_, &presenters::RunPresenter::opened, this, &CurveCard::rebind);
    connect(&presenter_, &presenters::RunPresenter::changed, this, &CurveCard::draw);
    rebind();
}

void CurveCard::rebind() {
    for (const auto& source : sources_)
        if (source) source->disconnect(this);
    sources_.clear();
    plot_->resetZoom();
    if (presenter_.isLoaded())
        for (const QString& metric : metrics_) {
            auto* source = presenter_.series(metric);
            source->setMaxPoints(4 * std::max(plot_->pixelColumns(), 100));
            connect(source, &presenters::SeriesSource::changed, this, &CurveCard::draw);
            sources_.append(source);
        }
    setOptions(options_);
}

void CurveCard::setOptions(const CurveOptions& options) {
    if (options.axis != options_.axis) plot_->resetZoom();
    options_ = options;
    plot_->setLogX(options.logX);
    plot_->setLogY(options.logY);
    for (const auto& source : sources_)
        if (source) source->setXAxis(options.axis, presenter_.usdPerSecond(), presenter_.joulesPerSecond());
    QString title;
    std::function<QString(double)> text;
    switch (options.axis) {
        case XAxis::kStep: title = tr("step"); text = [](double x) { return models::formatCompact(x); }; break;
        case XAxis::kTime: title = tr("running time"); text = [](double x) { return models::formatSeconds(x); }; break;
        case XAxis::kTokens: title = tr("tokens"); text = [](double x) { return models::formatCompact(x); }; break;
        case XAxis::kCost: title = tr("cost"); text = [](double x) { return models::formatUsd(x); }; break;
        case XAxis::kEnergy: title = tr("energy"); text = [](double x) { return models::formatJoules(x); }; break;
    }
    const QString metric = metrics_.isEmpty() ? QString() : metrics_.front();
    const QString unit = models::metricUnit(metric);
    plot_->setAxes(title, unit == QLatin1String("bytes") || unit == QLatin1String("s") || unit == QLatin1String("USD") ? QString() : unit, text,
                   [metric](double y) {
                       const QString unit = models::metricUnit(metric);
                       if (unit == QLatin1String("tokens/s")) return models::formatCompact(y);
                       // Round figures at the ticks: 2.5, not 2.500.
                       if (unit.isEmpty() || unit == QLatin1String("nats/token")) return QLocale().toString(y, 'g', 4);
                       return models::formatMetric(metric, y);
                   });
    draw();
}

void CurveCard::draw() {
    std::vector<widgets::PlotCurve> curves;
    qint64 total = 0, broken = 0;
    bool sampled = false;
    double low = models::kNan, high = models::kNan;   // of the whole curves, when only a part is here
    QStringList last;
    for (int i = 0; i < sources_.size(); ++i) {
        if (!sources_[i]) continue;
        const presenters::Curve& curve = sources_[i]->curve();
        total += curve.total;
        broken += static_cast<qint64>(curve.nonFinite.size());
        sampled = sampled || curve.sampled;
        if (curve.low < curve.high && !options_.logX) {
            low = std::fmin(low, curve.low);
            high = std::fmax(high, curve.high);
        }
        if (curve.points.empty() && curve.nonFinite.empty()) continue;
        widgets::PlotCurve line;
        line.id = metrics_[i];
        line.name = models::metricLabel(metrics_[i]);
        line.color = colorOf(metrics_[i], i);
        line.points.reserve(curve.points.size());
        for (const auto& point : curve.points) line.points.emplace_back(point.x, point.y);
        line.nonFinite = curve.nonFinite;
        if (!curve.points.empty()) last << models::formatMetric(metrics_[i], curve.points.back().y);
        if (options_.smoothing > 0 && line.points.size() >= kFewestToSmooth && metrics_[i] == QLatin1String("train/loss")) {
            widgets::PlotCurve mean = line;
            mean.points = smoothed(line.points, options_.smoothing);
            mean.nonFinite.clear();
            line.id += QStringLiteral("#raw");
            line.name = tr("%1, raw").arg(line.name);
            line.faint = true;
            curves.push_back(std::move(line));
            curves.push_back(std::move(mean));
        } else {
            curves.push_back(std::move(line));
        }
    }
    plot_->setSampled(sampled);
    plot_->setCurves(std::move(curves));
    std::vector<widgets::PlotLine> lines;
    if (options_.axis == XAxis::kStep)
        for (const auto& mark : presenter_.marks()) lines.push_back({mark.step, metrics_.size() > 1 ? mark.text : QString(), style::Tone::kWarn});
    plot_->setLines(std::move(lines));
    const double steps = presenter_.totalSteps();
    if (options_.axis == XAxis::kStep && std::isfinite(steps) && !options_.logX) plot_->setXRange(0, steps);
    else plot_->setXRange(low, high);
    QStringList note;
    if (sampled) note << tr("%1 points, min-max per pixel").arg(models::formatCompact(static_cast<double>(total)));
    if (broken > 0) note << tr("%1 not finite").arg(models::formatCount(static_cast<double>(broken)));
    plot_->setNote(note.join(QStringLiteral(" · ")));
    card_->setNote(last.join(QStringLiteral("  ·  ")));
}

void CurveCard::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    for (const auto& source : sources_)
        if (source) source->setMaxPoints(4 * std::max(plot_->pixelColumns(), 100));
}

}  // namespace assay::pages
