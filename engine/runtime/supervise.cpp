// Which workers live, and what it means when one does not.
#include "group.h"

#include "assay/core/clock.h"
#include "assay/core/log.h"

#include <cmath>
#include <fstream>

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

// A group that lost a rank goes on from its last checkpoint, as often as it is allowed to.
Result<void> startAgain(RuntimeState& state, Writer& writer, RunRow& row, const std::string& reason) {
    const int64_t before = jsonIntegerOr(row.summary, "run/restarts", 0);
    const bool again = before < state.options.restarts;
    const std::string text = again ? reason + "; all ranks start again from the last checkpoint (restart " + std::to_string(before + 1) + " of " + std::to_string(state.options.restarts) + ")"
                                   : reason + "; its " + std::to_string(state.options.restarts) + " restarts are used up";
    auto told = writer.addEvent(row.id, "log", {{"type", "log"}, {"level", "warning"}, {"text", text}});
    if (!told) return fail(std::move(told).error());
    std::ofstream(state.store.runFolder(row.id) + "/log.txt", std::ios::app) << isoTime(wallSeconds()) << " warn  engine: " << text << "\n";
    if (!again) return {};
    row.summary["run/restarts"] = before + 1;
    row.resume = true;
    row.error = nullptr;
    row.result = nullptr;
    ASSAY_TRY(bool changed, applyEvent(writer, row, RunEvent::kResume, ""));
    (void)changed;
    return {};
}

Result<void> decideEnd(RuntimeState& state, ActiveRun& run) {
    return state.store.write(store::Promise::kDurable, [&](Writer& writer) -> Result<void> {
        ASSAY_TRY(RunRow row, writer.run(run.id));
        RunEvent event = endOf(row, run);
        GroupFault fault;
        const bool stopping = row.status == RunStatus::kStopping;
        const bool ofGroup = !run.others.empty() && (event == RunEvent::kDied || event == RunEvent::kEndedFailed);
        if (ofGroup && (run.killed || row.reason == "discarded")) {
            event = RunEvent::kKilled;
        } else if (ofGroup) {
            fault = judgeGroup(row, run);
            event = fault.restart ? RunEvent::kDied : RunEvent::kEndedFailed;
            row.error = fault.error;
        }
        const std::string reason = fault.reason.empty() ? reasonOf(row, run, event) : fault.reason;
        if (event == RunEvent::kDied)
            row.error = errorToJson(Error(ErrorCode::kWorkerDied, reason, "look at `assay runs log " + row.id + "`; `assay runs resume " + row.id + "` goes on from the last checkpoint"));
        // Kinds without a running-time metric: time on the wall from hello to now.
        if (run.sessionStart > 0 && row.runningSeconds <= run.baseSeconds && (run.baseSeconds > 0 || row.runningSeconds == 0)) {
            const double until = jsonDoubleOr(row.end, "time", wallSeconds());
            row.runningSeconds = run.baseSeconds + std::max(0.0, until - run.sessionStart);
        }
        addCost(writer, row);
        ASSAY_TRY(bool changed, applyEvent(writer, row, event, reason));
        (void)changed;
        if (fault.restart && !stopping && row.status == RunStatus::kInterrupted) return startAgain(state, writer, row, reason);
        return {};
    });
}

}  // namespace

void superviseRun(RuntimeState& state, ActiveRun& run) {
    const double now = monotonicSeconds();
    if (now < run.retryAt) return;
    // The process is looked at before the file is read to its end: what it wrote before it went is then there.
    if (!run.gone) {
        pollGroup(state, run);
        showGroup(state, run);
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
            killGroup(state, run);
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
        run.attempt = row.attempt;
        ASSAY_TRY_VOID(state.store.read([&](store::Reader& reader) -> Result<void> {
            ASSAY_TRY(const RunRow whole, reader.run(row.id, true));
            const auto shape = whole.spec ? groupShape(*whole.spec) : Result<GroupShape>(GroupShape{});
            run.torchrun = shape && shape->torchrun;
            if (shape && !shape->torchrun) findGroup(state, run, shape->ranks, row.attempt);
            return {};
        }));
        run.lookUntil = monotonicSeconds() + state.options.startGraceSeconds;
        if (row.pid > 0) {
            run.worker.pid = row.pid;
            run.worker.startTicks = row.startTicks;
            const bool alive = isAlive(run.worker);
            if (run.killed) killGroup(state, run);
            if (!run.killed && row.status == RunStatus::kStopping) askGroupToStop(state, run);
            logInfo("runtime", "run " + row.id + (alive ? ": following its worker again" : ": its worker is gone"));
        }
        state.active.emplace(run.id, run);
    }
    return {};
}

}  // namespace assay::runtime
