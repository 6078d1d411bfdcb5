// Mixtral (Jiang et al. 2024): Llama's attention; the MLP of a layer is one of several experts for each token, chosen by a router.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "families/families.h"
#include "families/llama_parts.h"
#include "families/shape_checks.h"

namespace assay::model {
namespace {

Result<void> validateMixtral(const ModelConfig& c) {
    ASSAY_TRY_VOID(validateAttention(c, "mixtral"));
    if (c.experts < 1 || c.experts > 4096) return fail(ErrorCode::kInvalidFile, fmt::format("mixtral: num_local_experts is {}, it must be between 1 and 4096", c.experts));
    if (c.experts * c.layers > (1 << 16)) return fail(ErrorCode::kInvalidFile, fmt::format("mixtral: {} experts in {} layers are more than Assay accepts", c.experts, c.layers));
    if (c.expertsPerToken < 1) return fail(ErrorCode::kInvalidFile, fmt::format("mixtral: num_experts_per_tok is {}, it must be positive", c.expertsPerToken));
    if (c.expertsPerToken > c.experts)
        return fail(ErrorCode::kInvalidFile, fmt::format("mixtral: num_experts_per_tok {} is more than num_local_experts {}", c.expertsPerToken, c.experts), "choose at most as many as there are");
    if (!(c.routerAuxCoef >= 0) || !(c.routerAuxCoef <= 1e6)) return fail(ErrorCode::kInvalidFile, fmt::format("mixtral: router_aux_loss_coef {} is not a weight of a loss", c.routerAuxCoef));
    if (c.attentionBias || c.mlpBias || c.queryKeyNorm || !c.windowLayers.empty() || !c.variant.empty())
        return fail(ErrorCode::kInvalidFile, "mixtral: biases, norms of the heads or windows of single layers, which the family does not have");
    return {};
}

std::string layerPrefix(int64_t layer) { return fmt::format("model.layers.{}.", layer); }
std::string expertName(int64_t layer, int64_t expert, const char* part) { return fmt::format("{}block_sparse_moe.experts.{}.{}", layerPrefix(layer), expert, part); }

std::vector<ParameterInfo> mixtralParameters(const ModelConfig& c) {
    ParameterList list(c);
    list.embedding();
    for (int i = 0; i < static_cast<int>(c.layers); ++i) {
        const std::string p = layerPrefix(i);
        list.attention(p, i);
        // A few thousand weights decide where all others are used: never quantized, and the same on every rank.
        list.add({p + "block_sparse_moe.gate.weight", {c.experts, c.hidden}, Role::kRouter, i, false, true, -1});
        for (int64_t e = 0; e < c.experts; ++e) {
            list.linear(expertName(i, e, "w1"), c.ffn, c.hidden, Role::kMlp, i, false, true);   // gate
            list.linear(expertName(i, e, "w2"), c.hidden, c.ffn, Role::kMlp, i, false, false);  // down
            list.linear(expertName(i, e, "w3"), c.ffn, c.hidden, Role::kMlp, i, false, true);   // up
        }
        list.layerNorms(p, i);
    }
    list.ending();
    return list.take();
}

double mixtralFlopsPerToken(const ModelConfig& c, int64_t context) {
    const double h = static_cast<double>(c.hidden), expert = 3 * h * static_cast<double>(c.ffn);
    const double layer = h * static_cast<double>(c.experts) + static_cast<double>(c.expertsPerToken) * expert;
    return attentionFlopsPerToken(c, context) + 2 * (static_cast<double>(c.layers) * layer + static_cast<double>(c.vocab) * h);
}

Json mixtralToHuggingFace(const ModelConfig& c) {
    Json out = shapeToHuggingFace(c, "MixtralForCausalLM", "mixtral");
    out["sliding_window"] = c.window > 0 ? Json(c.window) : Json(nullptr);
    out["num_local_experts"] = c.experts;
    out["num_experts_per_tok"] = c.expertsPerToken;
    out["router_aux_loss_coef"] = c.routerAuxCoef;
    out["router_jitter_noise"] = 0.0;
    out["output_router_logits"] = false;
    return out;
}

Result<ModelConfig> mixtralFromHuggingFace(const Json& j) {
    ASSAY_TRY(ModelConfig c, shapeFromHuggingFace(j, {.kvHeads = 8, .normEps = 1e-5, .theta = 1e6}));
    ASSAY_TRY(c.window, windowFromHuggingFace(j, 0));
    ASSAY_TRY(c.experts, hfInteger(j, hfHas(j, "num_experts") && !hfHas(j, "num_local_experts") ? "num_experts" : "num_local_experts", 8));
    ASSAY_TRY(c.expertsPerToken, hfInteger(j, "num_experts_per_tok", 2));
    ASSAY_TRY(c.routerAuxCoef, hfDouble(j, "router_aux_loss_coef", 0.001));
    ASSAY_TRY(const double jitter, hfDouble(j, "router_jitter_noise", 0.0));
    if (jitter != 0) return fail(ErrorCode::kUnsupported, fmt::format("config.json: router_jitter_noise {} is not supported", jitter), "set it to 0: experts are then chosen without noise");
    for (const char* key : {"attention_bias", "mlp_bias"}) {
        ASSAY_TRY(const bool on, hfBool(j, key, false));
        if (on) return fail(ErrorCode::kUnsupported, fmt::format("config.json: {} true is not supported for model_type \"mixtral\"", key));
    }
    ASSAY_TRY(const bool renormalised, hfBool(j, "norm_topk_prob", true));
    if (!renormalised) return fail(ErrorCode::kUnsupported, "config.json: norm_topk_prob false is not supported for model_type \"mixtral\"");
    return c;
}

void fillMixtralDefaults(ModelConfig& c) {
    fillLlamaDefaults(c);
    if (!c.experts) c.experts = 8;
    if (!c.expertsPerToken) c.expertsPerToken = std::min<int64_t>(2, c.experts);
    if (c.routerAuxCoef < 0) c.routerAuxCoef = 0.001;
}

// "model.layers.3.mlp.…" of transformers 5 in memory, written with save_original_format=False: the layer and what follows "mlp.".
bool insideMlp(std::string_view name, int64_t& layer, std::string_view& rest) {
    constexpr std::string_view kStart = "model.layers.";
    if (!name.starts_with(kStart)) return false;
    name.remove_prefix(kStart.size());
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), layer);
    if (error != std::errc{} || layer < 0) return false;
    name.remove_prefix(static_cast<size_t>(end - name.data()));
    if (!name.starts_with(".mlp.")) return false;
    rest = name.substr(5);
    return true;
}

