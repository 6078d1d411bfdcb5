#include "estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "speed.h"

namespace assay::plan {
namespace {

using config::Kind;

// Measured on runs of the worker: LibTorch and its buffers, and heap that is not given back at once.
constexpr int64_t kProgramBytes = 180'000'000;
constexpr double kHeapShare = 0.15;
constexpr int64_t kLoaderQueue = int64_t{64} << 20, kLoaderSlots = 256;

std::string_view formatOf(const config::PrecisionSpec& p) {
    using K = config::PrecisionSpec::Kind;
    return p.kind == K::kFp32 ? "fp32" : p.kind == K::kAmpFp16 ? "fp16" : "bf16";
}

struct Builder {
    const Input& input;
    const Hardware& hardware;
    Speed speed;
    Estimate out;

    void note(const std::string& text) {
        if (std::find(out.notes.begin(), out.notes.end(), text) == out.notes.end()) out.notes.push_back(text);
    }
    int64_t threads(const Leaf& leaf) const { return leaf.spec.threads > 0 ? leaf.spec.threads : input.machine.threads; }

    int64_t weights(const Leaf& leaf, const std::string& scheme, const std::vector<std::string>& keep = {}) {
        auto bytes = schemeBytes(leaf.model.config, scheme, keep);
        if (bytes) return *bytes;
        if (out.problem) out.problem = fail(bytes.error());
        return 0;
    }
    int64_t largestMatrix(const Leaf& leaf) const {  // read as fp32, and turned, while a model is loaded
        return parameterTotals(leaf.model.config).largest * 4 * (leaf.model.config.family == "gpt2" ? 2 : 1);
    }
    static void finish(Memory& m, const char* moment) {
        m.peak = m.weights + m.gradients + m.optimizer + m.activations + m.other;
        m.moment = moment;
    }

    Stage prepare(const Leaf& leaf) {
        Stage stage;
        stage.memory.moment = "tokenizing";
        const double bytes = static_cast<double>(leaf.data.bytes.value_or(0));
        stage.memory.process = 100'000'000 + static_cast<int64_t>(2 * std::min(bytes, 256e6));
        stage.seconds = {0.5 + bytes / 8e6, 0.6};
        if (!leaf.data.bytes) note("The time to prepare the data is not in the total: the data is not here");
        else note("Preparing data runs at 8 MB/s, trained tokenizer and all; prepared data is kept, and another run of it takes no time");
        return stage;
    }

    Stage train(const Leaf& leaf) {
        Stage stage;
        const auto& c = leaf.model.config;
        const auto& t = *leaf.spec.train;
        TrainShape shape = trainShapeOf(leaf, input);
        shape.device = !hardware.measured;  // the catalogue holds accelerators
        stage.memory = trainMemory(c, shape);
        std::string text;
        TrainShape plain = shape;  // what is not kept is written and read all the same
        plain.checkpointing = {};
        const Seconds step = speed.step(c, shape, trainMemory(c, plain).saved, formatOf(t.precision), text);
        note(text);
        if (const std::string again = describeCheckpointing(shape.checkpointing); !again.empty()) note(again);
        stage.step = step;
        const int64_t steps = stepsOf(leaf), parameters = parameterTotals(c).elements;
        const int64_t saves = t.checkpoint.every > 0 ? (steps + t.checkpoint.every - 1) / t.checkpoint.every : 1;
        const double write = static_cast<double>(stage.memory.weights + stage.memory.optimizer) / kDiskRate + 0.05;
        // A save reads the tensors where they lie. What is not written when the next update comes is copied, and counts beside
        // the activations of the steps after it while it is written.
        shape.saves = shape.saves && !shape.device && t.checkpoint.background && saves > 1 && write > 0.8 * step.value;
        shape.savesMeanwhile = shape.saves && write > 1.8 * step.value;
        stage.memory = trainMemory(c, shape);
        const int64_t batch = shape.rows * shape.columns * 16;
        stage.memory.process = kProgramBytes + std::min(kLoaderQueue, kLoaderSlots * batch) + static_cast<int64_t>(kHeapShare * static_cast<double>(stage.memory.peak));
        const int64_t evaluations = leaf.data.evalTokens > 0 ? (t.evalEvery > 0 ? (steps + t.evalEvery - 1) / t.evalEvery : 1) : 0;
        Seconds evaluation{static_cast<double>(evaluations) * static_cast<double>(leaf.data.evalTokens) * step.value / 3 / static_cast<double>(shape.rows * shape.columns * shape.accumulation), step.uncertainty};
        stage.seconds = {kWorkerStart, 0.5};
        stage.seconds += {static_cast<double>(steps) * step.value, step.uncertainty};
        stage.seconds += evaluation;
        stage.seconds += {write * static_cast<double>(t.checkpoint.background ? 1 : saves), 0.6};
        if (!out.training) {
            Training training;
            training.parameters = parameters;
            training.steps = steps;
            training.tokensPerStep = t.globalBatch * shape.columns;
            training.rows = shape.rows;
            training.accumulation = shape.accumulation;
            training.ranks = shape.ranks;
            training.zero = shape.sharded ? 1 : 0;
            training.checkpointing = t.activationCheckpointing;
            training.flopsPerStep = trainingFlops(c, static_cast<double>(training.tokensPerStep), shape.columns);
            if (leaf.data.trainTokens && *leaf.data.trainTokens > 0)
                training.epochs = static_cast<double>(steps) * static_cast<double>(training.tokensPerStep) / static_cast<double>(*leaf.data.trainTokens);
            training.step = step;
            out.training = training;
        }
        return stage;
    }

