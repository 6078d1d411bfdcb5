#pragma once
// A causal language model held in one scheme, ready to run. Built from a model file; immutable afterwards, so any number of
// sessions may share it.

#include <assay/core/progress.h>
#include <assay/infer/scheme.h>
#include <assay/model/model_file.h>

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace assay::infer {

struct LoadOptions {
    // A scheme's name; "native": the scheme of a quantized folder, fp32 for any other file. A quantized folder loaded as
    // fp32 is dequantized; it is never quantized again.
    std::string scheme = "native";
    std::vector<std::string> keep;  // PCRE2; "lm_head" and "embed_tokens" also name head and embedding of every family
    bool measureError = false;      // fill relativeError of the layers
    ProgressSink progress;
    std::stop_token stop;
};

struct Linear {
    WeightPtr weight;
    Buffer bias;  // empty: none
    const float* biasData() const { return bias.bytes() > 0 ? bias.as<float>() : nullptr; }
};
struct Norm {
    Buffer weight, bias;
    const float* biasData() const { return bias.bytes() > 0 ? bias.as<float>() : nullptr; }
};
struct Expert {
    Linear gate, up, down;
};
struct LayerWeights {
    Norm attentionNorm, mlpNorm;
    Norm queryNorm, keyNorm;    // of every head, before its rotation; empty: none
    std::vector<Linear> input;  // q, k, v apart (llama) or side by side in one matrix (gpt2)
    Linear output;
    std::vector<Linear> up;     // gate and up (llama) or one (gpt2)
    Linear down;
    Buffer router;                // mixture of experts: [experts][hidden] in fp32, in place of up and down
    std::vector<Expert> experts;
};

class InferenceModel {
public:
    static Result<std::shared_ptr<const InferenceModel>> load(const model::ModelFile& file, const LoadOptions& options,
                                                              ThreadPool& pool);

    const model::ModelConfig& config() const { return config_; }
    const std::string& scheme() const { return scheme_; }          // "int8"; "fp32" when dequantized or full
    const std::string& precisionName() const { return precision_; }  // "fp32", "dequantized Q4_1", "int8"
    const std::string& basePrecision() const { return basePrecision_; }
    int64_t storedBytes() const { return storedBytes_; }           // tensor bytes of this model's file
    int64_t residentBytes() const { return residentBytes_; }       // asked from LibTorch's allocator while loading
    double bitsPerWeight() const;                                   // all tensor bytes × 8 / parameters
    const std::vector<model::QuantizedTensorInfo>& linearLayers() const { return layersInfo_; }

    // Writes the quantized folder (model_file.h) with the tokenizer found at `tokenizerPath`; returns the bytes of
    // model.safetensors. The folder appears whole or not at all.
    Result<int64_t> save(const std::string& folder, const std::string& base, const std::string& tokenizerPath) const;

    // For sessions.
    bool rms() const { return rms_; }
    const LinearWeight& embedding() const { return *embedding_; }
    const LinearWeight& head() const { return *head_; }
    const Buffer& positions() const { return positions_; }  // learned; empty with rotary
    const Norm& finalNorm() const { return finalNorm_; }
    const std::vector<LayerWeights>& layers() const { return layers_; }

private:
    friend class ModelLoader;
    InferenceModel() = default;
    model::ModelConfig config_;
    std::string scheme_, precision_, basePrecision_;
    bool rms_ = true;
    WeightPtr embedding_, head_;
    Buffer positions_;
    Norm finalNorm_;
    std::vector<LayerWeights> layers_;
    int64_t storedBytes_ = 0, residentBytes_ = 0;
    struct Named {
        std::string name;
        WeightPtr weight;
        std::string scheme;
        bool transposed = false;  // GPT-2's Conv1D: the file has [in, out]
    };
    std::vector<Named> named_;
    std::map<std::string, Buffer> plain_;                     // norms, biases, positions by name (shared with the above)
    std::map<std::string, std::vector<int64_t>> plainShape_;
    std::vector<model::QuantizedTensorInfo> layersInfo_;
};
using ModelPtr = std::shared_ptr<const InferenceModel>;

}  // namespace assay::infer
