#pragma once
// Commands that are stored as runs: they make a spec, submit it, wait and print the run's result.

#include <assay/config/spec.h>

#include "context.h"

namespace assay::cli {

struct Submitted {
    std::string run;
    Json children = Json::array();
};
// Sent with an idempotency key: a connection that breaks in between cannot start it twice.
Result<Submitted> submitSpec(Context& context, const Json& spec, const std::string& yaml = {});

// Submits, follows, and gives the document of the run's `result` record; the run's own error when it did not end well.
Result<Json> runJob(Context& context, const config::Spec& spec);

// MODEL of a command: asset:, run: and blob: as they are, everything else an absolute path.
Result<std::string> modelArgument(Context& context, const std::string& text);
// A path of the engine's machine, made absolute against the folder the command runs in, without a slash at its end.
std::string outputFolder(const std::string& path);
// A file the command reads: uploaded, and referred to by its content.
Result<std::string> uploadArgument(Context& context, const std::string& path);
// The same error with the user's name of an uploaded file wherever it names the blob (reference or path in the store).
Error namedAsGiven(Error error, const std::string& reference, const std::string& path);
std::string currentFolder();

}  // namespace assay::cli
