// The held-out loss during training.
#include <assay/torch.h>

#include <cmath>
#include <limits>

#include "assay/train/trainer.h"

namespace assay::train {

Result<std::vector<at::Tensor>> Trainer::averageWeights() {
    if (parallel_) return parallel_->whole(average_->state());
    return average_->values();
}

Result<double> Trainer::evaluate() {
    at::NoGradGuard noGrad;
    input_.model->setTraining(false);
    std::optional<WeightAverage::Scope> averaged;
    if (average_) {
        writer_->settle();  // the average takes the place of the weights for a while
        ASSAY_TRY(const auto weights, averageWeights());
        averaged.emplace(weights, input_.model->parameters());
    }
    ASSAY_TRY(auto loader, input_.makeLoader(true, 0));
    std::vector<double> sums{0, 0};  // NLL, scored tokens
    at::Tensor total;
    data::Batch batch;
    while (true) {
        ASSAY_TRY_VOID(loader->next(batch));
        if (batch.rows == 0) break;
        if (batch.labelledTokens == 0) continue;
        ASSAY_TRY(nn::Inputs inputs, inputsOf(batch, input_.model->config(), input_.model->device()));
        const at::Tensor loss = lossOf(inputs, labelsOf(batch), 1.0);
        total = total.defined() ? total.add_(loss) : loss;
        sums[1] += static_cast<double>(batch.labelledTokens);
        if (input_.stop.stop_requested() && input_.group->world() == 1) break;
    }
    if (total.defined()) sums[0] = total.item<double>();  // once: a GPU is not waited for after every batch
    ASSAY_TRY_VOID(input_.group->allReduce(sums));
    evalTokens_ = sums[1];
    return sums[1] > 0 ? sums[0] / sums[1] : std::numeric_limits<double>::quiet_NaN();
}

Result<void> Trainer::evaluateAndRecord() {
    input_.events->record("phase", {{"name", "evaluating"}});
    ASSAY_TRY(double loss, evaluate());
    input_.events->record("phase", {{"name", "training"}});
    if (input_.stop.stop_requested() && input_.group->world() == 1) return {};  // cut short: not a measurement
    state_.evalLoss = loss;
    state_.evalStep = state_.step;
    protocol::MetricRecord row{state_.step, runningSeconds(), state_.tokens, {{"eval/loss", loss}, {"eval/perplexity", std::exp(loss)}}};
    if (input_.group->rank() == 0) record(std::move(row));
    if (const auto& early = input_.spec.earlyStop) {
        const double value = early->metric == "eval/perplexity" ? std::exp(loss) : early->metric == "train/loss" ? state_.loss : loss;
        if (state_.badEvaluations < 0 || value < state_.bestMetric) {
            state_.bestMetric = value;
            state_.badEvaluations = 0;
        } else if (++state_.badEvaluations >= early->patience) {
            state_.stoppedEarly = true;
        }
    }
    return {};
}

}  // namespace assay::train
