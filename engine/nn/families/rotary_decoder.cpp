#include "rotary_decoder.h"

#include <assay/torch.h>

namespace assay::nn {

at::Tensor Linear::operator()(const at::Tensor& x) const {
    const at::Tensor in = castOperand(x), w = castOperand(weight);
    return bias.defined() ? at::linear(in, w, castOperand(bias)) : at::linear(in, w);
}

RotaryDecoder::RotaryDecoder(const model::ModelConfig& config, const ModelOptions& options) : Model(config, options), rotary_(config) {
    const bool bias = config.attentionBias;
    for (int64_t l = firstLayer(); l < lastLayer(); ++l) {
        Block b{inLayer(l, "input_layernorm.weight"), inLayer(l, "post_attention_layernorm.weight"), {}, {}, linear(l, "self_attn.q_proj", bias), linear(l, "self_attn.k_proj", bias),
                linear(l, "self_attn.v_proj", bias), linear(l, "self_attn.o_proj", bias && config.outputBias)};
        if (config.queryKeyNorm) {
            b.qNorm = inLayer(l, "self_attn.q_norm.weight");
            b.kNorm = inLayer(l, "self_attn.k_norm.weight");
        }
        blocks_.push_back(std::move(b));
    }
    if (holdsHead()) norm_ = outside("norm.weight");
}

Linear RotaryDecoder::linear(int64_t layer, const std::string& name, bool bias) const {
    return {inLayer(layer, name + ".weight"), bias ? inLayer(layer, name + ".bias") : at::Tensor()};
}

at::Tensor RotaryDecoder::embed(const at::Tensor& ids, const Batch& batch) const {
    const at::Tensor x = applyDropout(lookUp(ids), config().dropout, batch.training);
    return x.view({batch.rows * batch.columns, config().hidden});
}

void RotaryDecoder::prepare(Batch& batch, at::ScalarType type) const {
    const Rotary::Angles angles = rotary_.angles(batch.positions, batch.columns, type, device(), batch.positionsEnd);
    batch.cosine = angles.cosine;
    batch.sine = angles.sine;
}

at::Tensor RotaryDecoder::runLayer(int64_t layer, at::Tensor x, const Batch& batch) const {
    const double drop = batch.training ? config().dropout : 0;
    x = attention(layer, x, batch, drop);
    return secondHalf(layer, x, batch, drop);
}

at::Tensor RotaryDecoder::attention(int64_t layer, const at::Tensor& x, const Batch& batch, double drop) const {
    const auto& c = config();
    const Block& b = blocks_[static_cast<size_t>(layer - firstLayer())];
    const at::Tensor& mask = maskOf(layer, batch);
    if (blocksApply(x, b.inputNorm, drop))
        return attentionBlock(x, {.norm = {b.inputNorm, {}, c.normEps}, .q = b.q.matrix(), .k = b.k.matrix(), .v = b.v.matrix(), .out = b.o.matrix(), .layout = WeightLayout::kOutIn,
                                  .rows = batch.rows, .columns = batch.columns, .heads = c.heads, .kvHeads = c.kvHeads, .headDim = c.headDim, .mask = mask,
                                  .cosine = batch.cosine, .sine = batch.sine, .qNorm = b.qNorm, .kNorm = b.kNorm});
    const Rotary::Angles angles{batch.cosine, batch.sine};
    const at::Tensor h = rmsNorm(x, b.inputNorm, c.normEps);
    auto heads = [&](const at::Tensor& t, int64_t count) { return t.view({batch.rows, batch.columns, count, c.headDim}); };
    auto turned = [&](const at::Tensor& t, int64_t count, const at::Tensor& norm) {
        const at::Tensor apart = norm.defined() ? rmsNorm(heads(t, count), norm, c.normEps) : heads(t, count);
        return Rotary::apply(apart.transpose(1, 2), angles);
    };
    const at::Tensor q = turned(b.q(h), c.heads, b.qNorm), k = turned(b.k(h), c.kvHeads, b.kNorm);
    const at::Tensor attended = causalAttention(q, k, heads(b.v(h), c.kvHeads).transpose(1, 2), mask, drop);
    return x + applyDropout(b.o(attended), drop, batch.training);
}

at::Tensor RotaryDecoder::finalNorm(const at::Tensor& x) const {
    if (blocksApply(x, norm_, 0)) return blockNorm(x, {norm_, {}, config().normEps});
    return rmsNorm(x, norm_, config().normEps);
}

}  // namespace assay::nn
