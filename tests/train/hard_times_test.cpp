// Memory that is not given and disks that fail: every run ends with an error that says so, and the last checkpoint is whole and
// leads to the bits of the unbroken run.
#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <cerrno>
#include <new>

#include <assay/nn/errors.h>

#include "failing_sync.h"
#include "training_fixture.h"

namespace assay::train {
namespace {

using testing::FailingSync;
using testing::tinyConfig;
using testing::TrainingRun;

// The n-th allocation of a tensor on this thread is refused, as the system would refuse it.
class FailingAllocation {
public:
    explicit FailingAllocation(int64_t n) : state_(std::make_shared<State>(n)), guard_(c10::DebugInfoKind::PROFILER_STATE, state_) {}
    int64_t seen() const { return state_->seen; }

private:
    struct State : public c10::MemoryReportingInfoBase {
        explicit State(int64_t at) : n(at) {}
        void reportMemoryUsage(void*, int64_t size, size_t, size_t, c10::Device) override {
            if (size > 0 && ++seen == n) throw std::bad_alloc();
        }
        bool memoryProfilingEnabled() const override { return true; }
        int64_t n, seen = 0;
    };
    std::shared_ptr<State> state_;
    c10::DebugInfoGuard guard_;
};

// Runs as a worker does: what is thrown becomes an Error.
Result<TrainResult> runCaught(TrainingRun& run) {
    try {
        return run.trainer->run();
    } catch (const std::exception& e) {
        return fail(nn::errorFromException(e));
    }
}

void prepare(TrainingRun& run) {
    run.input.spec.checkpoint.background = false;  // saving allocates on this thread as well
    run.input.spec.evalEvery = 5;
    run.create();
}

TEST(OutOfMemory, AtAnyAllocationEndsCleanlyWithTheLastCheckpointIntact) {
    TrainingRun whole("oom-whole");
    int64_t all = 0;
    prepare(whole);
    {
        const FailingAllocation counting(-1);
        ASSERT_TRUE(runCaught(whole));
        all = counting.seen();
    }
    ASSERT_GT(all, 1000);
    const std::string weights = whole.bytes(12, "model.safetensors"), moments = whole.bytes(12, "optimizer.safetensors");
    int64_t failed = 0, resumed = 0;
    // The first ones, then about 120 spread over the run.
    for (int64_t n = 1; n <= all; n += n < 40 ? 3 : std::max<int64_t>(1, all / 121)) {
        TrainingRun run("oom");
        prepare(run);
        Result<TrainResult> result;
        {
            const FailingAllocation failing(n);
            result = runCaught(run);
        }
        if (result) continue;  // LibTorch may do without, for a scratch buffer
        ++failed;
        EXPECT_EQ(result.error().code, ErrorCode::kOutOfMemory) << n << ": " << result.error().text();
        EXPECT_NE(result.error().hint.find("micro_batch"), std::string::npos);
        for (const auto& entry : std::filesystem::directory_iterator(run.input.checkpointFolder)) {
            EXPECT_FALSE(entry.path().filename().string().starts_with('.')) << n << ": " << entry.path();
            EXPECT_TRUE(!entry.is_directory() || verifyCheckpoint(entry.path().string())) << n;
        }
        const auto found = newestCheckpoint(run.input.checkpointFolder, {});
        if (!found || failed % 10 != 0) continue;
        ++resumed;
        run.fresh(tinyConfig());
        run.create();
        ASSERT_TRUE(run.trainer->restore(*loadCheckpoint(*found)));
        run.run();
        EXPECT_TRUE(run.bytes(12, "model.safetensors") == weights) << n;
        EXPECT_TRUE(run.bytes(12, "optimizer.safetensors") == moments) << n;
    }
    EXPECT_GT(failed, 100);
    EXPECT_GT(resumed, 5);
}

TEST(FailingDisk, ASyncThatFailsKeepsTheOldCheckpointAndFailsTheRun) {
    for (const bool background : {false, true}) {
        int total = 0;
        {
            TrainingRun run("sync-count");
            run.input.spec.checkpoint.background = background;
            run.input.totalSteps = 4;
            const FailingSync counting(-1, 0);
            run.run();
            total = counting.calls();
        }
        ASSERT_GE(total, 6);  // weights, moments, state, manifest, folders
        for (int call = 1; call <= total; ++call)
            for (const int error : {EIO, ENOSPC}) {
                TrainingRun run("sync");
                run.input.spec.checkpoint.background = background;
                run.input.totalSteps = 4;
                run.run();
                run.fresh(tinyConfig());
                run.input.totalSteps = 8;
                run.create();
                ASSERT_TRUE(run.trainer->restore(*loadCheckpoint(*newestCheckpoint(run.input.checkpointFolder, {}))));
                Result<TrainResult> result;
                {
                    const FailingSync failing(call, error);
                    result = runCaught(run);
                }
                ASSERT_FALSE(result) << call;
                EXPECT_NE(result.error().text().find(run.input.checkpointFolder), std::string::npos) << result.error().text();  // which file or folder
                EXPECT_EQ(result.error().code, error == ENOSPC ? ErrorCode::kDiskFull : ErrorCode::kIo) << result.error().text();
                const auto found = newestCheckpoint(run.input.checkpointFolder, {});
                ASSERT_TRUE(found) << call;
                // What comes after the rename of the new one (its parent, best.json) leaves that one in place, and whole.
                if (found->step == 4) {
                    EXPECT_NE(result.error().text().find("checkpoint of step 8"), std::string::npos) << result.error().text();
                }
                EXPECT_TRUE(found->step == 4 || call + 3 >= total) << call << " of " << total;
                for (const auto& entry : std::filesystem::directory_iterator(run.input.checkpointFolder)) EXPECT_FALSE(entry.path().filename().string().starts_with('.')) << entry.path();
            }
    }
}

}  // namespace
}  // namespace assay::train
