// Llama (Touvron et al. 2023), Mistral, Qwen2, Qwen3: SwiGLU behind the attention of RotaryDecoder; linear weights lie [out, in].
#include <assay/torch.h>

#include "rotary_decoder.h"

namespace assay::nn {
namespace {

struct SwiGlu {
    Linear gate, up, down;
};

class Llama final : public RotaryDecoder {
public:
    Llama(const model::ModelConfig& config, const ModelOptions& options) : RotaryDecoder(config, options) {
        const bool bias = config.mlpBias;
        for (int64_t l = firstLayer(); l < lastLayer(); ++l) mlps_.push_back({linear(l, "mlp.gate_proj", bias), linear(l, "mlp.up_proj", bias), linear(l, "mlp.down_proj", bias)});
    }

private:
    at::Tensor secondHalf(int64_t layer, const at::Tensor& x, const Batch& batch, double drop) const override {
        const auto& c = config();
        const SwiGlu& m = mlps_[static_cast<size_t>(layer - firstLayer())];
        const at::Tensor& norm = secondNorm(layer);
        if (blocksApply(x, norm, drop))
            return mlpBlock(x, {.norm = {norm, {}, c.normEps}, .gate = m.gate.matrix(), .up = m.up.matrix(), .down = m.down.matrix(), .layout = WeightLayout::kOutIn});
        const at::Tensor n = rmsNorm(x, norm, c.normEps);
        const at::Tensor gate = activate(m.gate(n), c.activation);
        return x + applyDropout(m.down(gated(gate, m.up(n))), drop, batch.training);
    }

    std::vector<SwiGlu> mlps_;
};

}  // namespace

std::unique_ptr<Model> makeLlama(const model::ModelConfig& config, const ModelOptions& options) { return std::make_unique<Llama>(config, options); }

}  // namespace assay::nn
