#pragma once
// Small models for tests.
#include <assay/nn/model.h>

namespace assay::nn::testing {

inline model::ModelConfig tinyGpt2() {
    model::ModelConfig c;
    c.family = "gpt2";
    c.layers = 2;
    c.hidden = 16;
    c.heads = c.kvHeads = 2;
    c.headDim = 8;
    c.ffn = 32;
    c.vocab = 29;
    c.context = 12;
    c.tieEmbeddings = true;
    c.activation = "gelu_new";
    return c;
}

inline model::ModelConfig tinyLlama() {
    model::ModelConfig c;
    c.family = "llama";
    c.layers = 2;
    c.hidden = 16;
    c.heads = 4;
    c.kvHeads = 2;
    c.headDim = 4;
    c.ffn = 24;
    c.vocab = 29;
    c.context = 12;
    c.tieEmbeddings = false;
    c.activation = "silu";
    return c;
}

inline model::ModelConfig tinyMixtral() {
    model::ModelConfig c = tinyLlama();
    c.family = "mixtral";
    c.experts = 4;
    c.expertsPerToken = 2;
    c.routerAuxCoef = 0.1;
    return c;
}

inline model::ModelConfig tinyQwen3() {  // with a window in its second layer
    model::ModelConfig c = tinyLlama();
    c.variant = "qwen3";
    c.headDim = 6;
    c.queryKeyNorm = true;
    c.window = 3;
    c.windowLayers = {false, true};
    return c;
}

inline std::unique_ptr<Model> make(const model::ModelConfig& config, uint64_t seed = 5, ModelOptions options = {}) {
    auto model = createModel(config, options);
    ASSAY_CHECK(model, model ? "" : model.error().text());
    (*model)->initialize(seed);
    return std::move(*model);
}

}  // namespace assay::nn::testing