std::string mixtralRenamed(std::string_view name) {
    int64_t layer = 0;
    std::string_view rest;
    if (insideMlp(name, layer, rest) && rest == "gate.weight") return layerPrefix(layer) + "block_sparse_moe.gate.weight";
    return std::string(name);
}

// gate_up_proj [experts, 2·ffn, hidden], gate before up; down_proj [experts, hidden, ffn].
std::vector<FusedPart> mixtralFused(std::string_view name, const ModelConfig& c) {
    int64_t layer = 0;
    std::string_view rest;
    std::vector<FusedPart> parts;
    if (!insideMlp(name, layer, rest)) return parts;
    const bool pair = rest == "experts.gate_up_proj";
    if (!pair && rest != "experts.down_proj") return parts;
    const int64_t rows = pair ? c.ffn : c.hidden;
    for (int64_t e = 0; e < c.experts; ++e) {
        parts.push_back({expertName(layer, e, pair ? "w1" : "w2") + ".weight", static_cast<int64_t>(parts.size()) * rows, rows});
        if (pair) parts.push_back({expertName(layer, e, "w3") + ".weight", static_cast<int64_t>(parts.size()) * rows, rows});
    }
    return parts;
}

}  // namespace

Family mixtralFamily() {
    Family f;
    f.name = "mixtral";
    f.mixture = true;
    f.validate = validateMixtral;
    f.parameters = mixtralParameters;
    f.forwardFlopsPerToken = mixtralFlopsPerToken;
    f.toHuggingFace = mixtralToHuggingFace;
    f.fromHuggingFace = mixtralFromHuggingFace;
    f.fillDefaults = fillMixtralDefaults;
    f.architecture = "MixtralForCausalLM";
    f.basePrefix = "model.";
    f.isBuffer = isRotaryTable;
    f.renamed = mixtralRenamed;
    f.fusedParts = mixtralFused;
    f.fromGguf = nullptr;
    f.fromGgufName = nullptr;
    return f;
}

}  // namespace assay::model
