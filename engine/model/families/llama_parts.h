#pragma once
// What Llama and the families with its attention share (llama.cpp).
#include "assay/model/config.h"

namespace assay::model {

// Appends the parameters of a family one after the other.
class ParameterList {
public:
    explicit ParameterList(const ModelConfig& config) : c_(config) {}
    void norm(std::string name, int64_t width, int layer) { out_.push_back({std::move(name), {width}, Role::kNorm, layer, false, false, -1}); }
    // splitOut: tensor parallelism divides the output rows (and the bias), else the input columns.
    void linear(const std::string& name, int64_t outputs, int64_t inputs, Role role, int layer, bool bias, bool splitOut);
    void add(ParameterInfo info) { out_.push_back(std::move(info)); }
    void embedding();
    void attention(const std::string& prefix, int layer);  // projections, norms of the heads
    void layerNorms(const std::string& prefix, int layer);
    void ending();                                          // last norm, head
    std::vector<ParameterInfo> take() { return std::move(out_); }

private:
    const ModelConfig& c_;
    std::vector<ParameterInfo> out_;
};

Result<void> validateAttention(const ModelConfig& config, std::string_view family);
// 2 per multiply-add: projections, and scores with their product over the mean number of keys that a position sees.
double attentionFlopsPerToken(const ModelConfig& config, int64_t context);

// What the variants leave out of config.json.
struct LlamaDefaults {
    int64_t kvHeads = 0, headDim = 0;  // 0: from the number of heads
    double normEps = 1e-6, theta = 10000;
};
// Sizes, positions, ends; no biases, windows or experts.
Result<ModelConfig> shapeFromHuggingFace(const Json& json, const LlamaDefaults& defaults);
Json shapeToHuggingFace(const ModelConfig& config, std::string_view architecture, std::string_view modelType);
// sliding_window: a number, null, or absent for `absent`.
Result<int64_t> windowFromHuggingFace(const Json& json, int64_t absent);
bool isRotaryTable(std::string_view name);  // that files of transformers < 4.32 carry
void fillLlamaDefaults(ModelConfig& config);

}  // namespace assay::model
