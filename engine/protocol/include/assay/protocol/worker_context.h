#pragma once
// What a worker kind (prepare, train, evaluate, quantize, benchmark, generate) gets to work with. A kind is one function
// `Result<Outcome> runKind(WorkerContext&)`, listed in app/worker/kinds.cpp.

#include <assay/core/progress.h>
#include <assay/protocol/event_writer.h>
#include <assay/protocol/job.h>

#include <stop_token>
#include <string>

namespace assay::protocol {

enum class Outcome { kDone, kCancelled };  // failure is the Error of the Result

struct WorkerContext {
    const WorkerJob& job;
    EventWriter& events;
    std::stop_token stop;   // SIGTERM: finish the step, commit a checkpoint, return kCancelled
    ProgressSink progress;  // becomes "progress" records
    int rank = 0, world = 1;
    int cudaDevice = -1;            // the GPU to compute on; −1: the CPU
    std::string deviceName = "cpu";  // or the GPU's
};

}  // namespace assay::protocol
