// Llama (Touvron et al. 2023) and models of its shape (SmolLM2, TinyLlama, Llama 3; Mistral with its window, Qwen2 with biases,
// Qwen3 with norms of the heads): RMSNorm, rotary positions, grouped key/value heads, SwiGLU.
#include <fmt/format.h>

#include <algorithm>

#include "families/families.h"
#include "families/llama_gguf.h"
#include "families/llama_parts.h"
#include "families/shape_checks.h"

namespace assay::model {
namespace {

Result<void> validateLlama(const ModelConfig& c) {
    ASSAY_TRY_VOID(validateAttention(c, "llama"));
    if (c.experts != 0) return fail(ErrorCode::kInvalidFile, "llama: the family has no experts", "use the family mixtral");
    const bool mistral = c.variant == "mistral", qwen2 = c.variant == "qwen2", qwen3 = c.variant == "qwen3";
    if (!c.variant.empty() && !mistral && !qwen2 && !qwen3) return fail(ErrorCode::kInvalidFile, fmt::format("llama: unknown variant \"{}\"", c.variant));
    // What config.json of the variant can say.
    const bool windows = c.window == 0 || mistral || qwen2 || qwen3, some = c.windowLayers.empty() || qwen2 || qwen3;
    const bool biases = c.variant.empty() || (!c.mlpBias && (qwen3 || c.attentionBias == qwen2));
    if (!windows || !some || !biases || c.queryKeyNorm != qwen3 || c.outputBias == qwen2)
        return fail(ErrorCode::kInvalidFile, fmt::format("llama: windows, biases or norms of the heads that a model of type \"{}\" does not have", c.variant.empty() ? "llama" : c.variant));
    return {};
}

std::vector<ParameterInfo> llamaParameters(const ModelConfig& c) {
    ParameterList list(c);
    list.embedding();
    for (int i = 0; i < static_cast<int>(c.layers); ++i) {
        const std::string p = fmt::format("model.layers.{}.", i);
        list.attention(p, i);
        list.linear(p + "mlp.gate_proj", c.ffn, c.hidden, Role::kMlp, i, c.mlpBias, true);
        list.linear(p + "mlp.up_proj", c.ffn, c.hidden, Role::kMlp, i, c.mlpBias, true);
        list.linear(p + "mlp.down_proj", c.hidden, c.ffn, Role::kMlp, i, c.mlpBias, false);
        list.layerNorms(p, i);
    }
    list.ending();
    return list.take();
}

double llamaFlopsPerToken(const ModelConfig& c, int64_t context) {
    const double h = static_cast<double>(c.hidden), mlp = 3 * h * static_cast<double>(c.ffn);
    return attentionFlopsPerToken(c, context) + 2 * (static_cast<double>(c.layers) * mlp + static_cast<double>(c.vocab) * h);
}

std::string architectureOf(const std::string& variant) {
    if (variant == "mistral") return "MistralForCausalLM";
    if (variant == "qwen2") return "Qwen2ForCausalLM";
    return variant == "qwen3" ? "Qwen3ForCausalLM" : "LlamaForCausalLM";
}

Json llamaToHuggingFace(const ModelConfig& c) {
    Json out = shapeToHuggingFace(c, architectureOf(c.variant), c.variant.empty() ? "llama" : c.variant);
    if (c.variant.empty() || c.variant == "qwen3") out["attention_bias"] = c.attentionBias;
    if (c.variant.empty()) out["mlp_bias"] = c.mlpBias;
    if (c.variant == "mistral") out["sliding_window"] = c.window > 0 ? Json(c.window) : Json(nullptr);
    if (c.variant == "qwen2" || c.variant == "qwen3") {
        Json types = Json::array();
        for (int64_t i = 0; i < c.layers; ++i) types.push_back(windowOf(c, i) > 0 ? "sliding_attention" : "full_attention");
        int64_t first = 0;  // said twice: transformers 4 of some versions reads this instead of the list
        while (first < c.layers && windowOf(c, first) == 0) ++first;
        out["use_sliding_window"] = c.window > 0;
        out["sliding_window"] = c.window > 0 ? Json(c.window) : Json(nullptr);
        out["max_window_layers"] = first;
        out["layer_types"] = types;
    }
    return out;
}

// Qwen: use_sliding_window with layer_types, or from layer max_window_layers on.
Result<void> qwenWindows(const Json& j, ModelConfig& c) {
    ASSAY_TRY(const bool used, hfBool(j, "use_sliding_window", false));
    ASSAY_TRY(const int64_t window, windowFromHuggingFace(j, 4096));
    ASSAY_TRY(const int64_t first, hfInteger(j, "max_window_layers", 28));
    c.window = used ? window : 0;
    if (c.layers < 1 || c.layers > 4096) return {};  // refused by validate
    std::vector<bool> windowed(static_cast<size_t>(c.layers));
    for (size_t i = 0; i < windowed.size(); ++i) windowed[i] = c.window > 0 && static_cast<int64_t>(i) >= first;
    if (hfHas(j, "layer_types")) {
        const Json& types = *j.find("layer_types");
        if (!types.is_array() || types.size() != windowed.size())
            return fail(ErrorCode::kInvalidFile, fmt::format("config.json: \"layer_types\" must name the attention of each of the {} layers", c.layers));
        for (size_t i = 0; i < windowed.size(); ++i) {
            if (types[i] != "sliding_attention" && types[i] != "full_attention")
                return fail(ErrorCode::kUnsupported, fmt::format("config.json: layer_types: {} is not supported", dumpJson(types[i])), "supported: full_attention, sliding_attention");
            windowed[i] = types[i] == "sliding_attention";
            if (windowed[i] && c.window == 0)
                return fail(ErrorCode::kInvalidFile, "config.json: layer_types names sliding_attention, but use_sliding_window and sliding_window give no window");
        }
    }
    if (std::find(windowed.begin(), windowed.end(), true) == windowed.end()) c.window = 0;
    else if (std::find(windowed.begin(), windowed.end(), false) != windowed.end()) c.windowLayers = std::move(windowed);
    return {};
}

Result<ModelConfig> llamaFromHuggingFace(const Json& j) {
    const std::string type = modelTypeOf(j);
    const bool mistral = type == "mistral", qwen2 = type == "qwen2", qwen3 = type == "qwen3";
    LlamaDefaults defaults;
    if (mistral) defaults.kvHeads = 8;
    if (qwen2 || qwen3) defaults.kvHeads = 32;
    if (qwen3) defaults.headDim = 128;
    ASSAY_TRY(ModelConfig c, shapeFromHuggingFace(j, defaults));
    if (type != "llama") c.variant = type;
    if (mistral) {
        ASSAY_TRY(c.window, windowFromHuggingFace(j, 4096));
        if (hfHas(j, "layer_types")) return fail(ErrorCode::kUnsupported, "config.json: layer_types is not supported for model_type \"mistral\"");
    } else if (qwen2) {
        c.attentionBias = true;
        c.outputBias = false;
        ASSAY_TRY_VOID(qwenWindows(j, c));
    } else {
        ASSAY_TRY(c.attentionBias, hfBool(j, "attention_bias", false));
        if (qwen3) {
            c.queryKeyNorm = true;
            ASSAY_TRY_VOID(qwenWindows(j, c));
        } else {
            ASSAY_TRY(c.mlpBias, hfBool(j, "mlp_bias", false));
        }
    }
    return c;
}

}  // namespace

Family llamaFamily() {
    Family f;
    f.name = "llama";
    f.validate = validateLlama;
    f.parameters = llamaParameters;
    f.forwardFlopsPerToken = llamaFlopsPerToken;
    f.toHuggingFace = llamaToHuggingFace;
    f.fromHuggingFace = llamaFromHuggingFace;
    f.fillDefaults = fillLlamaDefaults;
    f.architecture = "LlamaForCausalLM";
    for (const char* variant : {"mistral", "qwen2", "qwen3"}) f.aliases.push_back({variant, architectureOf(variant)});
    f.basePrefix = "model.";
    f.isBuffer = isRotaryTable;
    f.ggufArchitecture = "llama";
    f.fromGguf = llamaFromGguf;
    f.fromGgufName = llamaFromGgufName;
    return f;
}

}  // namespace assay::model
