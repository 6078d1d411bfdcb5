// The fused halves of a layer against the same layer composed of LibTorch's operations.
#include <gtest/gtest.h>
#include <assay/torch.h>

#include <cmath>
#include <functional>
#include <limits>

#include "assay/nn/layers.h"
#include "assay/nn/memory.h"
#include "layers/blocks.h"

namespace assay::nn {
namespace {

struct BlockCase {
    bool llama, bias, masked;
    at::ScalarType type;
    double tolerance;
};
class Blocks : public ::testing::TestWithParam<BlockCase> {
protected:
    static constexpr int64_t kRows = 2, kColumns = 13, kHeads = 4, kWidth = 6, kHidden = 24, kInner = 40;
    int64_t kvHeads() const { return GetParam().llama ? 2 : 4; }
    uint64_t drawn_ = 0;
    std::vector<at::Tensor> leaves_;

    at::Tensor leaf(std::vector<int64_t> shape, double scale = 0.4) {
        at::Generator g = at::detail::createCPUGenerator(++drawn_);
        at::Tensor x = at::randn(shape, g, at::TensorOptions().dtype(at::kDouble)).mul_(scale).to(GetParam().type).requires_grad_();
        leaves_.push_back(x);
        return x;
    }
    BlockMatrix matrix(int64_t in, int64_t out) {
        BlockMatrix m{GetParam().llama ? leaf({out, in}) : leaf({in, out}), {}};
        if (GetParam().bias) m.bias = leaf({out});
        return m;
    }
    BlockNorm norm() { return {leaf({kHidden}, 1), GetParam().llama ? at::Tensor() : leaf({kHidden}), 1e-5}; }
    at::Tensor mask() const {
        if (!GetParam().masked) return {};
        return causalMask(at::arange(kColumns).ge(5).to(at::kLong).expand({kRows, kColumns}).contiguous(), GetParam().type);
    }
    at::Tensor times(const at::Tensor& x, const BlockMatrix& m) const {
        const at::Tensor y = at::mm(x, GetParam().llama ? m.weight.t() : m.weight);
        return m.bias.defined() ? y + m.bias : y;
    }
    at::Tensor normed(const at::Tensor& x, const BlockNorm& n) const {
        if (n.bias.defined()) return at::layer_norm(x, {kHidden}, n.weight, n.bias, n.eps);
        return x / (x.pow(2).mean(-1, true) + n.eps).sqrt() * n.weight;
    }
    // Values and the gradients of all leaves, for a random gradient of the result.
    std::vector<at::Tensor> evaluate(const std::function<at::Tensor()>& run) {
        for (at::Tensor& x : leaves_) x.mutable_grad().reset();
        const at::Tensor y = run();
        at::Generator g = at::detail::createCPUGenerator(99);
        y.backward(at::randn(y.sizes(), g, at::TensorOptions().dtype(at::kDouble)).to(y.scalar_type()));
        std::vector<at::Tensor> out{y.detach()};
        for (const at::Tensor& x : leaves_) out.push_back(x.grad().defined() ? x.grad().clone() : at::Tensor());
        return out;
    }
    void compare(const std::vector<at::Tensor>& ours, const std::vector<at::Tensor>& wanted) const {
        ASSERT_EQ(ours.size(), wanted.size());
        for (size_t i = 0; i < ours.size(); ++i) {
            ASSERT_EQ(ours[i].defined(), wanted[i].defined()) << i;
            if (!ours[i].defined()) continue;
            EXPECT_EQ(ours[i].sizes(), wanted[i].sizes()) << i;
            EXPECT_LT((ours[i] - wanted[i]).abs().max().item<double>(), GetParam().tolerance * std::max(1.0, wanted[i].abs().max().item<double>())) << i;
        }
    }
};
INSTANTIATE_TEST_SUITE_P(Kinds, Blocks,
                         ::testing::Values(BlockCase{false, true, false, at::kDouble, 1e-12}, BlockCase{false, true, true, at::kDouble, 1e-12}, BlockCase{true, false, false, at::kDouble, 1e-12},
                                           BlockCase{true, true, true, at::kDouble, 1e-12}, BlockCase{false, true, false, at::kFloat, 3e-6}, BlockCase{false, true, true, at::kFloat, 3e-6},
                                           BlockCase{true, false, false, at::kFloat, 3e-6}, BlockCase{true, true, true, at::kFloat, 3e-6}));

TEST_P(Blocks, AttentionEqualsTheComposedLayer) {
    const bool llama = GetParam().llama;
    const at::Tensor x = leaf({kRows * kColumns, kHidden}, 1);
    AttentionBlock b;
    b.norm = norm();
    const int64_t query = kHeads * kWidth, key = kvHeads() * kWidth;
    if (llama) {
        b.q = matrix(kHidden, query);
        b.k = matrix(kHidden, key);
        b.v = matrix(kHidden, key);
        b.layout = WeightLayout::kOutIn;
        const at::Tensor angle = at::arange(kColumns, at::kDouble).unsqueeze(1) * at::tensor({1.0, 0.3, 0.1}, at::kDouble);
        b.cosine = angle.cos().to(GetParam().type);
        b.sine = angle.sin().to(GetParam().type);
    } else {
        b.q = matrix(kHidden, 3 * query);
    }
    b.out = matrix(query, kHidden);
    b.rows = kRows;
    b.columns = kColumns;
    b.heads = kHeads;
    b.kvHeads = kvHeads();
    b.headDim = kWidth;
    b.mask = mask();
    auto composed = [&] {
        const at::Tensor h = normed(x, b.norm);
        auto heads = [&](const at::Tensor& t, int64_t count) { return t.reshape({kRows, kColumns, count, kWidth}).transpose(1, 2); };
        auto turned = [&](const at::Tensor& t) {
            const at::Tensor one = t.narrow(-1, 0, kWidth / 2), two = t.narrow(-1, kWidth / 2, kWidth / 2);
            return at::cat({one * b.cosine - two * b.sine, two * b.cosine + one * b.sine}, -1);
        };
        at::Tensor q, k, v;
        if (llama) {
            q = turned(heads(times(h, b.q), kHeads));
            k = turned(heads(times(h, b.k), kvHeads())).repeat_interleave(kHeads / kvHeads(), 1);
            v = heads(times(h, b.v), kvHeads()).repeat_interleave(kHeads / kvHeads(), 1);
        } else {
            const auto parts = times(h, b.q).split(query, 1);
            q = heads(parts[0], kHeads);
            k = heads(parts[1], kHeads);
            v = heads(parts[2], kHeads);
        }
        at::Tensor scores = at::matmul(q, k.transpose(2, 3)) / std::sqrt(static_cast<double>(kWidth));
        scores = b.mask.defined() ? scores + b.mask : scores.masked_fill(at::ones({kColumns, kColumns}, at::kBool).tril_().logical_not(), -std::numeric_limits<double>::infinity());
        return x + times(at::matmul(at::softmax(scores, -1), v).transpose(1, 2).reshape({kRows * kColumns, query}), b.out);
    };
    compare(evaluate([&] { return attentionBlock(x, b); }), evaluate(composed));
}

TEST_P(Blocks, MlpEqualsTheComposedLayer) {
    const at::Tensor x = leaf({kRows * kColumns, kHidden}, 1);
    MlpBlock b;
    b.norm = norm();
    if (GetParam().llama) {
        b.gate = matrix(kHidden, kInner);
        b.layout = WeightLayout::kOutIn;
    }
    b.up = matrix(kHidden, kInner);
    b.down = matrix(kInner, kHidden);
    auto composed = [&] {
        const at::Tensor n = normed(x, b.norm);
        return x + times(b.gate.weight.defined() ? at::silu(times(n, b.gate)) * times(n, b.up) : at::gelu(times(n, b.up), "tanh"), b.down);
    };
    compare(evaluate([&] { return mlpBlock(x, b); }), evaluate(composed));
    b.up.weight.requires_grad_(false);  // a frozen matrix gets no gradient, the others the same ones
    compare(evaluate([&] { return mlpBlock(x, b); }), evaluate(composed));
}

TEST_P(Blocks, NormEqualsTheComposedLayer) {
    const at::Tensor x = leaf({kRows * kColumns, kHidden}, 1);
    const BlockNorm n = norm();
    compare(evaluate([&] { return blockNorm(x, n); }), evaluate([&] { return normed(x, n); }));
}

// Of the inner state of an MLP only what the activation takes is kept: 26·40 numbers beside x, the result and two statistics.
TEST(BlockMemory, KeepsNeitherNormsNorActivations) {
    MemoryMeter meter;
    MemoryScope scope(meter);
    const at::Tensor x = at::ones({26, 24}).requires_grad_();
    MlpBlock b;
    b.norm = {at::ones({24}), at::zeros({24}), 1e-5};
    b.up.weight = at::ones({24, 40}).requires_grad_();
    b.down.weight = at::ones({40, 24}).requires_grad_();
    const int64_t before = meter.liveBytes();
    const at::Tensor y = mlpBlock(x, b);
    EXPECT_EQ(meter.liveBytes() - before, 4 * (26 * 24 + 26 * 40 + 2 * 26));
}

}  // namespace
}  // namespace assay::nn
