// Llama (Touvron et al. 2023): RMSNorm, rotary positions, grouped-query attention, SwiGLU; linear weights lie [out, in].
#include <assay/torch.h>

#include "assay/nn/layers.h"
#include "families.h"
#include "layers/blocks.h"

namespace assay::nn {
namespace {

struct Linear {
    at::Tensor weight, bias;  // bias may be undefined
    at::Tensor operator()(const at::Tensor& x) const {
        const at::Tensor in = castOperand(x), w = castOperand(weight);
        return bias.defined() ? at::linear(in, w, castOperand(bias)) : at::linear(in, w);
    }
};

struct Block {
    at::Tensor inputNorm, postNorm;
    Linear q, k, v, o, gate, up, down;
};

class Llama final : public Model {
public:
    Llama(const model::ModelConfig& config, const ModelOptions& options) : Model(config, options), rotary_(config) {
        for (int64_t l = firstLayer(); l < lastLayer(); ++l) {
            auto linear = [&](const std::string& name, bool bias) {
                return Linear{inLayer(l, name + ".weight"), bias ? inLayer(l, name + ".bias") : at::Tensor()};
            };
            const bool ab = config.attentionBias, mb = config.mlpBias;
            blocks_.push_back({inLayer(l, "input_layernorm.weight"), inLayer(l, "post_attention_layernorm.weight"),
                               linear("self_attn.q_proj", ab), linear("self_attn.k_proj", ab), linear("self_attn.v_proj", ab), linear("self_attn.o_proj", ab),
                               linear("mlp.gate_proj", mb), linear("mlp.up_proj", mb), linear("mlp.down_proj", mb)});
        }
        if (holdsHead()) norm_ = outside("norm.weight");
    }

private:
    at::Tensor embed(const at::Tensor& ids, const Batch& batch) const override {
        const at::Tensor x = applyDropout(at::embedding(embedding(), ids), config().dropout, batch.training);
        return x.view({batch.rows * batch.columns, config().hidden});
    }

    void prepare(Batch& batch, at::ScalarType type) const override {
        const Rotary::Angles angles = rotary_.angles(batch.positions, batch.columns, type);
        batch.cosine = angles.cosine;
        batch.sine = angles.sine;
    }

    at::Tensor runLayer(int64_t layer, at::Tensor x, const Batch& batch) const override {
        const auto& c = config();
        const Block& b = blocks_[static_cast<size_t>(layer - firstLayer())];
        const double drop = batch.training ? c.dropout : 0;
        if (c.activation == "silu" && blocksApply(x, b.inputNorm, drop)) {
            auto matrix = [](const Linear& l) { return BlockMatrix{l.weight, l.bias}; };
            x = attentionBlock(x, {.norm = {b.inputNorm, {}, c.normEps}, .q = matrix(b.q), .k = matrix(b.k), .v = matrix(b.v), .out = matrix(b.o), .layout = WeightLayout::kOutIn,
                                   .rows = batch.rows, .columns = batch.columns, .heads = c.heads, .kvHeads = c.kvHeads, .headDim = c.headDim, .mask = batch.mask,
                                   .cosine = batch.cosine, .sine = batch.sine});
            return mlpBlock(x, {.norm = {b.postNorm, {}, c.normEps}, .gate = matrix(b.gate), .up = matrix(b.up), .down = matrix(b.down), .layout = WeightLayout::kOutIn});
        }
        const Rotary::Angles angles{batch.cosine, batch.sine};
        const at::Tensor h = rmsNorm(x, b.inputNorm, c.normEps);
        auto heads = [&](const at::Tensor& t, int64_t count) { return t.view({batch.rows, batch.columns, count, c.headDim}).transpose(1, 2); };
        const at::Tensor q = Rotary::apply(heads(b.q(h), c.heads), angles), k = Rotary::apply(heads(b.k(h), c.kvHeads), angles);
        const at::Tensor attended = causalAttention(q, k, heads(b.v(h), c.kvHeads), batch.mask, drop);
        x = x + applyDropout(b.o(attended), drop, batch.training);
        const at::Tensor n = rmsNorm(x, b.postNorm, c.normEps);
        const at::Tensor gate = activate(b.gate(n), c.activation);
        return x + applyDropout(b.down(gated(gate, b.up(n))), drop, batch.training);
    }

    at::Tensor finalNorm(const at::Tensor& x) const override {
        if (blocksApply(x, norm_, 0)) return blockNorm(x, {norm_, {}, config().normEps});
        return rmsNorm(x, norm_, config().normEps);
    }
    double initialDeviation(const model::ParameterInfo& info) const override { return info.shape.size() < 2 ? 0 : 0.02; }

    Rotary rotary_;
    at::Tensor norm_;
    std::vector<Block> blocks_;
};

}  // namespace

std::unique_ptr<Model> makeLlama(const model::ModelConfig& config, const ModelOptions& options) { return std::make_unique<Llama>(config, options); }

}  // namespace assay::nn
