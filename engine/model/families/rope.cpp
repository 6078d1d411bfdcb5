// Rotary-embedding settings in config.json. transformers ≤ 4 has "rope_theta" and "rope_scaling" {"type" or "rope_type", …};
// transformers 5 has "rope_parameters" {"rope_type", "rope_theta", …}.
#include <fmt/format.h>

#include "families/shape_checks.h"

namespace assay::model {

Result<void> ropeFromHuggingFace(const Json& config, ModelConfig& out) {
    ASSAY_TRY(out.ropeTheta, hfDouble(config, "rope_theta", 10000.0));
    if (!hfHas(config, "rope_scaling") && !hfHas(config, "rope_parameters")) return {};
    const std::string_view source = hfHas(config, "rope_parameters") ? "rope_parameters" : "rope_scaling";
    const Json& rope = *config.find(source);
    if (!rope.is_object()) return fail(ErrorCode::kInvalidFile, fmt::format("config.json: \"{}\" must be an object", source));
    ASSAY_TRY(out.ropeTheta, hfDouble(rope, "rope_theta", out.ropeTheta));
    ASSAY_TRY(const double partial, hfDouble(rope, "partial_rotary_factor", 1.0));
    if (partial != 1.0) return fail(ErrorCode::kUnsupported, fmt::format("config.json: {}.partial_rotary_factor {} is not supported", source, partial));
    ASSAY_TRY(const std::string type, hfString(rope, "type", "default"));
    ASSAY_TRY(const std::string kind, hfString(rope, "rope_type", type));
    if (kind == "default" || kind == "none") return {};

    RopeScaling& s = out.ropeScaling;
    if (kind != "linear" && kind != "dynamic" && kind != "llama3" && kind != "yarn")
        return fail(ErrorCode::kUnsupported, fmt::format("config.json: {}.rope_type \"{}\" is not supported", source, kind),
                    "supported: default, linear, dynamic, llama3, yarn");
    s.kind = kind;
    if (!hfHas(rope, "factor")) return fail(ErrorCode::kInvalidFile, fmt::format("config.json: {}.factor is missing", source));
    ASSAY_TRY(s.factor, hfDouble(rope, "factor", 1.0));
    if (!(s.factor >= 1)) return fail(ErrorCode::kInvalidFile, fmt::format("config.json: {}.factor is {}, it must be at least 1", source, s.factor));
    // transformers stretches dynamic from max_position_embeddings whatever else is said.
    s.originalContext = out.context;
    if (kind != "dynamic") {
        ASSAY_TRY(s.originalContext, hfInteger(rope, "original_max_position_embeddings", out.context));
    }
    if (s.originalContext <= 0)
        return fail(ErrorCode::kInvalidFile, fmt::format("config.json: {}.original_max_position_embeddings must be positive", source));
    if (kind == "llama3") {
        for (const char* key : {"low_freq_factor", "high_freq_factor", "original_max_position_embeddings"})
            if (!hfHas(rope, key)) return fail(ErrorCode::kInvalidFile, fmt::format("config.json: {}.{} is missing", source, key));
        ASSAY_TRY(s.lowFreqFactor, hfDouble(rope, "low_freq_factor", 1.0));
        ASSAY_TRY(s.highFreqFactor, hfDouble(rope, "high_freq_factor", 4.0));
        if (!(s.lowFreqFactor > 0) || !(s.highFreqFactor > s.lowFreqFactor))
            return fail(ErrorCode::kInvalidFile, fmt::format("config.json: {}: high_freq_factor {} must be above low_freq_factor {}", source,
                                                             s.highFreqFactor, s.lowFreqFactor));
    }
    if (kind == "yarn") {
        for (const char* key : {"mscale", "mscale_all_dim"})
            if (hfHas(rope, key)) return fail(ErrorCode::kUnsupported, fmt::format("config.json: {}.{} is not supported", source, key));
        ASSAY_TRY(const bool truncate, hfBool(rope, "truncate", true));
        if (!truncate) return fail(ErrorCode::kUnsupported, fmt::format("config.json: {}.truncate false is not supported", source));
        ASSAY_TRY(s.betaFast, hfDouble(rope, "beta_fast", 32.0));
        ASSAY_TRY(s.betaSlow, hfDouble(rope, "beta_slow", 1.0));
        ASSAY_TRY(s.attentionFactor, hfDouble(rope, "attention_factor", 0.0));
        if (!(s.betaFast > s.betaSlow) || !(s.betaSlow > 0) || s.attentionFactor < 0)
            return fail(ErrorCode::kInvalidFile, fmt::format("config.json: {}: beta_fast, beta_slow or attention_factor out of range", source));
    }
    return {};
}

void ropeToHuggingFace(const ModelConfig& config, Json& out) {
    const RopeScaling& s = config.ropeScaling;
    Json rope{{"rope_type", s.kind.empty() ? "default" : s.kind}};
    if (!s.kind.empty()) rope["factor"] = s.factor;
    if (s.kind == "llama3") {
        rope["low_freq_factor"] = s.lowFreqFactor;
        rope["high_freq_factor"] = s.highFreqFactor;
    }
    if (s.kind == "llama3" || s.kind == "yarn") rope["original_max_position_embeddings"] = s.originalContext;
    if (s.kind == "yarn") {
        rope["beta_fast"] = s.betaFast;
        rope["beta_slow"] = s.betaSlow;
        if (s.attentionFactor > 0) rope["attention_factor"] = s.attentionFactor;
    }
    // Both spellings, so that transformers 4 and 5 read the same model.
    out["rope_theta"] = config.ropeTheta;
    out["rope_scaling"] = s.kind.empty() ? Json(nullptr) : rope;
    rope["rope_theta"] = config.ropeTheta;
    out["rope_parameters"] = rope;
}

}  // namespace assay::model
