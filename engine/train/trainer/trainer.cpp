#include "assay/train/trainer.h"

#include <assay/torch.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <assay/core/clock.h>

#include <assay/nn/device.h>

#include "assay/train/autocast.h"
#include "assay/train/schedule.h"

namespace assay::train {
namespace {

Result<void> checkSupported(const config::TrainSpec& s, const dist::Collective& group, at::Device device) {
    auto unsupported = [](const char* key, const char* use) { return fail(ErrorCode::kUnsupported, std::string(key) + ": this build cannot do that yet", use); };
    if (s.activationCheckpointing.kind == config::CheckpointingSpec::Kind::kOffload && device.is_cpu())
        return fail(ErrorCode::kUnsupported, "train.activation_checkpointing: offload moves the activations of an accelerator to the machine's memory, and this run computes on the CPU, where they are already",
                    "use full, selective or {every: 2}, or train on a GPU (device: cuda)");
    const auto& p = s.parallel;
    if (p.zero > 1) return fail(ErrorCode::kUnsupported, "train.parallel.zero: this build shards the state of the optimizer (1), not gradients or weights (2, 3)", "use 0 or 1");
    if (p.tensor != 1 || p.pipeline != 1 || p.expert != 1 || p.context != 1 || p.sequence) return unsupported("train.parallel", "use data parallelism only");
    if (p.data != group.world())
        return fail(ErrorCode::kInvalidFile, "train.parallel.data is " + std::to_string(p.data) + ", but " + std::to_string(group.world()) + " ranks were started", "start as many workers as the layout has ranks");
    if (s.earlyStop && s.earlyStop->metric != "eval/loss" && s.earlyStop->metric != "eval/perplexity" && s.earlyStop->metric != "train/loss")
        return fail(ErrorCode::kInvalidFile, "train.early_stop.metric: '" + s.earlyStop->metric + "' is not measured during training", "use eval/loss, eval/perplexity or train/loss");
    return checkSchedule(s.schedule);
}

nn::Checkpointing checkpointingOf(const config::CheckpointingSpec& spec) {
    using Kind = config::CheckpointingSpec::Kind;
    if (spec.kind == Kind::kSelective) return {nn::Checkpointing::Kind::kSelective, 1};
    if (spec.kind == Kind::kFull) return {nn::Checkpointing::Kind::kGroups, 1};
    if (spec.kind == Kind::kEvery) return {nn::Checkpointing::Kind::kGroups, spec.every};
    if (spec.kind == Kind::kOffload) return {nn::Checkpointing::Kind::kOffload, 1};
    return {};
}

// The load of the experts, layer by layer: the largest over the mean, and how even it is (1: all alike, 0: one has all). Nothing is
// ever dropped: an expert takes as many tokens as choose it.
void addRouting(const StepReport& step, const model::ModelConfig& config, protocol::MetricRecord& row) {
    row.values.emplace_back("moe/aux_loss", step.balance);
    for (int64_t layer = 0; layer < config.layers; ++layer) {
        const double* load = step.routing.const_data_ptr<double>() + layer * 2 * config.experts;
        double sum = 0, largest = 0, entropy = 0;
        for (int64_t e = 0; e < config.experts; ++e) {
            sum += load[e];
            largest = std::max(largest, load[e]);
        }
        if (!(sum > 0)) continue;
        for (int64_t e = 0; e < config.experts; ++e)
            if (load[e] > 0) entropy -= load[e] / sum * std::log(load[e] / sum);
        row.values.emplace_back("moe/load/" + std::to_string(layer), largest * static_cast<double>(config.experts) / sum);
        row.values.emplace_back("moe/evenness/" + std::to_string(layer), config.experts > 1 ? entropy / std::log(static_cast<double>(config.experts)) : 1.0);
    }
    row.values.emplace_back("moe/dropped", 0.0);
}

constexpr int64_t kMostShares = 1024;  // of a summary

void addShares(const at::Tensor& routed, std::map<std::string, double>& values) {
    if (!routed.defined() || routed.size(0) * routed.size(2) > kMostShares) return;
    const at::Tensor counts = routed.select(1, 0), shares = counts / counts.sum(1, true).clamp_min(1);
    for (int64_t layer = 0; layer < shares.size(0); ++layer)
        for (int64_t e = 0; e < shares.size(1); ++e) values["moe/share/" + std::to_string(layer) + "/" + std::to_string(e)] = shares[layer][e].item<double>();
}

double median(std::vector<double> values) {
    if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

Trainer::Trainer(TrainerInput input) : input_(std::move(input)) { state_.evalLoss = std::numeric_limits<double>::quiet_NaN(); }
Trainer::~Trainer() = default;

Result<std::unique_ptr<Trainer>> Trainer::create(TrainerInput input) {
    ASSAY_TRY_VOID(checkSupported(input.spec, *input.group, input.model->device()));
    std::unique_ptr<Trainer> trainer(new Trainer(std::move(input)));
    const auto& spec = trainer->input_.spec;
    const int64_t world = trainer->input_.group->world();
    if (spec.globalBatch < 1 || spec.globalBatch % world != 0)
        return fail(ErrorCode::kInvalidFile, "train.global_batch: " + std::to_string(spec.globalBatch) + " is not a multiple of " + std::to_string(world) + " ranks");
    trainer->microBatch_ = spec.microBatch > 0 ? spec.microBatch : spec.globalBatch / world;
    if (spec.globalBatch % (trainer->microBatch_ * world) != 0)
        return fail(ErrorCode::kInvalidFile, "train.micro_batch: global_batch " + std::to_string(spec.globalBatch) + " is not a multiple of micro_batch " + std::to_string(trainer->microBatch_) + " × " + std::to_string(world) + " ranks",
                    "choose a divisor of global_batch");
    trainer->accumulation_ = spec.globalBatch / (trainer->microBatch_ * world);
    trainer->input_.model->setCheckpointing(checkpointingOf(spec.activationCheckpointing));
    const auto& parameters = trainer->input_.model->parameters();
    for (const nn::Parameter& p : parameters) {
        const at::ScalarType type = p.value.scalar_type();
        const bool reference = type == at::kDouble && spec.precision.kind == config::PrecisionSpec::Kind::kFp32;
        if (type != weightType(spec.precision) && !reference) return fail(ErrorCode::kInternal, "the weights of " + p.info.name + " do not have the type that train.precision asks for");
        const bool head = p.info.role == model::Role::kHead;
        if (head || (p.info.role == model::Role::kEmbedding && !trainer->head_.defined())) trainer->head_ = p.value;
    }
    OptimizerOptions narrow{.lowPrecision = spec.precision.stochastic ? LowPrecision::kStochastic : LowPrecision::kMaster, .seed = trainer->input_.seed, .places = {}};
    if (world > 1) {
        ParallelOptions options = trainer->input_.buckets;
        options.shard = spec.parallel.zero == 1;
        options.wholeParameters = needsWholeParameters(spec.optimizer.name);
        trainer->parallel_ = std::make_unique<DataParallel>(parameters, *trainer->input_.group, options);
        narrow.places = trainer->parallel_->places();
    }
    ASSAY_TRY(trainer->optimizer_, makeOptimizer(spec.optimizer, trainer->updated(), narrow));
    if (spec.ema) trainer->average_ = std::make_unique<WeightAverage>(spec.ema->decay, trainer->updated());
    if (spec.precision.kind == config::PrecisionSpec::Kind::kAmpFp16) trainer->scaler_ = std::make_unique<GradScaler>(spec.precision);
    CheckpointWriter::Options writing{.folder = trainer->input_.checkpointFolder, .keep = spec.checkpoint.keep, .background = spec.checkpoint.background, .meter = trainer->input_.meter};
    writing.committed = [events = trainer->input_.events](const CheckpointInfo& info) {
        events->record("checkpoint", {{"step", info.step}, {"path", info.path}, {"bytes", info.bytes}, {"seconds", info.seconds}, {"best", info.best}});
    };
    trainer->writer_ = std::make_unique<CheckpointWriter>(std::move(writing));
    if (spec.sample && trainer->input_.group->rank() == 0) {
        ASSAY_TRY(trainer->sampler_, Sampler::create(*spec.sample, trainer->input_.tokenizerPath, trainer->input_.model->config()));
    }
    return trainer;
}

// What a checkpoint holds beside the weights: moments, master copies, the average of the weights.
std::vector<const StateTensor*> Trainer::stateTensors() const {
    std::vector<const StateTensor*> all;
    for (const StateTensor& s : optimizer_->state()) all.push_back(&s);
    if (average_)
        for (const StateTensor& s : average_->state()) all.push_back(&s);
    return all;
}

Result<void> Trainer::restore(const LoadedCheckpoint& checkpoint) {
    at::NoGradGuard noGrad;
    ASSAY_TRY(TrainingState state, stateFromJson(checkpoint.state));
    // Names of moments are shared: those of one optimizer must not become another's.
    if (const std::string made = jsonStringOr(checkpoint.state, "optimizer", input_.spec.optimizer.name); made != input_.spec.optimizer.name)
        return fail(ErrorCode::kInvalidFile, "the checkpoint was made with the optimizer " + made + ", not " + input_.spec.optimizer.name, "the checkpoint belongs to another model or optimizer");
    for (const nn::Parameter& p : input_.model->parameters()) ASSAY_TRY_VOID(copyEntry(*checkpoint.weights, p.info.name, p.value));
    if (parallel_) ASSAY_TRY_VOID(parallel_->restore(*checkpoint.optimizer, stateTensors()));
    else for (const StateTensor* s : stateTensors()) ASSAY_TRY_VOID(copyEntry(*checkpoint.optimizer, s->name, s->value));
    if (scaler_) {
        const auto scaler = checkpoint.state.find("scaler");
        if (scaler == checkpoint.state.end()) return fail(ErrorCode::kInvalidFile, "state.json of the checkpoint has no loss scale", "the checkpoint was made with another train.precision");
        ASSAY_TRY_VOID(scaler_->restore(*scaler));
    }
    optimizer_->setSteps(state.updates);
    state_ = state;
    watch_.setCounts(state.warnings);
    secondsBefore_ = state.seconds;
    savedStep_ = state.step;
    return {};
}

double Trainer::runningSeconds() const { return secondsBefore_ + (monotonicSeconds() - sessionStart_); }

Result<void> Trainer::openLoader() {
    if (loader_) waitBefore_ += loader_->waitSeconds();
    ASSAY_TRY(loader_, input_.makeLoader(false, state_.sequences));
    return {};
}

Result<void> Trainer::fetch(std::vector<data::Batch>& batches) {
    batches.resize(static_cast<size_t>(accumulation_));
    for (data::Batch& b : batches) {
        ASSAY_TRY_VOID(loader_->next(b));
        if (b.rows != microBatch_) return fail(ErrorCode::kInternal, "the loader gave " + std::to_string(b.rows) + " rows instead of " + std::to_string(microBatch_));
    }
    return {};
}

Result<TrainResult> Trainer::run() {
    sessionStart_ = monotonicSeconds();
    ASSAY_TRY_VOID(openLoader());
    input_.events->record("phase", {{"name", "training"}});
    if (state_.step == 0 && input_.group->rank() == 0) input_.events->log("info", describeDecay(input_.spec.optimizer, input_.model->parameters()));
    ProgressMeter progress(input_.progress, "train", "steps", static_cast<double>(input_.totalSteps));
    const int64_t firstStep = state_.step;
    std::vector<data::Batch> batches;
    bool cancelled = false;
    // A rollback needs something to go back to from the first step on.
    if (input_.saves && state_.step == 0 && input_.spec.onNonFinite == config::NonFinite::kRollback) ASSAY_TRY_VOID(save());
    while (state_.step < lastStep() && !state_.stoppedEarly) {
        // One rank decides for all: everybody stops after the same step.
        std::vector<double> stop{input_.stop.stop_requested() ? 1.0 : 0.0};
        ASSAY_TRY_VOID(input_.group->allReduce(stop, dist::Reduce::kMax));
        if (stop[0] > 0) {
            cancelled = true;
            break;
        }
        ASSAY_TRY_VOID(writer_->poll());
        const double start = monotonicSeconds(), waited = waitBefore_ + loader_->waitSeconds();
        ASSAY_TRY_VOID(fetch(batches));
        ASSAY_TRY(StepReport done, step(batches));
        const double took = monotonicSeconds() - start;
        report(done, took);
        watch(done, took, waitBefore_ + loader_->waitSeconds() - waited);
        if (done.overflow && input_.group->rank() == 0)
            input_.events->log("info", "step " + std::to_string(state_.step) + ": gradients overflowed at the loss scale " + std::to_string(static_cast<int64_t>(done.lossScale)) +
                                           "; the update is left out and the scale lowered");
        if (done.labelled == 0 && input_.group->rank() == 0) input_.events->log("warning", "step " + std::to_string(state_.step) + ": no token of the batch carries loss; the update is left out");
        progress.update(static_cast<double>(state_.step));
        ASSAY_TRY_VOID(handleNonFinite(done));
        const auto& spec = input_.spec;
        const bool last = state_.step >= input_.totalSteps;
        if (input_.hasEvaluation && (last || (spec.evalEvery > 0 && state_.step % spec.evalEvery == 0))) ASSAY_TRY_VOID(evaluateAndRecord());
        if (spec.sample && (last || state_.step % spec.sample->every == 0)) ASSAY_TRY_VOID(writeSamples());
        if (input_.stepDone) ASSAY_TRY_VOID(input_.stepDone());
        if (input_.saves && spec.checkpoint.every > 0 && state_.step % spec.checkpoint.every == 0 && !last) ASSAY_TRY_VOID(save());
    }
    if (input_.hasEvaluation && !cancelled && input_.until == 0 && state_.evalStep != state_.step) ASSAY_TRY_VOID(evaluateAndRecord());
    progress.finish();
    if (input_.saves && savedStep_ != state_.step) {
        input_.events->record("phase", {{"name", "saving"}});
        ASSAY_TRY_VOID(save());
    }
    ASSAY_TRY_VOID(writer_->finish());
    ASSAY_TRY_VOID(input_.group->barrier());

    TrainResult result;
    state_.seconds = runningSeconds();
    result.outcome = cancelled ? protocol::Outcome::kCancelled : protocol::Outcome::kDone;
    result.state = state_;
    result.tokensPerSecond = median(rates_);
    result.stepSeconds = median(stepSeconds_);
    result.evalTokens = evalTokens_;
    result.waitSeconds = waitBefore_ + loader_->waitSeconds();
    result.checkpointWaitSeconds = writer_->waitedSeconds() + writer_->settledSeconds();
    result.sessionSteps = state_.step - firstStep;
    result.watched = watch_.summary();
    addShares(routed_, result.watched);
    for (const nn::Parameter& p : input_.model->parameters()) {
        result.weightBytes += static_cast<int64_t>(p.value.nbytes());
        if (p.value.grad().defined()) result.gradientBytes += static_cast<int64_t>(p.value.grad().nbytes());
    }
    if (parallel_) result.gradientBytes = parallel_->gradientBytes();
    for (const StateTensor* s : stateTensors()) result.optimizerBytes += static_cast<int64_t>(s->value.nbytes());
    if (input_.meter) result.peakBytes = input_.meter->peakBytes();
    if (input_.deviceBytes) result.devicePeakBytes = input_.deviceBytes().peak;
    if (const nn::OffloadTally* offloaded = input_.model->offloaded()) result.offloadedBytes = offloaded->peak();
    return result;
}

void Trainer::report(const StepReport& step, double stepSeconds) {
    const double rate = static_cast<double>(step.tokens) / std::max(stepSeconds, 1e-9);
    rates_.push_back(rate);
    stepSeconds_.push_back(stepSeconds);
    if (step.routing.defined()) routed_ = routed_.defined() ? routed_.add_(step.routing) : step.routing.clone();
    if (input_.group->rank() != 0) return;
    protocol::MetricRecord row{state_.step, runningSeconds(), state_.tokens, {}};
    row.values = {{"train/loss", step.loss},
                  {"train/grad_norm", step.gradientNorm},
                  {"train/lr", step.lr},
                  {"train/tokens_per_s", rate},
                  {"train/step_seconds", stepSeconds},
                  {"data/wait_seconds", waitBefore_ + loader_->waitSeconds()},
                  {"system/rss_bytes", static_cast<double>(nn::residentBytes())}};
    if (step.routing.defined()) addRouting(step, input_.model->config(), row);
    if (scaler_) row.values.emplace_back("train/loss_scale", step.lossScale);
    if (input_.meter) row.values.emplace_back("system/tensor_bytes_peak", static_cast<double>(input_.meter->peakBytes()));
    if (input_.deviceBytes) row.values.emplace_back("system/gpu_bytes_peak", static_cast<double>(input_.deviceBytes().peak));
    record(std::move(row));
}

void Trainer::record(protocol::MetricRecord row) {
    if (input_.seen) input_.seen(row);
    input_.events->metric(std::move(row));
}

// The tensors of the training themselves, or copies from a device; under ZeRO those of the optimizer are brought together on rank 0.
Result<Snapshot> Trainer::snapshot() {
    at::NoGradGuard noGrad;
    NamedTensors held;
    // From a device they are copied behind the step that is under way there, before the next one changes them: nobody waits here.
    std::shared_ptr<nn::HostCopies> copies;
    if (!input_.model->device().is_cpu()) copies = std::make_shared<nn::HostCopies>(input_.model->device());
    auto onHost = [&](const at::Tensor& tensor) { return tensor.is_cpu() ? tensor : copies->add(tensor); };
    if (parallel_ && parallel_->sharded()) {
        ASSAY_TRY(held, parallel_->gather(stateTensors()));
        if (input_.group->rank() != 0) return Snapshot{};  // what follows is for who writes it
    } else {
        for (const StateTensor* s : stateTensors()) held.emplace_back(s->name, onHost(s->value));
    }
    Snapshot snapshot;
    snapshot.step = state_.step;
    snapshot.config = input_.model->config();
    snapshot.tokenizerPath = input_.tokenizerPath;
    for (const nn::Parameter& p : input_.model->parameters()) snapshot.weights.emplace_back(p.info.name, onHost(p.value.detach()));
    if (copies) copies->started();
    snapshot.copies = std::move(copies);
    snapshot.optimizer = std::move(held);
    TrainingState state = state_;
    state.seconds = runningSeconds();
    snapshot.state = stateToJson(state, circumstances(input_.seed, input_.group->world(), input_.specHash, input_.device));
    snapshot.state["optimizer"] = input_.spec.optimizer.name;
    if (scaler_) snapshot.state["scaler"] = scaler_->state();
    return snapshot;
}

Result<void> Trainer::save() {
    savedStep_ = state_.step;
    state_.rollbacksInARow = 0;
    watchDisk();
    if (parallel_) ASSAY_TRY_VOID(parallel_->checkReplicas());
    if (parallel_ && parallel_->sharded()) ASSAY_TRY_VOID(writer_->finish());  // before the state of all ranks is brought together: never two copies of it
    // Replicas are alike: one is copied and written.
    if (input_.group->rank() != 0 && !(parallel_ && parallel_->sharded())) return {};
    ASSAY_TRY(Snapshot now, snapshot());
    if (input_.group->rank() != 0) return {};
    return writer_->save(std::move(now));
}

}  // namespace assay::train
