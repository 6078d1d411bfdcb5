#include "families/llama_parts.h"

#include <fmt/format.h>

#include "families/shape_checks.h"

namespace assay::model {

void ParameterList::linear(const std::string& name, int64_t outputs, int64_t inputs, Role role, int layer, bool bias, bool splitOut) {
    out_.push_back({name + ".weight", {outputs, inputs}, role, layer, true, true, splitOut ? 0 : 1});
    if (bias) out_.push_back({name + ".bias", {outputs}, role, layer, false, false, splitOut ? 0 : -1});
}
void ParameterList::embedding() { out_.push_back({"model.embed_tokens.weight", {c_.vocab, c_.hidden}, Role::kEmbedding, -1, false, true, 0}); }
void ParameterList::attention(const std::string& prefix, int layer) {
    const int64_t q = c_.heads * c_.headDim, kv = c_.kvHeads * c_.headDim;
    linear(prefix + "self_attn.q_proj", q, c_.hidden, Role::kAttention, layer, c_.attentionBias, true);
    linear(prefix + "self_attn.k_proj", kv, c_.hidden, Role::kAttention, layer, c_.attentionBias, true);
    linear(prefix + "self_attn.v_proj", kv, c_.hidden, Role::kAttention, layer, c_.attentionBias, true);
    linear(prefix + "self_attn.o_proj", c_.hidden, q, Role::kAttention, layer, c_.attentionBias && c_.outputBias, false);
    if (c_.queryKeyNorm) {
        norm(prefix + "self_attn.q_norm.weight", c_.headDim, layer);
        norm(prefix + "self_attn.k_norm.weight", c_.headDim, layer);
    }
}
void ParameterList::layerNorms(const std::string& prefix, int layer) {
    norm(prefix + "input_layernorm.weight", c_.hidden, layer);
    norm(prefix + "post_attention_layernorm.weight", c_.hidden, layer);
}
void ParameterList::ending() {
    norm("model.norm.weight", c_.hidden, -1);
    if (!c_.tieEmbeddings) linear("lm_head", c_.vocab, c_.hidden, Role::kHead, -1, false, true);
}

Result<void> validateAttention(const ModelConfig& c, std::string_view family) {
    ASSAY_TRY_VOID(checkShape(c));
    if (c.headDim % 2 != 0) return fail(ErrorCode::kInvalidFile, fmt::format("{}: head dimension {} is odd; rotary positions need pairs", family, c.headDim));
    if (c.ropeScaling.kind == "dynamic" && c.headDim == 2) return fail(ErrorCode::kInvalidFile, fmt::format("{}: dynamic rope scaling needs a head dimension above 2", family));
    if (c.activation != "silu") return fail(ErrorCode::kUnsupported, fmt::format("{}: activation \"{}\" is not supported", family, c.activation), "supported: silu");
    if (!(c.ropeTheta > 0)) return fail(ErrorCode::kInvalidFile, fmt::format("{}: rope_theta is {}, it must be positive", family, c.ropeTheta));
    if (c.window < 0) return fail(ErrorCode::kInvalidFile, fmt::format("{}: a window of {} positions", family, c.window));
    if (!c.windowLayers.empty() && (c.window == 0 || static_cast<int64_t>(c.windowLayers.size()) != c.layers))
        return fail(ErrorCode::kInvalidFile, fmt::format("{}: windows for {} of {} layers", family, c.windowLayers.size(), c.layers));
    return {};
}

double attentionFlopsPerToken(const ModelConfig& c, int64_t context) {
    const double h = static_cast<double>(c.hidden), layers = static_cast<double>(c.layers);
    const double q = static_cast<double>(c.heads * c.headDim), kv = static_cast<double>(c.kvHeads * c.headDim), all = static_cast<double>(context);
    double seen = 0;  // twice the keys of a position on average, over all layers
    for (int64_t l = 0; l < c.layers; ++l) {
        const double window = static_cast<double>(windowOf(c, l));
        seen += window > 0 && window < all ? 2 * window - window * window / all : all;
    }
    return 2 * layers * (2 * h * q + 2 * h * kv) + 2 * q * seen;
}

Result<ModelConfig> shapeFromHuggingFace(const Json& j, const LlamaDefaults& defaults) {
    ModelConfig c;
    ASSAY_TRY(c.vocab, hfInteger(j, "vocab_size"));
    ASSAY_TRY(c.context, hfInteger(j, "max_position_embeddings"));
    ASSAY_TRY(c.hidden, hfInteger(j, "hidden_size"));
    ASSAY_TRY(c.ffn, hfInteger(j, "intermediate_size"));
    ASSAY_TRY(c.layers, hfInteger(j, "num_hidden_layers"));
    ASSAY_TRY(c.heads, hfInteger(j, "num_attention_heads"));
    ASSAY_TRY(c.kvHeads, hfInteger(j, "num_key_value_heads", defaults.kvHeads > 0 && !j.contains("num_key_value_heads") ? defaults.kvHeads : c.heads));
    const bool fixed = defaults.headDim > 0 && !j.contains("head_dim");
    if (!fixed && !hfHas(j, "head_dim") && (c.heads <= 0 || c.hidden % c.heads != 0))
        return fail(ErrorCode::kInvalidFile, fmt::format("config.json: hidden_size {} is not a multiple of num_attention_heads {} and head_dim is not given",
                                                         c.hidden, c.heads));
    ASSAY_TRY(c.headDim, hfInteger(j, "head_dim", fixed ? defaults.headDim : c.heads > 0 ? c.hidden / c.heads : 0));
    ASSAY_TRY(c.activation, hfString(j, "hidden_act", "silu"));
    ASSAY_TRY(c.normEps, hfDouble(j, "rms_norm_eps", defaults.normEps));
    ASSAY_TRY_VOID(ropeFromHuggingFace(j, c, defaults.theta));
    ASSAY_TRY(c.dropout, hfDouble(j, "attention_dropout", 0.0));
    ASSAY_TRY(c.tieEmbeddings, hfBool(j, "tie_word_embeddings", false));
    ASSAY_TRY(c.bosId, hfInteger(j, "bos_token_id", -1));
    ASSAY_TRY_VOID(hfEosIds(j, c.eosIds));
    return c;
}

Json shapeToHuggingFace(const ModelConfig& c, std::string_view architecture, std::string_view modelType) {
    Json out;
    out["architectures"] = Json::array({architecture});
    out["model_type"] = modelType;
    out["vocab_size"] = c.vocab;
    out["max_position_embeddings"] = c.context;
    out["hidden_size"] = c.hidden;
    out["intermediate_size"] = c.ffn;
    out["num_hidden_layers"] = c.layers;
    out["num_attention_heads"] = c.heads;
    out["num_key_value_heads"] = c.kvHeads;
    out["head_dim"] = c.headDim;
    out["hidden_act"] = c.activation;
    out["rms_norm_eps"] = c.normEps;
    ropeToHuggingFace(c, out);
    out["attention_dropout"] = c.dropout;
    out["initializer_range"] = 0.02;
    out["bos_token_id"] = c.bosId < 0 ? Json(nullptr) : Json(c.bosId);
    out["eos_token_id"] = hfEosJson(c.eosIds);
    out["tie_word_embeddings"] = c.tieEmbeddings;
    return out;
}

Result<int64_t> windowFromHuggingFace(const Json& j, int64_t absent) {
    if (!j.contains("sliding_window")) return absent;
    ASSAY_TRY(const int64_t window, hfInteger(j, "sliding_window", 0));
    if (window < 0 || (window == 0 && hfHas(j, "sliding_window")))
        return fail(ErrorCode::kInvalidFile, fmt::format("config.json: sliding_window is {}, it must be positive or null", window));
    return window;
}

bool isRotaryTable(std::string_view name) { return name.ends_with("rotary_emb.inv_freq"); }

void fillLlamaDefaults(ModelConfig& c) {
    if (!c.layers) c.layers = 12;
    if (!c.hidden) c.hidden = 768;
    if (!c.heads) c.heads = c.hidden % 64 == 0 ? c.hidden / 64 : 1;
    if (!c.kvHeads) c.kvHeads = c.heads;
    if (!c.headDim && c.heads > 0) c.headDim = c.hidden / c.heads;
    if (!c.ffn && c.hidden <= (1 << 20)) c.ffn = (8 * c.hidden / 3 + 63) / 64 * 64;  // 8/3 of hidden, in whole cache lines
    if (!c.context) c.context = 2048;
    if (c.activation.empty()) c.activation = "silu";
}

}  // namespace assay::model
