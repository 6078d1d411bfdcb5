#include "layers/block_parts.h"

namespace assay::nn {
namespace {

struct MlpFunction : public torch::autograd::Function<MlpFunction> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x, const at::Tensor& normWeight, const MaybeTensor& normBias,
                              const MaybeTensor& gateWeight, const MaybeTensor& gateBias, const at::Tensor& upWeight, const MaybeTensor& upBias,
                              const at::Tensor& downWeight, const MaybeTensor& downBias, double eps, int64_t layoutNumber) {
        const auto layout = static_cast<WeightLayout>(layoutNumber);
        NormStatistics statistics;
        at::Tensor n = normForward(x, normWeight, tensorOf(normBias), eps, statistics), gate;
        if (gateWeight) gate = product(n, inOut(*gateWeight, layout), {.bias = tensorOf(gateBias)});
        const at::Tensor up = product(n, inOut(upWeight, layout), {.bias = tensorOf(upBias)});
        n.reset();
        const at::Tensor inner = gate.defined() ? swigluForward(gate, up) : geluForward(up);
        at::Tensor y = product(inner, inOut(downWeight, layout), {.bias = tensorOf(downBias), .residual = x});
        context->save_for_backward({x, normWeight, tensorOf(normBias), tensorOf(gateWeight), tensorOf(gateBias), upWeight, tensorOf(upBias), downWeight, tensorOf(downBias),
                                    statistics.mean, statistics.inverse, gate, up});
        context->saved_data["layout"] = layoutNumber;
        return y;
    }

    // Norm and activation are made again; what a product has taken is dropped before the next one is made.
    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context, torch::autograd::variable_list gradients) {
        const auto saved = context->get_saved_variables();
        const at::Tensor &x = saved[0], &normWeight = saved[1], &normBias = saved[2], &gateWeight = saved[3], &gateBias = saved[4], &upWeight = saved[5], &upBias = saved[6],
                         &downWeight = saved[7], &downBias = saved[8], &gate = saved[11], &up = saved[12];
        const auto layout = static_cast<WeightLayout>(context->saved_data["layout"].toInt());
        const NormStatistics statistics{saved[9], saved[10]};
        at::NoGradGuard noGrad;
        const at::Tensor g = gradients[0].contiguous();
        torch::autograd::variable_list out(11);
        at::Tensor inner = product(g, inOut(downWeight, layout).t()), gateGradient, upGradient;
        if (gate.defined()) {
            swigluBackward(gate, up, inner, gateGradient, upGradient);
        } else {
            upGradient = inner;
            inner = geluBackward(up, upGradient);
        }
        out[7] = weightGradient(downWeight, inner, g, layout);
        out[8] = biasGradient(downBias, g);
        inner.reset();
        at::Tensor back = product(upGradient, inOut(upWeight, layout).t());
        if (gate.defined()) multiply(back, gateGradient, inOut(gateWeight, layout).t(), {.accumulate = true});
        const at::Tensor n = normAgain(x, normWeight, normBias, statistics);
        out[5] = weightGradient(upWeight, n, upGradient, layout);
        out[6] = biasGradient(upBias, upGradient);
        if (gate.defined()) {
            out[3] = weightGradient(gateWeight, n, gateGradient, layout);
            out[4] = biasGradient(gateBias, gateGradient);
        }
        const NormGradients norm = normBackward(back, g, x, normWeight, normBias.defined(), statistics);
        out[0] = norm.input;
        out[1] = norm.weight;
        out[2] = norm.bias;
        return out;
    }
};

struct NormFunction : public torch::autograd::Function<NormFunction> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x, const at::Tensor& weight, const MaybeTensor& bias, double eps) {
        NormStatistics statistics;
        at::Tensor y = normForward(x, weight, tensorOf(bias), eps, statistics);
        context->save_for_backward({x, weight, tensorOf(bias), statistics.mean, statistics.inverse});
        return y;
    }
    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context, torch::autograd::variable_list gradients) {
        const auto saved = context->get_saved_variables();
        at::NoGradGuard noGrad;
        // The incoming gradient may belong to someone else: the result is written into a copy.
        const NormGradients norm = normBackward(gradients[0].clone(at::MemoryFormat::Contiguous), at::Tensor(), saved[0], saved[1], saved[2].defined(), {saved[3], saved[4]});
        return {norm.input, norm.weight, norm.bias, at::Tensor()};
    }
};

}  // namespace

at::Tensor mlpBlock(const at::Tensor& x, const MlpBlock& b) {
    return MlpFunction::apply(x, b.norm.weight, maybe(b.norm.bias), maybe(b.gate.weight), maybe(b.gate.bias), b.up.weight, maybe(b.up.bias), b.down.weight, maybe(b.down.bias),
                              b.norm.eps, static_cast<int64_t>(b.layout));
}

at::Tensor blockNorm(const at::Tensor& x, const BlockNorm& norm) { return NormFunction::apply(x, norm.weight, maybe(norm.bias), norm.eps); }

bool blocksApply(const at::Tensor& x, const at::Tensor& weight, double dropout) {
    return dropout == 0 && loopsTake(x) && x.scalar_type() == weight.scalar_type() && x.is_contiguous() && !at::autocast::is_autocast_enabled(at::kCPU);
}

}  // namespace assay::nn
