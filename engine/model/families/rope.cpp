// Rotary-embedding settings in config.json. transformers ≤ 4 has "rope_theta" and "rope_scaling" {"type" or "rope_type", …};
// transformers 5 has "rope_parameters" {"rope_type", "rope_theta", …}.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "families/shape_checks.h"

namespace assay::model {
namespace {

constexpr const char* kKinds = "supported: default, linear, dynamic, llama3, yarn, longrope";

tl::unexpected<Error> badRope(std::string_view source, std::string message) { return fail(ErrorCode::kInvalidFile, fmt::format("config.json: {}{}", source, message)); }

// transformers moves a factor beside the rope settings into them, and its Llama cannot turn a part of a head.
Result<void> refusePartial(const Json& from, std::string_view where) {
    ASSAY_TRY(const double partial, hfDouble(from, "partial_rotary_factor", 1.0));
    if (partial != 1.0) return fail(ErrorCode::kUnsupported, fmt::format("config.json: {}partial_rotary_factor {} is not supported", where, partial));
    return {};
}

Result<void> readLlama3(const Json& rope, std::string_view source, RopeScaling& s) {
    for (const char* key : {"low_freq_factor", "high_freq_factor"})
        if (!hfHas(rope, key)) return badRope(source, fmt::format(".{} is missing", key));
    ASSAY_TRY(s.lowFreqFactor, hfDouble(rope, "low_freq_factor", 1.0));
    ASSAY_TRY(s.highFreqFactor, hfDouble(rope, "high_freq_factor", 4.0));
    if (!(s.lowFreqFactor > 0) || !(s.highFreqFactor > s.lowFreqFactor))
        return badRope(source, fmt::format(": high_freq_factor {} must be above low_freq_factor {}", s.highFreqFactor, s.lowFreqFactor));
    return {};
}

Result<void> readYarn(const Json& rope, std::string_view source, RopeScaling& s) {
    ASSAY_TRY(s.truncate, hfBool(rope, "truncate", true));
    ASSAY_TRY(s.betaFast, hfDouble(rope, "beta_fast", 32.0));
    ASSAY_TRY(s.betaSlow, hfDouble(rope, "beta_slow", 1.0));
    ASSAY_TRY(s.attentionFactor, hfDouble(rope, "attention_factor", 0.0));
    ASSAY_TRY(const double scale, hfDouble(rope, "mscale", 0.0));
    ASSAY_TRY(const double scaleAll, hfDouble(rope, "mscale_all_dim", 0.0));
    if (!(s.betaFast > s.betaSlow) || !(s.betaSlow > 0) || s.attentionFactor < 0)
        return badRope(source, ": beta_fast, beta_slow or attention_factor out of range");
    // One of the two alone says nothing (modeling_rope_utils).
    if (!hfHas(rope, "attention_factor") && scale != 0 && scaleAll != 0) {
        const double stretch = s.factor > 1 ? 0.1 * std::log(s.factor) : 0;
        s.attentionFactor = (scale * stretch + 1) / (scaleAll * stretch + 1);
        if (!(s.attentionFactor > 0)) return badRope(source, ": mscale or mscale_all_dim out of range");
    }
    return {};
}

Result<void> readLongrope(const Json& rope, std::string_view source, int64_t headDim, RopeScaling& s) {
    ASSAY_TRY(s.attentionFactor, hfDouble(rope, "attention_factor", 0.0));
    if (s.attentionFactor < 0) return badRope(source, ".attention_factor is negative");
    for (auto [key, list] : {std::pair{"short_factor", &s.shortFactors}, std::pair{"long_factor", &s.longFactors}}) {
        auto given = rope.find(key);
        if (given == rope.end() || !given->is_array()) return badRope(source, fmt::format(".{} must be a list of numbers", key));
        if (static_cast<int64_t>(given->size()) != headDim / 2)
            return badRope(source, fmt::format(".{} has {} numbers, half of the head dimension are {}", key, given->size(), headDim / 2));
        for (const Json& value : *given) {
            if (!value.is_number() || !std::isfinite(value.get<double>()) || !(value.get<double>() > 0)) return badRope(source, fmt::format(".{} must hold positive numbers", key));
            list->push_back(value.get<double>());
        }
    }
    return {};
}

}  // namespace

Result<void> ropeFromHuggingFace(const Json& config, ModelConfig& out, double defaultTheta) {
    ASSAY_TRY(out.ropeTheta, hfDouble(config, "rope_theta", defaultTheta));
    ASSAY_TRY_VOID(refusePartial(config, ""));
    if (!hfHas(config, "rope_scaling") && !hfHas(config, "rope_parameters")) return {};
    const std::string_view source = hfHas(config, "rope_parameters") ? "rope_parameters" : "rope_scaling";
    const Json& rope = *config.find(source);
    if (!rope.is_object()) return fail(ErrorCode::kInvalidFile, fmt::format("config.json: \"{}\" must be an object", source));
    ASSAY_TRY(out.ropeTheta, hfDouble(rope, "rope_theta", out.ropeTheta));
    ASSAY_TRY_VOID(refusePartial(rope, fmt::format("{}.", source)));
    ASSAY_TRY(const std::string type, hfString(rope, "type", "default"));
    ASSAY_TRY(const std::string kind, hfString(rope, "rope_type", type));
    if (kind == "default" || kind == "none") return {};

    RopeScaling& s = out.ropeScaling;
    if (kind != "linear" && kind != "dynamic" && kind != "llama3" && kind != "yarn" && kind != "longrope")
        return fail(ErrorCode::kUnsupported, fmt::format("config.json: {}.rope_type \"{}\" is not supported", source, kind), kKinds);
    s.kind = kind;
    // transformers stretches dynamic from max_position_embeddings whatever else is said. Elsewhere a number beside the rope settings
    // goes before the one in them.
    s.originalContext = out.context;
    if (kind != "dynamic") {
        if (kind == "llama3" && !hfHas(rope, "original_max_position_embeddings") && !hfHas(config, "original_max_position_embeddings"))
            return badRope(source, ".original_max_position_embeddings is missing");
        ASSAY_TRY(s.originalContext, hfInteger(rope, "original_max_position_embeddings", out.context));
        if (kind != "linear") {
            ASSAY_TRY(s.originalContext, hfInteger(config, "original_max_position_embeddings", s.originalContext));
        }
    }
    if (s.originalContext <= 0) return badRope(source, ".original_max_position_embeddings must be positive");
    const bool implied = kind == "longrope" && !hfHas(rope, "factor");
    if (!implied && !hfHas(rope, "factor")) return badRope(source, ".factor is missing");
    ASSAY_TRY(s.factor, hfDouble(rope, "factor", static_cast<double>(out.context) / static_cast<double>(s.originalContext)));
    if (!implied && !(s.factor >= 1)) return badRope(source, fmt::format(".factor is {}, it must be at least 1", s.factor));
    if (kind == "llama3") ASSAY_TRY_VOID(readLlama3(rope, source, s));
    if (kind == "yarn") ASSAY_TRY_VOID(readYarn(rope, source, s));
    if (kind == "longrope") ASSAY_TRY_VOID(readLongrope(rope, source, out.headDim, s));
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
    if (s.kind == "llama3" || s.kind == "yarn" || s.kind == "longrope") rope["original_max_position_embeddings"] = s.originalContext;
    if (s.kind == "yarn") {
        rope["beta_fast"] = s.betaFast;
        rope["beta_slow"] = s.betaSlow;
        if (!s.truncate) rope["truncate"] = false;
    }
    if (s.kind == "longrope") {
        rope["short_factor"] = s.shortFactors;
        rope["long_factor"] = s.longFactors;
    }
    if ((s.kind == "yarn" || s.kind == "longrope") && s.attentionFactor > 0) rope["attention_factor"] = s.attentionFactor;
    // Both spellings, so that transformers 4 and 5 read the same model.
    out["rope_theta"] = config.ropeTheta;
    out["rope_scaling"] = s.kind.empty() ? Json(nullptr) : rope;
    rope["rope_theta"] = config.ropeTheta;
    out["rope_parameters"] = rope;
}

}  // namespace assay::model
