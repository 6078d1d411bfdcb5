#pragma once
// What happens to a run, as one pure function.

#include <assay/store/types.h>

#include <optional>
#include <span>
#include <string_view>

namespace assay::runtime {

using store::RunStatus;

enum class RunEvent {
    kLaunch,            // the queue picked it
    kLaunchFailed,      // a reference is missing, or the worker cannot be started
    kHello,             // first record of the session
    kStop,              // asked to stop and keep a checkpoint
    kDiscard,           // asked to stop at once
    kEndedDone,         // the session's end record
    kEndedFailed,
    kEndedCancelled,
    kDied,              // the process is gone without an end record
    kKilled,            // the same, after kDiscard
    kDependencyFailed,  // a run that it needs will not be done
    kResume,
};
inline constexpr int kRunEventCount = 12;
std::string_view eventName(RunEvent event);

// The next status, or nothing when the event is refused (or, coming from a worker, ignored) in this status.
std::optional<RunStatus> nextStatus(RunStatus status, RunEvent event);

// The status of a run that has children: active while one is, queued while nothing has begun, and then the worst end:
// failed, interrupted, cancelled, done.
RunStatus derivedStatus(std::span<const RunStatus> children);

}  // namespace assay::runtime
