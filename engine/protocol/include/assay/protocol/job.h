#pragma once
// What the engine hands to a worker: `assay-worker --job RUN_FOLDER/job.json`.

#include <assay/core/json.h>

#include <string>

namespace assay::protocol {

struct WorkerJob {
    std::string runId;
    std::string runFolder;   // absolute; events.rank<N>.jsonl, checkpoints/, artifacts/ are made in it
    std::string storeFolder; // absolute; shared data cache under storeFolder/cache
    int attempt = 1;         // 1 for the first start, +1 for each resume
    bool resume = false;     // continue from the newest committed checkpoint of the run, if there is one
    Json spec;               // specToJson with run: and blob: references replaced by absolute paths
    Json setups = Json::array();  // [{"name","path"}]: quantized set-ups to benchmark, in order
};

Json jobToJson(const WorkerJob& job);
Result<WorkerJob> jobFromJson(const Json& json);

// Exit codes of a worker; the end record in the event file says more. Anything else, or a signal: it died.
enum class WorkerExit : int { kDone = 0, kFailed = 1, kBadSpec = 2, kCancelled = 130 };

}  // namespace assay::protocol
