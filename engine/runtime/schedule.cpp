// The queue: which run is next, and starting its worker.
#include "group.h"

#include "assay/core/clock.h"
#include "assay/core/durable.h"
#include "assay/core/log.h"
#include "assay/protocol/job.h"

#include <algorithm>

namespace assay::runtime {
namespace {

// Whether a queued run may start now, must be cancelled, or waits.
enum class Verdict { kStart, kWait, kCancel };

Result<Verdict> judge(Writer& writer, const RunRow& row, std::string& reason) {
    RunRow at = row;
    while (true) {
        if (at.reason == "held") return Verdict::kWait;
        for (const std::string& id : at.after) {
            auto needed = writer.run(id);
            if (!needed) {
                if (needed.error().code != ErrorCode::kNotFound) return fail(needed.error());
                reason = "needs run " + id + ", which was removed";
                return Verdict::kCancel;
            }
            if (needed->status == RunStatus::kDone) continue;
            if (!store::isTerminal(needed->status)) return Verdict::kWait;
            reason = "needs " + needed->kind + " run " + id + ", which was " + std::string(store::statusName(needed->status));
            if (needed->status == RunStatus::kFailed) reason = "needs " + needed->kind + " run " + id + ", which failed";
            return Verdict::kCancel;
        }
        if (at.parent.empty()) return Verdict::kStart;
        ASSAY_TRY(at, writer.run(at.parent));
    }
}

// Files of the run folder that a worker starts from. References are resolved now, when what they name is finished.
Result<void> writeJob(RuntimeState& state, const RunRow& row, int attempt) {
    const std::string folder = state.store.runFolder(row.id);
    ASSAY_TRY(Resolved resolved, resolveReferences(state.store, *row.spec));
    ASSAY_TRY_VOID(makeFolders(folder));
    if (attempt == 1) ASSAY_TRY_VOID(writeFileDurably(folder + "/spec.yaml", config::jsonToYaml(*row.spec)));
    protocol::WorkerJob job;
    job.runId = row.id;
    job.runFolder = folder;
    job.storeFolder = state.store.folder();
    job.attempt = attempt;
    job.resume = row.resume;
    job.spec = std::move(resolved.spec);
    job.setups = std::move(resolved.setups);
    return writeFileDurably(folder + "/job.json", dumpJson(protocol::jobToJson(job), 2));
}

Result<void> failLaunch(RuntimeState& state, const std::string& id, Error error) {
    return state.store.write(store::Promise::kDurable, [&](Writer& writer) -> Result<void> {
        ASSAY_TRY(RunRow row, writer.run(id));
        row.error = errorToJson(error);
        row.endedAt = wallSeconds();
        ASSAY_TRY(bool changed, applyEvent(writer, row, RunEvent::kLaunchFailed, error.message));
        (void)changed;
        return {};
    });
}

Result<void> launch(RuntimeState& state, const std::string& id) {
    RunRow row;
    ASSAY_TRY_VOID(state.store.read([&](store::Reader& reader) -> Result<void> {
        ASSAY_TRY(row, reader.run(id, true));
        return {};
    }));
    const int attempt = row.attempt + 1;
    const auto shape = groupShape(*row.spec);
    if (!shape) return failLaunch(state, id, shape.error());
    if (auto written = writeJob(state, row, attempt); !written) return failLaunch(state, id, written.error());
    // "starting" is in the store before the process is, so that a worker can never be unknown to a later engine.
    ASSAY_TRY_VOID(state.store.write(store::Promise::kDurable, [&](Writer& writer) -> Result<void> {
        ASSAY_TRY(row, writer.run(id));
        row.attempt = attempt;
        row.pid = 0;
        row.startTicks = 0;
        row.end = nullptr;
        row.error = nullptr;
        row.progress = nullptr;
        row.resumedFrom.reset();
        ASSAY_TRY(bool changed, applyEvent(writer, row, RunEvent::kLaunch, ""));
        if (!changed) return fail(ErrorCode::kInternal, "run " + id + " left the queue while it was started");
        return {};
    }));
    ActiveRun run;
    run.id = id;
    run.attempt = attempt;
    if (auto started = launchGroup(state, run, *shape); !started) return failLaunch(state, id, started.error());
    const ProcessHandle worker = run.worker;
    run.baseSeconds = row.runningSeconds;
    run.sessionStart = wallSeconds();
    state.active.emplace(id, run);
    return state.store.write(store::Promise::kDurable, [&](Writer& writer) -> Result<void> {
        ASSAY_TRY(row, writer.run(id));
        row.pid = worker.pid;
        row.startTicks = worker.startTicks;
        return writer.updateRun(row);
    });
}

// One pass over the queue; the id to start next, or nothing.
Result<std::optional<std::string>> pick(RuntimeState& state) {
    std::optional<std::string> next;
    int waiting = 0;
    ASSAY_TRY_VOID(state.store.write(store::Promise::kBatch, [&](Writer& writer) -> Result<void> {
        // A cancellation may make others impossible, so look again until nothing changes.
        for (bool again = true; again;) {
            again = false;
            waiting = 0;
            next.reset();
            ASSAY_TRY(auto rows, writer.unfinished());
            for (RunRow& row : rows) {
                if (!row.leaf || row.status != RunStatus::kQueued) continue;
                std::string reason;
                ASSAY_TRY(Verdict verdict, judge(writer, row, reason));
                if (verdict == Verdict::kCancel) {
                    ASSAY_TRY(bool changed, applyEvent(writer, row, RunEvent::kDependencyFailed, reason));
                    again |= changed;
                }
                if (verdict == Verdict::kStart) {
                    ++waiting;
                    if (!next) next = row.id;
                }
            }
        }
        return {};
    }));
    state.waitingCount = waiting;
    return next;
}

}  // namespace

void schedule(RuntimeState& state) {
    state.scheduleWanted = false;
    while (true) {
        auto next = pick(state);
        if (!next) {
            logWarning("runtime", "queue: " + next.error().text() + "; trying again");
            state.scheduleWanted = true;
            break;
        }
        if (!*next || static_cast<int>(state.active.size()) >= state.options.maxActive) break;
        if (auto done = launch(state, **next); !done) {
            logWarning("runtime", "run " + **next + ": " + done.error().text());
            state.scheduleWanted = true;
            break;
        }
    }
    state.activeCount = static_cast<int>(state.active.size());
}

}  // namespace assay::runtime
