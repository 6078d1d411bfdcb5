#include <assay/runtime/state_machine.h>
#include <gtest/gtest.h>

#include <array>

using namespace assay::runtime;
using S = RunStatus;

// Every (status, event) pair. Columns: launch, launch failed, hello, stop, discard, ended done, ended failed, ended
// cancelled, died, killed, dependency failed, resume. "-": refused.
TEST(StateMachine, EveryPair) {
    const std::pair<S, std::array<const char*, kRunEventCount>> table[] = {
        {S::kQueued, {"starting", "failed", "-", "cancelled", "cancelled", "-", "-", "-", "-", "-", "cancelled", "-"}},
        {S::kStarting, {"-", "failed", "running", "stopping", "stopping", "done", "failed", "cancelled", "interrupted", "cancelled", "-", "-"}},
        {S::kRunning, {"-", "-", "-", "stopping", "stopping", "done", "failed", "cancelled", "interrupted", "cancelled", "-", "-"}},
        {S::kStopping, {"-", "-", "-", "stopping", "stopping", "done", "failed", "cancelled", "interrupted", "cancelled", "-", "-"}},
        {S::kDone, {"-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-"}},
        {S::kFailed, {"-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "queued"}},
        {S::kCancelled, {"-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "queued"}},
        {S::kInterrupted, {"-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "queued"}},
    };
    ASSERT_EQ(std::size(table), static_cast<size_t>(assay::store::kRunStatusCount));
    for (const auto& [status, row] : table)
        for (int e = 0; e < kRunEventCount; ++e) {
            auto next = nextStatus(status, static_cast<RunEvent>(e));
            EXPECT_EQ(next ? std::string(assay::store::statusName(*next)) : "-", row[static_cast<size_t>(e)])
                << assay::store::statusName(status) << " + " << eventName(static_cast<RunEvent>(e));
        }
}

TEST(StateMachine, ParentFollowsItsChildren) {
    const std::pair<std::vector<S>, S> table[] = {
        {{S::kQueued, S::kQueued}, S::kQueued},
        {{S::kStarting, S::kQueued}, S::kStarting},
        {{S::kRunning, S::kQueued}, S::kRunning},
        {{S::kDone, S::kQueued}, S::kRunning},
        {{S::kDone, S::kStarting}, S::kRunning},
        {{S::kFailed, S::kQueued}, S::kRunning},
        {{S::kFailed, S::kCancelled}, S::kFailed},
        {{S::kInterrupted, S::kCancelled}, S::kInterrupted},
        {{S::kDone, S::kCancelled}, S::kCancelled},
        {{S::kDone, S::kDone}, S::kDone},
        {{S::kStopping, S::kCancelled}, S::kStopping},
        {{S::kStopping, S::kRunning}, S::kRunning},
        {{}, S::kDone},
    };
    for (const auto& [children, parent] : table) EXPECT_EQ(derivedStatus(children), parent);
}
