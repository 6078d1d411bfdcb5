// Which workers live, and what it means when one does not.
#include "runtime_state.h"

#include "assay/core/clock.h"
#include "assay/core/log.h"

#include <cmath>

namespace assay::runtime {
namespace {

std::string reasonOf(const RunRow& row, const ActiveRun& run, RunEvent event) {
    switch (event) {
        case RunEvent::kEndedFailed: {
            const std::string message = row.error.is_object() ? jsonStringOr(row.error, "message", "") : "";
            return message.empty() ? "failed" : message;
        }
        case RunEvent::kEndedCancelled: {
            const std::string reason = jsonStringOr(row.end, "reason", "");
            return reason.empty() ? "stopped" : reason;
        }
        case RunEvent::kKilled: return "stopped at once on request";
        case RunEvent::kDied: return "worker died: " + (run.death.empty() ? std::string("it ended while no engine was watching") : run.death);
        default: return {};
    }
}

// What the end record (or its absence) says.
RunEvent endOf(RunRow& row, const ActiveRun& run) {
    // A worker that was asked to end before it could listen.
    if (!row.end.is_object() && row.status == RunStatus::kStopping && run.death == "signal 15") return RunEvent::kEndedCancelled;
    if (!row.end.is_object()) return run.killed || row.reason == "discarded" ? RunEvent::kKilled : RunEvent::kDied;
    const std::string outcome = jsonStringOr(row.end, "outcome", "failed");
    if (outcome == "done") return RunEvent::kEndedDone;
    if (outcome == "cancelled") return RunEvent::kEndedCancelled;
    row.error = row.end.contains("error") ? row.end["error"] : Json();
    return RunEvent::kEndedFailed;
}

void addCost(Writer& writer, RunRow& row) {
    auto full = writer.run(row.id, true);
    if (!full || !full->spec) return;
    auto spec = config::specFromJson(*full->spec);
    if (spec && spec->cost.usdPerHour) row.summary["cost/usd"] = jsonNumber(*spec->cost.usdPerHour * row.runningSeconds / 3600);
}

Result<void> decideEnd(RuntimeState& state, ActiveRun& run) {
    return state.store.write(store::Promise::kDurable, [&](Writer& writer) -> Result<void> {
        ASSAY_TRY(RunRow row, writer.run(run.id));
        const RunEvent event = endOf(row, run);
        if (event == RunEvent::kDied)
            row.error = errorToJson(Error(ErrorCode::kWorkerDied, reasonOf(row, run, event), "look at `assay runs log " + row.id + "`; `assay runs resume " + row.id + "` goes on from the last checkpoint"));
        // Kinds without a running-time metric: time on the wall from hello to now.
        if (run.sessionStart > 0 && row.runningSeconds <= run.baseSeconds && (run.baseSeconds > 0 || row.runningSeconds == 0)) {
            const double until = jsonDoubleOr(row.end, "time", wallSeconds());
            row.runningSeconds = run.baseSeconds + std::max(0.0, until - run.sessionStart);
        }
        addCost(writer, row);
        const std::string reason = reasonOf(row, run, event);
        ASSAY_TRY(bool changed, applyEvent(writer, row, event, reason));
        (void)changed;
        return {};
    });
}

}  // namespace

void superviseRun(RuntimeState& state, ActiveRun& run) {
    const double now = monotonicSeconds();
    if (now < run.retryAt) return;
    // The process is looked at before the file is read to its end: what it wrote before it went is then there.
    if (!run.gone) {
        if (run.worker.pid < 0) {
            if (now > run.lookUntil) {
                run.gone = true;
                run.death = "the engine ended while it was starting the worker";
            }
        } else {
            WorkerState worker = state.launcher->poll(run.worker);
            if (!worker.running) {
                run.gone = true;
                run.death = worker.death;
            }
        }
    }
    while (true) {
        auto read = tailRun(state, run);
        if (!read) {
            logWarning("runtime", "run " + run.id + ": " + read.error().text() + "; trying again");
            run.retryAt = now + 1;
            return;
        }
        if (!*read || (!run.gone && monotonicSeconds() - now > 0.5)) break;
    }
    if (!run.gone) {
        if (run.endSeenAt > 0 && now - run.endSeenAt > state.options.exitGraceSeconds) {
            logWarning("runtime", "run " + run.id + ": the worker wrote its end record but does not exit; killing it");
            state.launcher->kill(run.worker);
        }
        return;
    }
    if (auto done = decideEnd(state, run); !done) {
        logWarning("runtime", "run " + run.id + ": " + done.error().text() + "; trying again");
        run.retryAt = now + 1;
        return;
    }
    state.active.erase(std::string(run.id));  // `run` is gone from here on
    state.scheduleWanted = true;
}

Result<void> adoptRuns(RuntimeState& state) {
    std::vector<RunRow> rows;
    // The writer's view: nothing else runs yet.
    ASSAY_TRY_VOID(state.store.write(store::Promise::kBatch, [&](Writer& writer) -> Result<void> {
        ASSAY_TRY(rows, writer.unfinished());
        return {};
    }));
    for (const RunRow& row : rows) {
        if (!row.leaf || !store::isActive(row.status)) continue;
        ActiveRun run;
        run.id = row.id;
        // The hello record was read by the engine before us; the first session began when the run did.
        if (row.attempt > 1) run.baseSeconds = row.runningSeconds;
        else run.sessionStart = row.startedAt;
        run.killed = row.reason == "discarded";
        run.endSeenAt = row.end.is_object() ? monotonicSeconds() : 0;
        if (row.pid > 0) {
            run.worker.pid = row.pid;
            run.worker.startTicks = row.startTicks;
            const bool alive = isAlive(run.worker);
            if (alive && run.killed) state.launcher->kill(run.worker);
            if (alive && !run.killed && row.status == RunStatus::kStopping) state.launcher->askToStop(run.worker);
            logInfo("runtime", "run " + row.id + (alive ? ": following its worker again" : ": its worker is gone"));
        } else {
            run.lookUntil = monotonicSeconds() + state.options.startGraceSeconds;
        }
        state.active.emplace(run.id, run);
    }
    return {};
}

}  // namespace assay::runtime
