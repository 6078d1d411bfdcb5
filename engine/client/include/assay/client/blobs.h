#pragma once
#include <assay/client/sync_client.h>
#include <assay/core/progress.h>

#include <string>

namespace assay::client {

// Brings a file of this machine to the engine, in pieces, and returns its reference "blob:<sha256>". Content the engine
// already has is not sent again. Reads the file twice (hash, pieces) and never holds more than one piece.
Result<std::string> uploadFile(SyncClient& client, const std::string& path, const ProgressSink& progress = {});

}  // namespace assay::client
