#pragma once
// The training loop: micro-batches → gradients → clip → update, with evaluation, checkpoints and exact resume. Numbers
// that concern all ranks (tokens, loss, gradient norm, non-finite) go through the Collective only.

#include <assay/config/spec.h>
#include <assay/data/loader.h>
#include <assay/dist/collective.h>
#include <assay/nn/memory.h>
#include <assay/nn/model.h>
#include <assay/protocol/worker_context.h>
#include <assay/train/checkpoint.h>
#include <assay/train/data_parallel.h>
#include <assay/train/grad_scaler.h>
#include <assay/train/optimizer.h>
#include <assay/train/samples.h>
#include <assay/train/state.h>
#include <assay/train/watch.h>
#include <assay/train/weight_average.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace assay::train {

struct DeviceBytes {
    int64_t live = 0, peak = 0;  // of tensors, since the run began
};

struct TrainerInput {
    config::TrainSpec spec;
    uint64_t seed = 0;
    int64_t totalSteps = 0;
    std::string specHash;
    std::string checkpointFolder;  // <run>/checkpoints
    std::string tokenizerPath;     // copied into checkpoints
    // A fresh loader that starts after `sequences`; evaluation: nothing when there is no held-out part.
    std::function<Result<std::unique_ptr<data::Loader>>(bool evaluation, int64_t sequences)> makeLoader;
    bool hasEvaluation = false;
    nn::Model* model = nullptr;
    dist::Collective* group = nullptr;
    ParallelOptions buckets;           // their sizes; the rest follows from `spec`
    nn::MemoryMeter* meter = nullptr;  // counts the calling thread already
    std::string device = "cpu";         // its name, for checkpoints
    std::function<DeviceBytes()> deviceBytes;  // of a GPU's allocator; empty on the CPU
    protocol::EventWriter* events = nullptr;
    ProgressSink progress;
    std::stop_token stop;
    // A part of a run done again (verify-resume): no checkpoint is written, and it ends after step `until` (0: totalSteps).
    bool saves = true;
    int64_t until = 0;
    std::function<void(const protocol::MetricRecord&)> seen;  // every row of metrics, before it is written
    std::function<Result<void>()> stepDone;                    // where a checkpoint would be made
};

struct TrainResult {
    protocol::Outcome outcome = protocol::Outcome::kDone;
    TrainingState state;
    double tokensPerSecond = 0;    // median over the steps of this session
    double stepSeconds = 0;        // median, with the wait for data
    double evalTokens = 0;         // labelled tokens of the last evaluation of this session; 0: there was none
    double waitSeconds = 0;        // for data
    double checkpointWaitSeconds = 0;  // that training stood still for checkpoints
    int64_t weightBytes = 0, gradientBytes = 0, optimizerBytes = 0, peakBytes = 0;
    std::optional<int64_t> offloadedBytes;   // activations in the host's memory, at most
    std::optional<int64_t> devicePeakBytes;  // on a GPU; peakBytes is then that of the host's tensors
    int64_t sessionSteps = 0;
    std::map<std::string, double> watched;  // RunWatch::summary; moe/share/LAYER/EXPERT: part of a layer's choices in this session
};

struct StepReport {
    double loss = 0, gradientNorm = 0, lr = 0;  // the norm is that before clipping
    int64_t tokens = 0, labelled = 0;
    double computeSeconds = 0;
    double balance = 0;      // mixture of experts: the load-balance loss, mean over the micro-batches by their labelled tokens
    at::Tensor routing;      // [layers, 2, experts] (nn/routing.h), summed over micro-batches and ranks; undefined: no experts
    double lossScale = 0;    // that the gradients were made with; 0: none
    bool overflow = false;   // fp16: gradients too large for the loss scale; no update, a smaller scale next time
    std::string notFinite;  // "loss" or the name of the first gradient that is not finite
};

