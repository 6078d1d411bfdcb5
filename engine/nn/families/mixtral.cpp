// Mixtral (Jiang et al. 2024): experts behind the attention of RotaryDecoder.
#include <assay/torch.h>

#include "layers/experts.h"
#include "rotary_decoder.h"

namespace assay::nn {
namespace {

class Mixtral final : public RotaryDecoder {
public:
    Mixtral(const model::ModelConfig& config, const ModelOptions& options) : RotaryDecoder(config, options) {
        for (int64_t l = firstLayer(); l < lastLayer(); ++l) {
            ExpertsBlock b;
            b.norm = {secondNorm(l), {}, config.normEps};
            b.router = inLayer(l, "block_sparse_moe.gate.weight");
            for (int64_t e = 0; e < config.experts; ++e) {
                const std::string prefix = "block_sparse_moe.experts." + std::to_string(e);
                b.gate.push_back(inLayer(l, prefix + ".w1.weight"));
                b.down.push_back(inLayer(l, prefix + ".w2.weight"));
                b.up.push_back(inLayer(l, prefix + ".w3.weight"));
            }
            b.perToken = config.expertsPerToken;
            b.layer = l - firstLayer();
            layers_.push_back(std::move(b));
        }
    }

private:
    at::Tensor secondHalf(int64_t layer, const at::Tensor& x, const Batch& batch, double drop) const override {
        ExpertsBlock b = layers_[static_cast<size_t>(layer - firstLayer())];
        b.routing = batch.routing;
        b.counted = batch.counted;
        b.balance = batch.balance;
        if (blocksApply(x, b.norm.weight, drop)) return expertsBlock(x, b);
        return x + applyDropout(mixOfExperts(rmsNorm(x, b.norm.weight, b.norm.eps), b), drop, batch.training);
    }

    std::vector<ExpertsBlock> layers_;
};

}  // namespace

std::unique_ptr<Model> makeMixtral(const model::ModelConfig& config, const ModelOptions& options) { return std::make_unique<Mixtral>(config, options); }

}  // namespace assay::nn
