// GPT-2 (Radford et al. 2019): learned positions, pre-norm, fused qkv, GELU. Linear weights lie [in, out] as in Hugging
// Face's Conv1D.
#include <assay/torch.h>

#include <cmath>

#include "assay/nn/layers.h"
#include "families.h"
#include "layers/blocks.h"

namespace assay::nn {
namespace {

struct Affine {
    at::Tensor weight, bias;
    at::Tensor operator()(const at::Tensor& x) const { return at::addmm(castOperand(bias), castOperand(x), castOperand(weight)); }
};

struct Block {
    at::Tensor norm1Weight, norm1Bias, norm2Weight, norm2Bias;
    Affine qkv, attentionOut, up, down;
};

class Gpt2 final : public Model {
public:
    Gpt2(const model::ModelConfig& config, const ModelOptions& options) : Model(config, options) {
        if (holdsEmbedding()) positions_ = outside("wpe.weight");
        for (int64_t l = firstLayer(); l < lastLayer(); ++l) {
            auto affine = [&](const std::string& name) { return Affine{inLayer(l, name + ".weight"), inLayer(l, name + ".bias")}; };
            blocks_.push_back({inLayer(l, "ln_1.weight"), inLayer(l, "ln_1.bias"), inLayer(l, "ln_2.weight"), inLayer(l, "ln_2.bias"),
                               affine("attn.c_attn"), affine("attn.c_proj"), affine("mlp.c_fc"), affine("mlp.c_proj")});
        }
        if (holdsHead()) {
            normWeight_ = outside("ln_f.weight");
            normBias_ = outside("ln_f.bias");
        }
    }

private:
    at::Tensor embed(const at::Tensor& ids, const Batch& batch) const override {
        const at::Tensor tokens = lookUp(ids);
        at::Tensor x = batch.positions.defined() ? tokens + at::embedding(positions_, batch.positions) : tokens + positions_.narrow(0, 0, batch.columns);
        x = applyDropout(x, config().dropout, batch.training);
        return x.view({batch.rows * batch.columns, config().hidden});
    }

    at::Tensor runLayer(int64_t layer, at::Tensor x, const Batch& batch) const override {
        const auto& c = config();
        const Block& b = blocks_[static_cast<size_t>(layer - firstLayer())];
        const double drop = batch.training ? c.dropout : 0;
        if (tanhGelu_ && blocksApply(x, b.norm1Weight, drop)) {
            x = attentionBlock(x, {.norm = {b.norm1Weight, b.norm1Bias, c.normEps}, .q = {b.qkv.weight, b.qkv.bias}, .out = {b.attentionOut.weight, b.attentionOut.bias},
                                   .rows = batch.rows, .columns = batch.columns, .heads = c.heads, .kvHeads = c.heads, .headDim = c.headDim, .mask = batch.mask});
            return mlpBlock(x, {.norm = {b.norm2Weight, b.norm2Bias, c.normEps}, .up = {b.up.weight, b.up.bias}, .down = {b.down.weight, b.down.bias}});
        }
        const at::Tensor h = layerNorm(x, b.norm1Weight, b.norm1Bias, c.normEps);
        const auto qkv = b.qkv(h).view({batch.rows, batch.columns, 3 * c.hidden}).split(c.hidden, 2);
        auto heads = [&](const at::Tensor& t) { return t.view({batch.rows, batch.columns, c.heads, c.headDim}).transpose(1, 2); };
        const at::Tensor attended = causalAttention(heads(qkv[0]), heads(qkv[1]), heads(qkv[2]), batch.mask, drop);
        x = x + applyDropout(b.attentionOut(attended), drop, batch.training);
        const at::Tensor m = activate(b.up(layerNorm(x, b.norm2Weight, b.norm2Bias, c.normEps)), c.activation);
        return x + applyDropout(b.down(m), drop, batch.training);
    }

    at::Tensor finalNorm(const at::Tensor& x) const override {
        if (blocksApply(x, normWeight_, 0)) return blockNorm(x, {normWeight_, normBias_, config().normEps});
        return at::layer_norm(x, {config().hidden}, normWeight_, normBias_, config().normEps);
    }

    // GPT-2 paper, section 2.3: residual projections shrink with the depth.
    double initialDeviation(const model::ParameterInfo& info) const override {
        if (info.shape.size() < 2) return 0;
        return info.name.ends_with("c_proj.weight") ? 0.02 / std::sqrt(2.0 * static_cast<double>(config().layers)) : 0.02;
    }

    const bool tanhGelu_ = config().activation == "gelu_new" || config().activation == "gelu_pytorch_tanh";
    at::Tensor positions_, normWeight_, normBias_;
    std::vector<Block> blocks_;
};

}  // namespace

std::unique_ptr<Model> makeGpt2(const model::ModelConfig& config, const ModelOptions& options) { return std::make_unique<Gpt2>(config, options); }

}  // namespace assay::nn
