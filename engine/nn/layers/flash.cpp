#include "layers/flash.h"

#include <assay/torch.h>

#include <cmath>

#include "kernels/step_kernels.h"
#include "layers/product.h"

namespace assay::nn {
namespace {

at::Tensor splitHeads(const at::Tensor& x, const AttentionSizes& s, int64_t count) { return x.view({s.rows, s.columns, count, s.headDim}).transpose(1, 2); }  // [B,H,T,d]
at::Tensor joinHeads(const at::Tensor& x, const AttentionSizes& s) { return x.transpose(1, 2).reshape({s.rows * s.columns, s.heads * s.headDim}); }
// LibTorch's kernel wants equal head counts: a key head for each query head of its group.
at::Tensor repeatHeads(const at::Tensor& x, const AttentionSizes& s) {
    if (s.heads == s.kvHeads) return splitHeads(x, s, s.kvHeads);
    return x.view({s.rows, s.columns, s.kvHeads, 1, s.headDim}).expand({s.rows, s.columns, s.kvHeads, s.heads / s.kvHeads, s.headDim}).reshape({s.rows, s.columns, s.heads, s.headDim}).transpose(1, 2);
}
at::Tensor sumGroups(const at::Tensor& x, const AttentionSizes& s) {
    if (s.heads == s.kvHeads) return joinHeads(x, s);
    return x.transpose(1, 2).reshape({s.rows * s.columns, s.kvHeads, s.heads / s.kvHeads, s.headDim}).sum(2).view({s.rows * s.columns, s.kvHeads * s.headDim});
}

const ProductKernel* attentionKernel(const at::Tensor& q, const at::Tensor& mask) {
    const ProductKernel* kernel = bestProduct();
    const bool takes = q.scalar_type() == at::kFloat && q.device().is_cpu() && (!mask.defined() || (mask.scalar_type() == at::kFloat && mask.is_contiguous()));
    return takes ? kernel : nullptr;
}

struct Pointers {
    const float *q, *k, *v, *mask, *outGradient = nullptr;
    float *out, *sums, *qGradient = nullptr, *kGradient = nullptr, *vGradient = nullptr;
    bool ownMasks = true;  // one for each row, else all rows share it
};
bool ownMasksOf(const at::Tensor& mask) { return mask.defined() && mask.size(0) > 1; }

// One piece of work for each batch row and key head: gradients of keys are sums over their group in a fixed order.
template <typename Run>
void forHeads(const ProductKernel& kernel, const AttentionSizes& s, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const Pointers& p, Run run) {
    const int64_t group = s.heads / s.kvHeads, d = s.headDim;
    at::parallel_for(0, s.rows * s.kvHeads, 1, [&](int64_t begin, int64_t end) {
        float* buffer = packingBuffer(kernel.attentionBuffer(s.columns, d));
        for (int64_t piece = begin; piece < end; ++piece) {
            const int64_t row = piece / s.kvHeads, head = piece % s.kvHeads, at = row * s.columns, outRow = s.heads * d, kRow = s.kvHeads * d;
            AttentionHeads h{};
            h.columns = s.columns;
            h.width = d;
            h.heads = group;
            h.scale = static_cast<float>(1 / std::sqrt(static_cast<double>(d)));
            h.qRow = q.stride(0);
            h.kRow = k.stride(0);
            h.vRow = v.stride(0);
            h.q = p.q + at * h.qRow + head * group * d;
            h.k = p.k + at * h.kRow + head * d;
            h.v = p.v + at * h.vRow + head * d;
            h.mask = p.mask ? p.mask + (p.ownMasks ? row * s.columns * s.columns : 0) : nullptr;
            h.outRow = outRow;
            h.out = p.out + at * outRow + head * group * d;
            h.sums = p.sums + (row * s.heads + head * group) * s.columns;
            if (p.outGradient) {
                h.outGradient = p.outGradient + at * outRow + head * group * d;
                h.qGradientRow = outRow;
                h.kGradientRow = kRow;
                h.qGradient = p.qGradient + at * outRow + head * group * d;
                h.kGradient = p.kGradient + at * kRow + head * d;
                h.vGradient = p.vGradient + at * kRow + head * d;
            }
            run(h, buffer);
        }
    });
}

}  // namespace

Attended attend(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask, const AttentionSizes& s) {
    if (const ProductKernel* kernel = attentionKernel(q, mask)) {
        Attended a{at::empty({s.rows * s.columns, s.heads * s.headDim}, q.options()), at::empty({s.rows, s.heads, s.columns}, q.options())};
        forHeads(*kernel, s, q, k, v,
                 {.q = q.const_data_ptr<float>(), .k = k.const_data_ptr<float>(), .v = v.const_data_ptr<float>(), .mask = mask.defined() ? mask.const_data_ptr<float>() : nullptr,
                  .out = a.out.mutable_data_ptr<float>(), .sums = a.sums.mutable_data_ptr<float>(), .ownMasks = ownMasksOf(mask)},
                 kernel->attention);
        return a;
    }
    auto [out, sums] = at::_scaled_dot_product_flash_attention_for_cpu(splitHeads(q, s, s.heads), repeatHeads(k, s), repeatHeads(v, s), 0.0, !mask.defined(),
                                                                       mask.defined() ? std::optional<at::Tensor>(mask) : std::nullopt);
    return {joinHeads(out, s), sums};
}

AttentionGradients attendBackward(const at::Tensor& gradient, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const Attended& attended, const at::Tensor& mask,
                                  const AttentionSizes& s) {
    if (const ProductKernel* kernel = attentionKernel(q, mask)) {
        AttentionGradients g{at::empty(attended.out.sizes(), q.options()), at::empty({s.rows * s.columns, s.kvHeads * s.headDim}, q.options()),
                             at::empty({s.rows * s.columns, s.kvHeads * s.headDim}, q.options())};
        forHeads(*kernel, s, q, k, v,
                 {.q = q.const_data_ptr<float>(), .k = k.const_data_ptr<float>(), .v = v.const_data_ptr<float>(), .mask = mask.defined() ? mask.const_data_ptr<float>() : nullptr,
                  .outGradient = gradient.const_data_ptr<float>(), .out = const_cast<float*>(attended.out.const_data_ptr<float>()),
                  .sums = const_cast<float*>(attended.sums.const_data_ptr<float>()), .qGradient = g.q.mutable_data_ptr<float>(), .kGradient = g.k.mutable_data_ptr<float>(),
                  .vGradient = g.v.mutable_data_ptr<float>(), .ownMasks = ownMasksOf(mask)},
                 kernel->attentionBackward);
        return g;
    }
    auto [dq, dk, dv] = at::_scaled_dot_product_flash_attention_for_cpu_backward(splitHeads(gradient, s, s.heads), splitHeads(q, s, s.heads), repeatHeads(k, s), repeatHeads(v, s),
                                                                                 splitHeads(attended.out, s, s.heads), attended.sums, 0.0, !mask.defined(),
                                                                                 mask.defined() ? std::optional<at::Tensor>(mask) : std::nullopt);
    return {joinHeads(dq, s), sumGroups(dk, s), sumGroups(dv, s)};
}

}  // namespace assay::nn
