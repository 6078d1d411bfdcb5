#pragma once
// The inference kinds of a worker (protocol/worker_context.h). Records, set-ups and result documents: engine/runtime/EVENTS.md
// and the command table of the contract.

#include <assay/protocol/worker_context.h>

namespace assay::infer {

Result<protocol::Outcome> runEvaluate(protocol::WorkerContext& context);
Result<protocol::Outcome> runQuantize(protocol::WorkerContext& context);
Result<protocol::Outcome> runBenchmark(protocol::WorkerContext& context);
Result<protocol::Outcome> runGenerate(protocol::WorkerContext& context);

}  // namespace assay::infer
