#include "cost_points.h"

#include <assay/models/format.h>
#include <assay/report/present.h>

#include <QCoreApplication>
#include <algorithm>

namespace assay::pages {
namespace {

constexpr double k95 = 1.96;

QString word(const char* english) { return QCoreApplication::translate("CostPoints", english); }

std::function<QString(double)> axisTextOf(const report::Metric& metric) {
    const std::string_view unit = metric.unit;
    if (unit == "USD") return [](double value) { return value == 0 ? QStringLiteral("$0") : QStringLiteral("$") + models::formatNumber(value, 3); };
    if (unit == "bytes") return [](double value) { return models::formatBytes(value); };
    if (metric.value == &report::Setup::sameTop1) return [](double value) { return models::formatPercent(value); };
    return [](double value) { return models::formatNumber(value, 4); };
}

QString axisTitleOf(const report::Metric& metric) {
    const QString label = presenters::metricTitle(metric), unit = QString::fromUtf8(metric.unit);
    const bool told = unit.isEmpty() || unit == QLatin1String("USD") || unit == QLatin1String("bytes");
    const QString name = told ? label : word(QT_TRANSLATE_NOOP("CostPoints", "%1, %2")).arg(label, unit);
    return metric.lowerIsBetter ? word(QT_TRANSLATE_NOOP("CostPoints", "%1 → lower is better")).arg(name) : word(QT_TRANSLATE_NOOP("CostPoints", "%1 → higher is better")).arg(name);
}

}  // namespace

void fillCostPlot(widgets::ScatterPlot& plot, const report::Comparison& comparison, const report::Metric& x, const report::Metric& y,
                  const std::function<int(const report::Setup&)>& colorOf, size_t nameLength) {
    const auto frontier = presenters::frontierOf(comparison, x, y);
    std::vector<widgets::ScatterPoint> points;
    for (const report::Setup& setup : comparison.setups) {
        const report::Value &across = setup.*x.value, &up = setup.*y.value;
        if (!across.value || !up.value) continue;
        widgets::ScatterPoint point;
        point.id = QString::fromStdString(setup.id);
        point.name = QString::fromStdString(report::shortName(setup, nameLength));
        if (setup.id == comparison.baseline) point.name = word(QT_TRANSLATE_NOOP("CostPoints", "%1 · baseline")).arg(point.name);
        point.color = point.marker = colorOf(setup);
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
    plot.setAxes(axisTitleOf(x), axisTitleOf(y), axisTextOf(x), axisTextOf(y));
    plot.setEmptyText(word(QT_TRANSLATE_NOOP("CostPoints", "No set-up has both a cost and an accuracy yet.")));
    plot.setFrontier(std::move(line));
    plot.setPoints(std::move(points));
}

}  // namespace assay::pages
