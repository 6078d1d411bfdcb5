// Llama (Touvron et al. 2023) and models of its shape (SmolLM2, TinyLlama, Llama 3): RMSNorm, rotary positions, grouped
// key/value heads, SwiGLU, no biases unless the configuration says so.
#include <fmt/format.h>

#include "families/families.h"
#include "families/llama_gguf.h"
#include "families/shape_checks.h"

namespace assay::model {
namespace {

Result<void> validate(const ModelConfig& c) {
    ASSAY_TRY_VOID(checkShape(c));
    if (c.headDim % 2 != 0) return fail(ErrorCode::kInvalidFile, fmt::format("llama: head dimension {} is odd; rotary positions need pairs", c.headDim));
    if (c.activation != "silu") return fail(ErrorCode::kUnsupported, fmt::format("llama: activation \"{}\" is not supported", c.activation), "supported: silu");
    if (!(c.ropeTheta > 0)) return fail(ErrorCode::kInvalidFile, fmt::format("llama: rope_theta is {}, it must be positive", c.ropeTheta));
    return {};
}

std::vector<ParameterInfo> parameters(const ModelConfig& c) {
    std::vector<ParameterInfo> out;
    auto norm = [&](std::string name, int layer) { out.push_back({std::move(name), {c.hidden}, Role::kNorm, layer, false, false, -1}); };
    // splitOut: tensor parallelism divides the output rows (and the bias), else the input columns.
    auto linear = [&](const std::string& name, int64_t outputs, int64_t inputs, Role role, int layer, bool bias, bool splitOut) {
        out.push_back({name + ".weight", {outputs, inputs}, role, layer, true, true, splitOut ? 0 : 1});
        if (bias) out.push_back({name + ".bias", {outputs}, role, layer, false, false, splitOut ? 0 : -1});
    };
    out.push_back({"model.embed_tokens.weight", {c.vocab, c.hidden}, Role::kEmbedding, -1, false, true, 0});
    const int64_t q = c.heads * c.headDim, kv = c.kvHeads * c.headDim;
    for (int i = 0; i < static_cast<int>(c.layers); ++i) {
        const std::string p = fmt::format("model.layers.{}.", i);
        linear(p + "self_attn.q_proj", q, c.hidden, Role::kAttention, i, c.attentionBias, true);
        linear(p + "self_attn.k_proj", kv, c.hidden, Role::kAttention, i, c.attentionBias, true);
        linear(p + "self_attn.v_proj", kv, c.hidden, Role::kAttention, i, c.attentionBias, true);
        linear(p + "self_attn.o_proj", c.hidden, q, Role::kAttention, i, c.attentionBias, false);
        linear(p + "mlp.gate_proj", c.ffn, c.hidden, Role::kMlp, i, c.mlpBias, true);
        linear(p + "mlp.up_proj", c.ffn, c.hidden, Role::kMlp, i, c.mlpBias, true);
        linear(p + "mlp.down_proj", c.hidden, c.ffn, Role::kMlp, i, c.mlpBias, false);
        norm(p + "input_layernorm.weight", i);
        norm(p + "post_attention_layernorm.weight", i);
    }
    norm("model.norm.weight", -1);
    if (!c.tieEmbeddings) linear("lm_head", c.vocab, c.hidden, Role::kHead, -1, false, true);
    return out;
}

double forwardFlopsPerToken(const ModelConfig& c, int64_t context) {
    const double h = static_cast<double>(c.hidden), layers = static_cast<double>(c.layers);
    const double q = static_cast<double>(c.heads * c.headDim), kv = static_cast<double>(c.kvHeads * c.headDim);
    const double linear = layers * (2 * h * q + 2 * h * kv + 3 * h * static_cast<double>(c.ffn)) + static_cast<double>(c.vocab) * h;
    // Scores and their product with the values, over context/2 keys on average.
    return 2 * linear + 2 * layers * q * static_cast<double>(context);
}

Json toHuggingFace(const ModelConfig& c) {
    Json out;
    out["architectures"] = Json::array({"LlamaForCausalLM"});
    out["model_type"] = "llama";
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
    out["attention_bias"] = c.attentionBias;
    out["attention_dropout"] = c.dropout;
    out["mlp_bias"] = c.mlpBias;
    out["initializer_range"] = 0.02;
    out["bos_token_id"] = c.bosId < 0 ? Json(nullptr) : Json(c.bosId);
    out["eos_token_id"] = hfEosJson(c.eosIds);
    out["tie_word_embeddings"] = c.tieEmbeddings;
    return out;
}

Result<ModelConfig> fromHuggingFace(const Json& j) {
    ModelConfig c;
    ASSAY_TRY(c.vocab, hfInteger(j, "vocab_size"));
    ASSAY_TRY(c.context, hfInteger(j, "max_position_embeddings"));
    ASSAY_TRY(c.hidden, hfInteger(j, "hidden_size"));
    ASSAY_TRY(c.ffn, hfInteger(j, "intermediate_size"));
    ASSAY_TRY(c.layers, hfInteger(j, "num_hidden_layers"));
    ASSAY_TRY(c.heads, hfInteger(j, "num_attention_heads"));
    ASSAY_TRY(c.kvHeads, hfInteger(j, "num_key_value_heads", c.heads));
    if (!hfHas(j, "head_dim") && (c.heads <= 0 || c.hidden % c.heads != 0))
        return fail(ErrorCode::kInvalidFile, fmt::format("config.json: hidden_size {} is not a multiple of num_attention_heads {} and head_dim is not given",
                                                         c.hidden, c.heads));
    ASSAY_TRY(c.headDim, hfInteger(j, "head_dim", c.heads > 0 ? c.hidden / c.heads : 0));
    ASSAY_TRY(c.activation, hfString(j, "hidden_act", "silu"));
    ASSAY_TRY(c.normEps, hfDouble(j, "rms_norm_eps", 1e-6));
    ASSAY_TRY_VOID(ropeFromHuggingFace(j, c));
    ASSAY_TRY(c.attentionBias, hfBool(j, "attention_bias", false));
    ASSAY_TRY(c.mlpBias, hfBool(j, "mlp_bias", false));
    ASSAY_TRY(c.dropout, hfDouble(j, "attention_dropout", 0.0));
    ASSAY_TRY(c.tieEmbeddings, hfBool(j, "tie_word_embeddings", false));
    ASSAY_TRY(c.bosId, hfInteger(j, "bos_token_id", -1));
    ASSAY_TRY_VOID(hfEosIds(j, c.eosIds));
    return c;
}

void fillDefaults(ModelConfig& c) {
    if (!c.layers) c.layers = 12;
    if (!c.hidden) c.hidden = 768;
    if (!c.heads) c.heads = c.hidden % 64 == 0 ? c.hidden / 64 : 1;
    if (!c.kvHeads) c.kvHeads = c.heads;
    if (!c.headDim && c.heads > 0) c.headDim = c.hidden / c.heads;
    if (!c.ffn && c.hidden <= (1 << 20)) c.ffn = (8 * c.hidden / 3 + 63) / 64 * 64;  // 8/3 of hidden, in whole cache lines
    if (!c.context) c.context = 2048;
    if (c.activation.empty()) c.activation = "silu";
}

// Rotary tables that files of transformers < 4.32 carry.
bool isBuffer(std::string_view name) { return name.ends_with("rotary_emb.inv_freq"); }

}  // namespace

Family llamaFamily() {
    Family f;
    f.name = "llama";
    f.validate = validate;
    f.parameters = parameters;
    f.forwardFlopsPerToken = forwardFlopsPerToken;
    f.toHuggingFace = toHuggingFace;
    f.fromHuggingFace = fromHuggingFace;
    f.fillDefaults = fillDefaults;
    f.architecture = "LlamaForCausalLM";
    f.basePrefix = "model.";
    f.isBuffer = isBuffer;
    f.ggufArchitecture = "llama";
    f.fromGguf = llamaFromGguf;
    f.fromGgufName = llamaFromGgufName;
    return f;
}

}  // namespace assay::model
