#include "assay/runtime/state_machine.h"

#include <algorithm>

namespace assay::runtime {

std::string_view eventName(RunEvent event) {
    constexpr std::string_view kNames[kRunEventCount] = {"launch",          "launch failed", "hello", "stop",   "discard",           "ended done", "ended failed",
                                                         "ended cancelled", "died",          "killed", "dependency failed", "resume"};
    return kNames[static_cast<int>(event)];
}

std::optional<RunStatus> nextStatus(RunStatus status, RunEvent event) {
    using S = RunStatus;
    using E = RunEvent;
    switch (status) {
        case S::kQueued:
            switch (event) {
                case E::kLaunch: return S::kStarting;
                case E::kLaunchFailed: return S::kFailed;
                case E::kStop:
                case E::kDiscard:
                case E::kDependencyFailed: return S::kCancelled;
                default: return {};
            }
        case S::kStarting:
        case S::kRunning:
        case S::kStopping:
            switch (event) {
                case E::kLaunchFailed: return status == S::kStarting ? std::optional(S::kFailed) : std::nullopt;
                case E::kHello: return status == S::kStarting ? std::optional(S::kRunning) : std::nullopt;
                case E::kStop:
                case E::kDiscard: return S::kStopping;
                case E::kEndedDone: return S::kDone;
                case E::kEndedFailed: return S::kFailed;
                case E::kEndedCancelled: return S::kCancelled;
                case E::kDied: return S::kInterrupted;
                case E::kKilled: return S::kCancelled;
                default: return {};
            }
        case S::kFailed:
        case S::kCancelled:
        case S::kInterrupted: return event == E::kResume ? std::optional(S::kQueued) : std::nullopt;
        case S::kDone: return {};
    }
    return {};
}

RunStatus derivedStatus(std::span<const RunStatus> children) {
    auto count = [&](RunStatus s) { return std::count(children.begin(), children.end(), s); };
    const auto all = static_cast<std::ptrdiff_t>(children.size());
    const auto queued = count(RunStatus::kQueued), starting = count(RunStatus::kStarting), running = count(RunStatus::kRunning),
               stopping = count(RunStatus::kStopping);
    if (queued == all && all > 0) return RunStatus::kQueued;
    if (running > 0) return RunStatus::kRunning;
    if (stopping > 0) return RunStatus::kStopping;
    if (starting > 0 || queued > 0) return starting + queued == all ? RunStatus::kStarting : RunStatus::kRunning;
    for (RunStatus worst : {RunStatus::kFailed, RunStatus::kInterrupted, RunStatus::kCancelled})
        if (count(worst) > 0) return worst;
    return RunStatus::kDone;
}

}  // namespace assay::runtime
