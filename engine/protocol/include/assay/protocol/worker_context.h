#pragma once
// What a worker kind (prepare, train, evaluate, quantize, benchmark, generate) gets to work with. A kind is one function
// `Result<Outcome> runKind(WorkerContext&)`, listed in app/worker/kinds.cpp.

#include <assay/core/progress.h>
#include <assay/protocol/event_writer.h>
#include <assay/protocol/job.h>

#include <stop_token>

namespace assay::protocol {

enum class Outcome { kDone, kCancelled };  // failure is the Error of the Result

struct WorkerContext {
    const WorkerJob& job;
    EventWriter& events;
    std::stop_token stop;   // SIGTERM: finish the step, commit a checkpoint, return kCancelled
    ProgressSink progress;  // becomes "progress" records
    int rank = 0, world = 1;
};

}  // namespace assay::protocol
