#pragma once
// The life of runs: submit, queue, launch, follow, stop, resume. One thread of its own does the work; every function may
// be called from any thread and answers when its effect is in the store.

#include <assay/config/config.h>
#include <assay/runtime/launcher.h>
#include <assay/store/store.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace assay::runtime {

struct RuntimeOptions {
    int maxActive = 1;            // workers at once
    double tickSeconds = 0.05;    // how often event files are looked at while a run is active
    double startGraceSeconds = 10;  // a worker that was being started when the engine died may still appear so long
    double exitGraceSeconds = 20;   // a worker that wrote its end record must be gone after this
    double groupGraceSeconds = 5;   // the other ranks must be gone so long after one of them died
    int restarts = 3;               // times that a run of several ranks is started again after one died
};

struct Submitted {
    std::string run;
    std::vector<std::string> children;  // all runs below it, in order
};
struct Resumed {
    std::string run;
    std::optional<int64_t> fromStep;  // newest committed checkpoint; nothing: from the beginning
};
struct LogPart {
    std::string text;
    int64_t offset = 0;  // of the first byte
    int64_t next = 0;    // where to go on
    int64_t size = 0;    // of the whole log now
};

struct RankState {
    int rank = 0, pid = -1;  // -1: not known yet
    bool running = false;
};

struct RuntimeState;

class Runtime {
public:
    // Takes up what an earlier engine left: live workers are followed on, dead ones become interrupted.
    static Result<std::unique_ptr<Runtime>> start(store::Store& store, std::unique_ptr<Launcher> launcher, const RuntimeOptions& options = {});
    ~Runtime();  // workers go on

    // `spec`: what config::specToJson wrote. The same key again gives the same run. `hold`: not started before a resume.
    Result<Submitted> submit(const Json& spec, const std::string& yaml, const std::string& idempotencyKey, const std::string& forkOf = {}, bool hold = false);
    // Queued runs are cancelled, active ones asked to stop; again, or with discard, they are killed.
    Result<void> stop(const std::string& run, bool discard);
    Result<Resumed> resume(const std::string& run);
    Result<Submitted> fork(const std::string& run, const std::vector<std::string>& overrides);
    Result<void> remove(const std::string& run);
    // offset < 0: from the end. maxBytes is capped at 1 MiB.
    Result<LogPart> log(const std::string& run, int64_t offset, int64_t maxBytes);

    // The processes of a run that has several and is active; at once, whatever else is going on.
    std::vector<RankState> ranks(const std::string& run) const;
    int activeRuns() const;
    bool idle() const;  // nothing active and nothing that could start

private:
    explicit Runtime(std::unique_ptr<RuntimeState> state);
    std::unique_ptr<RuntimeState> state_;
};

}  // namespace assay::runtime
