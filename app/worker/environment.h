#pragma once
#include <assay/core/json.h>

#include <cstdint>

namespace assay::worker {

// Physical cores this process may run on: hardware threads that share a core count once.
int64_t visibleCores();

// Must come before the first tensor operation: intra-op threads, one inter-op thread, allocator and library settings.
// Without a number of threads the ranks on this machine share its cores.
void setUpThreads(int64_t threads, int ranksHere);

// What a result depends on besides the spec: machine, libraries, threads, load (environment.json of the run folder).
Json describeEnvironment(int rank, int world);

}  // namespace assay::worker
