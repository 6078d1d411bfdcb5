#include "checkpointing/recompute.h"
#include "layers/block_parts.h"
#include "layers/flash.h"

namespace assay::nn {
namespace {

// RMSNorm of every head of x [rows, heads·d].
at::Tensor headNorm(const at::Tensor& x, const at::Tensor& weight, double eps, at::Tensor& inverse) {
    NormStatistics statistics;
    at::Tensor y = normForward(x.view({-1, weight.size(0)}), weight, at::Tensor(), eps, statistics);
    inverse = statistics.inverse;
    return y.view_as(x);
}
at::Tensor headNormAgain(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& inverse) {
    return normAgain(x.view({-1, weight.size(0)}), weight, at::Tensor(), {at::Tensor(), inverse}).view_as(x);
}
// `gradient` becomes that of x; returns that of the weight.
at::Tensor headNormBackward(const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& weight, const at::Tensor& inverse) {
    const int64_t width = weight.size(0);
    return normBackward(gradient.view({-1, width}), at::Tensor(), x.view({-1, width}), weight, false, {at::Tensor(), inverse}).weight;
}

struct AttentionFunction : public torch::autograd::Function<AttentionFunction> {
    // k and v without weights: q holds all three side by side.
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x, const at::Tensor& normWeight, const MaybeTensor& normBias, const at::Tensor& qWeight,
                              const MaybeTensor& qBias, const MaybeTensor& kWeight, const MaybeTensor& kBias, const MaybeTensor& vWeight, const MaybeTensor& vBias,
                              const at::Tensor& outWeight, const MaybeTensor& outBias, const MaybeTensor& mask, const MaybeTensor& cosine, const MaybeTensor& sine,
                              const MaybeTensor& qNorm, const MaybeTensor& kNorm, double eps, int64_t layoutNumber, const std::vector<int64_t>& sizes, bool coreAgain) {
        const AttentionSizes s{sizes[0], sizes[1], sizes[2], sizes[3], sizes[4]};
        const auto layout = static_cast<WeightLayout>(layoutNumber);
        const int64_t queryWidth = s.heads * s.headDim, keyWidth = s.kvHeads * s.headDim;
        NormStatistics statistics;
        at::Tensor h = normForward(x, normWeight, tensorOf(normBias), eps, statistics);
        at::Tensor q = product(h, inOut(qWeight, layout), {.bias = tensorOf(qBias)}), k, v, joined;
        if (kWeight) {
            k = product(h, inOut(*kWeight, layout), {.bias = tensorOf(kBias)});
            v = product(h, inOut(*vWeight, layout), {.bias = tensorOf(vBias)});
        } else {
            joined = q;
            q = joined.narrow(1, 0, queryWidth);
            k = joined.narrow(1, queryWidth, keyWidth);
            v = joined.narrow(1, queryWidth + keyWidth, keyWidth);
        }
        h.reset();
        // Norms of the heads are made again in the backward pass: what the projections gave is kept instead.
        const at::Tensor projectedQ = q, projectedK = k;
        at::Tensor qInverse, kInverse;
        if (qNorm) {
            q = headNorm(q, *qNorm, eps, qInverse);
            k = headNorm(k, *kNorm, eps, kInverse);
        }
        if (cosine) {
            rotate(q, *cosine, *sine, s.columns, s.headDim, false);
            rotate(k, *cosine, *sine, s.columns, s.headDim, false);
        }
        const Attended attended = attend(q, k, v, tensorOf(mask), s);
        at::Tensor y = product(attended.out, inOut(outWeight, layout), {.bias = tensorOf(outBias), .residual = x});
        context->save_for_backward({x, normWeight, tensorOf(normBias), qWeight, tensorOf(qBias), tensorOf(kWeight), tensorOf(kBias), tensorOf(vWeight), tensorOf(vBias), outWeight,
                                    tensorOf(outBias), tensorOf(mask), tensorOf(cosine), tensorOf(sine), statistics.mean, statistics.inverse, projectedQ, projectedK, v, coreAgain ? at::Tensor() : attended.out, coreAgain ? at::Tensor() : attended.sums,
                                    tensorOf(qNorm), tensorOf(kNorm), qInverse, kInverse});
        context->saved_data["layout"] = layoutNumber;
        context->saved_data["sizes"] = sizes;
        return y;
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context, torch::autograd::variable_list gradients) {
        const auto saved = context->get_saved_variables();
        const at::Tensor &x = saved[0], &normWeight = saved[1], &normBias = saved[2], &qWeight = saved[3], &qBias = saved[4], &kWeight = saved[5], &kBias = saved[6], &vWeight = saved[7],
                         &vBias = saved[8], &outWeight = saved[9], &outBias = saved[10], &mask = saved[11], &cosine = saved[12], &sine = saved[13], &projectedQ = saved[16],
                         &projectedK = saved[17], &v = saved[18], &qNorm = saved[21], &kNorm = saved[22], &qInverse = saved[23], &kInverse = saved[24];
        Attended attended{saved[19], saved[20]};
        const NormStatistics statistics{saved[14], saved[15]};
        const auto layout = static_cast<WeightLayout>(context->saved_data["layout"].toInt());
        const auto sizes = context->saved_data["sizes"].toIntVector();
        const AttentionSizes s{sizes[0], sizes[1], sizes[2], sizes[3], sizes[4]};
        at::NoGradGuard noGrad;
        const at::Tensor g = gradients[0].contiguous();
        at::Tensor q = projectedQ, k = projectedK;
        if (qNorm.defined()) {
            q = headNormAgain(projectedQ, qNorm, qInverse);
            k = headNormAgain(projectedK, kNorm, kInverse);
            if (cosine.defined()) {
                rotate(q, cosine, sine, s.columns, s.headDim, false);
                rotate(k, cosine, sine, s.columns, s.headDim, false);
            }
        }
        if (!attended.out.defined()) attended = attend(q, k, v, mask, s);
        torch::autograd::variable_list out(20);
        out[9] = weightGradient(outWeight, attended.out, g, layout);
        out[10] = biasGradient(outBias, g);
        const AttentionGradients core = attendBackward(product(g, inOut(outWeight, layout).t()), q, k, v, attended, mask, s);
        if (cosine.defined()) {
            rotate(core.q, cosine, sine, s.columns, s.headDim, true);
            rotate(core.k, cosine, sine, s.columns, s.headDim, true);
        }
        q.reset();
        k.reset();
        if (qNorm.defined()) {
            out[14] = headNormBackward(core.q, projectedQ, qNorm, qInverse);
            out[15] = headNormBackward(core.k, projectedK, kNorm, kInverse);
        }
        const at::Tensor parts[3] = {core.q, core.k, core.v};
        at::Tensor back = at::empty_like(x);
        at::Tensor h;
        if (kWeight.defined()) {
            const at::Tensor* weights[3] = {&qWeight, &kWeight, &vWeight};
            const at::Tensor* biases[3] = {&qBias, &kBias, &vBias};
            for (int i = 0; i < 3; ++i) multiply(back, parts[i], inOut(*weights[i], layout).t(), {.accumulate = i > 0});
            h = normAgain(x, normWeight, normBias, statistics);
            for (int i = 0; i < 3; ++i) {
                out[static_cast<size_t>(3 + 2 * i)] = weightGradient(*weights[i], h, parts[i], layout);
                out[static_cast<size_t>(4 + 2 * i)] = biasGradient(*biases[i], parts[i]);
            }
        } else {
            // The three gradients lie apart; each goes to its columns of the joined weight, so they are never copied together.
            const at::Tensor weight = inOut(qWeight, layout);
            const bool wanted = qWeight.requires_grad(), biasWanted = qBias.defined() && qBias.requires_grad();
            if (wanted) out[3] = at::empty_like(qWeight);
            if (biasWanted) out[4] = at::empty_like(qBias);
            int64_t first = 0;
            for (int i = 0; i < 3; ++i) {
                multiply(back, parts[i], weight.narrow(1, first, parts[i].size(1)).t(), {.accumulate = i > 0});
                first += parts[i].size(1);
            }
            h = normAgain(x, normWeight, normBias, statistics);
            first = 0;
            for (int i = 0; i < 3; ++i) {
                const int64_t width = parts[i].size(1);
                if (wanted && layout == WeightLayout::kInOut) multiply(out[3].narrow(1, first, width), h.t(), parts[i]);
                if (wanted && layout == WeightLayout::kOutIn) multiply(out[3].narrow(0, first, width), parts[i].t(), h);
                if (biasWanted) out[4].narrow(0, first, width).copy_(sumRows(parts[i]));
                first += width;
            }
        }
        h.reset();
        const NormGradients norm = normBackward(back, g, x, normWeight, normBias.defined(), statistics);
        out[0] = norm.input;
        out[1] = norm.weight;
        out[2] = norm.bias;
        return out;
    }
};

}  // namespace

at::Tensor attentionBlock(const at::Tensor& x, const AttentionBlock& b) {
    return AttentionFunction::apply(x, b.norm.weight, maybe(b.norm.bias), b.q.weight, maybe(b.q.bias), maybe(b.k.weight), maybe(b.k.bias), maybe(b.v.weight), maybe(b.v.bias), b.out.weight,
                                    maybe(b.out.bias), maybe(b.mask), maybe(b.cosine), maybe(b.sine), maybe(b.qNorm), maybe(b.kNorm), b.norm.eps, static_cast<int64_t>(b.layout),
                                    std::vector<int64_t>{b.rows, b.columns, b.heads, b.kvHeads, b.headDim}, SelectiveScope::active());
}

}  // namespace assay::nn
