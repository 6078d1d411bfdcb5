#pragma once
#include <assay/protocol/worker_context.h>

#include <string>

#include "assay/train/trainer.h"

namespace assay::train {

struct EarlierProgress {
    int64_t step = 0;    // last step an earlier session of the run reported
    double seconds = 0;  // its running time
};
// Reads the end of the run's event file.
EarlierProgress earlierProgress(const std::string& eventFile);

// Continues from the newest sound checkpoint of the run when the job says so: restores, warns about damaged ones and
// about circumstances that differ, records `resumed`. Without any checkpoint the run starts at step 0.
Result<void> resumeIfAsked(protocol::WorkerContext& context, Trainer& trainer, const std::string& checkpointFolder, const Circumstances& now);

}  // namespace assay::train