    int64_t window(const Leaf& leaf) const {
        const int64_t wanted = leaf.spec.accuracy && leaf.spec.accuracy->perplexity ? leaf.spec.accuracy->perplexity->window : 512;
        return std::min(wanted, leaf.model.config.context);
    }
    int64_t scoringSession(const Leaf& leaf, bool half) const {
        const int64_t w = window(leaf);
        return sessionBytes(leaf.model.config, {1, w, w, std::min<int64_t>(64, w), threads(leaf), half});
    }
    double scoring(const Leaf& leaf, std::string_view scheme = "fp32") const { return speed.forward(leaf.model.config, static_cast<double>(leaf.data.accuracyTokens), window(leaf), scheme); }
    double comparing(const Leaf& leaf) const {  // with the base, one model
        return kCompareSeconds * static_cast<double>(leaf.data.accuracyTokens) * static_cast<double>(leaf.model.config.vocab) / static_cast<double>(threads(leaf));
    }
    static double loading(int64_t bytes) { return static_cast<double>(bytes) / kLoadRate; }

    Stage evaluate(const Leaf& leaf) {
        Stage stage;
        const int models = leaf.spec.accuracy && !leaf.spec.accuracy->base.empty() ? 2 : 1;
        stage.memory.weights = models * weights(leaf, "fp32");
        stage.memory.activations = models * scoringSession(leaf, false);
        finish(stage.memory, "scoring");
        stage.memory.process = kProgramBytes + largestMatrix(leaf);
        stage.seconds = {kWorkerStart + kTextSeconds + loading(stage.memory.weights), 0.5};
        stage.seconds += {models * scoring(leaf) + (models - 1) * comparing(leaf), speed.uncertainty()};
        return stage;
    }

    bool scores(const Leaf& leaf) const {
        const bool wanted = leaf.spec.accuracy && (leaf.spec.accuracy->perplexity || leaf.spec.accuracy->klDivergence);
        return wanted || leaf.heldOut;
    }

    Stage quantize(const Leaf& leaf) {
        Stage stage;
        const auto& q = *leaf.spec.quantize;
        const double parameters = static_cast<double>(parameterTotals(leaf.model.config).elements);
        stage.seconds = {kWorkerStart, 0.5};
        if (scores(leaf)) {
            stage.memory.weights += weights(leaf, "fp32");
            stage.memory.activations += scoringSession(leaf, false);
            stage.seconds += {kTextSeconds + loading(stage.memory.weights), 0.5};
            stage.seconds += {scoring(leaf), speed.uncertainty()};
        }
        for (const auto& scheme : q.schemes) {
            stage.memory.weights += weights(leaf, scheme.name, q.keep);
            if (scores(leaf)) {
                stage.memory.activations += scoringSession(leaf, true);
                stage.seconds += {scoring(leaf, scheme.name) + comparing(leaf), speed.uncertainty()};
            }
            const double perWeight = scheme.name.starts_with("int4") ? kPackSeconds4Bit : kPackSeconds;
            stage.seconds += {parameters * perWeight / static_cast<double>(threads(leaf)), 0.6};
        }
        finish(stage.memory, scores(leaf) ? "scoring" : "packing");
        stage.memory.process = kProgramBytes + largestMatrix(leaf);
        return stage;
    }

    Stage benchmark(const Leaf& leaf) {
        Stage stage;
        const auto& b = *leaf.spec.benchmark;
        const auto& c = leaf.model.config;
        std::vector<std::string> schemes;
        for (const auto& s : b.schemes) schemes.push_back(s.name);
        if (schemes.empty()) {
            schemes.push_back("fp32");
            if (leaf.spec.quantize && !leaf.spec.inputs.setups.empty())
                for (const auto& s : leaf.spec.quantize->schemes) schemes.push_back(s.name);
        }
        std::vector<int64_t> bytes;
        for (const std::string& scheme : schemes) bytes.push_back(weights(leaf, scheme));
        for (const int64_t n : bytes) stage.memory.weights += n;
        double seconds = 0;
        for (const int64_t depth : b.depth)
            for (const int64_t batch : b.batch)
                for (const int64_t prefill : b.prefill) {
                    int64_t sessions = 0;
                    for (size_t i = 0; i < schemes.size(); ++i) {
                        const SessionShape shape{batch, depth + prefill + b.decode, std::max(std::min<int64_t>(512, std::max(prefill, depth)), batch), batch, threads(leaf), schemes[i] != "fp32"};
                        sessions += sessionBytes(c, shape);
                        const double once = speed.forward(c, static_cast<double>(batch * (depth + prefill)), depth + prefill, schemes[i]) +
                                            static_cast<double>(b.decode) * speed.decode(c, batch, depth + prefill + b.decode, bytes[i], cacheBytes(c, shape), schemes[i]);
                        seconds += once * static_cast<double>(b.repeats + 1);
                    }
                    stage.memory.activations = std::max(stage.memory.activations, sessions);  // those of one shape are there together
                }
        finish(stage.memory, "decoding");
        stage.memory.process = kProgramBytes + largestMatrix(leaf);
        stage.seconds = {kWorkerStart + loading(stage.memory.weights), 0.5};
        stage.seconds += {seconds, speed.uncertainty()};
        return stage;
    }

