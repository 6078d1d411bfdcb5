// The "llama" architecture of GGUF: metadata keys and tensor names (ggml-org/ggml docs/gguf.md).
#include "families/llama_gguf.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numbers>

namespace assay::model {
namespace {

tl::unexpected<Error> bad(const GgufFile& file, std::string message) {
    return fail(ErrorCode::kInvalidFile, file.path() + ": " + std::move(message));
}
tl::unexpected<Error> unsupported(const GgufFile& file, std::string message) {
    return fail(ErrorCode::kUnsupported, file.path() + ": " + std::move(message));
}

bool has(const GgufFile& file, std::string_view key) { return file.metadata().contains(key); }

Result<int64_t> integer(const GgufFile& file, std::string_view key) {
    if (!has(file, key)) return bad(file, fmt::format("metadata key {} is missing", key));
    auto value = jsonInteger(file.metadata(), key);
    if (!value || *value < 0) return bad(file, fmt::format("metadata key {} must be a non-negative integer", key));
    return *value;
}
Result<int64_t> integer(const GgufFile& file, std::string_view key, int64_t fallback) {
    if (!has(file, key)) return fallback;
    return integer(file, key);
}
Result<double> number(const GgufFile& file, std::string_view key, double fallback) {
    if (!has(file, key)) return fallback;
    auto value = jsonDouble(file.metadata(), key);
    if (!value) return bad(file, fmt::format("metadata key {} must be a finite number", key));
    return *value;
}

// Llama 3.1 files hold the stretched frequencies as a table of divisors instead of the four numbers they come from.
// The table is accepted when the published rule with the standard numbers reproduces it.
Result<void> ropeFromTable(const GgufFile& file, const GgufTensor& table, ModelConfig& c) {
    if (table.type != DType::kF32 || table.shape != std::vector<int64_t>{c.headDim / 2})
        return bad(file, fmt::format("tensor {} must be F32 with {} elements", table.name, c.headDim / 2));
    std::vector<float> divisors(static_cast<size_t>(c.headDim / 2));
    std::memcpy(divisors.data(), table.bytes.data(), table.bytes.size());
    RopeScaling s;
    s.kind = "llama3";
    s.factor = *std::max_element(divisors.begin(), divisors.end());
    s.lowFreqFactor = 1;
    s.highFreqFactor = 4;
    s.originalContext = 8192;
    bool plain = true, same = true;
    for (size_t i = 0; i < divisors.size(); ++i) {
        const double wavelength = 2 * std::numbers::pi * std::pow(c.ropeTheta, 2.0 * static_cast<double>(i) / static_cast<double>(c.headDim));
        const double turns = static_cast<double>(s.originalContext) / wavelength;
        double expected = 1;
        if (turns < s.lowFreqFactor) {
            expected = s.factor;
        } else if (turns <= s.highFreqFactor) {
            const double smooth = (turns - s.lowFreqFactor) / (s.highFreqFactor - s.lowFreqFactor);
            expected = 1 / ((1 - smooth) / s.factor + smooth);
        }
        plain = plain && divisors[i] == 1.0f;
        same = same && std::abs(divisors[i] - expected) <= 1e-4 * expected;
    }
    if (plain) return {};
    if (!same) return unsupported(file, fmt::format("tensor {} holds rotary frequencies that no known rule makes", table.name));
    c.ropeScaling = s;
    return {};
}

Result<void> readRope(const GgufFile& file, ModelConfig& c) {
    ASSAY_TRY(c.ropeTheta, number(file, "llama.rope.freq_base", 10000.0));
    ASSAY_TRY(const int64_t dims, integer(file, "llama.rope.dimension_count", c.headDim));
    if (dims != c.headDim) return unsupported(file, fmt::format("llama.rope.dimension_count {} differs from the head dimension {}", dims, c.headDim));
    std::string kind = jsonStringOr(file.metadata(), "llama.rope.scaling.type", "");
    ASSAY_TRY(double factor, number(file, "llama.rope.scaling.factor", 0.0));
    if (kind.empty()) {  // the key of version 1 writers
        ASSAY_TRY(const double linear, number(file, "llama.rope.scale_linear", 1.0));
        if (linear != 1.0) {
            kind = "linear";
            factor = linear;
        }
    }
    if (const GgufTensor* table = file.find("rope_freqs.weight")) {
        ASSAY_TRY_VOID(ropeFromTable(file, *table, c));
        if (!c.ropeScaling.kind.empty() && !kind.empty() && kind != "none")
            return unsupported(file, "both rope_freqs.weight and llama.rope.scaling.type are given");
    }
    if (kind.empty() || kind == "none") return {};
    if (kind != "linear" && kind != "yarn") return unsupported(file, fmt::format("llama.rope.scaling.type \"{}\" is not supported", kind));
    if (!(factor >= 1)) return bad(file, fmt::format("llama.rope.scaling.factor is {}, it must be at least 1", factor));
    c.ropeScaling.kind = kind;
    c.ropeScaling.factor = factor;
    ASSAY_TRY(c.ropeScaling.originalContext, integer(file, "llama.rope.scaling.original_context_length", c.context));
    return {};
}

struct NameRow {
    std::string_view gguf, huggingFace;
    bool permuted;
};
constexpr NameRow kLayerNames[] = {
    {"attn_q", "self_attn.q_proj", true},   {"attn_k", "self_attn.k_proj", true},
    {"attn_v", "self_attn.v_proj", false},  {"attn_output", "self_attn.o_proj", false},
    {"ffn_gate", "mlp.gate_proj", false},   {"ffn_up", "mlp.up_proj", false},
    {"ffn_down", "mlp.down_proj", false},   {"attn_norm", "input_layernorm", false},
    {"ffn_norm", "post_attention_layernorm", false},
};
constexpr NameRow kTopNames[] = {
    {"token_embd.weight", "model.embed_tokens.weight", false},
    {"output_norm.weight", "model.norm.weight", false},
    {"output.weight", "lm_head.weight", false},
};

}  // namespace

Result<ModelConfig> llamaFromGguf(const GgufFile& file) {
    ModelConfig c;
    c.activation = "silu";
    ASSAY_TRY(c.layers, integer(file, "llama.block_count"));
    ASSAY_TRY(c.hidden, integer(file, "llama.embedding_length"));
    ASSAY_TRY(c.ffn, integer(file, "llama.feed_forward_length"));
    ASSAY_TRY(c.heads, integer(file, "llama.attention.head_count"));
    ASSAY_TRY(c.kvHeads, integer(file, "llama.attention.head_count_kv", c.heads));
    ASSAY_TRY(c.context, integer(file, "llama.context_length"));
    ASSAY_TRY(c.normEps, number(file, "llama.attention.layer_norm_rms_epsilon", 0.0));
    if (c.normEps == 0) return bad(file, "metadata key llama.attention.layer_norm_rms_epsilon is missing");
    // The file keeps a float; the shortest decimal that names it is what config.json of the same model says (1e-05).
    c.normEps = std::strtod(fmt::format("{}", static_cast<float>(c.normEps)).c_str(), nullptr);
    if (c.heads <= 0 || (c.hidden % c.heads != 0 && !has(file, "llama.attention.key_length")))
        return bad(file, fmt::format("llama.embedding_length {} is not a multiple of llama.attention.head_count {}", c.hidden, c.heads));
    ASSAY_TRY(c.headDim, integer(file, "llama.attention.key_length", c.hidden / c.heads));
    ASSAY_TRY(const int64_t valueDim, integer(file, "llama.attention.value_length", c.headDim));
    if (valueDim != c.headDim) return unsupported(file, fmt::format("llama.attention.value_length {} differs from key_length {}", valueDim, c.headDim));
    ASSAY_TRY(const int64_t experts, integer(file, "llama.expert_count", 0));
    if (experts > 0) return unsupported(file, fmt::format("a mixture of {} experts is not supported", experts));

    const GgufTensor* embedding = file.find("token_embd.weight");
    if (!embedding || embedding->shape.size() != 2) return bad(file, "tensor token_embd.weight is missing or has no two dimensions");
    c.vocab = embedding->shape[0];
    if (auto tokens = file.metadata().find("tokenizer.ggml.tokens"); tokens != file.metadata().end()) {
        const int64_t count = tokens->is_array() ? static_cast<int64_t>(tokens->size()) : jsonIntegerOr(*tokens, "count", 0);
        if (count > c.vocab) return bad(file, fmt::format("{} tokens but token_embd.weight has {} rows", count, c.vocab));
    }
    c.tieEmbeddings = !file.find("output.weight");
    c.attentionBias = file.find("blk.0.attn_q.bias") != nullptr;
    c.mlpBias = file.find("blk.0.ffn_up.bias") != nullptr;
    ASSAY_TRY_VOID(readRope(file, c));

    ASSAY_TRY(c.bosId, integer(file, "tokenizer.ggml.bos_token_id", -1));
    for (const char* key : {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id"}) {
        ASSAY_TRY(const int64_t id, integer(file, key, -1));
        if (id >= 0 && std::find(c.eosIds.begin(), c.eosIds.end(), id) == c.eosIds.end()) c.eosIds.push_back(id);
    }
    return c;
}

std::string llamaFromGgufName(std::string_view name, bool& permutedRows) {
    permutedRows = false;
    if (name == "rope_freqs.weight" || name.ends_with(".attn_rot_embd.weight") || name.ends_with(".attn_rot_embd")) return {};
    for (const NameRow& row : kTopNames)
        if (name == row.gguf) return std::string(row.huggingFace);
    if (!name.starts_with("blk.")) return std::string(name);
    std::string_view rest = name.substr(4);
    int layer = -1;
    auto [end, ec] = std::from_chars(rest.data(), rest.data() + rest.size(), layer);
    if (ec != std::errc{} || layer < 0 || end == rest.data() + rest.size() || *end != '.') return std::string(name);
    rest.remove_prefix(static_cast<size_t>(end - rest.data()) + 1);
    const size_t dot = rest.rfind('.');
    if (dot == rest.npos) return std::string(name);
    const std::string_view kind = rest.substr(dot + 1);
    for (const NameRow& row : kLayerNames) {
        if (rest.substr(0, dot) != row.gguf || (kind != "weight" && kind != "bias")) continue;
        permutedRows = row.permuted;
        return fmt::format("model.layers.{}.{}.{}", layer, row.huggingFace, kind);
    }
    return std::string(name);
}

}  // namespace assay::model
