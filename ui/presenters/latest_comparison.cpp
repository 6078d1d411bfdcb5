#include <assay/models/format.h>
#include <assay/presenters/compare_figures.h>
#include <assay/presenters/engine_session.h>
#include <assay/presenters/latest_comparison.h>

#include <cmath>

namespace assay::presenters {
namespace {

bool comparable(const report::Comparison& comparison) {
    const report::Metric *x = report::findMetric(comparison.x), *y = report::findMetric(comparison.y);
    if (!x || !y) return false;
    int placed = 0;
    for (const report::Setup& setup : comparison.setups) placed += (setup.*x->value).value && (setup.*y->value).value;
    return placed >= 2;
}

}  // namespace

LatestComparison::LatestComparison(AppContext& context, QObject* parent) : QObject(parent), context_(context) {}

void LatestComparison::setRecent(const QList<models::RunRow>& recent) {
    candidates_.clear();
    for (const models::RunRow& run : recent) {
        if (run.status != QLatin1String("done") || run.kind == QLatin1String("prepare") || run.kind == QLatin1String("generate") || run.kind == QLatin1String("verify") || nothing_.contains(run.id)) continue;
        if (run.id == run_) break;   // what is shown is newer than the rest
        candidates_ << run.id;
    }
    if (asking_.isEmpty()) askNext();
}

void LatestComparison::askNext() {
    if (candidates_.isEmpty() || !context_.session.isLive()) return;
    asking_ = candidates_.takeFirst();
    context_.session.call(QStringLiteral("runs.get"), {{"run", asking_.toStdString()}}, this, [this](Result<Json> reply) {
        const QString run = std::exchange(asking_, QString());
        if (!reply) return;   // asked again with the next list
        const std::string name = jsonStringOr(*reply, "name", "");
        auto built = report::buildComparison({std::move(*reply)});
        if (!built || !comparable(*built)) {
            nothing_.insert(run);
            return askNext();
        }
        run_ = run;
        name_ = models::shortened(QString::fromStdString(name), 60);
        comparison_ = std::move(*built);
        candidates_.clear();
        Q_EMIT changed();
    });
}

QString LatestComparison::headline() const {
    const report::Setup* base = comparison_.baselineSetup();
    const report::Metric *x = report::findMetric(comparison_.x), *y = report::findMetric(comparison_.y);
    if (!base || !x || !y) return {};
    const report::Setup* best = nullptr;
    for (const report::Setup& setup : comparison_.setups)
        if (setup.onFrontier && (setup.*x->value).value && (!best || *(setup.*x->value).value < *(best->*x->value).value)) best = &setup;
    if (!best || best == base || !(base->*x->value).value || !(base->*y->value).value) return {};
    const double cost = *(best->*x->value).value / *(base->*x->value).value - 1, accuracy = *(best->*y->value).value / *(base->*y->value).value - 1;
    if (!std::isfinite(cost) || !std::isfinite(accuracy)) return {};
    return tr("%1 against the baseline: %2 %3, %4 %5").arg(QString::fromStdString(report::shortName(*best, 40)), metricTitle(*x), models::formatChange(cost), metricTitle(*y), models::formatChange(accuracy));
}

}  // namespace assay::presenters
