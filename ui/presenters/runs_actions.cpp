// What the runs page does to runs: the baseline, and stop, resume, remove, compare of many at once.
#include <assay/models/format.h>
#include <assay/presenters/runs_presenter.h>

#include <QPointer>
#include <algorithm>

#include "runs_private.h"

namespace assay::presenters {

using models::RunRow;

void RunsPresenter::pin(const QString& id) {
    if (id == d_->pinned) return;
    d_->pinned = id;
    d_->pinnedName.clear();
    d_->context.settings.set(QStringLiteral("runs.pinned"), id.isEmpty() ? Json() : Json(id.toStdString()));
    d_->loadPinned();
}

void RunsPresenter::Private::loadPinned() {
    if (pinned.isEmpty()) {
        pinnedName.clear();
        model.setPinned({}, {}, {});
        Q_EMIT self.pinnedChanged();
        return;
    }
    if (!context.session.isLive()) return;
    context.session.call(QStringLiteral("runs.get"), {{"run", pinned.toStdString()}}, &self, [this, id = pinned](Result<Json> reply) {
        if (id != pinned) return;
        if (!reply) {
            if (reply.error().code == ErrorCode::kNotFound) self.pin({});   // a baseline that was removed
            return;
        }
        pinnedName = models::plain(QString::fromStdString(jsonStringOr(*reply, "name", "")));
        model.setPinned(id, reply->value("spec", Json::object()), reply->value("summary", Json::object()));
        Q_EMIT self.pinnedChanged();
    });
}

void RunsPresenter::setDifferencesOnly(bool on) {
    if (std::exchange(d_->differencesOnly, on) == on) return;
    d_->model.setDifferencesOnly(on);
    Q_EMIT changed();
}

namespace {
QString offline(const AppContext& context) {
    return context.session.isLive() ? QString() : QObject::tr("The engine is not connected.");
}
template <class F>
int count(const QList<RunRow>& runs, F&& fits) {
    return static_cast<int>(std::count_if(runs.begin(), runs.end(), fits));
}
}  // namespace

QString RunsPresenter::whyNotStop(const QList<RunRow>& runs) const {
    if (QString why = offline(d_->context); !why.isEmpty()) return why;
    if (runs.isEmpty()) return tr("Select the runs to stop.");
    return count(runs, [](const RunRow& run) { return run.canStop(); }) ? QString() : tr("None of the selected runs is active.");
}

QString RunsPresenter::whyNotResume(const QList<RunRow>& runs) const {
    if (QString why = offline(d_->context); !why.isEmpty()) return why;
    if (runs.isEmpty()) return tr("Select the runs to resume.");
    return count(runs, [](const RunRow& run) { return run.canResume(); }) ? QString() : tr("Only interrupted, stopped and failed runs can be resumed.");
}

QString RunsPresenter::whyNotRemove(const QList<RunRow>& runs) const {
    if (QString why = offline(d_->context); !why.isEmpty()) return why;
    if (runs.isEmpty()) return tr("Select the runs to delete.");
    return count(runs, [](const RunRow& run) { return !run.isActive(); }) ? QString() : tr("Active runs must be stopped first.");
}

QString RunsPresenter::whyNotCompare(const QList<RunRow>& runs) const {
    // A pipeline alone has set-ups to put side by side.
    if (runs.size() == 1 && runs[0].kind == QLatin1String("pipeline")) return {};
    return runs.size() >= 2 ? QString() : tr("Select at least two runs to compare.");
}

// One call a run; what went wrong is told once.
void RunsPresenter::Private::each(const QList<RunRow>& runs, const QString& method, const Json& extra, const QString& what) {
    if (runs.isEmpty()) return;
    struct Outcome {
        qsizetype open = 0, failed = 0, all = 0;
        QString firstName;
        std::optional<Error> first;
    };
    auto outcome = std::make_shared<Outcome>(Outcome{.open = runs.size(), .all = runs.size()});
    for (const RunRow& run : runs) {
        Json params = extra;
        params["run"] = run.id.toStdString();
        // The notifier outlives the page: a deletion is told even when the page has been closed.
        context.session.call(method, std::move(params), &context.notifier, [outcome, name = run.name, what, notifier = &context.notifier](Result<Json> reply) {
            --outcome->open;
            if (!reply) {
                ++outcome->failed;
                if (!outcome->first) {
                    outcome->first = reply.error();
                    outcome->firstName = name;
                }
            }
            if (outcome->open > 0 || !outcome->first) return;
            QString title = outcome->all == 1 ? QObject::tr("%1 did not work for “%2”").arg(what, models::shortened(outcome->firstName, 40))
                                              : QObject::tr("%1 did not work for %2 of %3 runs").arg(what).arg(outcome->failed).arg(outcome->all);
            notifier->error(title, *outcome->first);
        });
    }
}

void RunsPresenter::stop(const QList<RunRow>& runs, bool discard) {
    QList<RunRow> active;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(active), [](const RunRow& run) { return run.canStop(); });
    d_->each(active, QStringLiteral("runs.stop"), {{"discard", discard}}, tr("Stopping"));
}

