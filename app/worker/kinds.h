#pragma once
#include <assay/protocol/worker_context.h>

#include <string_view>

namespace assay::worker {

using KindFunction = Result<protocol::Outcome> (*)(protocol::WorkerContext&);

// Null for a kind that is not run by a worker (pipelines are queued by the engine).
KindFunction findKind(std::string_view name);

}  // namespace assay::worker
