#include <assay/torch.h>

#include <atomic>
#include <optional>
#include <thread>

#include <assay/core/clock.h>
#include <assay/nn/errors.h>

#include "assay/train/checkpoint.h"
#include "live_tensors.h"

namespace assay::train {

struct CheckpointWriter::Running {
    std::atomic<bool> done{false};
    std::optional<Error> error;  // read after done
    std::unique_ptr<LiveTensors> live;
    std::jthread thread;
};

CheckpointWriter::CheckpointWriter(Options options) : options_(std::move(options)) {}
CheckpointWriter::~CheckpointWriter() { (void)finish(); }

Result<void> CheckpointWriter::save(Snapshot snapshot) {
    const double start = monotonicSeconds();
    ASSAY_TRY_VOID(finish());
    waited_ += monotonicSeconds() - start;
    running_ = std::make_unique<Running>();
    if (options_.background && !snapshot.copies) running_->live = std::make_unique<LiveTensors>(snapshot);
    auto work = [this, state = running_.get(), snapshot = std::move(snapshot)]() mutable {
        std::optional<nn::MemoryScope> scope;
        if (options_.meter && options_.background) scope.emplace(*options_.meter);  // else the caller's thread is counted already
        try {
            if (snapshot.copies) snapshot.copies->wait();
            auto written = writeCheckpoint(options_.folder, snapshot, state->live.get());
            if (written) {
                if (auto best = noteBest(options_.folder, snapshot); best) written->best = *best;
                else written = fail(std::move(best.error()));
            }
            if (state->live) state->live->drop();  // freed on a counted thread, before anybody waits for us
            snapshot = {};
            if (written) {
                if (options_.committed) options_.committed(*written);
                if (auto pruned = pruneCheckpoints(options_.folder, options_.keep); !pruned) state->error = pruned.error();
            } else {
                state->error = written.error();
            }
        } catch (const std::exception& e) {
            if (state->live) state->live->drop();
            state->error = nn::errorFromException(e);
        }
        state->done = true;
    };
    if (options_.background) {
        running_->thread = std::jthread(std::move(work));
        return {};
    }
    work();
    return finish();
}

void CheckpointWriter::settle() {
    if (!busy() || !running_->live) return;
    const double start = monotonicSeconds();
    running_->live->settle();
    settled_ += monotonicSeconds() - start;
}

bool CheckpointWriter::busy() const { return running_ && !running_->done; }

Result<void> CheckpointWriter::poll() {
    if (running_ && running_->done) return finish();
    return {};
}

Result<void> CheckpointWriter::finish() {
    if (!running_) return {};
    if (running_->thread.joinable()) running_->thread.join();
    auto finished = std::move(running_);
    if (finished->error) return fail(*finished->error);
    return {};
}

}  // namespace assay::train
