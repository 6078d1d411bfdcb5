#include <assay/models/format.h>
#include <assay/models/run_text.h>
#include <assay/presenters/run_presenter.h>
#include <assay/presenters/series_export.h>

#include <cmath>
#include <limits>

#include "run_private.h"
#include "words.h"

namespace assay::presenters {
namespace {

constexpr int kPublishMs = 100, kReloadMs = 300, kMaxSamples = 200;
constexpr int64_t kLogChunk = 128 << 10;


}  // namespace

RunPresenter::RunPresenter(AppContext& context, QObject* parent) : QObject(parent), d_(std::make_unique<Private>(*this, context)) {
    d_->publish.setSingleShot(true);
    d_->publish.setInterval(kPublishMs);
    connect(&d_->publish, &QTimer::timeout, this, &RunPresenter::changed);
    d_->reload.setSingleShot(true);
    d_->reload.setInterval(kReloadMs);
    connect(&d_->reload, &QTimer::timeout, this, [this] { d_->load(); });
    auto& session = context.session;
    connect(&session, &EngineSession::linkChanged, this, &RunPresenter::changed);
    connect(&session, &EngineSession::resynchronized, this, [this] {
        d_->load();
        if (d_->logWanted) showLog();
    });
    connect(&session, &EngineSession::event, this, [this](const QString& run, const QString& type, const Json& event) {
        if (!d_->loaded) return;
        if (run == d_->id) return d_->take(type, event);
        // A check of this run may have begun or ended, here or on the command line.
        if (type == QLatin1String("run") && textAt(event.value("row", Json::object()), "kind") == QLatin1String("verify")) d_->askProof();
        if (type == QLatin1String("progress") && d_->proof.is_object() && run == textAt(d_->proof, "id")) {
            d_->proof["progress"] = event;
            d_->changedSoon();
        }
        // A stage, seed or sweep member below it.
        if (type == QLatin1String("run") && hasChildren()) {
            auto children = d_->document.find("children");
            const Json row = event.value("row", Json::object());
            for (Json& child : *children)
                if (textAt(child, "id") == run) {
                    child.update(row);
                    d_->changedSoon();
                    if (!d_->reload.isActive() && !models::runRowFromJson(row).isActive()) d_->reload.start();
                    return;
                }
            if (textAt(row, "parent") == d_->id && !d_->reload.isActive()) d_->reload.start();
        } else if (type == QLatin1String("progress") && hasChildren()) {
            for (Json& child : d_->document["children"])
                if (textAt(child, "id") == run) {
                    child["progress"] = event;
                    d_->changedSoon();
                }
        } else if (type == QLatin1String("metrics") && run == d_->stage) {
            d_->takeMetrics(event);
            d_->changedSoon();
        }
    });
    connect(&session, &EngineSession::runRemoved, this, [this](const QString& run) {
        if (run != d_->id || !d_->loaded) return;
        d_->error = Error(ErrorCode::kNotFound, "this run was deleted");
        Q_EMIT changed();
    });
    connect(&context.settings, &Settings::changed, this, [this](const QString& key) {
        if (key == QLatin1String("runs.pinned")) d_->askBaseline();
    });
}

RunPresenter::~RunPresenter() = default;

const QString& RunPresenter::id() const { return d_->id; }
bool RunPresenter::isLoaded() const { return d_->loaded; }
bool RunPresenter::isStale() const { return !d_->context.session.isLive(); }
const std::optional<Error>& RunPresenter::error() const { return d_->error; }
const models::RunRow& RunPresenter::row() const { return d_->row; }
const Json& RunPresenter::document() const { return d_->document; }
const std::vector<RunPresenter::Mark>& RunPresenter::marks() const { return d_->marks; }
const QList<Json>& RunPresenter::samples() const { return d_->samples; }
void RunPresenter::Private::changedSoon() {
    if (!publish.isActive()) publish.start();
}

void RunPresenter::open(const QString& id) {
    if (id == d_->id && d_->loaded) return;
    ++d_->generation;
    d_->id = id;
    d_->document = Json::object();
    d_->row = {};
    d_->error.reset();
    d_->loaded = false;
    d_->latest = Json::object();
    d_->stage.clear();
    d_->series.clear();
    d_->marks.clear();
    d_->samples.clear();
    d_->plan = nullptr;
    d_->planAsked = d_->planNow = false;
    d_->planTrouble.clear();
    d_->proof = nullptr;
    d_->proofAsking = d_->verifying = false;
    d_->baseline = nullptr;
    d_->logWanted = d_->logBusy = d_->logAgain = false;
    d_->logBegin = d_->logEnd = 0;
    d_->lastSeconds = 0;
    Q_EMIT opened();
    Q_EMIT changed();
    d_->load();
}

void RunPresenter::Private::load() {
    if (id.isEmpty() || !context.session.isLive()) return;
    context.session.call(QStringLiteral("runs.get"), {{"run", id.toStdString()}}, &self, [this, mine = generation](Result<Json> reply) {
        if (mine != generation) return;
        if (!reply) {
            error = reply.error();
            Q_EMIT self.changed();
            return;
        }
        error.reset();
        const Json known = document.value("metrics", Json());
        document = std::move(*reply);
        id = textAt(document, "id");   // a short id was enough to open it
        row = models::runRowFromJson(document);
        told(std::max(row.runningSeconds, lastSeconds));
        // Text that a generate run made, and samples stored with the run.
        if (auto stored = document.find("samples"); stored != document.end() && stored->is_array()) {
            samples.clear();
            for (const Json& sample : *stored) samples.append(sample);
            Q_EMIT self.samplesChanged();
        }
        if (auto resumed = document.find("resumed"); resumed != document.end() && resumed->is_array()) {
            marks.clear();
            for (const Json& mark : *resumed) take(QStringLiteral("resumed"), mark);
        }
        // Before anybody asks for a curve: a pipeline has none of its own, and shows those of its training.
        if (const Json* child = row.kind == QLatin1String("pipeline") && self.metrics().isEmpty() ? trainChild() : nullptr) {
            stage = textAt(*child, "id");
            if (known.is_array()) document["metrics"] = known;
            askStageMetrics();
        }
        const bool first = !std::exchange(loaded, true);
        if (first) {
            Q_EMIT self.opened();
            askBaseline();
        }
        askPlan();
        askProof();
        Q_EMIT self.metricsChanged();
        Q_EMIT self.changed();
    });
}

void RunPresenter::Private::askStageMetrics() {
    context.session.call(QStringLiteral("metrics.names"), {{"run", stage.toStdString()}}, &self, [this, mine = generation](Result<Json> reply) {
        if (mine != generation || !reply) return;
        Json values = Json::object();
        for (const Json& name : reply->value("names", Json::array()))
            if (name.is_string()) values[name.get<std::string>()] = nullptr;
        takeNames(values);
    });
}

void RunPresenter::Private::takeNames(const Json& values) {
    const QStringList before = self.metrics();
    Json& names = document["metrics"];
    if (!names.is_array()) names = Json::array();
    for (const auto& [name, value] : values.items())
        if (std::find(names.begin(), names.end(), Json(name)) == names.end()) names.push_back(name);
    if (self.metrics() != before) Q_EMIT self.metricsChanged();
}

void RunPresenter::Private::takeMetrics(const Json& event) {
    bool fresh = false;
    const Json values = event.value("latest", Json::object());
    for (const auto& [name, value] : values.items()) {
        fresh = fresh || !latest.contains(name);
        latest[name] = value;
    }
    if (fresh) takeNames(values);
}

void RunPresenter::Private::told(double seconds) {
    lastSeconds = seconds;
    sinceTold.restart();
}

void RunPresenter::Private::take(const QString& type, const Json& event) {
    if (type == QLatin1String("run")) {
        auto next = event.find("row");
        if (next == event.end() || !next->is_object()) return;
        const bool wasActive = row.isActive();
        document.update(*next);
        row = models::runRowFromJson(document);
        told(std::max(row.runningSeconds, wasActive ? lastSeconds : row.runningSeconds));
        if (wasActive && !row.isActive()) reload.start();   // results, artefacts and set-ups came with the end
    } else if (type == QLatin1String("progress")) {
        document["progress"] = event;
        row.progress = event;
    } else if (type == QLatin1String("phase")) {
        if (!row.progress.is_object()) row.progress = Json::object();
        row.progress["phase"] = event.value("name", Json(""));
    } else if (type == QLatin1String("metrics")) {
        if (const double seconds = numberFromJson(event.value("seconds", Json())); std::isfinite(seconds)) told(std::max(seconds, lastSeconds));
        takeMetrics(event);
    } else if (type == QLatin1String("resumed")) {
        const double step = numberFromJson(event.value("step", Json()));
        if (std::isfinite(step)) marks.push_back({step, RunPresenter::tr("resumed at %1").arg(models::formatCount(step))});
    } else if (type == QLatin1String("warning")) {
        Json& warnings = document["warnings"];
        if (!warnings.is_array()) warnings = Json::array();
        if (warnings.size() < kMaxSamples) warnings.push_back(event);
    } else if (type == QLatin1String("sample")) {
        samples.append(event);
        if (samples.size() > kMaxSamples) samples.removeFirst();
        Q_EMIT self.samplesChanged();
    } else if (type == QLatin1String("log")) {
        if (logWanted) followLog();
        return;
    } else if (type == QLatin1String("checkpoint") || type == QLatin1String("artifact") || type == QLatin1String("setup") || type == QLatin1String("result") || type == QLatin1String("plan")) {
        if (!reload.isActive()) reload.start();
    }
    changedSoon();
}

QString RunPresenter::title() const { return d_->row.name.isEmpty() ? d_->id.left(12) : models::plain(d_->row.name); }

bool RunPresenter::hasChildren() const {
    auto children = d_->document.find("children");
    return children != d_->document.end() && children->is_array() && !children->empty();
}

double RunPresenter::elapsedSeconds() const {
    if (!d_->loaded || (!d_->row.startedAt.isValid() && d_->lastSeconds <= 0)) return kNan;
    const bool running = d_->row.status == QLatin1String("running") || d_->row.status == QLatin1String("stopping");
    return d_->lastSeconds + (running && !isStale() && d_->sinceTold.isValid() ? static_cast<double>(d_->sinceTold.elapsed()) / 1000 : 0);
}

double RunPresenter::usdPerSecond() const {
    const double cost = d_->measured("cost/usd");
    if (std::isfinite(cost) && cost > 0 && d_->lastSeconds > 0) return cost / d_->lastSeconds;
    const double hourly = numberFromJson(models::specValue(d_->spec(), QStringLiteral("cost.price.usd_per_hour")));
    return std::isfinite(hourly) && hourly > 0 ? hourly / 3600 : 0;
}

double RunPresenter::joulesPerSecond() const {
    const double energy = d_->measured("cost/energy_joules");
    if (std::isfinite(energy) && energy > 0 && d_->lastSeconds > 0) return energy / d_->lastSeconds;
    const double watts = d_->measured("system/power_watts");
    return std::isfinite(watts) && watts > 0 ? watts : 0;
}

double RunPresenter::costUsd() const {
    const double told = d_->measured("cost/usd");
    if (std::isfinite(told) && !d_->row.isActive()) return told;
    const double rate = usdPerSecond(), elapsed = elapsedSeconds();
    return rate > 0 && std::isfinite(elapsed) ? rate * elapsed : told;
}

double RunPresenter::fraction() const { return d_->row.fraction(); }

double RunPresenter::totalSteps() const {
    const double told = d_->measured("train/total_steps");
    if (std::isfinite(told)) return told;
    return numberFromJson(models::specValue(d_->spec(), QStringLiteral("train.steps")));
}

QString RunPresenter::statusLine() const {
    QStringList parts;
    if (d_->row.isActive()) {
        QString progress = models::progressText(d_->row);
        if (progress.isEmpty() && hasChildren())   // what the stage that runs now does
            for (const Json& child : d_->document["children"])
                if (const models::RunRow stage = models::runRowFromJson(child); stage.status == QLatin1String("running")) progress = models::progressText(stage);
        if (!progress.isEmpty()) parts << progress;
    }
    const double elapsed = elapsedSeconds(), cost = costUsd();
    if (std::isfinite(elapsed)) parts << (d_->row.isActive() ? tr("%1 elapsed") : tr("took %1")).arg(models::formatSeconds(elapsed));
    if (std::isfinite(cost)) parts << (d_->row.isActive() ? tr("%1 so far") : tr("cost %1")).arg(models::formatUsd(cost));
    return parts.join(QStringLiteral(" · "));
}

QStringList RunPresenter::metrics() const {
    QStringList names;
    if (auto it = d_->document.find("metrics"); it != d_->document.end() && it->is_array())
        for (const Json& name : *it)
            if (name.is_string()) names << QString::fromStdString(name.get<std::string>());
    return names;
}

SeriesSource* RunPresenter::series(const QString& metric) {
    auto& source = d_->series[metric];
    if (!source) source = std::make_unique<SeriesSource>(d_->context.session, d_->stage.isEmpty() ? d_->id : d_->stage, metric);
    return source.get();
}

void RunPresenter::saveSeries(const QStringList& metrics, const QString& path) {
    std::vector<SeriesToSave> all;
    for (const QString& metric : metrics) all.push_back({d_->stage.isEmpty() ? d_->id : d_->stage, d_->row.name, metric});
    presenters::saveSeries(d_->context, this, std::move(all), path);
}

void RunPresenter::showLog() {
    d_->logWanted = true;
    if (isStale() || d_->id.isEmpty()) return;
    d_->logBusy = true;
    d_->context.session.call(QStringLiteral("runs.log"), {{"run", d_->id.toStdString()}, {"offset", -kLogChunk}, {"max_bytes", kLogChunk}}, this, [this, mine = d_->generation](Result<Json> reply) {
        if (mine != d_->generation) return;
        d_->logBusy = false;
        if (!reply) {
            Q_EMIT logReset(reply.error().code == ErrorCode::kNotFound ? tr("Nothing was logged yet.") : QString::fromStdString(reply.error().text()));
            return;
        }
        d_->logBegin = jsonIntegerOr(*reply, "offset", 0);
        d_->logEnd = jsonIntegerOr(*reply, "next_offset", 0);
        Q_EMIT logReset(textAt(*reply, "text"));
        if (std::exchange(d_->logAgain, false)) d_->followLog();
    });
}

void RunPresenter::Private::followLog() {
    if (logBusy) {
        logAgain = true;
        return;
    }
    logBusy = true;
    context.session.call(QStringLiteral("runs.log"), {{"run", id.toStdString()}, {"offset", logEnd}, {"max_bytes", kLogChunk}}, &self, [this, mine = generation](Result<Json> reply) {
        if (mine != generation) return;
        logBusy = false;
        if (!reply) return;
        const int64_t next = jsonIntegerOr(*reply, "next_offset", logEnd);
        const bool more = next < jsonIntegerOr(*reply, "size", next);
        if (next > logEnd) {
            logEnd = next;
            Q_EMIT self.logAppended(textAt(*reply, "text"));
            if (more) logAgain = true;
        }
        if (std::exchange(logAgain, false)) followLog();
    });
}

void RunPresenter::askOlderLog() {
    if (d_->logBusy || d_->logBegin <= 0) return;
    d_->logBusy = true;
    const int64_t from = std::max<int64_t>(0, d_->logBegin - kLogChunk);
    d_->context.session.call(QStringLiteral("runs.log"), {{"run", d_->id.toStdString()}, {"offset", from}, {"max_bytes", d_->logBegin - from}}, this, [this, from, mine = d_->generation](Result<Json> reply) {
        if (mine != d_->generation) return;
        d_->logBusy = false;
        if (!reply) return;
        d_->logBegin = from;
        Q_EMIT logPrepended(textAt(*reply, "text"));
    });
}

QString RunPresenter::whyNotStop() const {
    if (isStale()) return tr("The engine is not connected.");
    return d_->row.canStop() ? QString() : tr("The run is not active.");
}
QString RunPresenter::whyNotResume() const {
    if (isStale()) return tr("The engine is not connected.");
    return d_->row.canResume() ? QString() : tr("Only interrupted, stopped and failed runs can be resumed.");
}
QString RunPresenter::whyNotRemove() const {
    if (isStale()) return tr("The engine is not connected.");
    return d_->row.isActive() ? tr("Stop the run first.") : QString();
}
QString RunPresenter::whyNotOpenFolder() const {
    if (d_->context.session.target().kind != EngineTarget::Kind::kLocal) return tr("The folder is on the engine's machine.");
    return textAt(d_->document, "folder").isEmpty() ? tr("The folder is not known yet.") : QString();
}

void RunPresenter::Private::act(const QString& method, Json params, const QString& what) {
    params["run"] = id.toStdString();
    context.session.call(method, std::move(params), &self, [this, what](Result<Json> reply) {
        if (!reply) context.notifier.error(what, reply.error());
        else load();
    });
}

void RunPresenter::stop(bool discard) { d_->act(QStringLiteral("runs.stop"), {{"discard", discard}}, tr("The run could not be stopped")); }
void RunPresenter::resume() { d_->act(QStringLiteral("runs.resume"), Json::object(), tr("The run could not be resumed")); }
void RunPresenter::fork() { d_->context.navigator.navigate(QStringLiteral("experiment"), {{"fork", d_->id.toStdString()}}); }
void RunPresenter::compare() { d_->context.navigator.navigate(QStringLiteral("compare"), {{"runs", Json::array({d_->id.toStdString()})}}); }
void RunPresenter::pin() { d_->context.settings.set(QStringLiteral("runs.pinned"), d_->id.toStdString()); }
void RunPresenter::openRun(const QString& id) {
    if (!id.isEmpty()) d_->context.navigator.navigate(QStringLiteral("run"), {{"run", id.toStdString()}});
}

void RunPresenter::remove() {
    d_->context.session.call(QStringLiteral("runs.remove"), {{"run", d_->id.toStdString()}}, this, [this](Result<Json> reply) {
        if (!reply) return d_->context.notifier.error(tr("The run could not be deleted"), reply.error());
        d_->context.navigator.navigate(QStringLiteral("runs"));
    });
}

}  // namespace assay::presenters
