// One optimizer step.
#include <assay/torch.h>

#include <algorithm>
#include <cmath>

#include <assay/core/clock.h>
#include <assay/core/random.h>

#include <assay/nn/device.h>
#include <assay/nn/linear_cross_entropy.h>
#include <assay/nn/routing.h>

#include "assay/train/autocast.h"
#include "assay/train/schedule.h"
#include "assay/train/trainer.h"

namespace assay::train {
namespace {

void addGradients(const std::vector<nn::Parameter>& parameters, std::vector<at::Tensor>& sums) {
    at::NoGradGuard noGrad;
    for (size_t i = 0; i < parameters.size(); ++i) {
        at::Tensor& gradient = at::Tensor(parameters[i].value).mutable_grad();
        if (!gradient.defined()) continue;
        if (sums[i].defined()) sums[i].add_(gradient);
        else sums[i] = gradient.to(at::kFloat);
        gradient.reset();
    }
}

}  // namespace

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

    report.lossScale = scaler_ ? scaler_->scale() : 0;
    const double lossScale = scaler_ ? report.lossScale : 1;
    ASSAY_TRY(const at::Tensor loss, gradients(batches, scale * lossScale, report));
    ASSAY_TRY_VOID(update(report, loss, lossScale));
    ++state_.step;
    state_.tokens += report.tokens;
    state_.labelledTokens += report.labelled;
    state_.sequences += input_.spec.globalBatch;
    state_.loss = report.loss;
    report.computeSeconds = monotonicSeconds() - start;
    return report;
}

// The loss itself is computed outside the region of mixed precision: on the CPU in the type of the weights. On a GPU the
// head's products, the largest of a small model, stay narrow, and only what is summed is wide.
at::Tensor Trainer::lossOf(const nn::Inputs& inputs, const at::Tensor& labels, double scale) const {
    const auto narrow = autocastType(input_.spec.precision);
    if (!narrow) return input_.model->loss(inputs, labels, scale);
    at::Tensor hidden;
    {
        AutocastGuard region(*narrow, input_.model->device().type());
        hidden = input_.model->hidden(inputs);
    }
    return nn::linearCrossEntropy(hidden.is_cpu() ? hidden.to(at::kFloat) : hidden, head_, labels.flatten(), scale);
}

// The sum of the losses of the micro-batches of this rank, a number in float64 where the model lies.
Result<at::Tensor> Trainer::gradients(const std::vector<data::Batch>& batches, double scale, StepReport& report) {
    const auto& parameters = input_.model->parameters();
    for (const nn::Parameter& p : parameters) at::Tensor(p.value).mutable_grad().reset();
    if (parallel_) parallel_->begin();
    input_.model->setTraining(true);
    const at::Device device = input_.model->device();
    const bool draws = input_.model->config().dropout > 0;
    // Many small numbers added in bf16 would be lost: the parts of a narrow model are summed in fp32.
    const bool summed = !parallel_ && weightType(input_.spec.precision) != at::kFloat && batches.size() > 1;
    std::vector<at::Tensor> sums(summed ? parameters.size() : 0);
    const model::ModelConfig& config = input_.model->config();
    at::Tensor total;  // of the micro-batches, on the device: it is waited for once a step
    if (config.experts > 0) report.routing = nn::routingTable(config.layers, config.experts);
    size_t last = batches.size();  // the last micro-batch that makes gradients
    while (last > 0 && batches[last - 1].labelledTokens == 0) --last;
    for (size_t m = 0; m < batches.size(); ++m) {
        const data::Batch& b = batches[m];
        if (b.labelledTokens == 0) continue;
        ASSAY_TRY(nn::Inputs inputs, inputsOf(b, input_.model->config(), device));
        if (draws) {  // masks depend on where the run is, not on how it got there
            const uint64_t place = mixBits(static_cast<uint64_t>(state_.step), m * static_cast<uint64_t>(input_.group->world()) + static_cast<uint64_t>(input_.group->rank()));
            nn::seedDevice(device, mixBits(input_.seed, place));
        }
        // Each micro-batch adds its own load-balance loss with the weight of its labelled tokens, as the language loss does.
        if (config.experts > 0) {
            inputs.routing = nn::routingTable(config.layers, config.experts);
            inputs.balance = scale * static_cast<double>(b.labelledTokens);
        }
        const at::Tensor part = lossOf(inputs, labelsOf(b), scale);
        if (parallel_) parallel_->nextBatch(m + 1 == last);
        part.backward();
        total = total.defined() ? total.add_(part.detach()) : part.detach();
        if (config.experts > 0) {
            report.balance += inputs.balance * nn::loadBalanceLoss(inputs.routing, config.expertsPerToken);
            report.routing.add_(inputs.routing);
        }
        if (summed) addGradients(parameters, sums);
    }
    for (size_t i = 0; i < sums.size(); ++i)
        at::Tensor(parameters[i].value).mutable_grad() = sums[i].defined() ? sums[i] : at::zeros_like(parameters[i].value, at::kFloat);
    if (parallel_) ASSAY_TRY_VOID(parallel_->finish());
    else fillMissingGradients(parameters);
    return total.defined() ? total : at::zeros({}, at::TensorOptions(device).dtype(at::kDouble));
}

