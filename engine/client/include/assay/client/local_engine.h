#pragma once
#include <assay/client/endpoint.h>

#include <string>

namespace assay::client {

struct LocalEngineOptions {
    std::string store;            // absolute
    std::string program;          // empty: assay-engine beside the running program
    int idleExitSeconds = 60;     // the engine leaves so long after its last client when nothing runs; 0: stays
    double deadlineSeconds = 20;  // until it answers
};

// The engine of a store: the one that runs, or one started now, detached, in its own session. Blocks. Two programs that
// do this at once end with the same engine. kBusy, kVersionMismatch … when it cannot start, with its own words.
Result<Endpoint> ensureLocalEngine(const LocalEngineOptions& options, bool* started = nullptr);

}  // namespace assay::client
