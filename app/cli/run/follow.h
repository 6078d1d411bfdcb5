#pragma once
// Waiting for a run with live progress. State comes from the engine's rows; events only say when to look again, so a
// lost connection or an engine that was restarted changes nothing.

#include "context.h"

namespace assay::cli {

bool isFinal(const std::string& status);  // done, failed, cancelled, interrupted

struct Followed {
    Json run;              // as runs.get gives it
    bool detached = false;  // left while it still runs (second Ctrl-C)
};
// Until the run ends. The first Ctrl-C asks it to stop at the next step, the second leaves it.
Result<Followed> followRun(Context& context, const std::string& run);

// What the exit code of a run's end is: 0 done, 130 cancelled, that of its error when it failed, else 1.
int exitCodeOfRun(const Json& run);
// The error of the run, or of the child that failed first.
Error errorOfRun(const Json& run);

// {"run","status","children","summary"} and the error when there is one.
Json runDocument(const Json& run);
// The stages of a run with status, time and main figures, for people.
std::string stageTable(const Json& run);

// Prints how a followed run ended (document or table, and the error) and gives the exit code. `extra` is added to the
// document.
int showOutcome(Context& context, const Followed& followed, const Json& extra = Json::object());

}  // namespace assay::cli
