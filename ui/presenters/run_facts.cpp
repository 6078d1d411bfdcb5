// What a run's page says about it: memory, predicted and measured, checks, settings, lineage.
#include <assay/config/config.h>
#include <assay/models/format.h>
#include <assay/models/run_text.h>
#include <assay/presenters/run_presenter.h>
#include <assay/presenters/schema_words.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "run_private.h"
#include "words.h"

namespace assay::presenters {
namespace {

QString fileName(const QString& path) { return models::shortened(path.section(QLatin1Char('/'), -1), 32); }
Json valueText(const Json& value) { return value.is_null() ? Json("—") : value.is_string() ? value : Json(dumpJson(value)); }

QList<Json> differenceRows(const Json& base, const Json& spec) {
    QList<Json> rows;
    for (const config::Difference& difference : config::diffSpecs(base, spec)) {
        if (difference.key == "assay" || difference.key == "name") continue;
        rows.append(Json{{"id", difference.key}, {"key", difference.key}, {"base", valueText(difference.left)}, {"value", valueText(difference.right)}});
    }
    return rows;
}

}  // namespace

const Json& RunPresenter::Private::spec() const {
    static const Json kNone = Json::object();
    auto it = document.find("spec");
    return it != document.end() && it->is_object() ? *it : kNone;
}

const Json* RunPresenter::Private::trainChild() const {
    auto children = document.find("children");
    if (children == document.end() || !children->is_array()) return nullptr;
    for (const Json& child : *children)
        if (jsonStringOr(child, "kind", "") == "train") return &child;
    return nullptr;
}

double RunPresenter::Private::measured(const char* metric) const {
    if (row.isActive())
        if (const double value = numberAt(latest, metric); !std::isnan(value)) return value;
    if (const double value = numberAt(row.summary, metric); !std::isnan(value)) return value;
    if (const double value = numberAt(latest, metric); !std::isnan(value)) return value;
    const Json* child = trainChild();
    return child && child->contains("summary") ? numberAt((*child)["summary"], metric) : kNan;
}

double RunPresenter::Private::measuredPeak(const char* metric) const {
    double peak = measured(metric);
    if (auto children = document.find("children"); children != document.end() && children->is_array())
        for (const Json& child : *children)
            if (auto summary = child.find("summary"); summary != child.end() && summary->is_object()) peak = std::fmax(peak, numberAt(*summary, metric));
    return peak;
}

QString RunPresenter::subtitle() const {
    if (!d_->loaded) return {};
    const Json& spec = d_->spec();
    QStringList parts{models::kindText(d_->row.kind)};
    const Json model = spec.value("model", Json());
    if (model.is_object()) {
        const Json from = model.value("from", Json());
        if (from.is_string()) parts << fileName(QString::fromStdString(from.get<std::string>()));
        else if (from.is_object()) parts << models::plain(textAt(from, "family"));
    }
    const Json method = spec.value("method", Json());
    if (method.is_object() && !method.empty()) parts << models::plain(QString::fromStdString(method.begin().key()));
    const Json data = spec.value("data", Json());
    if (data.is_object()) {
        Json train = data.value("train", Json());
        if (train.is_array() && !train.empty()) train = Json(train[0]);
        if (train.is_object()) parts << fileName(textAt(train, "path"));
        else if (train.is_string()) parts << fileName(QString::fromStdString(train.get<std::string>()));
    }
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

RunPresenter::Memory RunPresenter::memory() const {
    Memory memory;
    const double gpu = d_->measuredPeak("system/gpu_bytes_peak"), tensors = d_->measuredPeak("system/tensor_bytes_peak");
    memory.peak = std::isfinite(gpu) && gpu > 0 ? gpu : std::isfinite(tensors) ? tensors : 0;
    if (const Json environment = d_->document.value("environment", Json()); environment.is_object()) {
        const double capacity = numberAt(environment, "memory_bytes");
        if (std::isfinite(capacity) && !(gpu > 0)) memory.capacity = capacity;
    }
    if (const double planned = numberAt(d_->plan, "capacity_bytes"); memory.capacity <= 0 && std::isfinite(planned)) memory.capacity = planned;
    struct Part {
        const char* metric;
        QString label;
        int color;
    };
    double known = 0;
    for (const Part& part : {Part{"memory/weights_bytes", tr("weights"), 0}, Part{"memory/gradients_bytes", tr("gradients"), 1}, Part{"memory/optimizer_bytes", tr("optimizer"), 2},
                             Part{"memory/activations_bytes", tr("activations"), 3}}) {
        const double bytes = d_->measured(part.metric);
        if (!std::isfinite(bytes)) continue;
        memory.parts.push_back({part.label, bytes, part.color});
        known += bytes;
    }
    if (memory.parts.empty()) {
        if (memory.peak > 0) memory.parts.push_back({tr("peak"), memory.peak, 0});
    } else if (memory.peak > known) {
        memory.parts.push_back({tr("other"), memory.peak - known, -1});
    }
    return memory;
}

// A plan stored with the run is what was promised; without one, what the planner says today, and marked so.
void RunPresenter::Private::askPlan() {
    for (const char* place : {"plan", "result", "spec"}) {
        auto it = document.find(place);
        if (it == document.end() || !it->is_object()) continue;
        const Json& found = std::string_view(place) == "plan" ? *it : it->value("plan", Json());
        if (found.is_object()) {
            plan = found;
            planNow = false;
            return;
        }
    }
    const QString kind = row.kind;
    if (planAsked || (kind != QLatin1String("train") && kind != QLatin1String("pipeline"))) return;
    planAsked = true;
    context.session.tool(QStringLiteral("plan"), {{"yaml", config::jsonToYaml(spec())}}, &self, [this, mine = generation](Result<Json> reply) {
        if (mine != generation) return;
        if (reply && reply->is_object()) {
            plan = std::move(*reply);
            planNow = true;
        } else if (!reply) {
            planTrouble = QString::fromStdString(reply.error().message);
        }
        Q_EMIT self.changed();
    });
}

QString RunPresenter::predictionNote() const {
    if (d_->plan.is_object()) return d_->planNow ? tr("predicted now") : tr("predicted before the run");
    if (!d_->planTrouble.isEmpty()) return tr("no prediction: %1").arg(models::shortened(d_->planTrouble, 80));
    return {};
}

// Only what the run itself recorded.
std::vector<RunPresenter::Check> RunPresenter::checks() const {
    std::vector<Check> checks;
    auto add = [&](Level level, const QString& text) {
        // A pipeline's summary repeats that of its stages.
        if (std::none_of(checks.begin(), checks.end(), [&](const Check& known) { return known.text == text; })) checks.push_back({level, text});
    };
    if (const Json error = d_->document.value("error", Json()); error.is_object()) {
        add(Level::kBad, models::plain(textAt(error, "message")));
        if (const QString hint = textAt(error, "hint"); !hint.isEmpty()) add(Level::kInfo, models::plain(hint));
    }
    std::vector<const Json*> sources{&d_->document};
    if (auto children = d_->document.find("children"); children != d_->document.end() && children->is_array())
        for (const Json& child : *children) sources.push_back(&child);
    for (const Json* source : sources) {
        const Json summary = source->value("summary", Json::object()), result = source->value("result", Json());
        const double tokens = numberAt(summary, "data/tokens"), loss = numberAt(summary, "data/loss_tokens");
        if (tokens > 0 && std::isfinite(loss)) add(loss > 0 ? Level::kGood : Level::kBad, tr("%1 of %2 tokens carry loss").arg(models::formatPercent(loss / tokens), models::formatCompact(tokens)));
        if (const double padding = numberAt(summary, "data/padding_fraction"); std::isfinite(padding))
            add(padding > 0.3 ? Level::kWarning : Level::kGood, tr("%1 of positions are padding").arg(models::formatPercent(padding)));
        const Json dropped = result.is_object() ? result.value("dropped", Json()) : Json();
        if (dropped.is_object()) {
            double all = 0;
            for (const auto& [reason, count] : dropped.items()) {
                const double rows = numberFromJson(count);
                if (!(rows > 0)) continue;
                all += rows;
                add(Level::kWarning, tr("%1 rows: %2").arg(models::formatCount(rows), models::plain(QString::fromStdString(reason))));
            }
            if (all == 0) add(Level::kGood, tr("no row was dropped"));
        } else if (const double rows = numberAt(summary, "data/dropped"); std::isfinite(rows)) {
            add(rows > 0 ? Level::kWarning : Level::kGood, rows > 0 ? tr("%Ln row(s) were dropped", nullptr, static_cast<int>(std::min(rows, 2e9))) : tr("no row was dropped"));
        }
        if (const double skipped = numberAt(summary, "train/skipped_steps"); std::isfinite(skipped))
            add(skipped > 0 ? Level::kWarning : Level::kGood, skipped > 0 ? tr("%Ln step(s) were skipped: loss or gradient was not finite", nullptr, static_cast<int>(std::min(skipped, 2e9))) : tr("every step was finite"));
        if (const double wait = numberAt(summary, "data/wait_seconds"), seconds = numberAt(summary, "train/running_seconds"); std::isfinite(wait) && seconds > 0)
            add(wait / seconds > 0.1 ? Level::kWarning : Level::kGood, tr("waited %1 of the time for data").arg(models::formatPercent(wait / seconds)));
    }
    if (const Json warnings = d_->document.value("warnings", Json()); warnings.is_array())
        for (const Json& warning : warnings)
            if (warning.is_object()) add(Level::kWarning, tr("%1. What to do: %2.").arg(models::plain(textAt(warning, "text")), models::plain(textAt(warning, "hint"))));
    if (!d_->marks.empty()) add(Level::kInfo, tr("%n session(s) after a resume", nullptr, static_cast<int>(d_->marks.size())));
    return checks;
}

QString RunPresenter::yaml() const { return d_->loaded ? QString::fromStdString(config::jsonToYaml(d_->spec())) : QString(); }

QList<Json> RunPresenter::differencesToDefaults() const {
    if (!d_->loaded) return {};
    config::Spec defaults;
    auto read = config::specFromJson(d_->spec());
    if (!read) return {};
    defaults.kind = read->kind;
    defaults.stages = read->stages;
    if (read->data) defaults.data.emplace();
    if (read->model) defaults.model.emplace();
    if (read->train) defaults.train.emplace();
    if (read->quantize) defaults.quantize.emplace();
    if (read->benchmark) defaults.benchmark.emplace();
    if (read->accuracy) defaults.accuracy.emplace();
    if (read->generate) defaults.generate.emplace();
    return differenceRows(config::specToJson(defaults), d_->spec());
}

void RunPresenter::Private::askBaseline() {
    const QString pinned = context.settings.text(QStringLiteral("runs.pinned"));
    baseline = nullptr;
    if (!pinned.isEmpty() && pinned != id && context.session.isLive())
        context.session.call(QStringLiteral("runs.get"), {{"run", pinned.toStdString()}}, &self, [this, mine = generation](Result<Json> reply) {
            if (mine != generation || !reply) return;
            baseline = std::move(*reply);
            Q_EMIT self.changed();
        });
    changedSoon();
}

QString RunPresenter::baselineName() const { return d_->baseline.is_object() ? models::plain(textAt(d_->baseline, "name")) : QString(); }
QList<Json> RunPresenter::differencesToBaseline() const {
    if (!d_->loaded || !d_->baseline.is_object()) return {};
    return differenceRows(d_->baseline.value("spec", Json::object()), d_->spec());
}

QList<Json> RunPresenter::stages() const {
    QList<Json> rows;
    if (!hasChildren()) return rows;
    for (const Json& child : d_->document["children"])
        if (textAt(child, "parent") == d_->id) rows.append(child);
    return rows;
}

QList<Json> RunPresenter::lineage() const {
    QList<Json> rows;
    if (!d_->loaded) return rows;
    auto run = [&](const QString& relation, const QString& id, const QString& name, const QString& status) {
        if (id.isEmpty()) return;
        rows.append(Json{{"id", (relation + id).toStdString()}, {"relation", relation.toStdString()}, {"name", (name.isEmpty() ? id.left(12) : name).toStdString()},
                     {"detail", models::statusText(status).toStdString()}, {"status", status.toStdString()}, {"run", id.toStdString()}});
    };
    run(tr("part of"), d_->row.parent, {}, {});
    run(tr("fork of"), d_->row.forkOf, {}, {});
    if (const auto known = proof()) run(d_->row.kind == QLatin1String("verify") ? tr("check of") : tr("checked by"), known->run, {}, {});
    if (auto after = d_->document.find("after"); after != d_->document.end() && after->is_array())
        for (const Json& id : *after)
            if (id.is_string()) run(tr("after"), QString::fromStdString(id.get<std::string>()), {}, {});
    for (const Json& child : stages()) run(tr("stage"), textAt(child, "id"), models::plain(textAt(child, "name")), textAt(child, "status"));
    auto things = [&](const char* list, const QString& relation) {
        auto found = d_->document.find(list);
        if (found == d_->document.end() || !found->is_array()) return;
        for (const Json& thing : *found) {
            const double step = numberAt(thing, "step"), bytes = numberAt(thing, "bytes");
            QString name = models::plain(textAt(thing, "name"));
            if (name.isEmpty() && std::isfinite(step)) name = tr("step %1").arg(models::formatCount(step));
            QStringList detail;
            if (std::isfinite(bytes)) detail << models::formatBytes(bytes);
            detail << models::plain(textAt(thing, "path"));
            detail.removeAll(QString());
            rows.append(Json{{"id", (relation + name).toStdString()}, {"relation", relation.toStdString()}, {"name", name.toStdString()}, {"detail", detail.join(QStringLiteral(" · ")).toStdString()}});
        }
    };
    things("artifacts", tr("artifact"));
    things("checkpoints", tr("checkpoint"));
    return rows;
}

QList<Json> RunPresenter::dataFacts() const {
    QList<Json> rows;
    if (!d_->loaded) return rows;
    auto add = [&](const QString& name, const QString& value) { rows.append(Json{{"id", name.toStdString()}, {"name", name.toStdString()}, {"value", value.toStdString()}}); };
    if (const Json data = d_->spec().value("data", Json()); data.is_object())
        for (const auto& [key, value] : data.items())
            if (!value.is_null()) add(models::plain(keyTitle(QString::fromStdString("data." + key))), models::plain(QString::fromStdString(value.is_string() ? value.get<std::string>() : dumpJson(value))));
    auto summary = [&](const Json& values) {
        for (const auto& [key, value] : values.items())
            if (key.starts_with("data/")) add(models::metricLabel(QString::fromStdString(key)), models::formatMetric(QString::fromStdString(key), numberFromJson(value)));
    };
    summary(d_->row.summary);
    if (hasChildren())
        for (const Json& child : d_->document["children"])
            if (jsonStringOr(child, "kind", "") == "prepare") summary(child.value("summary", Json::object()));
    return rows;
}

}  // namespace assay::presenters
