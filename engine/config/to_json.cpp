#include <fmt/format.h>

#include "names.h"
#include <assay/config/config.h>

namespace assay::config {
namespace {

Json autoOr(int64_t value) { return value == 0 ? Json("auto") : Json(value); }

Json sourceJson(const DataSource& source, bool evaluation) {
    Json columns = Json::object();
    for (const auto& [role, column] : source.columns) columns[role] = column;
    Json out{{"path", source.path}, {"format", source.format}, {"columns", std::move(columns)}};
    if (!evaluation) out["weight"] = source.weight;
    if (source.lossOn) out["loss_on"] = wordOf(kLossOn, *source.lossOn);
    if (source.split.kind != SplitRule::Kind::kNone)
        out["split"] = fmt::format("{} {}%", source.split.kind == SplitRule::Kind::kLast ? "last" : "hash", source.split.percent);
    return out;
}

Json dataJson(const DataSpec& data) {
    Json out = Json::object();
    if (data.train.size() == 1) {
        out["train"] = sourceJson(data.train[0], false);
    } else if (!data.train.empty()) {
        for (const DataSource& source : data.train) out["train"].push_back(sourceJson(source, false));
    }
    if (data.eval) out["eval"] = sourceJson(*data.eval, true);
    out["document"] = wordOf(kDocuments, data.document);
    out["clean"] = Json{{"deduplicate", wordOf(kDeduplicate, data.deduplicate)}, {"similarity", data.similarity}, {"min_chars", data.minChars}, {"max_chars", data.maxChars}, {"languages", data.languages},
                        {"contamination", wordOf(kContamination, data.contamination)}};
    switch (data.tokenizer.kind) {
        case TokenizerSpec::Kind::kPath: out["tokenizer"] = data.tokenizer.path; break;
        case TokenizerSpec::Kind::kBytes: out["tokenizer"] = "bytes"; break;
        case TokenizerSpec::Kind::kTrainBpe: out["tokenizer"] = Json{{"train", "bpe"}, {"vocab", data.tokenizer.vocab}}; break;
        case TokenizerSpec::Kind::kTrainWordPiece: out["tokenizer"] = Json{{"train", "wordpiece"}, {"vocab", data.tokenizer.vocab}}; break;
        case TokenizerSpec::Kind::kModel: break;  // the model's own: no key
    }
    out["template"] = data.chatTemplate;
    out["loss_on"] = wordOf(kLossOn, data.lossOn);
    out["sequence_length"] = data.sequenceLength;
    out["over_length"] = wordOf(kOverLength, data.overLength);
    out["packing"] = wordOf(kPackings, data.packing);
    out["workers"] = data.workers;
    out["pin_memory"] = data.pinMemory == Tristate::kAuto ? Json("auto") : Json(data.pinMemory == Tristate::kYes);
    return out;
}

Json modelJson(const ModelSpec& model) {
    if (!model.description) return Json{{"from", model.from}};
    const ModelDescription& d = *model.description;
    Json from{{"family", d.family}, {"layers", autoOr(d.layers)}, {"hidden", autoOr(d.hidden)}, {"heads", autoOr(d.heads)},
              {"kv_heads", autoOr(d.kvHeads)}, {"ffn", autoOr(d.ffn)}, {"context", autoOr(d.context)},
              {"vocab", autoOr(d.vocab)}, {"tie_embeddings", d.tieEmbeddings}, {"dropout", d.dropout}};
    if (d.family == "mixtral") {
        from["experts"] = autoOr(d.experts);
        from["experts_per_token"] = autoOr(d.expertsPerToken);
        from["router_aux_loss"] = d.routerAuxLoss;
    }
    return Json{{"from", from}};
}

Json precisionJson(const PrecisionSpec& p) {
    using Kind = PrecisionSpec::Kind;
    if (p.kind == Kind::kFp32) return "fp32";
    if (p.kind == Kind::kBf16) return p.stochastic ? Json{{"bf16", "stochastic"}} : Json("bf16");
    if (p.kind == Kind::kAmpBf16) return Json{{"amp", "bf16"}};
    return Json{{"amp", "fp16"}, {"scaler", Json{{"init", p.scalerInit}, {"growth", p.scalerGrowth}, {"backoff", p.scalerBackoff},
                                                 {"interval", p.scalerInterval}}}};
}

Json trainJson(const TrainSpec& t) {
    Json out = Json::object();
    if (t.steps) out["steps"] = *t.steps;
    if (t.epochs) out["epochs"] = *t.epochs;
    out["global_batch"] = t.globalBatch;
    out["micro_batch"] = autoOr(t.microBatch);
    out["optimizer"] = Json{{"name", t.optimizer.name}, {"lr", t.optimizer.lr}, {"betas", {t.optimizer.beta1, t.optimizer.beta2}},
                            {"eps", t.optimizer.eps}, {"weight_decay", t.optimizer.weightDecay}, {"momentum", t.optimizer.momentum},
                            {"nesterov", t.optimizer.nesterov}};
    out["schedule"] = Json{{"name", t.schedule.name}, {"warmup", t.schedule.warmup}, {"min_lr", t.schedule.minLr}};
    out["clip_norm"] = t.clipNorm;
    out["precision"] = precisionJson(t.precision);
    out["activation_checkpointing"] = checkpointingJson(t.activationCheckpointing);
    if (t.onNonFinite == NonFinite::kSkip && t.skipLimit != kSkipLimit) out["on_nonfinite"] = Json{{"skip", t.skipLimit}};
    else if (t.onNonFinite == NonFinite::kRollback && t.rollbackFactor != kRollbackFactor) out["on_nonfinite"] = Json{{"rollback", t.rollbackFactor}};
    else out["on_nonfinite"] = wordOf(kNonFinite, t.onNonFinite);
    if (t.ema) out["ema"] = Json{{"decay", t.ema->decay}};
    if (t.earlyStop) out["early_stop"] = Json{{"metric", t.earlyStop->metric}, {"patience", t.earlyStop->patience}};
    out["checkpoint"] = Json{{"every", t.checkpoint.every}, {"keep", t.checkpoint.keep}, {"background", t.checkpoint.background}};
    out["eval_every"] = t.evalEvery;
    if (t.sample) out["sample"] = Json{{"every", t.sample->every}, {"prompts", t.sample->prompts}, {"max_tokens", t.sample->maxTokens}};
    const ParallelSpec& p = t.parallel;
    out["parallel"] = Json{{"data", p.data}, {"zero", p.zero}, {"tensor", p.tensor}, {"sequence", p.sequence}, {"pipeline", p.pipeline},
                           {"schedule", p.schedule}, {"expert", p.expert}, {"context", p.context}};
    out["launcher"] = t.launcher;
    return out;
}

Json schemesJson(const std::vector<SchemeSpec>& schemes) {
    Json out = Json::array();
    for (const SchemeSpec& scheme : schemes) {
        if (scheme.options.empty()) {
            out.push_back(scheme.name);
            continue;
        }
        Json one{{"name", scheme.name}};
        for (const auto& [key, value] : scheme.options.items()) one[key] = value;
        out.push_back(std::move(one));
    }
    return out;
}

Json quantizeJson(const QuantizeSpec& q) {
    Json out{{"schemes", schemesJson(q.schemes)}};
    if (q.keepAuto) out["keep"] = Json{{"auto", *q.keepAuto}};
    else out["keep"] = q.keep;
    if (!q.calibration.empty()) out["calibration"] = q.calibration;
    if (!q.out.empty()) out["out"] = q.out;
    out["kv_cache"] = q.kvCache;
    return out;
}

Json benchmarkJson(const BenchmarkSpec& b) {
    Json out{{"prefill", b.prefill}, {"decode", b.decode}, {"batch", b.batch}, {"depth", b.depth}, {"repeats", b.repeats}};
    out["schemes"] = schemesJson(b.schemes);
    if (!b.serve.is_null()) out["serve"] = b.serve;
    return out;
}

Json accuracyJson(const AccuracySpec& a) {
    Json out = Json::object();
    if (a.perplexity) {
        Json& p = out["perplexity"];
        p = Json::object();
        if (!a.perplexity->path.empty()) p["path"] = a.perplexity->path;
        p["window"] = a.perplexity->window;
        p["mode"] = wordOf(kPerplexityModes, a.perplexity->mode);
        p["max_tokens"] = a.perplexity->maxTokens;
    }
    out["kl_divergence"] = a.klDivergence;
    if (!a.base.empty()) out["base"] = a.base;
    out["native"] = a.native;
    if (!a.tasks.is_null()) out["tasks"] = a.tasks;
    if (!a.classification.is_null()) out["classification"] = a.classification;
    return out;
}

}  // namespace

Json specToJson(const Spec& spec) {
    Json out{{"assay", 1}};
    if (!spec.name.empty()) out["name"] = spec.name;
    out["kind"] = kindName(spec.kind);
    for (Kind stage : spec.stages) out["stages"].push_back(kindName(stage));
    if (spec.seeds.empty()) out["seed"] = spec.seed;
    else out["seeds"] = spec.seeds;
    out["threads"] = autoOr(spec.threads);
    out["device"] = spec.device;
    out["tags"] = spec.tags;
    if (spec.data) out["data"] = dataJson(*spec.data);
    if (spec.model) out["model"] = modelJson(*spec.model);
    out["method"] = spec.method;
    if (spec.train) out["train"] = trainJson(*spec.train);
    if (spec.quantize) out["quantize"] = quantizeJson(*spec.quantize);
    if (spec.benchmark) out["benchmark"] = benchmarkJson(*spec.benchmark);
    if (spec.accuracy) out["accuracy"] = accuracyJson(*spec.accuracy);
    if (const auto& g = spec.generate)
        out["generate"] = Json{{"prompt", g->prompt}, {"parse_special", g->parseSpecial}, {"chat", g->chat}, {"ignore_eos", g->ignoreEos},
                               {"max_tokens", g->maxTokens}, {"temperature", g->temperature}, {"top", g->top}};
    if (spec.verify) out["verify"] = Json{{"run", spec.verify->run}, {"steps", spec.verify->steps}};
    Json& cost = out["cost"] = Json{{"hardware", spec.cost.hardware}};
    if (spec.cost.usdPerHour) cost["price"] = Json{{"usd_per_hour", *spec.cost.usdPerHour}};
    if (spec.cost.usdPerKwh) cost["electricity"] = Json{{"usd_per_kwh", *spec.cost.usdPerKwh}};
    Json inputs = Json::object();
    if (!spec.inputs.prepared.empty()) inputs["prepared"] = spec.inputs.prepared;
    if (!spec.inputs.model.empty()) inputs["model"] = spec.inputs.model;
    if (!spec.inputs.setups.empty()) inputs["setups"] = spec.inputs.setups;
    if (!inputs.empty()) out["inputs"] = std::move(inputs);
    if (!spec.sweep.is_null()) out["sweep"] = spec.sweep;
    return out;
}

Json checkpointingJson(const CheckpointingSpec& checkpointing) {
    if (checkpointing.kind == CheckpointingSpec::Kind::kEvery) return Json{{"every", checkpointing.every}};
    return wordOf(kCheckpointing, checkpointing.kind);
}

}  // namespace assay::config