class Trainer {
public:
    // kUnsupported for what this build does not train; kInvalidFile for sizes that do not fit.
    static Result<std::unique_ptr<Trainer>> create(TrainerInput input);
    ~Trainer();
    // Continues from a loaded checkpoint (weights, moments, counters).
    Result<void> restore(const LoadedCheckpoint& checkpoint);
    // Running time of earlier sessions, when more is known than the checkpoint says.
    void setEarlierSeconds(double seconds) { secondsBefore_ = std::max(secondsBefore_, seconds); }
    const TrainingState& state() const { return state_; }
    Result<TrainResult> run();

    // One optimizer step over `batches` (the micro-batches of this rank); public for tests and benchmarks.
    Result<StepReport> step(const std::vector<data::Batch>& batches);
    Result<double> evaluate();  // mean NLL over the held-out part, by the average of the weights when there is one
    // Everything a checkpoint holds, as it is now. All ranks call it together.
    Result<Snapshot> snapshot();
    const WeightAverage* average() const { return average_.get(); }
    Result<std::vector<at::Tensor>> averageWeights();  // whole, of every parameter; collective
    dist::Collective& group() const { return *input_.group; }
    const Optimizer& optimizer() const { return *optimizer_; }

private:
    explicit Trainer(TrainerInput input);
    Result<void> openLoader();
    Result<void> fetch(std::vector<data::Batch>& batches);
    at::Tensor lossOf(const nn::Inputs& inputs, const at::Tensor& labels, double scale) const;
    // Of all ranks; the loss of this one times `scale` lies where the model does; into `report` what this rank's routers did.
    Result<at::Tensor> gradients(const std::vector<data::Batch>& batches, double scale, StepReport& report);
    Result<void> update(StepReport& report, const at::Tensor& loss, double lossScale);
    Result<void> handleNonFinite(const StepReport& report);
    Result<void> rollBack(const std::string& what);
    void report(const StepReport& step, double stepSeconds);
    Result<void> evaluateAndRecord();
    void record(protocol::MetricRecord row);
    void watch(const StepReport& step, double stepSeconds, double waited);
    void tell(const Incident& incident);
    void watchDisk();
    Result<void> writeSamples();
    Result<void> save();
    const std::vector<nn::Parameter>& updated() const { return parallel_ ? parallel_->owned() : input_.model->parameters(); }
    Result<void> pickGoodCheckpoint(LoadedCheckpoint& out);
    int64_t lastStep() const { return input_.until > 0 ? std::min(input_.until, input_.totalSteps) : input_.totalSteps; }
    std::vector<const StateTensor*> stateTensors() const;
    double runningSeconds() const;

    TrainerInput input_;
    TrainingState state_;
    int64_t microBatch_ = 1, accumulation_ = 1;
    std::unique_ptr<DataParallel> parallel_;  // more than one rank
    std::unique_ptr<Optimizer> optimizer_;
    std::unique_ptr<WeightAverage> average_;  // train.ema
    std::unique_ptr<GradScaler> scaler_;      // precision {amp: fp16}
    at::Tensor head_;                         // the matrix of the loss: the head, or the embedding when they are tied
    std::unique_ptr<CheckpointWriter> writer_;
    std::unique_ptr<data::Loader> loader_;
    int64_t savedStep_ = -1;
    double sessionStart_ = 0, secondsBefore_ = 0, waitBefore_ = 0;
    std::vector<double> rates_, stepSeconds_;
    double evalTokens_ = 0;
    at::Tensor routed_;                       // of all steps of this session; undefined: no experts
    RunWatch watch_;
    std::unique_ptr<Sampler> sampler_;        // train.sample, on rank 0
};

// Copies a batch to the device; positions and segments only where plain causal attention over 0 … T−1 is not enough.
Result<nn::Inputs> inputsOf(const data::Batch& batch, const model::ModelConfig& config, at::Device device = at::kCPU);
at::Tensor labelsOf(const data::Batch& batch);  // [B,T] int64 on the host: the loss picks the labelled rows there

}  // namespace assay::train
