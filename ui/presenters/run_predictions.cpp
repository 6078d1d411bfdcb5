// What was predicted of a run beside what it measured; while it runs, beside what it will come to at the pace so far.
#include <assay/models/format.h>
#include <assay/presenters/compare_figures.h>
#include <assay/presenters/run_presenter.h>
#include <assay/report/prediction.h>

#include <QCoreApplication>
#include <cmath>

#include "run_private.h"
#include "words.h"

namespace assay::presenters {
namespace {

std::optional<double> known(double value) { return std::isfinite(value) ? std::optional<double>(value) : std::nullopt; }

QString quantity(const report::Prediction& row, const std::optional<double>& value) {
    if (!value) return models::notMeasured();
    const std::string_view unit = row.unit;
    return unit == "bytes" ? models::formatBytes(*value) : unit == "USD" ? models::formatUsd(*value) : unit == "J" ? models::formatJoules(*value) : models::formatSeconds(*value);
}

}  // namespace

std::vector<RunPresenter::Prediction> RunPresenter::predictions() const {
    std::vector<Prediction> rows;
    if (!d_->plan.is_object()) return rows;
    const bool ended = d_->row.status == QLatin1String("done"), active = d_->row.isActive();
    report::RunFigures figures = report::figuresOf(d_->document);
    if (const double peak = memory().peak; peak > 0) figures.peakBytes = peak;
    if (active || !figures.stepSeconds) figures.stepSeconds = known(d_->measured("train/step_seconds"));
    // Before the end: what it will come to at the pace so far.
    const double elapsed = elapsedSeconds(), share = fraction();
    const double total = ended ? elapsed : share > 0.02 ? elapsed / share : kNan;
    figures.totalSeconds = known(total);
    if (!figures.usd) figures.usd = known(total > 0 && usdPerSecond() > 0 ? total * usdPerSecond() : kNan);
    if (!figures.joules) figures.joules = known(total > 0 && joulesPerSecond() > 0 ? total * joulesPerSecond() : kNan);
    for (const report::Prediction& found : report::predictionsOf(d_->document, d_->plan, figures)) {
        Prediction row{.key = QString::fromLatin1(found.key), .label = QCoreApplication::translate("report", found.label)};
        if (!ended && row.key == QLatin1String("time")) row.label = tr("Time to finish");
        if (!ended && row.key == QLatin1String("cost")) row.label = tr("Cost to finish");
        row.predicted = quantity(found, found.predicted);
        row.measured = quantity(found, found.measured);
        row.predictedValue = found.predicted.value_or(kNan);
        row.measuredValue = found.measured.value_or(kNan);
        row.bound = found.bound.value_or(kNan);
        row.stated = !found.bound ? models::notMeasured() : *found.bound > 0 ? QStringLiteral("±") + models::formatPercent(*found.bound, 0) : tr("exact");
        if (const auto error = found.error()) {
            row.fraction = *error;
            row.change = models::formatChange(*error);
        }
        row.beyond = found.beyond();
        // While it runs, what it has not recorded yet is no reason.
        if (found.why && !active) row.why = warningText(*found.why);
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace assay::presenters
