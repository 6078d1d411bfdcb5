// train.on_nonfinite: what happens after a step whose loss or gradients are not finite. All ranks see the same numbers and
// decide the same; what was decided is part of the state, so that a resumed run decides it again.
#include <assay/torch.h>

#include <cmath>

#include "assay/train/trainer.h"

namespace assay::train {
namespace {

constexpr int64_t kMostRollbacksInARow = 3;

bool finite(const Trainer& trainer, const std::vector<nn::Parameter>& parameters) {
    at::NoGradGuard noGrad;
    for (const nn::Parameter& p : parameters)
        if (!std::isfinite(p.value.sum(at::kDouble).item<double>())) return false;  // one value that is not finite spoils the sum
    for (const StateTensor& s : trainer.optimizer().state())
        if (at::isFloatingType(s.value.scalar_type()) && !std::isfinite(s.value.sum(at::kDouble).item<double>())) return false;
    return true;
}

}  // namespace

Result<void> Trainer::handleNonFinite(const StepReport& step) {
    if (step.notFinite.empty()) {
        if (!step.overflow) state_.skippedInARow = 0;
        return {};
    }
    const std::string what = "step " + std::to_string(state_.step) + ": " + step.notFinite + " is not finite (loss " + std::to_string(step.loss) + ", lr " + std::to_string(step.lr) + ")";
    switch (input_.spec.onNonFinite) {
        case config::NonFinite::kStop:
            return fail(ErrorCode::kNonFinite, what, "lower train.optimizer.lr, set train.clip_norm, or choose train.on_nonfinite: skip or rollback");
        case config::NonFinite::kSkip:
            ++state_.skippedSteps;
            if (++state_.skippedInARow > input_.spec.skipLimit)
                return fail(ErrorCode::kNonFinite, what + "; " + std::to_string(input_.spec.skipLimit) + " steps in a row were left out before it",
                            "the weights themselves are spoiled, or the rate is far too high: lower train.optimizer.lr, or choose train.on_nonfinite: rollback");
            if (input_.group->rank() == 0) input_.events->log("warning", what + "; the update is skipped");
            return {};
        case config::NonFinite::kRollback: return rollBack(what);
    }
    return {};
}

// The newest checkpoint whose weights and moments are finite: a step may have spoiled them before the loss showed it. Rank 0
// looks, all take the same.
Result<void> Trainer::pickGoodCheckpoint(LoadedCheckpoint& out) {
    ASSAY_TRY_VOID(writer_->finish());
    ASSAY_TRY_VOID(input_.group->barrier());
    auto found = listCheckpoints(input_.checkpointFolder);
    const double newest = found.empty() ? -1 : static_cast<double>(found.back().step);
    std::vector<double> limit{newest};
    ASSAY_TRY_VOID(input_.group->allReduce(limit, dist::Reduce::kMin));
    for (auto it = found.rbegin(); it != found.rend(); ++it) {
        if (static_cast<double>(it->step) > limit[0]) continue;
        auto good = verifyCheckpoint(it->path);
        std::vector<double> sound{good ? 1.0 : 0.0};
        ASSAY_TRY_VOID(input_.group->allReduce(sound, dist::Reduce::kMin));
        if (sound[0] == 0) {
            if (!good && input_.group->rank() == 0) input_.events->log("warning", good.error().text() + "; trying the one before");
            continue;
        }
        ASSAY_TRY(out, loadCheckpoint(*it));
        ASSAY_TRY_VOID(restore(out));
        std::vector<double> usable{finite(*this, input_.model->parameters()) ? 1.0 : 0.0};
        ASSAY_TRY_VOID(input_.group->allReduce(usable, dist::Reduce::kMin));
        if (usable[0] > 0) return {};
        if (input_.group->rank() == 0) input_.events->log("warning", "checkpoint " + it->path + " holds weights that are not finite; trying the one before");
    }
    return fail(ErrorCode::kNonFinite, "nothing to roll back to: no checkpoint with finite weights was committed before the loss became non-finite", "set train.checkpoint.every to a smaller number");
}

// Weights, moments and loss scale of the last good checkpoint, and a lower rate; steps and data go on, so that the same
// batches are not met again.
Result<void> Trainer::rollBack(const std::string& what) {
    if (state_.rollbacksInARow >= kMostRollbacksInARow)
        return fail(ErrorCode::kNonFinite, what + "; the run went back " + std::to_string(kMostRollbacksInARow) + " times before it without reaching a new checkpoint",
                    "lower train.optimizer.lr, or set train.checkpoint.every to a smaller number");
    const TrainingState now = state_;
    const double before = secondsBefore_;
    const int64_t saved = savedStep_;
    LoadedCheckpoint checkpoint;
    ASSAY_TRY_VOID(pickGoodCheckpoint(checkpoint));
    const int64_t updates = state_.updates;
    state_ = now;
    state_.updates = updates;
    ++state_.rollbacks;
    ++state_.rollbacksInARow;
    state_.rateFactor *= input_.spec.rollbackFactor;
    watch_.setCounts(now.warnings);
    secondsBefore_ = before;
    savedStep_ = saved;
    char rate[40];
    std::snprintf(rate, sizeof rate, "%.4g", state_.rateFactor);
    if (input_.group->rank() == 0) input_.events->log("warning", what + "; back to the checkpoint of step " + std::to_string(checkpoint.info.step) + ", past these batches; from here on the rate is " + rate + " times what train.schedule says");
    return {};
}

}  // namespace assay::train
