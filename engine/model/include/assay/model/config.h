#pragma once
// A model as data: its shape, and the list of its parameters with Hugging Face names. No tensors, no torch.

#include <assay/core/json.h>

#include <cstdint>
#include <string>
#include <vector>

namespace assay::model {

enum class DType { kF32, kF16, kBF16, kI8, kU8, kI32, kI64, kBool, kF64,
                   // GGUF block types (bytes per block of 32, K types 256): gguf.h
                   kQ4_0, kQ4_1, kQ5_0, kQ5_1, kQ8_0, kQ4_K, kQ5_K, kQ6_K };
std::string_view dtypeName(DType type);                    // safetensors names: "F32", "BF16", …
int64_t dtypeBytes(DType type);                            // per element; 0 for block types

struct RopeScaling {
    std::string kind;  // empty: none; linear | dynamic | llama3 | yarn | longrope
    double factor = 1, lowFreqFactor = 1, highFreqFactor = 4;  // the last two: llama3
    int64_t originalContext = 8192;                            // context before the stretch
    double betaFast = 32, betaSlow = 1;                        // yarn (Peng et al. 2023)
    bool truncate = true;                                      // yarn: the ramp begins and ends at whole dimensions
    double attentionFactor = 0;                                // yarn, longrope; 0: from the factor (rope.h)
    std::vector<double> shortFactors, longFactors;             // longrope (Ding et al. 2024): divisors, one for each pair
};

struct ModelConfig {
    std::string family;        // "gpt2", "llama", "mixtral"
    std::string variant;       // Hugging Face's model_type of a family that knows several (llama: "mistral", "qwen2", "qwen3"); empty: the family's
    int64_t layers = 0, hidden = 0, heads = 0, kvHeads = 0, headDim = 0, ffn = 0;
    int64_t vocab = 0, context = 0;
    bool tieEmbeddings = false;
    double normEps = 1e-5;
    double ropeTheta = 10000;
    RopeScaling ropeScaling;
    double dropout = 0;
    bool attentionBias = false, mlpBias = false;
    bool outputBias = true;    // false: attentionBias leaves out the attention's output projection (Qwen2)
    bool queryKeyNorm = false; // RMSNorm of every query and key head before its rotation (Qwen3)
    int64_t window = 0;        // a query sees this many positions with itself; 0: all before it
    std::vector<bool> windowLayers;  // which layers have the window; empty: all
    int64_t experts = 0, expertsPerToken = 0;  // mixture of experts; 0: one MLP for all tokens
    double routerAuxCoef = 0;  // weight of the load-balance loss beside the language loss
    std::string activation;    // "gelu_new", "gelu", "silu"
    int64_t bosId = -1;        // -1: none
    std::vector<int64_t> eosIds;  // union of config.json and generation_config.json
    std::string sourcePrecision;  // "" for full precision files, else e.g. "Q4_1": what the weights were before dequantizing
};

enum class Role { kEmbedding, kPositionEmbedding, kNorm, kAttention, kMlp, kRouter, kHead };

struct ParameterInfo {
    std::string name;            // Hugging Face name with the global layer index: model.layers.3.self_attn.q_proj.weight
    std::vector<int64_t> shape;  // as stored by Hugging Face (GPT-2's Conv1D weights are [in, out])
    Role role = Role::kMlp;
    int layer = -1;              // global layer index; -1 outside layers
    bool linearWeight = false;   // may be quantized
    bool decay = false;          // weight decay applies (matrices yes; norms and biases no)
    int shardDim = -1;           // dimension that tensor parallelism may split; -1: replicated
};

// A part of a tensor that a file stores together with others: rows [first, first + rows) of it as a two-dimensional matrix.
struct FusedPart {
    std::string name;
    int64_t first = 0, rows = 0;
};

class GgufFile;  // gguf.h

// Family registry: one file per family in engine/model/families/ plus one line in families.cpp.
struct Family {
    std::string name;
    Result<void> (*validate)(const ModelConfig&);
    std::vector<ParameterInfo> (*parameters)(const ModelConfig&);
    double (*forwardFlopsPerToken)(const ModelConfig&, int64_t context);  // 2 per multiply-add; attention at mean context/2
    Json (*toHuggingFace)(const ModelConfig&);                          // config.json
    Result<ModelConfig> (*fromHuggingFace)(const Json& config);         // unknown rope kind, odd shapes: error naming the key
    void (*fillDefaults)(ModelConfig&);                                 // values left at 0: the family's defaults
    std::string architecture;                                           // of config.json: "LlamaForCausalLM"
    std::string basePrefix;                                             // "model.": files of the bare model leave it out
    bool (*isBuffer)(std::string_view name);                            // stored by old files, computed by us: ignored
    bool mixture = false;                                               // its MLPs are experts (ModelConfig::experts)
    struct Alias {
        std::string modelType, architecture;
    };
    std::vector<Alias> aliases;                                         // further models of this shape: "mistral", "MistralForCausalLM"
    // Other layouts of the same weights; null: none. Another name of a parameter (else the name itself), and what a tensor that
    // holds several is made of (else nothing).
    std::string (*renamed)(std::string_view name) = nullptr;
    std::vector<FusedPart> (*fusedParts)(std::string_view name, const ModelConfig&) = nullptr;
    // GGUF: null when the family is not read from GGUF. The name is empty for tensors that are ignored by rule.
    std::string ggufArchitecture;
    Result<ModelConfig> (*fromGguf)(const GgufFile&);
    std::string (*fromGgufName)(std::string_view name, bool& permutedRows);
};
const std::vector<Family>& families();
const Family* findFamily(std::string_view name);
const Family* familyOfHuggingFace(const Json& config);  // by "model_type" / "architectures"

// A model from a description: 0 means the family's default; the vocabulary must be given. Validated.
struct Experts {
    int64_t count = 0, perToken = 0;
    double auxCoef = -1;  // below 0: the family's default
};
Result<ModelConfig> describe(std::string_view family, int64_t layers, int64_t hidden, int64_t heads, int64_t kvHeads, int64_t ffn,
                             int64_t context, int64_t vocab, bool tieEmbeddings, double dropout, const Experts& experts = {});
// config.json of any known family (plus what Assay adds to it: assay_source_precision), validated.
Result<ModelConfig> configFromHuggingFace(const Json& config);
Json configToHuggingFace(const ModelConfig& config);  // the inverse

std::vector<ParameterInfo> parametersOf(const ModelConfig& config);
int64_t parameterCount(const ModelConfig& config);               // tied weights once
int64_t nonEmbeddingParameterCount(const ModelConfig& config);
int64_t activeParameterCount(const ModelConfig& config);         // that one token goes through: of all experts those it is sent to
int64_t windowOf(const ModelConfig& config, int64_t layer);      // 0: the layer sees all positions

}  // namespace assay::model
