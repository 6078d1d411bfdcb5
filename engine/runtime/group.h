#pragma once
// The processes of one run: one, or the ranks of a data-parallel group. They begin together and end together.

#include "runtime_state.h"

namespace assay::runtime {

// How many processes the spec asks for, and what starts them.
struct GroupShape {
    int ranks = 1;
    bool torchrun = false;
};
// kUnsupported: a launcher that this build does not have.
Result<GroupShape> groupShape(const Json& spec);

// Starts all ranks of a run whose job.json is written; with an error none is left running.
Result<void> launchGroup(RuntimeState& state, ActiveRun& run, const GroupShape& shape);
// After the engine was started anew: the ranks beside rank 0, as they introduced themselves in their event files.
void findGroup(RuntimeState& state, ActiveRun& run, int ranks, int attempt);

// Looks at every process; sets run.gone when all have ended. Once one ended badly the others get a short time to end by
// themselves, and are killed then: nobody waits for the dead.
void pollGroup(RuntimeState& state, ActiveRun& run);
void showGroup(RuntimeState& state, const ActiveRun& run);  // for Runtime::ranks
void askGroupToStop(RuntimeState& state, const ActiveRun& run);
void killGroup(RuntimeState& state, ActiveRun& run);

// What an end of a group means when rank 0 did not say that the run is done or was stopped.
struct GroupFault {
    bool restart = false;  // a process died or fell silent: the run can go on from its last checkpoint
    std::string reason;
    Json error;            // of the rank that failed by itself
};
GroupFault judgeGroup(const RunRow& row, const ActiveRun& run);

}  // namespace assay::runtime
