#pragma once
// The worker kinds of this folder. Listed in app/worker/kinds.cpp.

#include <assay/data/prepare.h>
#include <assay/protocol/worker_context.h>

#include <string>

namespace assay::train {

Result<protocol::Outcome> runPrepare(protocol::WorkerContext& context);
Result<protocol::Outcome> runTrain(protocol::WorkerContext& context);
Result<protocol::Outcome> runVerify(protocol::WorkerContext& context);  // steps of a train run done again and compared

// Opens a prepared folder, or the folder of a prepare run (its artifacts/data.json says where the data lies).
Result<data::PreparedPtr> openPrepared(const std::string& path);

}  // namespace assay::train
