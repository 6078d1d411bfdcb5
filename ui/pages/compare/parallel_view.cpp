#include "parallel_view.h"

#include <assay/models/format.h>
#include <assay/models/json_values.h>

#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace assay::pages {
namespace {

constexpr qsizetype kMostAxes = 8, kMostSettings = 4;

}  // namespace

ParallelView::ParallelView(presenters::ComparePresenter& presenter, QWidget* parent)
    : QWidget(parent), presenter_(presenter), card_(new widgets::Card(tr("Settings and results"), this)), plot_(new widgets::ParallelPlot(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(card_);
    card_->setBodyMargins(8);
    card_->setNote(tr("drag along an axis to keep what lies inside"));
    card_->addHeaderWidget(widgets::makeExportButton(plot_, tr("parallel axes")));
    plot_->setObjectName(QStringLiteral("compare-parallel"));
    plot_->setAccessibleName(tr("Settings and results of every set-up"));
    card_->body()->addWidget(plot_, 1);
    connect(plot_, &widgets::ParallelPlot::selected, this, &ParallelView::selected);
    connect(plot_, &widgets::ParallelPlot::brushed, this, [this](const QStringList& ids) {
        const bool all = ids.size() == static_cast<qsizetype>(presenter_.comparison().setups.size());
        Q_EMIT kept(all ? std::optional<QStringList>() : std::optional<QStringList>(ids));
    });
}

void ParallelView::refresh() {
    const auto& setups = presenter_.comparison().setups;
    std::vector<widgets::ParallelAxis> axes;
    std::vector<std::vector<double>> columns;
    const QList<Json> settings = presenter_.configRows();
    for (const Json& row : settings) {
        if (static_cast<qsizetype>(axes.size()) == kMostSettings) break;
        widgets::ParallelAxis axis;
        axis.key = axis.title = QString::fromStdString(row["key"].get<std::string>());
        const qsizetype dot = axis.title.lastIndexOf(QLatin1Char('.'));
        if (dot >= 0) axis.title = axis.title.mid(dot + 1);
        // Settings have no better direction, so their values are places in order rather than a scale.
        std::vector<std::pair<double, QString>> places;
        for (size_t i = 0; i < setups.size(); ++i) {
            std::pair<double, QString> place{row["raw"][i].is_number() ? row["raw"][i].get<double>() : 0, models::shortened(QString::fromStdString(row["values"][i].get<std::string>()), 24)};
            if (std::none_of(places.begin(), places.end(), [&](const auto& known) { return known.second == place.second; })) places.push_back(std::move(place));
        }
        std::stable_sort(places.begin(), places.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (const auto& [number, text] : places) axis.categories << text;
        std::vector<double> values;
        for (size_t i = 0; i < setups.size(); ++i)
            values.push_back(static_cast<double>(axis.categories.indexOf(models::shortened(QString::fromStdString(row["values"][i].get<std::string>()), 24))));
        axes.push_back(std::move(axis));
        columns.push_back(std::move(values));
    }
    std::vector<const report::Metric*> order{&presenter_.xMetric(), &presenter_.yMetric()};
    for (const char* name : {"speed.decode_tokens_per_s", "bytes.weights", "speed.prefill_tokens_per_s"}) order.push_back(report::findMetric(name));
    for (const report::Metric* metric : presenter_.measuredMetrics()) order.push_back(metric);
    std::vector<const report::Metric*> shown;
    for (const report::Metric* metric : order) {
        if (static_cast<qsizetype>(axes.size()) == kMostAxes) break;
        if (std::find(shown.begin(), shown.end(), metric) != shown.end()) continue;
        shown.push_back(metric);
        // An axis on which all are equal says nothing.
        std::set<double> distinct;
        for (const report::Setup& setup : setups)
            if (const auto& value = (setup.*metric->value).value) distinct.insert(*value);
        if (distinct.size() < 2) continue;
        widgets::ParallelAxis axis;
        axis.key = QString::fromLatin1(metric->name);
        axis.title = presenters::metricTitle(*metric);
        axis.lowerIsBetter = metric->lowerIsBetter;
        axis.text = [metric](double value) { return QString::fromStdString(report::shown(*metric, value)); };
        std::vector<double> values;
        for (const report::Setup& setup : setups) values.push_back((setup.*metric->value).value.value_or(models::kNan));
        axes.push_back(std::move(axis));
        columns.push_back(std::move(values));
    }
    std::vector<widgets::ParallelLine> lines;
    for (size_t i = 0; i < setups.size(); ++i) {
        const QString id = QString::fromStdString(setups[i].id);
        widgets::ParallelLine line{id, QString::fromStdString(report::shortName(setups[i], 32)), presenter_.colorOf(id), {}};
        for (const auto& column : columns) line.values.push_back(column[i]);
        lines.push_back(std::move(line));
    }
    plot_->setAxes(std::move(axes));
    plot_->setLines(std::move(lines));
}

}  // namespace assay::pages
