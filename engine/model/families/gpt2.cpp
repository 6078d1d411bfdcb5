// GPT-2 (Radford et al. 2019) as Hugging Face stores it: learned positions, LayerNorm before each block, GELU, biases,
// Conv1D weights [in, out].
#include <fmt/format.h>

#include "families/families.h"
#include "families/shape_checks.h"

namespace assay::model {
namespace {

Result<void> validate(const ModelConfig& c) {
    ASSAY_TRY_VOID(checkShape(c));
    if (c.kvHeads != c.heads)
        return fail(ErrorCode::kInvalidFile, fmt::format("gpt2: {} key/value heads for {} heads; the family has one for each head", c.kvHeads, c.heads));
    if (c.headDim * c.heads != c.hidden)
        return fail(ErrorCode::kInvalidFile, fmt::format("gpt2: hidden size {} is not a multiple of {} heads", c.hidden, c.heads));
    if (c.activation != "gelu_new" && c.activation != "gelu")
        return fail(ErrorCode::kUnsupported, fmt::format("gpt2: activation \"{}\" is not supported", c.activation), "supported: gelu_new, gelu");
    return {};
}

std::vector<ParameterInfo> parameters(const ModelConfig& c) {
    std::vector<ParameterInfo> out;
    auto add = [&](std::string name, std::vector<int64_t> shape, Role role, int layer, bool linear, int shardDim) {
        const bool matrix = shape.size() >= 2;
        out.push_back({std::move(name), std::move(shape), role, layer, linear, matrix, shardDim});
    };
    const int64_t h = c.hidden;
    add("transformer.wte.weight", {c.vocab, h}, Role::kEmbedding, -1, false, 0);
    add("transformer.wpe.weight", {c.context, h}, Role::kPositionEmbedding, -1, false, -1);
    for (int i = 0; i < static_cast<int>(c.layers); ++i) {
        const std::string p = fmt::format("transformer.h.{}.", i);
        add(p + "ln_1.weight", {h}, Role::kNorm, i, false, -1);
        add(p + "ln_1.bias", {h}, Role::kNorm, i, false, -1);
        // q, k and v side by side: a shard takes its share of each third.
        add(p + "attn.c_attn.weight", {h, 3 * h}, Role::kAttention, i, true, 1);
        add(p + "attn.c_attn.bias", {3 * h}, Role::kAttention, i, false, 0);
        add(p + "attn.c_proj.weight", {h, h}, Role::kAttention, i, true, 0);
        add(p + "attn.c_proj.bias", {h}, Role::kAttention, i, false, -1);
        add(p + "ln_2.weight", {h}, Role::kNorm, i, false, -1);
        add(p + "ln_2.bias", {h}, Role::kNorm, i, false, -1);
        add(p + "mlp.c_fc.weight", {h, c.ffn}, Role::kMlp, i, true, 1);
        add(p + "mlp.c_fc.bias", {c.ffn}, Role::kMlp, i, false, 0);
        add(p + "mlp.c_proj.weight", {c.ffn, h}, Role::kMlp, i, true, 0);
        add(p + "mlp.c_proj.bias", {h}, Role::kMlp, i, false, -1);
    }
    add("transformer.ln_f.weight", {h}, Role::kNorm, -1, false, -1);
    add("transformer.ln_f.bias", {h}, Role::kNorm, -1, false, -1);
    if (!c.tieEmbeddings) add("lm_head.weight", {c.vocab, h}, Role::kHead, -1, true, 0);
    return out;
}

double forwardFlopsPerToken(const ModelConfig& c, int64_t context) {
    const double h = static_cast<double>(c.hidden), layers = static_cast<double>(c.layers);
    const double linear = layers * (4 * h * h + 2 * h * static_cast<double>(c.ffn)) + static_cast<double>(c.vocab) * h;
    // Scores and their product with the values, over context/2 keys on average.
    return 2 * linear + 2 * layers * h * static_cast<double>(context);
}

Json toHuggingFace(const ModelConfig& c) {
    Json out;
    out["architectures"] = Json::array({"GPT2LMHeadModel"});
    out["model_type"] = "gpt2";
    out["vocab_size"] = c.vocab;
    out["n_positions"] = c.context;
    out["n_embd"] = c.hidden;
    out["n_layer"] = c.layers;
    out["n_head"] = c.heads;
    out["n_inner"] = c.ffn;
    out["activation_function"] = c.activation;
    for (const char* key : {"resid_pdrop", "embd_pdrop", "attn_pdrop"}) out[key] = c.dropout;
    out["layer_norm_epsilon"] = c.normEps;
    out["initializer_range"] = 0.02;
    out["bos_token_id"] = c.bosId < 0 ? Json(nullptr) : Json(c.bosId);
    out["eos_token_id"] = hfEosJson(c.eosIds);
    out["tie_word_embeddings"] = c.tieEmbeddings;
    return out;
}

Result<ModelConfig> fromHuggingFace(const Json& j) {
    ModelConfig c;
    ASSAY_TRY(c.vocab, hfInteger(j, "vocab_size"));
    ASSAY_TRY(c.context, hfInteger(j, hfHas(j, "n_positions") ? "n_positions" : "n_ctx"));
    ASSAY_TRY(c.hidden, hfInteger(j, "n_embd"));
    ASSAY_TRY(c.layers, hfInteger(j, "n_layer"));
    ASSAY_TRY(c.heads, hfInteger(j, "n_head"));
    if (c.hidden <= 0 || c.hidden > (1 << 20)) return fail(ErrorCode::kInvalidFile, fmt::format("config.json: n_embd {} is out of range", c.hidden));
    ASSAY_TRY(c.ffn, hfInteger(j, "n_inner", 4 * c.hidden));
    c.kvHeads = c.heads;
    c.headDim = c.heads > 0 ? c.hidden / c.heads : 0;
    ASSAY_TRY(c.activation, hfString(j, "activation_function", "gelu_new"));
    if (c.activation == "gelu_pytorch_tanh") c.activation = "gelu_new";  // the same tanh approximation
    ASSAY_TRY(c.normEps, hfDouble(j, "layer_norm_epsilon", 1e-5));
    // One rate for all three places; the residual one speaks for the others.
    ASSAY_TRY(c.dropout, hfDouble(j, "resid_pdrop", 0.1));
    ASSAY_TRY(c.tieEmbeddings, hfBool(j, "tie_word_embeddings", true));
    ASSAY_TRY(c.bosId, hfInteger(j, "bos_token_id", -1));
    ASSAY_TRY_VOID(hfEosIds(j, c.eosIds));
    c.attentionBias = c.mlpBias = true;
    ASSAY_TRY(const bool scaled, hfBool(j, "scale_attn_weights", true));
    if (!scaled) return fail(ErrorCode::kUnsupported, "config.json: scale_attn_weights false is not supported");
    for (const char* key : {"scale_attn_by_inverse_layer_idx", "add_cross_attention"}) {
        ASSAY_TRY(const bool on, hfBool(j, key, false));
        if (on) return fail(ErrorCode::kUnsupported, fmt::format("config.json: {} true is not supported", key));
    }
    return c;
}

void fillDefaults(ModelConfig& c) {
    if (!c.layers) c.layers = 12;
    if (!c.hidden) c.hidden = 768;
    if (!c.heads) c.heads = c.hidden % 64 == 0 ? c.hidden / 64 : 1;
    if (!c.kvHeads) c.kvHeads = c.heads;
    if (!c.headDim && c.heads > 0) c.headDim = c.hidden / c.heads;
    if (!c.ffn && c.hidden <= (1 << 20)) c.ffn = 4 * c.hidden;
    if (!c.context) c.context = 1024;
    if (c.activation.empty()) c.activation = "gelu_new";
    c.attentionBias = c.mlpBias = true;
}

// Causal masks that files of transformers < 4.31 carry.
bool isBuffer(std::string_view name) {
    return name.find("h.") != name.npos && (name.ends_with(".attn.bias") || name.ends_with(".attn.masked_bias"));
}

}  // namespace

Family gpt2Family() {
    Family f;
    f.name = "gpt2";
    f.validate = validate;
    f.parameters = parameters;
    f.forwardFlopsPerToken = forwardFlopsPerToken;
    f.toHuggingFace = toHuggingFace;
    f.fromHuggingFace = fromHuggingFace;
    f.fillDefaults = fillDefaults;
    f.architecture = "GPT2LMHeadModel";
    f.basePrefix = "transformer.";
    f.isBuffer = isBuffer;
    f.fromGguf = nullptr;
    f.fromGgufName = nullptr;
    return f;
}

}  // namespace assay::model
