// Rules over several keys. Each names the key to change, the values that clash, and a value that would do.

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "node.h"

namespace assay::config {
namespace {

void checkTrain(const Spec& spec, Context& context) {
    const TrainSpec& t = *spec.train;
    const int64_t micro = t.microBatch ? t.microBatch : std::max<int64_t>(1, t.globalBatch / t.parallel.data);
    const int64_t share = micro * t.parallel.data;
    if (t.globalBatch % share != 0 || t.globalBatch < share)
        context.problemAt("train.global_batch",
                          fmt::format("{} is not a multiple of micro_batch × data-parallel ranks = {} × {} = {}", t.globalBatch, micro, t.parallel.data, share),
                          fmt::format("use {}, or change micro_batch", std::max(share, (t.globalBatch + share / 2) / share * share)));
    if (t.steps && t.schedule.warmup > *t.steps)
        context.problemAt("train.schedule.warmup", fmt::format("{} warm-up steps are more than the {} steps of the run", t.schedule.warmup, *t.steps),
                          fmt::format("at most {}", *t.steps));
    if (t.schedule.minLr > t.optimizer.lr)
        context.problemAt("train.schedule.min_lr", fmt::format("{} is larger than the learning rate {}", t.schedule.minLr, t.optimizer.lr),
                          "min_lr is where the schedule ends");
    if (t.optimizer.nesterov && t.optimizer.momentum == 0)
        context.problemAt("train.optimizer.nesterov", "looks ahead along the momentum, and momentum is 0", "set momentum to 0.9, or nesterov to false");
    const bool heldOut = spec.data && spec.data->eval;
    if (t.evalEvery > 0 && !heldOut && spec.inputs.prepared.empty())
        context.problemAt("train.eval_every", "there is no held-out data to evaluate on", "add data.eval, for example {path: corpus.txt, split: last 5%}");
    if (t.earlyStop && t.earlyStop->metric.starts_with("eval/") && t.evalEvery == 0)
        context.problemAt("train.early_stop", fmt::format("waits for {}, which is never measured", t.earlyStop->metric), "set train.eval_every");
    if (t.parallel.sequence && t.parallel.tensor == 1)
        context.problemAt("train.parallel.sequence", "needs tensor parallelism", "set parallel.tensor to 2 or more, or sequence to false");
    if (t.parallel.zero > 0 && t.parallel.data == 1)
        context.problemAt("train.parallel.zero", "shards over data-parallel ranks, and there is one", "set parallel.data to 2 or more, or zero to 0");
    if (spec.model && spec.model->description) {
        const ModelDescription& d = *spec.model->description;
        if (d.layers && t.parallel.pipeline > d.layers)
            context.problemAt("train.parallel.pipeline", fmt::format("{} stages are more than the {} layers", t.parallel.pipeline, d.layers));
        if (d.heads && d.heads % t.parallel.tensor != 0)
            context.problemAt("train.parallel.tensor", fmt::format("does not divide the {} heads of the model", d.heads));
    }
}

void checkModel(const Spec& spec, Context& context) {
    const ModelDescription& d = *spec.model->description;
    if (d.hidden && d.heads && d.hidden % d.heads != 0)
        context.problemAt("model.from.heads", fmt::format("{} heads do not divide the hidden size {}", d.heads, d.hidden),
                          "hidden must be a multiple of heads");
    if (d.heads && d.kvHeads && d.heads % d.kvHeads != 0)
        context.problemAt("model.from.kv_heads", fmt::format("{} key-value heads do not divide the {} heads", d.kvHeads, d.heads),
                          "heads must be a multiple of kv_heads");
    if ((d.experts || d.expertsPerToken) && d.family != "mixtral")
        context.problemAt(d.experts ? "model.from.experts" : "model.from.experts_per_token", fmt::format("the family {} has no experts", d.family), "use the family mixtral");
    if (d.experts && d.expertsPerToken > d.experts)
        context.problemAt("model.from.experts_per_token", fmt::format("{} are more than the {} experts of a layer", d.expertsPerToken, d.experts), fmt::format("at most {}", d.experts));
    if (spec.data && d.context && spec.data->sequenceLength > d.context)
        context.problemAt("data.sequence_length", fmt::format("{} is longer than the model's context of {}", spec.data->sequenceLength, d.context),
                          fmt::format("at most {}", d.context));
    if (spec.data && spec.data->tokenizer.kind == TokenizerSpec::Kind::kModel)
        context.problemAt("data.tokenizer", "is missing, and a described model brings no tokenizer of its own",
                          "for example: tokenizer: {train: bpe, vocab: 4096}");
    if (spec.accuracy && spec.accuracy->perplexity && d.context && spec.accuracy->perplexity->window > d.context)
        context.problemAt("accuracy.perplexity.window", fmt::format("{} is longer than the model's context of {}", spec.accuracy->perplexity->window, d.context),
                          fmt::format("at most {}", d.context));
    const TokenizerSpec* tokenizer = spec.data ? &spec.data->tokenizer : nullptr;
    if (tokenizer && d.vocab && tokenizer->vocab > d.vocab)
        context.problemAt("model.from.vocab", fmt::format("{} is smaller than the tokenizer's vocabulary of {}", d.vocab, tokenizer->vocab), "use auto");
}

void checkStage(const Spec& spec, Kind stage, const std::vector<Kind>& earlier, const std::string& key, Context& context) {
    auto before = [&](Kind kind) { return std::find(earlier.begin(), earlier.end(), kind) != earlier.end(); };
    const std::string name(kindName(stage));
    auto need = [&](bool there, const char* what, const char* hint) {
        if (!there) context.problemAt(key, fmt::format("{} needs {}", name, what), hint);
    };
    const bool model = spec.model || !spec.inputs.model.empty() || before(Kind::kTrain);
    const bool data = spec.data && !spec.data->train.empty();
    switch (stage) {
        case Kind::kPrepare:
            need(spec.data && (data || spec.data->eval), "a data section with train or eval", "add data: {train: {path: corpus.txt}, tokenizer: …}");
            break;
        case Kind::kTrain:
            need(data || !spec.inputs.prepared.empty(), "data.train", "add data: {train: {path: corpus.txt}, tokenizer: …}");
            need(spec.model || !spec.inputs.model.empty(), "a model", "add model: {from: …}");
            need(spec.train.has_value(), "a train section", "add train: {steps: 300}");
            break;
        case Kind::kEvaluate: {
            need(model, "a model or a train stage", "add model: {from: …}");
            const bool text = spec.accuracy && ((spec.accuracy->perplexity && !spec.accuracy->perplexity->path.empty()) ||
                                                !spec.accuracy->tasks.is_null() || !spec.accuracy->classification.is_null());
            need(text || (spec.data && spec.data->eval) || !spec.inputs.prepared.empty(), "text to evaluate on",
                 "add data.eval, or accuracy: {perplexity: {path: held-out.txt}}");
            break;
        }
        case Kind::kQuantize:
            need(model, "a model or a train stage", "add model: {from: …}");
            need(spec.quantize.has_value(), "a quantize section", "add quantize: {schemes: [int8]}");
            break;
        case Kind::kBenchmark:
            need(model || !spec.inputs.setups.empty(), "a model or a train stage", "add model: {from: …}");
            need(spec.benchmark.has_value(), "a benchmark section", "add benchmark: {prefill: [128], decode: 64}");
            break;
        case Kind::kGenerate:
            need(model, "a model", "add model: {from: …}");
            need(spec.generate.has_value(), "a generate section", "add generate: {prompt: …}");
            break;
        case Kind::kVerify:
            need(spec.verify.has_value(), "a verify section", "add verify: {run: run:ID}");
            need(spec.train.has_value(), "the train section of the run that it does again", "use `assay runs verify-resume ID`");
            break;
        case Kind::kClaim:
        case Kind::kPipeline: break;
    }
}

// A key that a sweep must not change; what to do instead, or nothing.
std::optional<std::string> notSwept(const std::string& key) {
    const std::string head = key.substr(0, key.find('.'));
    if (head == "seeds") return "seeds: [1, 2, 3] gives error bars";
    if (head == "sweep" || head == "extends" || head == "kind" || head == "stages" || head == "inputs" || head == "assay") return "";
    return {};
}

// The first problem of the experiment with these changes; nothing when it is valid.
std::optional<Problem> problemWith(const Json& base, const std::vector<std::pair<std::string, Json>>& changes) {
    Node root = nodeFromJson(base, nullptr);
    for (const auto& [key, value] : changes)
        if (!setPath(root, key, nodeFromJson(value, nullptr))) return Problem{0, 0, key, "names a list member that does not exist", ""};
    Context trial;
    const Spec member = parseSpec(root, trial);
    if (trial.clean()) checkSpec(member, trial);
    if (trial.clean()) return {};
    return trial.sorted()[0];
}

// Each value of a grid is tried by itself, so that a typo is found before the first run starts.
void checkGrid(const Json& grid, const Json& base, Context& context) {
    for (const auto& [key, values] : grid.items()) {
        const std::string place = "sweep.grid." + key;
        if (const auto instead = notSwept(key)) {
            context.problemAt(place, key.substr(0, key.find('.')) + " cannot be swept", *instead);
            continue;
        }
        if (values.size() > 1000) {
            context.problemAt(place, "has more than 1000 values");
            continue;
        }
        for (const Json& value : values) {
            const auto first = problemWith(base, {{key, value}});
            if (!first) continue;
            context.problemAt(place, fmt::format("with the value {}: {}{}", dumpJson(value).substr(0, 60), first->key == key ? "" : first->key + ": ", first->message), first->hint);
            break;  // the other values would mostly repeat it
        }
    }
}

// A variant is tried as a whole: what it sets belongs together.
void checkVariants(const Spec& spec, const Json& base, Context& context) {
    for (const SweepMember& member : sweepMembers(spec)) {
        const std::string place = "sweep.variants." + member.label;
        bool usable = true;
        for (const auto& [key, value] : member.changes) {
            const bool section = value.is_object() && (key == "data" || key == "model" || key == "train" || key == "quantize" || key == "benchmark" || key == "accuracy" || key == "generate" || key == "cost");
            const auto instead = key == "name" ? std::optional<std::string>("a variant is called after its place in the list") : notSwept(key);
            if (!instead && !section) continue;
            usable = false;
            if (instead) context.problemAt(place + "." + key, key.substr(0, key.find('.')) + " cannot differ between variants", *instead);
            else context.problemAt(place + "." + key, "would replace the whole section", fmt::format("name the keys that change, like {}.{}", key, value.empty() ? "…" : value.begin().key()));
        }
        if (!usable) continue;
        if (const auto first = problemWith(base, member.changes)) {
            const bool own = std::any_of(member.changes.begin(), member.changes.end(), [&](const auto& change) { return change.first == first->key; });
            context.problemAt(own ? place + "." + first->key : place, (own ? "" : first->key + ": ") + first->message, first->hint);
        }
    }
}

void checkSweep(const Spec& spec, Context& context) {
    Json base = specToJson(spec);
    base.erase("sweep");
    base.erase("seeds");
    if (const auto grid = spec.sweep.find("grid"); grid != spec.sweep.end()) checkGrid(*grid, base, context);
    else checkVariants(spec, base, context);
}

// A described sweep member may only be valid together with another (hidden with heads), so sizes are compared in
// expandSpec's order only after the single values passed.
size_t plannedRuns(const Spec& spec) {
    double runs = 1;
    if (spec.sweep.is_object()) {
        if (const auto variants = spec.sweep.find("variants"); variants != spec.sweep.end()) runs = static_cast<double>(variants->size());
        else
            for (const auto& [key, values] : spec.sweep["grid"].items()) runs *= static_cast<double>(values.size());
    }
    runs *= static_cast<double>(std::max<size_t>(1, spec.seeds.size()));
    if (spec.kind == Kind::kPipeline) runs *= static_cast<double>(1 + stagesOf(spec).size());
    return runs > 1e9 ? size_t{1'000'000'000} : static_cast<size_t>(runs);
}

}  // namespace

void checkSpec(const Spec& spec, Context& context) {
    if (spec.model && spec.model->description) checkModel(spec, context);
    if (spec.train) checkTrain(spec, context);
    if (spec.accuracy && spec.accuracy->perplexity && spec.accuracy->perplexity->mode == PerplexityMode::kHalf && spec.accuracy->perplexity->window % 2)
        context.problemAt("accuracy.perplexity.window", "mode half needs an even window", fmt::format("use {}", spec.accuracy->perplexity->window + 1));
    if (spec.kind == Kind::kPipeline) {
        const std::vector<Kind> stages = stagesOf(spec);
        if (stages.empty())
            context.problemAt("kind", "the pipeline has no stage", "add the section of a stage: data, train, accuracy, quantize or benchmark");
        for (size_t i = 0; i < stages.size(); ++i)
            checkStage(spec, stages[i], {stages.begin(), stages.begin() + static_cast<long>(i)},
                       spec.stages.empty() ? std::string(kindName(stages[i])) : "stages." + std::to_string(i), context);
    } else {
        if (!spec.stages.empty()) context.problemAt("stages", "is only for kind: pipeline", "remove it, or set kind: pipeline");
        checkStage(spec, spec.kind, {}, "kind", context);
    }
    if (!context.clean() || !spec.sweep.is_object()) {
        if (plannedRuns(spec) > 9'000) context.problemAt("seeds", "the experiment has more than 9,000 runs", "use fewer seeds");
        return;
    }
    if (plannedRuns(spec) > 9'000)
        context.problemAt("sweep", fmt::format("the sweep makes {} runs; at most 9,000 are allowed", plannedRuns(spec)), "use fewer values");
    else
        checkSweep(spec, context);
}

}  // namespace assay::config
