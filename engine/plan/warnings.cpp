// What stands in the way of an experiment, or will surprise. What engine/train and engine/infer refuse is refused here in
// the same words, before anything has been computed.
#include <fmt/format.h>

#include <algorithm>

#include "assay/config/config.h"
#include "assay/plan/step_seconds.h"
#include "estimate.h"

namespace assay::plan {
namespace {

using config::Kind;

struct Collector {
    std::vector<Warning> out;
    void add(std::string key, std::string message, std::string hint, bool blocks) {
        for (const Warning& w : out)
            if (w.key == key && w.message == message) return;
        out.push_back({std::move(key), std::move(message), std::move(hint), blocks});
    }
    void unsupported(const char* key, const char* message, const char* hint) { add(key, message, hint, true); }
};

std::string gigabytes(double bytes) { return bytes < 1e9 ? fmt::format("{:.0f} MB", bytes / 1e6) : fmt::format("{:.1f} GB", bytes / 1e9); }

void refuseOffload(Collector& c) {
    c.unsupported("train.activation_checkpointing", "offload moves the activations of an accelerator to the machine's memory; training on the CPU has them there already", "Use full, selective or {every: 2}, or train on a GPU.");
}

// What the build has no code for, from the file alone.
void refuseTrain(const config::Spec& spec, Collector& c) {
    const auto& t = *spec.train;
    if (t.optimizer.name == "muon") c.unsupported("train.optimizer.name", "The optimizer muon is not in this build", "Use adamw, adamw_8bit, adam, sgd, lion or adafactor.");
    if (t.activationCheckpointing.kind == config::CheckpointingSpec::Kind::kOffload && spec.device == "cpu") refuseOffload(c);
    const auto& p = t.parallel;
    if (p.zero > 1 || p.tensor != 1 || p.pipeline != 1 || p.expert != 1 || p.context != 1 || p.sequence)
        c.unsupported("train.parallel", "This build knows data parallelism and ZeRO 1 only", "Set data and zero (0 or 1), and leave the rest away.");
    if (spec.method != Json("full")) c.unsupported("method", "This build trains with method full only", "Set method: full.");
}

void refuseInference(const config::Spec& spec, Collector& c) {
    if (spec.device == "cuda" && spec.kind != Kind::kPrepare && spec.kind != Kind::kTrain)
        c.unsupported("device", "Only training knows GPUs in this build; evaluation, quantization and benchmarks compute on the CPU", "Set device: auto (training takes the GPU, the rest the CPU), or cpu.");
    if (spec.kind == Kind::kQuantize && spec.quantize) {
        const auto& q = *spec.quantize;
        if (!q.kvCache.empty()) c.unsupported("quantize.kv_cache", "Quantized key/value caches are not in this build", "Leave kv_cache away.");
        if (q.keepAuto) c.unsupported("quantize.keep", "keep: {auto: …} is not in this build", "List the layers to keep.");
        if (!q.calibration.empty()) c.unsupported("quantize.calibration", "None of the schemes uses calibration text", "Leave calibration away.");
        for (const auto& scheme : q.schemes)
            if (!scheme.options.empty()) c.add("quantize.schemes", fmt::format("Scheme '{}' takes no options in this build", scheme.name), "Give the name alone.", true);
    }
    if (spec.kind == Kind::kBenchmark && spec.benchmark) {
        for (const auto& scheme : spec.benchmark->schemes)
            if (!scheme.options.empty()) c.add("benchmark.schemes", fmt::format("Scheme '{}' takes no options in this build", scheme.name), "Give the name alone.", true);
        if (!spec.benchmark->serve.is_null()) c.unsupported("benchmark.serve", "Serving under load is not in this build", "Leave serve away; prefill and decode are measured.");
    }
    if (spec.kind == Kind::kGenerate && spec.generate && spec.generate->chat)
        c.unsupported("generate.chat", "Chat templates are not rendered in this build", "Write the rendered prompt yourself, with parse_special and without chat.");
}

// The truth about a narrow type on this machine: predicted where its kernels were measured, else not known beforehand.
void checkPrecision(const Leaf& leaf, const Input& input, const Plan& plan, Collector& c) {
    const auto& precision = leaf.spec.train->precision;
    if (precision.kind == config::PrecisionSpec::Kind::kFp32 || !plan.hardware.measured) return;
    const bool seen = std::any_of(input.history.begin(), input.history.end(), [&](const PastRun& run) { return run.precision == precision.kind; });
    if (const auto& kernels = input.calibration.kernels; kernels && kernels->knows(typeOf(precision))) {
        TrainShape shape = trainShapeOf(leaf, input);
        const double narrow = stepParts(*kernels, leaf.model.config, shape).sum();
        shape.precision = {};
        const double slower = narrow / stepParts(*kernels, leaf.model.config, shape).sum();
        if (slower > 1.05)
            c.add("train.precision", fmt::format("On this machine a step in this precision takes {:.1f} times as long as one in fp32", slower),
                  "Use fp32 here, unless it is the memory or the arithmetic that you want to see.", false);
        return;
    }
    if (!seen)
        c.add("train.precision", "The step time is that of fp32: how this precision does on this machine is measured when the run starts",
              "Read the first lines of the run's log; processors without instructions for bf16 or fp16 are several times slower with them.", false);
}

void checkTrain(const Leaf& leaf, const Input& input, const Plan& plan, Collector& c) {
    refuseTrain(leaf.spec, c);
    const auto& config = leaf.model.config;
    if (leaf.spec.data && leaf.spec.data->sequenceLength > config.context)
        c.add("data.sequence_length", fmt::format("Sequences of {} tokens are longer than the model's context of {}", leaf.spec.data->sequenceLength, config.context),
              fmt::format("Use at most {}.", config.context), true);
    if (leaf.spec.device == "cuda" && plan.hardware.measured) {
        if (input.machine.gpus.empty())
            c.add("device", fmt::format("device: cuda, but {}", input.machine.gpuTrouble.empty() ? "no GPU is known here" : input.machine.gpuTrouble),
                  "Set device: cpu or auto, or plan for other hardware.", true);
        else
            c.add("device", fmt::format("{} is not in the hardware catalogue: time and memory are those of the CPU", input.machine.gpus.front().name), "Name hardware that is like it.", false);
    }
    if (leaf.spec.train->activationCheckpointing.kind == config::CheckpointingSpec::Kind::kOffload && plan.hardware.measured) refuseOffload(c);
    checkPrecision(leaf, input, plan, c);
    if (!plan.training) return;
    if (plan.training->steps == 0) c.add("train.epochs", "The number of steps is not known before the data is here", "Give train.steps to see times.", false);
    if (plan.training->epochs && *plan.training->epochs > 10)
        c.add("train.steps", fmt::format("The run goes {:.0f} times over the data", *plan.training->epochs),
              "Small models start to memorise after a few epochs; use fewer steps or more text.", false);
    if (leaf.data.trainTokens && *leaf.data.trainTokens < plan.training->tokensPerStep)
        c.add("train.global_batch", fmt::format("One step takes {} tokens, the data has about {}", plan.training->tokensPerStep, *leaf.data.trainTokens),
              "Use a smaller global_batch.", false);
}

void checkInference(const Leaf& leaf, Collector& c) {
    refuseInference(leaf.spec, c);
    const auto& config = leaf.model.config;
    const auto& a = leaf.spec.accuracy;
    if ((leaf.spec.kind == Kind::kEvaluate || leaf.spec.kind == Kind::kQuantize) && a && a->perplexity && a->perplexity->window > config.context)
        c.add("accuracy.perplexity.window", fmt::format("Windows of {} tokens are longer than the model's context of {}", a->perplexity->window, config.context),
              fmt::format("Use at most {}.", config.context), true);
    if (leaf.spec.kind == Kind::kQuantize && leaf.spec.quantize) {
        if (leaf.model.quantized) c.unsupported("model.from", "The model is quantized already", "Quantize the full-precision model that it was made from.");
        for (const auto& scheme : leaf.spec.quantize->schemes)
            if (auto known = schemeBytes(config, scheme.name); !known) c.add("quantize.schemes", known.error().message, known.error().hint, true);
    }
    if (leaf.spec.kind == Kind::kBenchmark && leaf.spec.benchmark) {
        const auto& b = *leaf.spec.benchmark;
        const auto most = [](const std::vector<int64_t>& v) { return v.empty() ? int64_t{0} : *std::max_element(v.begin(), v.end()); };
        if (const int64_t length = most(b.depth) + most(b.prefill) + b.decode; length > config.context)
            c.add("benchmark",
                  fmt::format("Cache depth (benchmark.depth) of {}, prompt length (benchmark.prefill) of {} and generated tokens (benchmark.decode) of {} make {}, more than the model's context of {}",
                              most(b.depth), most(b.prefill), b.decode, length, config.context),
                  "Use smaller numbers.", true);
    }
}

}  // namespace

std::vector<Warning> unsupportedIn(const config::Spec& spec) {
    Collector c;
    const std::vector<config::PlannedRun> runs = config::expandSpec(spec);
    std::vector<bool> parent(runs.size());
    for (const auto& run : runs)
        if (run.parent >= 0) parent[static_cast<size_t>(run.parent)] = true;
    for (size_t i = 0; i < runs.size(); ++i) {
        if (parent[i]) continue;
        if (runs[i].spec.kind == Kind::kTrain && runs[i].spec.train) refuseTrain(runs[i].spec, c);
        refuseInference(runs[i].spec, c);
    }
    return std::move(c.out);
}

std::vector<Warning> warningsOf(const std::vector<Leaf>& leaves, const Input& input, const Plan& plan) {
    Collector c;
    const bool ownGpu = !plan.hardware.measured && !input.machine.gpus.empty() &&
                        [&] { const Hardware* gpu = findHardwareByModel(input.machine.gpus.front().name, input.machine.gpus.front().memoryBytes); return gpu && gpu->name == plan.hardware.name; }();
    for (const Stage& stage : plan.stages) {
        const double held = static_cast<double>(stage.memory.offloaded * (plan.training ? plan.training->ranks : 1)), there = static_cast<double>(input.machine.memoryBytes);
        if (ownGpu && there > 0 && held > 0.8 * there)
            c.add("train.activation_checkpointing", fmt::format("Activations that wait in the machine's memory take {} of its {}", gigabytes(held), gigabytes(there)),
                  "Use a smaller micro batch (train.micro_batch; train.global_batch may stay), or activation_checkpointing: full.", held > there);
    }
    if (plan.fits != "fits") {
        const Memory& m = plan.stages[plan.peakStage].memory;
        const double needed = static_cast<double>(m.peak + (plan.hardware.measured ? m.process : 0));
        const bool blocks = plan.fits == "too_big";
        c.add("memory", fmt::format("{} needs {} of {}", config::kindName(plan.stages[plan.peakStage].kind), gigabytes(needed), gigabytes(static_cast<double>(plan.capacityBytes))),
              plan.stages[plan.peakStage].kind == Kind::kTrain ? "Use a smaller micro batch (train.micro_batch; train.global_batch may stay), activation checkpointing (train.activation_checkpointing: full), a shorter sequence length (data.sequence_length) or a smaller model."
                                                               : "Use smaller batches, windows or depths, or fewer schemes at once.",
              blocks);
    }
    double disk = 0;
    for (const Leaf& leaf : leaves) {
        if (leaf.spec.kind == Kind::kTrain && leaf.spec.train) {
            const auto& k = leaf.spec.train->checkpoint;
            const double copies = k.every > 0 ? static_cast<double>(std::max<int64_t>(1, k.keep) + 1) : 1;  // a new one is there before an old one goes
            const StaticBytes held = leaf.model.config.family.empty() ? StaticBytes{} : staticBytes(leaf.model.config, trainShapeOf(leaf, input));
            const double models = static_cast<double>(held.weights) * (leaf.spec.train->ema ? 2 : 1);
            disk += static_cast<double>(leaf.runs) * (static_cast<double>(held.weights + held.optimizer) * copies + models);
            checkTrain(leaf, input, plan, c);
        }
        if (leaf.spec.kind == Kind::kQuantize && leaf.spec.quantize)
            for (const auto& scheme : leaf.spec.quantize->schemes)
                if (auto bytes = schemeFileBytes(leaf.model.config, scheme.name)) disk += static_cast<double>(leaf.runs * *bytes);
        checkInference(leaf, c);
    }
    if (input.machine.diskFreeBytes && disk > static_cast<double>(*input.machine.diskFreeBytes))
        c.add("disk", fmt::format("Checkpoints and models take {}, {} are free", gigabytes(disk), gigabytes(static_cast<double>(*input.machine.diskFreeBytes))),
              "Free some space, keep fewer checkpoints (train.checkpoint.keep), or use another store.", true);
    std::stable_sort(c.out.begin(), c.out.end(), [](const Warning& a, const Warning& b) { return a.blocks > b.blocks; });
    return std::move(c.out);
}

}  // namespace assay::plan