void RunsPresenter::resume(const QList<RunRow>& runs) {
    QList<RunRow> able;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(able), [](const RunRow& run) { return run.canResume(); });
    d_->each(able, QStringLiteral("runs.resume"), Json::object(), tr("Resuming"));
}

void RunsPresenter::remove(const QList<RunRow>& runs) {
    d_->finishRemoving();
    qsizetype active = 0;
    for (const RunRow& run : runs) {
        if (run.isActive()) {
            ++active;
            continue;
        }
        d_->removing << run.id;
        d_->model.removeRun(run.id);
    }
    if (d_->removing.isEmpty()) return;
    d_->undoTimer.start();
    d_->query(true);
    Notice notice{.severity = Severity::kInfo, .title = tr("%n run(s) deleted", nullptr, static_cast<int>(d_->removing.size()))};
    if (active > 0) notice.detail = tr("%n active run(s) were kept: stop them first.", nullptr, static_cast<int>(active));
    notice.actionText = tr("Undo");
    notice.action = [self = QPointer<RunsPresenter>(this)] {
        if (self) self->undoRemove();
    };
    d_->context.notifier.notify(std::move(notice));
}

void RunsPresenter::undoRemove() {
    if (d_->removing.isEmpty()) return;
    d_->undoTimer.stop();
    d_->removing.clear();
    d_->query(true);
}

// The real removal: when the time is over, before the next one, and when the page goes.
void RunsPresenter::Private::finishRemoving() {
    undoTimer.stop();
    QList<RunRow> runs;
    for (const QString& id : std::exchange(removing, {})) {
        RunRow run;
        run.id = id;
        run.name = id.left(8);
        runs.append(run);
    }
    each(runs, QStringLiteral("runs.remove"), Json::object(), RunsPresenter::tr("Deleting"));
}

void RunsPresenter::setUndoMs(int ms) { d_->undoTimer.setInterval(ms); }

void RunsPresenter::compare(const QList<RunRow>& runs) {
    Json ids = Json::array();
    for (const RunRow& run : runs) ids.push_back(run.id.toStdString());
    d_->context.navigator.navigate(QStringLiteral("compare"), {{"runs", std::move(ids)}});
}

void RunsPresenter::open(const QString& id) {
    if (!id.isEmpty()) d_->context.navigator.navigate(QStringLiteral("run"), {{"run", id.toStdString()}});
}

void RunsPresenter::fork(const QString& id) { d_->context.navigator.navigate(QStringLiteral("experiment"), {{"fork", id.toStdString()}}); }
void RunsPresenter::newExperiment() { d_->context.navigator.navigate(QStringLiteral("experiment")); }

}  // namespace assay::presenters
