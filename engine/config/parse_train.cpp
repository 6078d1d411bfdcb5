#include "section.h"

namespace assay::config {
namespace {

void parseOptimizer(const Node& node, OptimizerSpec& out, Context& context) {
    if (node.isScalar()) {
        readWord(node, "train.optimizer", context, out.name, kOptimizers);
        return;
    }
    Section section(node, "train.optimizer", context);
    section.word("name", out.name, kOptimizers);
    section.number("lr", out.lr, {.low = 0, .openLow = true});
    if (const Node* betas = section.take("betas")) {
        if (!betas->isList() || betas->items.size() != 2) {
            context.problem(betas->mark, betas->source, "train.optimizer.betas", "must be a list of two numbers, not " + describe(*betas),
                            "for example: [0.9, 0.95]");
        } else {
            readNumber(betas->items[0], "train.optimizer.betas.0", context, out.beta1, {.low = 0, .high = 1, .openHigh = true});
            readNumber(betas->items[1], "train.optimizer.betas.1", context, out.beta2, {.low = 0, .high = 1, .openHigh = true});
        }
    }
    section.number("eps", out.eps, {.low = 0, .openLow = true});
    section.number("weight_decay", out.weightDecay, {.low = 0});
    section.number("momentum", out.momentum, {.low = 0, .high = 1, .openHigh = true});
    section.boolean("nesterov", out.nesterov);
}

void parsePrecision(const Node& node, PrecisionSpec& out, Context& context) {
    using Kind = PrecisionSpec::Kind;
    if (!node.isMap()) {
        std::string word;
        if (node.isScalar() && node.text == "fp16") {
            context.problem(node.mark, node.source, "train.precision", "fp16 weights are not trained: small gradients and updates become zero", "write {amp: fp16}: fp32 weights, products in fp16, and a loss scale");
            return;
        }
        if (readWord(node, "train.precision", context, word, {"fp32", "bf16"})) out.kind = word == "bf16" ? Kind::kBf16 : Kind::kFp32;
        return;
    }
    Section section(node, "train.precision", context);
    std::string amp, update;
    if (section.has("bf16")) {
        if (section.take("amp")) section.missing("bf16", "amp and bf16 are both given", "amp keeps the weights in fp32, bf16 does not; keep one of them");
        if (section.word("bf16", update, {"master", "stochastic"})) {
            out.kind = Kind::kBf16;
            out.stochastic = update == "stochastic";
        }
    } else if (section.word("amp", amp, {"bf16", "fp16"})) out.kind = amp == "bf16" ? Kind::kAmpBf16 : Kind::kAmpFp16;
    else if (!section.has("amp")) section.missing("amp", "is missing", "write fp32, bf16, {amp: bf16} or {amp: fp16}");
    const Node* scaler = section.take("scaler");
    if (!scaler) return;
    if (out.kind == Kind::kAmpBf16 || out.kind == Kind::kBf16)
        section.missing("scaler", "is only for {amp: fp16}", "bf16 has the range of fp32 and needs no loss scaling; remove it");
    Section s(*scaler, "train.precision.scaler", context);
    s.number("init", out.scalerInit, {.low = 0, .openLow = true});
    s.number("growth", out.scalerGrowth, {.low = 1, .openLow = true});
    s.number("backoff", out.scalerBackoff, {.low = 0, .high = 1, .openLow = true, .openHigh = true});
    s.integer("interval", out.scalerInterval, {1, kMost});
}

void parseParallel(const Node& node, ParallelSpec& out, Context& context) {
    Section section(node, "train.parallel", context);
    constexpr Range<int64_t> kRanks{1, 65536};
    section.integer("data", out.data, kRanks);
    section.integer("zero", out.zero, {0, 3});
    section.integer("tensor", out.tensor, kRanks);
    section.boolean("sequence", out.sequence);
    section.integer("pipeline", out.pipeline, kRanks);
    section.word("schedule", out.schedule, kPipelineSchedules);
    section.integer("expert", out.expert, kRanks);
    section.integer("context", out.context, kRanks);
}

Json parseLauncher(const Node& node, Context& context) {
    std::string word = "local";
    if (!node.isMap()) {
        readWord(node, "train.launcher", context, word, {"local", "slurm", "torchrun"});
        return word;
    }
    Section section(node, "train.launcher", context);
    std::vector<std::string> hosts;
    section.texts("ssh", hosts);
    if (hosts.empty()) section.missing("ssh", "names no host", "for example: {ssh: [node1, node2]}");
    for (const std::string& host : hosts)  // a host that reads as an option would change what ssh does
        if (host.empty() || host[0] == '-' || host.find_first_of(" \t\n") != std::string::npos)
            section.missing("ssh", "\"" + host.substr(0, 60) + "\" is not a host name");
    return Json{{"ssh", hosts}};
}

void parseCheckpointing(const Node& node, CheckpointingSpec& out, Context& context) {
    if (!node.isMap()) {
        readChoice(node, "train.activation_checkpointing", context, out.kind, kCheckpointing);
        return;
    }
    Section section(node, "train.activation_checkpointing", context);
    if (section.integer("every", out.every, {1, 4096})) out.kind = CheckpointingSpec::Kind::kEvery;
    else if (!section.has("every")) section.missing("every", "is missing", "for example: {every: 2}");
}

void parseNonFinite(const Node& node, TrainSpec& out, Context& context) {
    if (!node.isMap()) {
        readChoice(node, "train.on_nonfinite", context, out.onNonFinite, kNonFinite);
        return;
    }
    Section section(node, "train.on_nonfinite", context);
    if (section.has("skip") && section.has("rollback")) {
        section.take("skip");
        section.take("rollback");
        section.missing("rollback", "skip and rollback are both given", "keep one of them");
    } else if (section.integer("skip", out.skipLimit, {1, kMost})) {
        out.onNonFinite = NonFinite::kSkip;
    } else if (section.number("rollback", out.rollbackFactor, {.low = 0, .high = 1, .openLow = true})) {
        out.onNonFinite = NonFinite::kRollback;
    } else if (!section.has("skip") && !section.has("rollback")) {
        section.missing("skip", "is missing", "write stop, skip, rollback, {skip: 10} or {rollback: 0.5}");
    }
}

void parseSample(const Node& node, SampleSpec& out, Context& context) {
    constexpr size_t kMostPrompts = 16, kLongestPrompt = 16384;
    Section section(node, "train.sample", context);
    section.integer("every", out.every, {1, kMost});
    section.texts("prompts", out.prompts);
    if (out.prompts.empty()) section.missing("prompts", "names no text to go on from", "for example: [Once upon a time]");
    if (out.prompts.size() > kMostPrompts) section.missing("prompts", "has " + std::to_string(out.prompts.size()) + " texts; at most 16 are allowed", "each of them is written again every time");
    for (const std::string& prompt : out.prompts)
        if (prompt.empty() || prompt.size() > kLongestPrompt) section.missing("prompts", "has a text of " + std::to_string(prompt.size()) + " bytes; 1 to 16384 are allowed");
    section.integer("max_tokens", out.maxTokens, {1, 4096});
}

}  // namespace

void parseTrain(const Node& node, TrainSpec& out, Context& context) {
    Section section(node, "train", context);
    int64_t steps = 0;
    double epochs = 0;
    if (section.integer("steps", steps, {1, kMost})) out.steps = steps;
    if (section.number("epochs", epochs, {.low = 0, .high = 1e6, .openLow = true})) out.epochs = epochs;
    if (section.has("steps") && section.has("epochs")) section.missing("epochs", "steps and epochs are both given", "keep one of them");
    if (!section.has("steps") && !section.has("epochs")) section.missing("steps", "is missing", "give steps or epochs");
    section.integer("global_batch", out.globalBatch, {1, kMost});
    section.autoInteger("micro_batch", out.microBatch, {1, kMost});
    if (const Node* part = section.take("optimizer")) parseOptimizer(*part, out.optimizer, context);
    if (const Node* part = section.take("schedule")) {
        if (part->isScalar()) {
            readWord(*part, "train.schedule", context, out.schedule.name, kSchedules);
        } else {
            Section s(*part, "train.schedule", context);
            s.word("name", out.schedule.name, kSchedules);
            s.integer("warmup", out.schedule.warmup, {0, kMost});
            s.number("min_lr", out.schedule.minLr, {.low = 0});
        }
    }
    section.number("clip_norm", out.clipNorm, {.low = 0});
    if (const Node* part = section.take("precision")) parsePrecision(*part, out.precision, context);
    if (const Node* part = section.take("activation_checkpointing")) parseCheckpointing(*part, out.activationCheckpointing, context);
    if (const Node* part = section.take("on_nonfinite")) parseNonFinite(*part, out, context);
    if (const Node* part = section.take("ema")) {
        EmaSpec& ema = out.ema.emplace();
        Section s(*part, "train.ema", context);
        s.number("decay", ema.decay, {.low = 0, .high = 1, .openLow = true, .openHigh = true});
    }
    if (const Node* part = section.take("early_stop")) {
        EarlyStop& stop = out.earlyStop.emplace();
        Section s(*part, "train.early_stop", context);
        s.text("metric", stop.metric);
        if (stop.metric.empty()) s.missing("metric", "is empty", "for example: eval/loss");
        s.integer("patience", stop.patience, {1, kMost});
    }
    if (const Node* part = section.take("checkpoint")) {
        Section s(*part, "train.checkpoint", context);
        s.integer("every", out.checkpoint.every, {0, kMost});
        s.integer("keep", out.checkpoint.keep, {1, 100000});
        s.boolean("background", out.checkpoint.background);
    }
    section.integer("eval_every", out.evalEvery, {0, kMost});
    if (const Node* part = section.take("sample")) parseSample(*part, out.sample.emplace(), context);
    if (const Node* part = section.take("parallel")) parseParallel(*part, out.parallel, context);
    if (const Node* part = section.take("launcher")) out.launcher = parseLauncher(*part, context);
}

}  // namespace assay::config
