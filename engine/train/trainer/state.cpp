#include "assay/train/state.h"

#include <assay/torch.h>
#include <torch/version.h>

#include <cstdlib>
#include <limits>

namespace assay::train {

Circumstances circumstances(uint64_t seed, int64_t world, const std::string& specHash, const std::string& device) {
    const char* cbwr = std::getenv("MKL_CBWR");
    return {seed, at::get_num_threads(), world, at::get_cpu_capability(), TORCH_VERSION, ASSAY_VERSION, cbwr ? cbwr : "", specHash, device};
}

Json stateToJson(const TrainingState& s, const Circumstances& now) {
    return {{"schema", 1},
            {"step", s.step},
            {"updates", s.updates},
            {"tokens", s.tokens},
            {"labelled_tokens", s.labelledTokens},
            {"loader", {{"sequences", s.sequences}, {"order", "pure function of (seed, epoch, position)"}}},
            {"skipped_steps", s.skippedSteps},
            {"rollbacks", s.rollbacks},
            {"non_finite", {{"skipped_in_a_row", s.skippedInARow}, {"rollbacks_in_a_row", s.rollbacksInARow}, {"rate_factor", s.rateFactor}}},
            {"warnings", s.warnings},
            {"seconds", s.seconds},
            {"loss", jsonNumber(s.loss)},
            {"eval_loss", jsonNumber(s.evalLoss)},
            {"eval_step", s.evalStep},
            {"early_stop", {{"best", jsonNumber(s.bestMetric)}, {"bad_evaluations", s.badEvaluations}, {"stopped", s.stoppedEarly}}},
            {"rng", {{"kind", "reseeded for every micro-batch from (seed, step, micro-batch, rank)"}, {"seed", now.seed}}},
            {"circumstances",
             {{"seed", now.seed},
              {"threads", now.threads},
              {"device", now.device},
              {"world", now.world},
              {"instruction_set", now.instructionSet},
              {"libtorch", now.torchVersion},
              {"version", now.productVersion},
              {"mkl_cbwr", now.mklCbwr},
              {"spec_sha256", now.specHash}}}};
}

Result<TrainingState> stateFromJson(const Json& json) {
    if (const int64_t schema = jsonIntegerOr(json, "schema", -1); schema > 1)
        return fail(ErrorCode::kVersionMismatch, "state.json of the checkpoint was written by a newer Assay (schema " + std::to_string(schema) + ", this one knows 1)", "update Assay");
    else if (schema != 1) return fail(ErrorCode::kInvalidFile, "state.json of the checkpoint has another schema", "use the version of Assay that wrote it");
    TrainingState s;
    ASSAY_TRY(s.step, jsonInteger(json, "step"));
    ASSAY_TRY(s.updates, jsonInteger(json, "updates"));
    ASSAY_TRY(s.tokens, jsonInteger(json, "tokens"));
    ASSAY_TRY(s.labelledTokens, jsonInteger(json, "labelled_tokens"));
    ASSAY_TRY(s.seconds, jsonDouble(json, "seconds"));
    const auto loader = json.find("loader");
    if (loader == json.end()) return fail(ErrorCode::kInvalidFile, "state.json of the checkpoint has no loader position");
    ASSAY_TRY(s.sequences, jsonInteger(*loader, "sequences"));
    if (s.step < 0 || s.updates < 0 || s.sequences < 0) return fail(ErrorCode::kInvalidFile, "state.json of the checkpoint has a negative counter");
    auto number = [](const Json& object, const char* key) {
        const auto it = object.find(key);
        return it == object.end() ? std::numeric_limits<double>::quiet_NaN() : numberFromJson(*it);
    };
    s.skippedSteps = jsonIntegerOr(json, "skipped_steps", 0);
    s.rollbacks = jsonIntegerOr(json, "rollbacks", 0);
    if (const auto part = json.find("non_finite"); part != json.end() && part->is_object()) {
        s.skippedInARow = jsonIntegerOr(*part, "skipped_in_a_row", 0);
        s.rollbacksInARow = jsonIntegerOr(*part, "rollbacks_in_a_row", 0);
        s.rateFactor = jsonDoubleOr(*part, "rate_factor", 1);
        if (!(s.rateFactor > 0 && s.rateFactor <= 1)) return fail(ErrorCode::kInvalidFile, "state.json of the checkpoint has the rate factor " + std::to_string(s.rateFactor), "use an older checkpoint");
    }
    if (const auto warnings = json.find("warnings"); warnings != json.end() && warnings->is_object())
        for (const auto& [kind, count] : warnings->items())
            if (count.is_number_integer()) s.warnings[kind] = count.get<int64_t>();
    s.loss = number(json, "loss");
    s.evalLoss = number(json, "eval_loss");
    s.evalStep = jsonIntegerOr(json, "eval_step", -1);
    if (const auto early = json.find("early_stop"); early != json.end() && early->is_object()) {
        s.bestMetric = number(*early, "best");
        s.badEvaluations = jsonIntegerOr(*early, "bad_evaluations", -1);
        s.stoppedEarly = jsonBoolOr(*early, "stopped", false);
    }
    return s;
}

std::vector<std::string> differences(const Json& stored, const Circumstances& now) {
    std::vector<std::string> out;
    const auto then = stored.find("circumstances");
    if (then == stored.end() || !then->is_object()) return {"the checkpoint does not say under which circumstances it was made"};
    auto compare = [&](const char* key, const std::string& value) {
        const auto it = then->find(key);
        const std::string before = it == then->end() ? "unknown" : it->is_string() ? it->get<std::string>() : it->dump();
        if (before != value) out.push_back(std::string(key) + " was " + before + ", is " + value);
    };
    compare("seed", std::to_string(now.seed));
    compare("threads", std::to_string(now.threads));
    if (then->contains("device") || now.device != "cpu") compare("device", now.device);  // older checkpoints: always the CPU
    compare("world", std::to_string(now.world));
    compare("instruction_set", now.instructionSet);
    compare("libtorch", now.torchVersion);
    compare("version", now.productVersion);
    compare("mkl_cbwr", now.mklCbwr);
    compare("spec_sha256", now.specHash);
    return out;
}

}  // namespace assay::train
