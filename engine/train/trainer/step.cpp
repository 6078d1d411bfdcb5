// One optimizer step.
#include <assay/torch.h>

#include <cmath>

#include <assay/core/clock.h>
#include <assay/core/random.h>

#include "assay/train/schedule.h"
#include "assay/train/trainer.h"

namespace assay::train {

Result<StepReport> Trainer::step(const std::vector<data::Batch>& batches) {
    const double start = monotonicSeconds();
    StepReport report;
    // The loss of every micro-batch is divided by the labelled tokens of the whole step, so accumulation and ranks
    // change nothing (METRICS.md).
    std::vector<double> counts{0, 0};
    for (const data::Batch& b : batches) {
        counts[0] += static_cast<double>(b.realTokens);
        counts[1] += static_cast<double>(b.labelledTokens);
    }
    ASSAY_TRY_VOID(input_.group->allReduce(counts));
    report.tokens = static_cast<int64_t>(counts[0]);
    report.labelled = static_cast<int64_t>(counts[1]);
    const double scale = counts[1] > 0 ? 1.0 / counts[1] : 0.0;

    const auto& parameters = input_.model->parameters();
    for (const nn::Parameter& p : parameters) at::Tensor(p.value).mutable_grad().reset();
    input_.model->setTraining(true);
    const bool draws = input_.model->config().dropout > 0;
    std::vector<double> loss{0};
    for (size_t m = 0; m < batches.size(); ++m) {
        const data::Batch& b = batches[m];
        if (b.labelledTokens == 0) continue;
        ASSAY_TRY(nn::Inputs inputs, inputsOf(b, input_.model->config()));
        if (draws) {  // masks depend on where the run is, not on how it got there
            const uint64_t place = mixBits(static_cast<uint64_t>(state_.step), m * static_cast<uint64_t>(input_.group->world()) + static_cast<uint64_t>(input_.group->rank()));
            at::Generator generator = at::detail::getDefaultCPUGenerator();
            generator.set_current_seed(mixBits(input_.seed, place));
        }
        const at::Tensor labels = at::from_blob(const_cast<int32_t*>(b.labels.data()), {b.rows, b.columns}, at::kInt).to(at::kLong);
        const at::Tensor part = input_.model->loss(inputs, labels, scale);
        part.backward();
        loss[0] += part.item<double>();
    }
    fillMissingGradients(parameters);
    ASSAY_TRY_VOID(input_.group->allReduce(loss));
    ASSAY_TRY_VOID(reduceGradients());
    report.loss = loss[0];
    const GradientNorm norm = gradientNorm(parameters);
    report.gradientNorm = norm.norm;
    report.lr = learningRate(input_.spec.schedule, input_.spec.optimizer.lr, state_.step, input_.totalSteps);

    // Gradients are the same on all ranks after the reduction, and so is the decision.
    if (!std::isfinite(report.loss)) report.notFinite = "loss";
    else if (!norm.notFinite.empty()) report.notFinite = "gradient of " + norm.notFinite;
    else if (!std::isfinite(norm.norm)) report.notFinite = "gradient norm";
    if (report.notFinite.empty()) {
        clipGradients(parameters, norm.norm, input_.spec.clipNorm);
        optimizer_->step(report.lr);
        ++state_.updates;
    }
    ++state_.step;
    state_.tokens += report.tokens;
    state_.labelledTokens += report.labelled;
    state_.sequences += input_.spec.globalBatch;
    state_.loss = report.loss;
    report.computeSeconds = monotonicSeconds() - start;
    return report;
}

// Sum over ranks in one flat buffer: the parts were scaled by the global token count already.
Result<void> Trainer::reduceGradients() {
    if (input_.group->world() == 1) return {};
    at::NoGradGuard noGrad;
    std::vector<at::Tensor> parts;
    for (const nn::Parameter& p : input_.model->parameters()) parts.push_back(p.value.grad().flatten());
    at::Tensor flat = at::cat(parts);
    ASSAY_TRY_VOID(input_.group->allReduce(flat));
    int64_t offset = 0;
    for (const nn::Parameter& p : input_.model->parameters()) {
        const int64_t size = p.value.numel();
        p.value.grad().copy_(flat.narrow(0, offset, size).view(p.value.sizes()));
        offset += size;
    }
    return {};
}

}  // namespace assay::train
