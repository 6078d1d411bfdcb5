// Kind train: data and model of the job, the training loop, the finished model as a Hugging Face folder.
#include <assay/torch.h>

#include <cmath>
#include <filesystem>

#include <assay/config/config.h>
#include <assay/core/durable.h>
#include <assay/core/hash.h>
#include <assay/dist/device.h>
#include <assay/nn/device.h>

#include "assay/train/autocast.h"
#include "assay/train/kinds.h"
#include "assay/train/precision_probe.h"
#include "assay/train/trainer.h"
#include "job_parts.h"
#include "replay.h"
#include "resume.h"
#include "checkpoint/tokenizer_copy.h"

namespace assay::train {
namespace fs = std::filesystem;
namespace {

Result<data::PreparedPtr> trainingData(const config::Spec& spec, protocol::WorkerContext& context) {
    if (!spec.inputs.prepared.empty()) return openPrepared(spec.inputs.prepared);
    if (!spec.data) return fail(ErrorCode::kInvalidFile, "data: a run of kind train needs this section");
    context.events.record("phase", {{"name", "preparing"}});
    ASSAY_TRY(auto report, prepareData(spec, context));
    if (!report) return fail(ErrorCode::kCancelled, "stopped while the data was prepared");
    return data::PreparedData::open(report->path);
}

Result<int64_t> totalSteps(const config::TrainSpec& train, const data::PreparedData& data) {
    if (train.steps) {
        if (*train.steps < 1) return fail(ErrorCode::kInvalidFile, "train.steps: " + std::to_string(*train.steps) + " is not positive");
        return *train.steps;
    }
    if (!train.epochs || !(*train.epochs > 0)) return fail(ErrorCode::kInvalidFile, "train: give steps or epochs");
    const double steps = std::ceil(*train.epochs * static_cast<double>(data.sequences(false)) / static_cast<double>(std::max<int64_t>(train.globalBatch, 1)));
    if (steps > 1e15) return fail(ErrorCode::kInvalidFile, "train.epochs: too many steps");
    return std::max<int64_t>(1, static_cast<int64_t>(steps));
}

// Stages beside the target, so that artifacts/model is whole or absent.
Result<int64_t> exportModel(const std::string& target, const nn::Model& model, const std::string& tokenizerPath) {
    const fs::path path(target);
    const std::string staged = (path.parent_path() / ("." + path.filename().string() + ".tmp")).string();
    ASSAY_TRY_VOID(makeFolders(path.parent_path().string()));
    ASSAY_TRY_VOID(removeTree(staged));
    std::vector<at::Tensor> values;  // from a GPU they come as copies, which live until they are written
    std::vector<model::SafetensorsEntry> entries;
    for (const nn::Parameter& p : model.parameters()) {
        values.push_back(model.device().is_cpu() ? p.value.detach() : nn::hostCopy(p.value));
        entries.push_back(entryOf(p.info.name, values.back()));
    }
    ASSAY_TRY(int64_t bytes, model::writeHuggingFaceFolder(staged, model.config(), entries, ""));
    ASSAY_TRY_VOID(copyTokenizer(tokenizerPath, staged));
    ASSAY_TRY_VOID(removeTree(target));
    ASSAY_TRY_VOID(commitFolder(staged, target));
    return bytes;
}

// What the held-out part says of the weights at the end, so that trainings can be compared.
Json heldOutAccuracy(const TrainResult& r, const config::Spec& spec, const data::PreparedData& data) {
    Json out = Json::object();
    if (!(r.evalTokens > 0) || r.state.evalStep != r.state.step) return out;
    out = {{"eval_loss", jsonNumber(r.state.evalLoss)}, {"eval_tokens", static_cast<int64_t>(r.evalTokens)}};
    const Json& manifest = data.manifest();
    if (const auto tokenizer = manifest.find("tokenizer"); tokenizer != manifest.end())
        if (const std::string key = jsonStringOr(*tokenizer, "key", ""); !key.empty()) out["tokenizer_key"] = key;
    // The text behind the loss is known when every token of it counts.
    using config::LossOn;
    const LossOn learned = spec.data ? spec.data->lossOn : LossOn::kAll;
    const bool all = (spec.data && spec.data->eval && spec.data->eval->lossOn ? *spec.data->eval->lossOn : learned) == LossOn::kAll;
    const auto eval = manifest.find("eval");
    const int64_t bytes = eval == manifest.end() ? 0 : jsonIntegerOr(*eval, "bytes", 0);
    if (spec.data && all && bytes > 0) out["bits_per_byte"] = jsonNumber(r.state.evalLoss * r.evalTokens / std::log(2.0) / static_cast<double>(bytes));
    return out;
}

// The average of the weights as a model of its own beside the trained one: set-up "ema".
Result<void> exportAverage(protocol::WorkerContext& context, const std::vector<at::Tensor>& average, const nn::Model& model, const std::string& tokenizerPath, const std::string& scheme, const Json& accuracy) {
    const std::string target = context.job.runFolder + "/artifacts/ema";
    int64_t bytes = 0, weights = 0;
    {
        const WeightAverage::Scope averaged(average, model.parameters());
        ASSAY_TRY(bytes, exportModel(target, model, tokenizerPath));
        for (const nn::Parameter& p : model.parameters()) weights += static_cast<int64_t>(p.value.nbytes());
    }
    context.events.record("artifact", {{"name", "ema"}, {"kind", "setup"}, {"path", target}, {"bytes", bytes}});
    context.events.record("setup", {{"name", "ema"}, {"scheme", scheme}, {"path", target}, {"accuracy", accuracy}, {"speed", Json::object()}, {"bytes", {{"weights", weights}, {"file", bytes}}}});
    return {};
}

// What the chosen precision does to the speed of the matrix products on this machine, said before the time is spent.
std::optional<double> probePrecision(const config::TrainSpec& train, const model::ModelConfig& config, int64_t tokens, at::Device device, protocol::WorkerContext& context) {
    const auto cast = autocastType(train.precision);
    const at::ScalarType type = cast ? *cast : weightType(train.precision);
    if (type == at::kFloat) return {};
    const double speedup = precisionSpeedup(config, tokens, type, device);
    const char* name = type == at::kHalf ? "fp16" : "bf16";
    char text[200];
    if (speedup < 0.95) {
        std::snprintf(text, sizeof text, "%s is slower than fp32 on this machine: its matrix products take %.1f times as long; it saves memory, not time", name, 1 / speedup);
        context.events.log("warning", text);
    } else {
        std::snprintf(text, sizeof text, "%s matrix products run at %.2f times the speed of fp32 on this machine", name, speedup);
        context.events.log("info", text);
    }
    return speedup;
}

Json summaryOf(const TrainResult& r, const nn::Model& model, int64_t totalSteps) {
    Json values = {{"train/loss", jsonNumber(r.state.loss)},
                   {"train/steps", r.state.step},
                   {"train/total_steps", totalSteps},
                   {"train/tokens", r.state.tokens},
                   {"train/labelled_tokens", r.state.labelledTokens},
                   {"train/running_seconds", jsonNumber(r.state.seconds)},
                   {"train/skipped_steps", r.state.skippedSteps},
                   {"train/rollbacks", r.state.rollbacks},
                   {"train/checkpoint_wait_seconds", jsonNumber(r.checkpointWaitSeconds)},
                   {"data/wait_seconds", jsonNumber(r.waitSeconds)},
                   {"system/rss_bytes", nn::residentBytes()},
                   {"system/tensor_bytes_peak", r.peakBytes},
                   {"memory/weights_bytes", r.weightBytes},
                   {"memory/gradients_bytes", r.gradientBytes},
                   {"memory/optimizer_bytes", r.optimizerBytes},
                   {"memory/activations_bytes", std::max<int64_t>(0, r.peakBytes - r.weightBytes - r.gradientBytes - r.optimizerBytes)},
                   {"model/parameters", model::parameterCount(model.config())},
                   {"model/parameters_without_embeddings", model::nonEmbeddingParameterCount(model.config())}};
    if (model.config().experts > 0) values["model/active_parameters"] = model::activeParameterCount(model.config());
    if (r.devicePeakBytes) {
        values["system/gpu_bytes_peak"] = *r.devicePeakBytes;
        values["memory/activations_bytes"] = std::max<int64_t>(0, *r.devicePeakBytes - r.weightBytes - r.gradientBytes - r.optimizerBytes);
    }
    if (r.offloadedBytes) values["memory/offloaded_bytes"] = *r.offloadedBytes;
    if (r.sessionSteps > 0) values["train/tokens_per_s"] = jsonNumber(r.tokensPerSecond);
    if (r.sessionSteps > 0) values["train/step_seconds"] = jsonNumber(r.stepSeconds);
    if (r.evalTokens > 0) values["eval/tokens"] = static_cast<int64_t>(r.evalTokens);
    if (r.state.evalStep >= 0) {
        values["eval/loss"] = jsonNumber(r.state.evalLoss);
        values["eval/perplexity"] = jsonNumber(std::exp(r.state.evalLoss));
    }
    return values;
}

Result<std::unique_ptr<dist::Collective>> makeGroup(const protocol::WorkerContext& context) {
    dist::GroupOptions options{.rank = context.rank, .world = context.world};
    if (const char* address = std::getenv("MASTER_ADDR")) options.masterAddress = address;
    if (const char* port = std::getenv("MASTER_PORT")) options.masterPort = std::atoi(port);
    if (const char* seconds = std::getenv("ASSAY_RANK_TIMEOUT"); seconds && std::atof(seconds) > 0) options.timeoutSeconds = std::atof(seconds);
    if (context.rank != 0) options.rendezvousSeconds = 24 * 3600;  // as long as rank 0 prepares data
    // torchrun: its agent holds the store, and counts how often it started the ranks.
    if (const char* agent = std::getenv("TORCHELASTIC_USE_AGENT_STORE")) options.agentStore = std::string_view(agent) == "True";
    if (const char* count = std::getenv("TORCHELASTIC_RESTART_COUNT")) options.storePrefix += std::string("/") + count;
    return dist::makeCollective(context.world == 1 ? "single" : context.cudaDevice >= 0 ? "nccl" : "gloo", options);
}

DeviceBytes gpuBytes(int index) {
    const auto memory = dist::CudaPlugin::loaded()->memory(index);
    return memory ? DeviceBytes{memory->allocatedBytes, memory->allocatedPeakBytes} : DeviceBytes{};
}

Result<void> checkMethod(const config::Spec& spec) {
    if (!spec.train) return fail(ErrorCode::kInvalidFile, "train: a run of kind train needs this section");
    if (spec.method != Json("full")) return fail(ErrorCode::kUnsupported, "method: this build trains with method full only", "set method: full");
    return {};
}

}  // namespace

Result<protocol::Outcome> runTrain(protocol::WorkerContext& context) { return trainOrReplay(context, nullptr); }

Result<protocol::Outcome> trainOrReplay(protocol::WorkerContext& context, Replay* replay) {
    nn::MemoryMeter meter;
    nn::MemoryScope scope(meter);
    ASSAY_TRY(config::Spec spec, config::specFromJson(context.job.spec));
    ASSAY_TRY_VOID(checkMethod(spec));
    const at::Device device = context.cudaDevice < 0 ? at::Device(at::kCPU) : at::Device(at::kCUDA, static_cast<at::DeviceIndex>(context.cudaDevice));
    // The backward pass, the allocator and NCCL take the current device where a call names none.
    const c10::DeviceGuard current(device);
    if (!device.is_cpu()) nn::preferSameBits();
    context.events.record("phase", {{"name", "loading"}});
    // Rank 0 prepares the data; the others meet it when that is done, and find it in the cache.
    std::unique_ptr<dist::Collective> group;
    if (context.rank != 0) {
        ASSAY_TRY(group, makeGroup(context));
    }
    auto opened = trainingData(spec, context);
    if (!opened && opened.error().code == ErrorCode::kCancelled) return protocol::Outcome::kCancelled;
    if (!opened) return fail(std::move(opened.error()));
    const data::PreparedPtr data = *opened;
    if (context.rank == 0) {
        ASSAY_TRY(group, makeGroup(context));
    }
    ASSAY_TRY_VOID(checkTrainable(*spec.train, *data));
    ASSAY_TRY(const int64_t steps, totalSteps(*spec.train, *data));
    ASSAY_TRY(ModelSource source, modelSource(spec, *data));
    ASSAY_TRY(std::unique_ptr<nn::Model> model, nn::createModel(source.config, {.layers = {}, .dtype = weightType(spec.train->precision), .device = device}));
    if (source.file) ASSAY_TRY_VOID(model->load(*source.file, at::get_num_threads()));
    else model->initialize(spec.seed);

    const std::string tokenizer = source.file && !source.file->tokenizerPath().empty() ? source.file->tokenizerPath() : data->tokenizerPath();
    const std::string checkpoints = context.job.runFolder + "/checkpoints";
    ASSAY_TRY_VOID(makeFolders(checkpoints));
    TrainerInput input;
    input.spec = *spec.train;
    input.seed = spec.seed;
    input.totalSteps = steps;
    input.specHash = sha256Hex(dumpJson(context.job.spec));
    input.checkpointFolder = checkpoints;
    input.tokenizerPath = tokenizer;
    input.hasEvaluation = data->sequences(true) > 0;
    input.model = model.get();
    input.group = group.get();
    input.meter = &meter;
    input.device = context.deviceName;
    if (context.cudaDevice >= 0) input.deviceBytes = [index = context.cudaDevice] { return gpuBytes(index); };
    input.events = &context.events;
    input.progress = context.progress;
    input.stop = context.stop;
    const int64_t micro = spec.train->microBatch > 0 ? spec.train->microBatch : std::max<int64_t>(1, spec.train->globalBatch / context.world);
    input.makeLoader = [&, micro](bool evaluation, int64_t sequences) {
        data::LoaderOptions options;
        options.evaluation = evaluation;
        options.seed = spec.seed;
        options.microBatch = micro;
        options.rank = context.rank;
        options.world = context.world;
        options.startSequence = sequences;
        options.workers = spec.data ? static_cast<int>(spec.data->workers) : 2;
        return data::Loader::create(data, options);
    };
    const std::optional<double> speedup = replay ? std::nullopt : probePrecision(*spec.train, source.config, micro * data->sequenceLength(), device, context);
    const Circumstances now = circumstances(input.seed, context.world, input.specHash, input.device);
    if (replay) replay->prepare(input);
    ASSAY_TRY(auto trainer, Trainer::create(std::move(input)));
    if (replay) return replay->run(*trainer, now);
    ASSAY_TRY_VOID(resumeIfAsked(context, *trainer, checkpoints, now));
    ASSAY_TRY(TrainResult result, trainer->run());
    std::vector<at::Tensor> averageWeights;
    if (trainer->average() && result.outcome == protocol::Outcome::kDone) {
        ASSAY_TRY(averageWeights, trainer->averageWeights());
    }
    if (context.rank != 0) return result.outcome;

    Json summary = summaryOf(result, *model, steps);
    for (const auto& [name, value] : result.watched) summary[name] = jsonNumber(value);
    if (speedup) summary["train/precision_speedup"] = jsonNumber(*speedup);
    context.events.record("summary", {{"values", summary}});
    if (result.outcome == protocol::Outcome::kCancelled) return result.outcome;
    context.events.record("phase", {{"name", "saving"}});
    const std::string target = context.job.runFolder + "/artifacts/model";
    ASSAY_TRY(int64_t bytes, exportModel(target, *model, tokenizer));
    context.events.record("artifact", {{"name", "model"}, {"kind", "model"}, {"path", target}, {"bytes", bytes}});
    const std::string held = weightType(spec.train->precision) == at::kBFloat16 ? "bf16" : "fp32";
    const Json accuracy = heldOutAccuracy(result, spec, *data);  // of the average where there is one: it is what was evaluated
    Json setup = {{"name", held}, {"scheme", held}, {"path", target}, {"accuracy", trainer->average() ? Json::object() : accuracy}, {"speed", Json::object()},
                  {"bytes", {{"weights", result.weightBytes}, {"file", bytes}}}};
    if (result.sessionSteps > 0) setup["speed"]["train_tokens_per_s"] = jsonNumber(result.tokensPerSecond);
    context.events.record("setup", setup);
    if (trainer->average()) ASSAY_TRY_VOID(exportAverage(context, averageWeights, *model, tokenizer, held, accuracy));
    context.events.record("result", {{"data", {{"path", target}, {"steps", result.state.step}, {"tokens", result.state.tokens}, {"summary", summary}}}});
    return protocol::Outcome::kDone;
}

}  // namespace assay::train
