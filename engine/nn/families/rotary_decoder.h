#pragma once
// Decoders with Llama's attention: RMSNorm, rotary positions, grouped-query attention, maybe a window or norms of the heads. Their
// families differ in what follows it in a layer.
#include "assay/nn/layers.h"
#include "families.h"
#include "layers/blocks.h"

namespace assay::nn {

struct Linear {
    at::Tensor weight, bias;  // [out, in]; bias may be undefined
    at::Tensor operator()(const at::Tensor& x) const;
    BlockMatrix matrix() const { return {weight, bias}; }
};

class RotaryDecoder : public Model {
protected:
    RotaryDecoder(const model::ModelConfig& config, const ModelOptions& options);
    // x + the second half of the layer. `drop`: probability now.
    virtual at::Tensor secondHalf(int64_t layer, const at::Tensor& x, const Batch& batch, double drop) const = 0;
    Linear linear(int64_t layer, const std::string& name, bool bias) const;
    const at::Tensor& secondNorm(int64_t layer) const { return blocks_[static_cast<size_t>(layer - firstLayer())].postNorm; }

private:
    struct Block {
        at::Tensor inputNorm, postNorm, qNorm, kNorm;
        Linear q, k, v, o;
    };
    at::Tensor embed(const at::Tensor& ids, const Batch& batch) const override;
    void prepare(Batch& batch, at::ScalarType type) const override;
    at::Tensor runLayer(int64_t layer, at::Tensor x, const Batch& batch) const override;
    at::Tensor attention(int64_t layer, const at::Tensor& x, const Batch& batch, double drop) const;
    at::Tensor finalNorm(const at::Tensor& x) const override;
    double initialDeviation(const model::ParameterInfo& info) const override { return info.shape.size() < 2 ? 0 : 0.02; }

    Rotary rotary_;
    at::Tensor norm_;
    std::vector<Block> blocks_;
};

}  // namespace assay::nn