// Clips and updates, or says in the report why not. All ranks see the same norm and decide alike.
Result<void> Trainer::update(StepReport& report, const at::Tensor& loss, double lossScale) {
    at::NoGradGuard noGrad;
    const auto& parameters = updated();
    at::Tensor found = at::zeros({1}, loss.options());
    if (scaler_) {
        std::vector<at::Tensor> all;
        for (const nn::Parameter& p : parameters) all.push_back(p.value.grad());
        ASSAY_TRY(found, scaler_->divide(all, *input_.group));
    }
    // Everything that the host decides by is read together: it waits for a device once a step.
    const at::Tensor read = at::cat({loss.view({1}), found.to(at::kDouble), gradientNorms(parameters).to(loss.device())}).cpu();
    const std::span<const double> numbers(read.const_data_ptr<double>(), static_cast<size_t>(read.numel()));
    std::vector<double> sum{numbers[0], report.balance};
    if (report.routing.defined()) sum.insert(sum.end(), report.routing.const_data_ptr<double>(), report.routing.const_data_ptr<double>() + report.routing.numel());
    ASSAY_TRY_VOID(input_.group->allReduce(sum));
    report.loss = sum[0] / lossScale;
    report.balance = sum[1] / lossScale;
    if (report.routing.defined()) std::copy(sum.begin() + 2, sum.end(), report.routing.mutable_data_ptr<double>());
    const bool finite = !scaler_ || scaler_->decide(numbers[1]);
    GradientNorm norm = gradientNorm(parameters, numbers.subspan(2));
    if (parallel_) {
        ASSAY_TRY(norm, parallel_->norm(norm));
    }
    report.gradientNorm = norm.norm;
    // The schedule is a function of the steps that were not left out.
    report.lr = learningRate(input_.spec.schedule, input_.spec.optimizer.lr, state_.step - state_.skippedSteps, input_.totalSteps) * state_.rateFactor;
    // Nothing to learn from in the whole step: a decay of the weights alone would be no step of the optimizer.
    if (report.labelled == 0) {
        ++state_.skippedSteps;
        return {};
    }
    // A scale below 1 makes nothing overflow: then the gradients themselves are not finite.
    if (!std::isfinite(report.loss)) report.notFinite = "loss";
    else if (!finite && report.lossScale >= 1) report.overflow = true;
    else if (!norm.notFinite.empty()) report.notFinite = "gradient of " + norm.notFinite;
    else if (!std::isfinite(norm.norm)) report.notFinite = "gradient norm";
    if (report.notFinite.empty() && !report.overflow) {
        writer_->settle();
        clipGradients(parameters, norm.norm, input_.spec.clipNorm);
        optimizer_->step(report.lr);
        if (parallel_) ASSAY_TRY_VOID(parallel_->shareWeights());
        if (average_) average_->update(*optimizer_);
        ++state_.updates;
    }
    if (report.overflow) ++state_.skippedSteps;
    if (scaler_) scaler_->next();
    return {};
}

}  // namespace assay::train
