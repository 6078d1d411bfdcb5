// How a comparison reads on its page: the table's rows, the answer, what differs and how it was measured.
#include <assay/models/format.h>
#include <assay/models/run_text.h>

#include <QLocale>
#include <algorithm>
#include <cmath>
#include <limits>

#include "compare_private.h"
#include "words.h"

namespace assay::presenters {
namespace {

double numberOf(const report::Value& value) { return value.value ? *value.value : kNan; }
Json numberJson(double value) { return std::isfinite(value) ? Json(value) : Json(); }
QString fixed(double value, int decimals) {
    QString text = QLocale().toString(std::abs(value), 'f', decimals);
    return value < 0 && text != QLocale().toString(0.0, 'f', decimals) ? QStringLiteral("−") + text : text;
}
QString signedFixed(double value, int decimals) { return value >= 0 ? QStringLiteral("+") + fixed(value, decimals) : fixed(value, decimals); }

bool isRatio(const report::Metric& metric) { return std::string_view(metric.name) == "accuracy.perplexity_ratio"; }

QString metricValue(const report::Metric& metric, const report::Value& value) {
    const double v = numberOf(value);
    if (std::isnan(v)) return models::notMeasured();
    if (isRatio(metric)) {
        if (!value.se || !(*value.se > 0)) return fixed(v, 4);
        if (*value.se < 5e-10) return QStringLiteral("%1 ± %2").arg(fixed(v, 9), models::formatNumber(*value.se, 1));
        // Four decimals, or as many as the error needs to show a digit: never "± 0.0000".
        const int decimals = std::max(4, static_cast<int>(std::ceil(-std::log10(*value.se) - 0.3)));
        return QStringLiteral("%1 ± %2").arg(fixed(v, decimals), fixed(*value.se, decimals));
    }
    if (metric.value == &report::Setup::sameTop1) return models::formatPercent(v);
    if (std::string_view(metric.unit) == "bytes") return models::formatBytes(v);
    return models::formatPlusMinus(v, value.se && *value.se > 0 ? value.se : std::nullopt);
}

// The set-up before its experiment: where room is short, the end is cut.
QString titleOf(const report::Setup& setup) {
    const QString name = QString::fromStdString(report::clean(setup.name, 200)), own = QString::fromStdString(report::clean(setup.setup, 100));
    const QString behind = QStringLiteral(" · ") + own;
    return name.endsWith(behind) ? QStringLiteral("%1 · %2").arg(own, name.chopped(behind.size())) : name;
}

// What stands for cost in the table: money for tokens where it was measured, else what the comparison compares by.
const report::Metric& costMetric(const report::Comparison& comparison) {
    const report::Metric* perToken = report::findMetric("cost.usd_per_1m_output_tokens");
    if (report::measuredAnywhere(comparison, *perToken)) return *perToken;
    const report::Metric* x = report::findMetric(comparison.x);
    return x ? *x : *perToken;
}

Json member(const Json& object, std::initializer_list<const char*> path) {
    const Json* at = &object;
    for (const char* key : path) {
        if (!at->is_object()) return {};
        auto it = at->find(key);
        if (it == at->end()) return {};
        at = &*it;
    }
    return *at;
}

}  // namespace

void ComparePresenter::Private::makeRows() {
    rows.clear();
    const report::Setup* base = comparison.baselineSetup();
    if (!base) return;
    const report::Metric &cost = costMetric(comparison), &y = self.yMetric();
    const auto frontier = frontierOf(comparison, self.xMetric(), y);
    const report::Metric& x = self.xMetric();
    for (const report::Setup& setup : comparison.setups) {
        const QString id = QString::fromStdString(setup.id);
        const bool isBase = &setup == base;
        Json row = {{"id", setup.id}, {"name", titleOf(setup).toStdString()}, {"full_name", report::clean(setup.name)}, {"color", self.colorOf(id)}};
        const auto put = [&](const char* key, const QString& text, double number) {
            row[key] = text.toStdString();
            row[std::string(key) + "_number"] = numberJson(number);
        };
        const double saved = numberOf(setup.*cost.value) / numberOf(base->*cost.value) - 1;
        put("change", isBase || !std::isfinite(saved) ? models::notMeasured() : models::formatChange(saved), isBase ? 0 : saved);
        const double spent = numberOf(setup.*cost.value);
        put("cost", std::isnan(spent) ? models::notMeasured() : std::string_view(cost.unit) == "USD" ? QStringLiteral("$") + fixed(spent, spent < 10 ? 4 : 2) : metricValue(cost, setup.*cost.value), spent);
        put("accuracy", metricValue(y, setup.*y.value), numberOf(setup.*y.value));
        const Delta delta = deltaTo(comparison, setup, y);
        QString difference = models::notMeasured();
        if (!isBase && std::isfinite(delta.value) && delta.separable && *delta.separable && delta.se && *delta.se > 0)
            difference = (delta.value >= 0 ? QStringLiteral("+") : QString()) + models::formatPlusMinus(delta.value, delta.se);
        else if (!isBase && std::isfinite(delta.value)) difference = delta.separable && !*delta.separable ? tr("not separable") : isRatio(y) ? signedFixed(delta.value, 4) : (delta.value >= 0 ? QStringLiteral("+") : QString()) + models::formatNumber(delta.value, 3);
        put("delta", difference, isBase ? 0 : delta.value);
        if (self.comparesTrainings()) {
            const double step = numberOf(setup.trainStepMs), peak = numberOf(setup.trainPeakBytes);
            const double baseStep = numberOf(base->trainStepMs), basePeak = numberOf(base->trainPeakBytes);
            const auto besides = [&](const QString& figure, double share) { return isBase || !std::isfinite(share) ? figure : tr("%1 (%2)").arg(figure, models::formatChange(share)); };
            put("step", std::isnan(step) ? models::notMeasured() : besides(fixed(step, step < 100 ? 1 : 0), step / baseStep - 1), step);
            put("memory", std::isnan(peak) ? models::notMeasured() : besides(fixed(peak / 1e6, peak < 1e8 ? 1 : 0), peak / basePeak - 1), peak);
        }
        const double decode = numberOf(setup.decodeTokensPerS);
        put("decode", std::isnan(decode) ? models::notMeasured() : fixed(decode, decode < 100 ? 1 : 0), decode);
        const double changedTop = isBase && setup.perplexity.value ? 0 : 1 - numberOf(setup.sameTop1);
        put("top1", std::isnan(changedTop) ? models::notMeasured() : models::formatPercent(changedTop), changedTop);
        const double megabytes = numberOf(setup.weightBytes) / 1e6;
        put("mb", std::isnan(megabytes) ? models::notMeasured() : fixed(megabytes, megabytes < 10 ? 1 : 0), megabytes);
        const bool onFrontier = std::find(frontier.begin(), frontier.end(), &setup) != frontier.end();
        const bool placed = std::isfinite(numberOf(setup.*x.value)) && std::isfinite(numberOf(setup.*y.value));
        QString badge;
        int tone = -1;
        if (setup.id == comparison.cheapest) badge = tr("cheapest at target"), tone = 1;
        else if (isBase) badge = tr("baseline"), tone = 0;
        else if (!setup.comparable) badge = tr("not comparable"), tone = 3;
        else if (placed && !onFrontier) badge = tr("dominated"), tone = 3;
        row["badge"] = badge.toStdString();
        row["tone"] = tone;
        row["dominated"] = placed && setup.comparable && !onFrontier;
        row["seeds"] = setup.seeds;
        rows.append(std::move(row));
    }
}

bool ComparePresenter::comparesTrainings() const {
    return report::measuredAnywhere(d_->comparison, *report::findMetric("speed.train_step_ms")) && !report::measuredAnywhere(d_->comparison, *report::findMetric("speed.decode_tokens_per_s"));
}

QString ComparePresenter::setupTitle(const report::Setup& setup) const { return titleOf(setup); }

QString ComparePresenter::subtitle() const {
    QStringList parts;
    const int setups = static_cast<int>(d_->comparison.setups.size());
    parts << tr("%n set-up(s)", nullptr, setups);
    if (d_->runs.size() == 1) parts << models::shortened(runName(d_->runs.front()), 32);
    else parts << tr("%n run(s)", nullptr, static_cast<int>(d_->runs.size()));
    return parts.join(QStringLiteral(" · "));
}

QString ComparePresenter::answerSetup() const {
    const report::Comparison& c = d_->comparison;
    if (c.target) return QString::fromStdString(c.cheapest);
    const report::Metric* x = report::findMetric(c.x);
    const report::Setup* best = nullptr;
    for (const report::Setup& setup : c.setups)
        if (setup.onFrontier && x && (!best || numberOf(setup.*x->value) < numberOf(best->*x->value))) best = &setup;
    return best ? QString::fromStdString(best->id) : QString();
}

ComparePresenter::Answer ComparePresenter::answer() const {
    const report::Comparison& c = d_->comparison;
    Answer out;
    const report::Setup* base = c.baselineSetup();
    if (!base) return out;
    const report::Answer said = report::answerOf(c);
    const report::Setup* best = c.find(answerSetup().toStdString());
    out.headline = best ? QString::fromStdString(said.headline) : c.target ? tr("No set-up meets the target") : tr("No answer yet");
    out.why = answerReason(c, best != nullptr);
    const report::Metric *x = report::findMetric(c.x), *y = report::findMetric(c.y);
    if (best && x && y && best != base) {
        const double saved = 1 - numberOf(best->*x->value) / numberOf(base->*x->value);
        if (std::isfinite(saved)) out.saves = models::formatPercent(saved);
        const double lost = numberOf(best->*y->value) / numberOf(base->*y->value) - 1;
        if (std::isfinite(lost)) out.accuracy = models::formatChange(lost);
        const double faster = comparesTrainings() ? numberOf(base->trainStepMs) / numberOf(best->trainStepMs) : numberOf(best->decodeTokensPerS) / numberOf(base->decodeTokensPerS);
        if (std::isfinite(faster)) out.speed = tr("%1×").arg(fixed(faster, faster < 10 ? 1 : 0));
        for (const auto& [key, values] : best->configDiff.items())
            if (values.is_array() && values.size() == 2)
                out.differences.append(Json{{"id", key}, {"key", report::clean(key, 60)}, {"base", report::clean(report::jsonText(values[0]), 80)}, {"value", report::clean(report::jsonText(values[1]), 80)}});
    }
    out.accuracyLabel = y && y->value == &report::Setup::bitsPerByte ? tr("bits per byte") : y && y->value == &report::Setup::evalLoss ? tr("held-out loss") : tr("costs in accuracy");

    const Sensitivity sensitivity = sensitivityOf(c);
    if (!sensitivity.applies) {
        out.sensitivity = c.x == "bytes.weights" ? tr("No price is known, so size stands for cost. It does not depend on price or utilisation.") : QString();
    } else {
        const QString range = tr("The cheapest then costs %1 to %2.").arg(models::formatUsd(sensitivity.lowest), models::formatUsd(sensitivity.highest));
        const int first = static_cast<int>(sensitivity.order.size());
        out.sensitivity = (sensitivity.changes ? tr("The order of the first %1 changes at %2.").arg(QString::number(first), sensitivity.changedAt)
                                               : tr("At ±20 % price and 30, 60 or 90 % utilisation the order of the first %1 does not change.").arg(first)) +
                          QLatin1Char(' ') + range;
    }

    QStringList how;
    if (!base->machine.empty()) how << QString::fromStdString(report::clean(base->machine, 60));
    if (base->threads) how << tr("%n thread(s)", nullptr, static_cast<int>(*base->threads));
    if (base->prefill && base->decode) how << tr("%1 prompt and %2 generated tokens").arg(*base->prefill).arg(*base->decode);
    if (const Json repeats = member(base->spec, {"benchmark", "repeats"}); repeats.is_number_integer()) how << tr("%n repeat(s), taken in turn", nullptr, static_cast<int>(std::clamp<int64_t>(repeats.get<int64_t>(), 0, 1000000)));
    how << (c.usdPerHour ? tr("price %1 an hour (assumed)").arg(models::formatUsd(*c.usdPerHour)) : report::measuredAnywhere(c, *report::findMetric("cost.usd_per_run")) ? tr("prices differ between the runs") : tr("no price given"));
    if (base->tokens) {
        QString text = tr("%1 tokens of text").arg(models::formatCount(static_cast<double>(*base->tokens)));
        if (const Json path = member(base->spec, {"accuracy", "perplexity", "path"}); path.is_string() && !path.get<std::string>().empty())
            text = tr("%1 tokens of %2").arg(models::formatCount(static_cast<double>(*base->tokens)), models::shortened(QString::fromStdString(path.get<std::string>()).section(QLatin1Char('/'), -1), 32));
        how << text;
        if (base->window) how << tr("windows of %1 tokens").arg(*base->window);
        if (!base->mode.empty()) how << tr("mode %1").arg(QString::fromStdString(report::clean(base->mode, 20)));
    }
    out.measured = how.join(QStringLiteral(" · "));
    return out;
}

QStringList ComparePresenter::warnings() const {
    QStringList out;
    for (const report::Warning& warning : d_->comparison.warnings) out << warningText(warning);
    return out;
}

QList<Json> ComparePresenter::configRows() const {
    const report::Comparison& c = d_->comparison;
    const report::Setup* base = c.baselineSetup();
    QList<Json> out;
    if (!base) return out;
    QStringList keys;
    Json bases = Json::object();
    for (const report::Setup& setup : c.setups)
        for (const auto& [key, values] : setup.configDiff.items()) {
            if (!values.is_array() || values.size() != 2) continue;
            if (!bases.contains(key)) keys << QString::fromStdString(key);
            bases[key] = values[0];
        }
    for (const QString& name : keys) {
        const std::string key = name.toStdString();
        Json row = {{"id", key}, {"key", report::clean(key, 80)}, {"values", Json::array()}, {"raw", Json::array()}};
        for (const report::Setup& setup : c.setups) {
            auto it = setup.configDiff.find(key);
            const Json value = it == setup.configDiff.end() ? bases[key] : (*it)[1];
            row["raw"].push_back(value);
            row["values"].push_back(report::clean(report::jsonText(value), 120));
        }
        out.append(std::move(row));
    }
    return out;
}

QList<ComparePresenter::CurveRun> ComparePresenter::curveRuns() const {
    QList<CurveRun> out;
    for (const QString& run : d_->runs) {
        auto document = d_->documents.find(run);
        if (document == d_->documents.end()) continue;
        const double hourly = numberFromJson(models::specValue(document->second->value("spec", Json::object()), QStringLiteral("cost.price.usd_per_hour")));
        int members = 0;
        eachRun(*document->second, [&](const Json& one) { members += jsonStringOr(one, "kind", "") == "train" && (!one.contains("children") || one["children"].empty()); });
        eachRun(*document->second, [&](const Json& one) {
            if (jsonStringOr(one, "kind", "") != "train" || (one.contains("children") && !one["children"].empty())) return;
            // A stage is called after its experiment; several trainings of one experiment each by their own name.
            const QString name = members > 1 ? models::shortened(QString::fromStdString(jsonStringOr(one, "name", "")), 40) : models::shortened(runName(run), 40);
            out.append({QString::fromStdString(jsonStringOr(one, "id", "")), name, static_cast<int>(out.size()), std::isfinite(hourly) && hourly > 0 ? hourly / 3600 : 0});
        });
    }
    return out;
}

}  // namespace assay::presenters
