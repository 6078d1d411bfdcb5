#pragma once
#include <assay/core/json.h>

#include <cstdint>
#include <string>

namespace assay::worker {

// Physical cores this process may run on: hardware threads that share a core count once.
int64_t visibleCores();

// Must come before the first tensor operation: intra-op threads, one inter-op thread, allocator and library settings.
// Without a number of threads the ranks on this machine share its cores.
void setUpThreads(int64_t threads, int ranksHere);

// What a result depends on besides the spec: machine, libraries, threads, load (environment.json of the run folder).
// `device`: cpu or the name of the GPU.
Json describeEnvironment(int rank, int world, const std::string& device);

}  // namespace assay::worker
