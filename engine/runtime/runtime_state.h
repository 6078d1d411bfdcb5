#pragma once
#include "assay/runtime/runtime.h"
#include "assay/runtime/state_machine.h"

#include "assay/protocol/events.h"

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

namespace assay::runtime {

// A run is not taken on with less: the engine could not even record how it ended.
constexpr uint64_t kLeastFreeBytes = uint64_t{1} << 20;

using store::RunRow;
using store::Writer;

// A rank beside rank 0.
struct RankWorker {
    int rank = 0;
    ProcessHandle process;  // pid -1: being looked for
    bool gone = false;
    bool silent = false;    // we killed it: the others ended, it did not
    std::string death;
    Json end;               // its end record, read when it was gone
};

// A run with a worker, as this engine process sees it.
struct ActiveRun {
    std::string id;
    ProcessHandle worker;          // rank 0; pid -1: being looked for (engine died while it started one)
    std::vector<RankWorker> others;  // ranks from 1 on
    int attempt = 0;
    bool torchrun = false;         // `worker` is torchrun, which has all ranks as children
    bool leadGone = false, leadSilent = false;  // rank 0: see RankWorker
    double brokenAt = 0;           // monotonic; when the first of several processes was found to have ended badly
    double lookUntil = 0;          // monotonic
    bool killed = false;           // SIGKILL was sent on request
    bool gone = false;             // all processes ended; the rest of its files is read, then the status is decided
    std::string death;
    double endSeenAt = 0;          // monotonic; 0: no end record yet
    double baseSeconds = 0;        // running time of earlier sessions
    double sessionStart = 0;       // wall time of the session's hello
    double retryAt = 0;            // monotonic; after a failed write
    std::map<int, std::string> skipping;  // ranks whose current line is longer than any record
};

struct RuntimeState {
    store::Store& store;
    std::unique_ptr<Launcher> launcher;
    RuntimeOptions options;

    std::mutex mutex;  // everything below, and the order of changes to runs
    std::condition_variable wake;
    bool stopping = false, scheduleWanted = true;
    std::map<std::string, ActiveRun> active;
    mutable std::mutex shownMutex;  // of the next one, held for a moment only
    std::map<std::string, std::vector<RankState>> shown;  // processes of groups
    std::atomic<int> activeCount{0}, waitingCount{0};
    protocol::EventParser parser;
    std::string buffer;  // for reading event files
    std::thread thread;

    explicit RuntimeState(store::Store& s) : store(s) {}
};

// --- parents.cpp
// Applies an event; true when the status changed. Writes the row, its `run` event and everything that follows for the
// parents above it. `reason` replaces the row's reason.
Result<bool> applyEvent(Writer& writer, RunRow& row, RunEvent event, const std::string& reason);
Result<void> saveRun(Writer& writer, const RunRow& row);            // row and `run` event
Result<void> refreshParents(Writer& writer, std::string parent);
Result<std::vector<RunRow>> subtree(Writer& writer, const RunRow& root);  // root first, then below it in order

// --- tailer.cpp
// Reads what was appended to the run's event files; true when something was read.
Result<bool> tailRun(RuntimeState& state, ActiveRun& run);

// --- records.cpp
struct RecordBatch {
    Writer& writer;
    RunRow& row;
    ActiveRun& active;
    int rank = 0;
    std::string prefix;  // of metric names: "" for rank 0, "rank3/" for rank 3
    std::vector<protocol::MetricRecord> metrics;
    bool rowChanged = false;    // columns that nobody needs to be told about at once
    bool runChanged = false;    // a `run` event is due
};
Result<void> applyRecord(RecordBatch& batch, const Json& record);
Result<void> flushMetrics(RecordBatch& batch);

// --- supervise.cpp
void superviseRun(RuntimeState& state, ActiveRun& run);  // sets `gone`, decides the end
Result<void> adoptRuns(RuntimeState& state);

// --- schedule.cpp
void schedule(RuntimeState& state);

// --- references.cpp
struct Resolved {
    Json spec;    // without run: and blob: references
    Json setups;  // for the job
};
Result<Resolved> resolveReferences(store::Store& store, const Json& spec);

std::optional<int64_t> newestCheckpoint(const std::string& runFolder);

}  // namespace assay::runtime