    Stage generate(const Leaf& leaf) {
        Stage stage;
        const auto& g = *leaf.spec.generate;
        const int64_t prompt = static_cast<int64_t>(g.prompt.size()) / 4 + 1, capacity = std::min(leaf.model.config.context, prompt + g.maxTokens);
        const SessionShape shape{1, capacity, std::min<int64_t>(512, capacity), 1, threads(leaf), false};
        stage.memory.weights = weights(leaf, "fp32");
        stage.memory.activations = sessionBytes(leaf.model.config, shape);
        finish(stage.memory, "decoding");
        stage.memory.process = kProgramBytes + largestMatrix(leaf);
        stage.seconds = {kWorkerStart + loading(stage.memory.weights) + speed.forward(leaf.model.config, static_cast<double>(prompt), prompt), 0.5};
        stage.seconds += {static_cast<double>(g.maxTokens) * speed.decode(leaf.model.config, 1, capacity, stage.memory.weights, cacheBytes(leaf.model.config, shape)), speed.uncertainty()};
        return stage;
    }

    Stage of(const Leaf& leaf) {
        switch (leaf.spec.kind) {
            case Kind::kPrepare: return prepare(leaf);
            case Kind::kTrain: if (leaf.spec.train) return train(leaf); break;
            case Kind::kEvaluate: return evaluate(leaf);
            case Kind::kQuantize: if (leaf.spec.quantize) return quantize(leaf); break;
            case Kind::kBenchmark: if (leaf.spec.benchmark) return benchmark(leaf); break;
            case Kind::kGenerate: if (leaf.spec.generate) return generate(leaf); break;
            case Kind::kVerify:
            case Kind::kClaim:
            case Kind::kPipeline: break;
        }
        return {};
    }
};

}  // namespace

TrainShape trainShapeOf(const Leaf& leaf, const Input& input) {
    const auto& t = *leaf.spec.train;
    TrainShape shape;
    shape.ranks = std::max<int64_t>(1, t.parallel.data);
    shape.sharded = t.parallel.zero > 0 && shape.ranks > 1;
    shape.rows = t.microBatch > 0 ? t.microBatch : std::max<int64_t>(1, t.globalBatch / shape.ranks);
    shape.columns = leaf.spec.data ? leaf.spec.data->sequenceLength : leaf.model.config.context;
    shape.accumulation = std::max<int64_t>(1, t.globalBatch / (shape.rows * shape.ranks));
    shape.threads = leaf.spec.threads > 0 ? leaf.spec.threads : std::max<int64_t>(1, input.machine.threads / shape.ranks);
    shape.optimizer = t.optimizer;
    shape.precision = t.precision;
    shape.averaged = t.ema.has_value();
    shape.checkpointing = t.activationCheckpointing;
    shape.masked = !leaf.spec.data || (leaf.spec.data->packing != config::Packing::kNone && leaf.spec.data->document != config::Document::kFile);
    return shape;
}

int64_t stepsOf(const Leaf& leaf) {
    const auto& t = *leaf.spec.train;
    if (t.steps) return *t.steps;
    if (!t.epochs || !leaf.data.trainTokens || !leaf.spec.data) return 0;
    const double sequences = static_cast<double>(*leaf.data.trainTokens) / static_cast<double>(std::max<int64_t>(1, leaf.spec.data->sequenceLength));
    return std::max<int64_t>(1, static_cast<int64_t>(std::ceil(*t.epochs * sequences / static_cast<double>(std::max<int64_t>(1, t.globalBatch)))));
}

Estimate estimate(const std::vector<Leaf>& leaves, const Input& input, const Hardware& hardware) {
    Builder builder{input, hardware, Speed(input, hardware), {}};
    for (const Leaf& leaf : leaves) {
        Stage stage = builder.of(leaf);
        stage.name = leaf.spec.name;
        stage.kind = leaf.spec.kind;
        stage.runs = leaf.runs;
        stage.members = leaf.members;
        builder.out.total += {stage.seconds.value * static_cast<double>(leaf.runs), stage.seconds.uncertainty};
        builder.out.stages.push_back(std::move(stage));
    }
    return std::move(builder.out);
}

}  // namespace assay::plan
