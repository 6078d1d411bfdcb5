// Checked on the engine's machine, planned, and started.
#include <QUuid>

#include "experiment_private.h"
#include "words.h"

namespace assay::presenters {
namespace {

QString quoted(const QString& word) {
    QString copy = word;
    return u'\'' + copy.replace(u'\'', QStringLiteral("'\\''")) + u'\'';
}

std::vector<SpecProblem> problemsOf(const Json& document) {
    std::vector<SpecProblem> out;
    auto found = document.find("problems");
    if (found == document.end() || !found->is_array()) return out;
    for (const Json& p : *found)
        if (p.is_object())
            out.push_back({static_cast<int>(jsonIntegerOr(p, "line", 0)), static_cast<int>(jsonIntegerOr(p, "column", 0)), toQt(jsonStringOr(p, "key", "")),
                           toQt(jsonStringOr(p, "message", "")), toQt(jsonStringOr(p, "hint", ""))});
    return out;
}

QStringList warningsOf(const Json& plan, bool blocking) {
    QStringList out;
    auto found = plan.is_object() ? plan.find("warnings") : plan.end();
    if (!plan.is_object() || found == plan.end() || !found->is_array()) return out;
    for (const Json& warning : *found) {
        if (!warning.is_object() || jsonBoolOr(warning, "blocks", false) != blocking) continue;
        const std::string hint = jsonStringOr(warning, "hint", "");
        const QString text = toQt(jsonStringOr(warning, "message", "") + (hint.empty() ? "" : " — " + hint)), key = toQt(jsonStringOr(warning, "key", ""));
        const config::KeyInfo* info = config::keyInfo(key.toStdString());
        out << (blocking && info && info->type != config::KeyType::kGroup ? QObject::tr("%1: %2").arg(keyTitle(key), text) : text);
    }
    return out;
}

}  // namespace

bool ExperimentPresenter::isPlanning() const { return d_->planning; }
const Json& ExperimentPresenter::plan() const { return d_->plan; }
const std::optional<Error>& ExperimentPresenter::planError() const { return d_->planError; }
double ExperimentPresenter::diskFreeBytes() const { return d_->diskFree; }
bool ExperimentPresenter::isStarting() const { return d_->starting; }
QStringList ExperimentPresenter::warnings() const { return warningsOf(d_->plan, false); }

QStringList ExperimentPresenter::missing() const {
    QStringList out;
    if (!d_->context.session.isLive()) out << tr("No engine is connected.");
    if (d_->checking) out << tr("The text is being read.");
    out << openPlaces();
    for (const SpecProblem& p : d_->problems) {
        out << (p.key.isEmpty() ? p.message : tr("%1: %2").arg(keyTitle(p.key), p.message));
        if (out.size() >= 20) break;
    }
    return out + warningsOf(d_->plan, true);
}

QStringList ExperimentPresenter::openPlaces() const {
    QStringList out;
    for (const QString& key : d_->open) out << openPlaceText(key);
    return out;
}

bool ExperimentPresenter::canPressStart() const { return !d_->starting && (missing().isEmpty() || (!d_->open.isEmpty() && missing() == openPlaces())); }

void ExperimentPresenter::Private::schedulePlan() {
    if (planHandle) context.session.cancel(planHandle);
    if (checkHandle) context.session.cancel(checkHandle);
    planHandle = checkHandle = 0;
    plan = nullptr;
    planError.reset();
    planning = !checking && readable && parsed->loaded.problems.empty() && context.session.isLive();
    if (planning) planTimer.start();
    else planTimer.stop();
    Q_EMIT q.planChanged();
}

void ExperimentPresenter::Private::ask() {
    const quint64 mine = generation;
    const Json params{{"yaml", text}, {"folder", folder()}};
    checkHandle = context.session.tool(QStringLiteral("spec_check"), params, &q, [this, mine](Result<Json> reply) {
        if (mine != generation) return;
        checkHandle = 0;
        if (!reply) return;   // an engine without this tool still checks when the run is submitted
        engineProblems = problemsOf(*reply);
        collectProblems();
        Q_EMIT q.changed();
    });
    context.session.call(QStringLiteral("engine.machine"), Json::object(), &q, [this, mine](Result<Json> reply) {
        if (mine != generation || !reply) return;   // an older engine does not say
        diskFree = numberAt(*reply, "disk_free_bytes");
        Q_EMIT q.planChanged();
    });
    planHandle = context.session.tool(QStringLiteral("plan"), params, &q, [this, mine](Result<Json> reply) {
        if (mine != generation) return;
        planHandle = 0;
        planning = false;
        if (reply) plan = std::move(*reply);
        else planError = reply.error();
        Q_EMIT q.planChanged();
    });
}

void ExperimentPresenter::start(bool openRun) {
    if (d_->starting) return;
    if (!d_->open.isEmpty()) {
        const QString first = d_->open.front();
        d_->startTried = true;
        d_->parse();
        Q_EMIT attentionAsked(first);
        return;
    }
    if (!missing().isEmpty()) return;
    d_->starting = true;
    Q_EMIT startChanged();
    const quint64 mine = d_->generation;
    d_->context.session.tool(QStringLiteral("spec_check"), {{"yaml", d_->text}, {"folder", d_->folder()}}, this, [this, mine, openRun](Result<Json> reply) {
        if (mine != d_->generation) return d_->stopStarting();   // edited meanwhile: what was checked is not what is there
        if (!reply) {
            // An older engine has no such tool; what was read here is what it means on this machine.
            if ((reply.error().code == ErrorCode::kNotFound || reply.error().code == ErrorCode::kUnsupported) && !engineIsRemote())
                return d_->submit(d_->parsed->loaded.resolved, openRun);
            d_->context.notifier.error(tr("The experiment could not be checked"), reply.error());
            return d_->stopStarting();
        }
        if (!jsonBoolOr(*reply, "ok", false) || !reply->contains("resolved")) {
            d_->engineProblems = problemsOf(*reply);
            d_->collectProblems();
            d_->stopStarting();
            Q_EMIT changed();
            return;
        }
        d_->submit((*reply)["resolved"], openRun);
    });
}

void ExperimentPresenter::Private::stopStarting() {
    starting = false;
    Q_EMIT q.startChanged();
}

void ExperimentPresenter::Private::submit(const Json& resolved, bool openRun) {
    if (submitKey.empty()) submitKey = QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString();
    Json params{{"spec", resolved}, {"yaml", text}, {"idempotency_key", submitKey}};
    if (!forkOf.isEmpty()) params["parent_of_fork"] = forkOf.toStdString();
    context.session.call(QStringLiteral("runs.submit"), std::move(params), &q, [this, openRun, sent = text](Result<Json> reply) {
        stopStarting();
        if (!reply) return context.notifier.error(QObject::tr("The experiment could not be started"), reply.error());
        submitKey.clear();
        started = sent;
        draftTimer.start();
        const std::string run = jsonStringOr(*reply, "run", "");
        if (openRun) return context.navigator.navigate(QStringLiteral("run"), {{"run", run}});
        Navigator* navigator = &context.navigator;
        context.notifier.notify({.severity = Severity::kGood, .title = QObject::tr("Queued"), .detail = toQt(jsonStringOr(parsed->loaded.resolved, "name", "")),
                                 .technical = {}, .actionText = QObject::tr("Open run"), .action = [navigator, run] { navigator->navigate(QStringLiteral("run"), {{"run", run}}); }});
    }, 60);
}

QString ExperimentPresenter::command() const {
    const EngineTarget& target = d_->context.session.target();
    QString options;
    if (target.kind != EngineTarget::Kind::kLocal) options = QStringLiteral(" --engine ") + quoted(targetText(target));
    else if (!target.address.isEmpty()) options = QStringLiteral(" --store ") + quoted(target.address);
    if (!d_->path.isEmpty() && !isModified()) return QStringLiteral("assay run ") + quoted(d_->path) + options;
    // Not in a file yet: the shell writes it first.
    QString end = QStringLiteral("END");
    while (text().contains(end)) end += u'D';
    const QString body = text().endsWith(u'\n') ? text() : text() + u'\n';
    return QStringLiteral("cat > experiment.yaml <<'%1'\n").arg(end) + body + end + QStringLiteral("\nassay run experiment.yaml") + options;
}

SweepPlan ExperimentPresenter::sweep() const {
    SweepPlan plan;
    if (const auto grid = d_->parsed->spec.find("sweep.grid"); grid && grid->value.is_object())
        for (const auto& [key, values] : grid->value.items()) {
            const QString list = toQt(config::flowYaml(values));
            plan.axes.push_back({.key = toQt(key), .mode = SweepAxis::Mode::kValues, .values = list.startsWith(u'[') ? list.mid(1, list.size() - 2) : list});
        }
    if (const auto variants = d_->parsed->spec.find("sweep.variants"); variants && variants->value.is_object() && plan.axes.empty()) plan.variants = variants->value;
    if (const auto seeds = d_->parsed->spec.find("seeds"); seeds && seeds->value.is_array()) {
        const QString list = toQt(config::flowYaml(seeds->value));
        plan.seeds = list.mid(1, list.size() - 2);
    }
    return plan;
}

SweepPreview ExperimentPresenter::previewSweep(const SweepPlan& plan) const {
    SweepPreview preview = previewOf(plan);
    for (const SweepAxis& axis : plan.axes)
        if (preview.problem.isEmpty() && !config::keyInfo(axis.key.toStdString())) preview.problem = tr("%1 is not a key of the file.").arg(axis.key);
    return preview;
}

bool ExperimentPresenter::applySweep(const SweepPlan& plan) {
    if (!previewSweep(plan).problem.isEmpty()) return false;
    return d_->edit([&](config::SpecText& spec) -> Result<void> {
        ASSAY_TRY(const Json seeds, sweepSeeds(plan.seeds));
        if (seeds.is_null()) {
            ASSAY_TRY_VOID(spec.remove("seeds"));
        } else {
            ASSAY_TRY_VOID(spec.remove("seed"));
            ASSAY_TRY_VOID(spec.set("seeds", seeds));
        }
        if (plan.axes.empty() && plan.variants.is_object()) return {};   // they stand in the file as they are
        if (plan.axes.empty()) return spec.remove("sweep");
        Json grid = Json::object();
        for (const SweepAxis& axis : plan.axes) {
            ASSAY_TRY(grid[axis.key.toStdString()], sweepValues(axis));
        }
        return spec.set("sweep.grid", grid);
    }, tr("The sweep"));
}

bool ExperimentPresenter::isWholeNumber(const QString& key) const {
    const config::KeyInfo* info = config::keyInfo(key.toStdString());
    return info && info->type == config::KeyType::kInteger;
}

QStringList ExperimentPresenter::sweepableKeys() const {
    QStringList out;
    for (const FormSection& section : d_->sections)
        for (const FormField& field : section.fields) {
            using Kind = FormField::Kind;
            const bool single = field.kind == Kind::kNumber || field.kind == Kind::kChoice || field.kind == Kind::kSwitch || field.kind == Kind::kModel;
            if (single && field.key != QLatin1String("kind") && field.key != QLatin1String("seed")) out << field.key;
        }
    return out;
}

}  // namespace assay::presenters
