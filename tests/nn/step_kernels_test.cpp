// The loops of a training step: every instruction set against the reference, the reference against LibTorch in float64.
#include <gtest/gtest.h>
#include <assay/torch.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <vector>

#include <assay/core/clock.h>

#include "kernels/step_kernels.h"
#include "layers/flash.h"
#include "layers/product.h"
#include "layers/row_loops.h"
#include "layers/tied_embedding.h"

namespace assay::nn {
namespace {

at::Tensor drawn(std::vector<int64_t> shape, uint64_t seed, at::ScalarType type = at::kFloat) {
    at::Generator g = at::detail::createCPUGenerator(seed);
    return at::randn(shape, g, at::TensorOptions().dtype(at::kDouble)).to(type);
}
double apart(const at::Tensor& a, const at::Tensor& b) {  // relative to the largest element
    const at::Tensor x = a.to(at::kDouble), y = b.to(at::kDouble);
    return (x - y).abs().max().item<double>() / std::max(1e-30, y.abs().max().item<double>());
}

std::vector<const StepLoops<float>*> loops() {
    std::vector<const StepLoops<float>*> out{&scalarLoops()};
    if (avx2Loops()) out.push_back(avx2Loops());
    if (avx512Loops()) out.push_back(avx512Loops());
    return out;
}
std::vector<const ProductKernel*> productKernels() {
    std::vector<const ProductKernel*> out;
    if (avx2Product()) out.push_back(avx2Product());
    if (avx512Product()) out.push_back(avx512Product());
    return out;
}
std::unique_ptr<float, decltype(&std::free)> buffer(int64_t floats) {
    return {static_cast<float*>(std::aligned_alloc(64, static_cast<size_t>((floats + 15) / 16 * 64))), &std::free};
}

TEST(StepLoops, EveryInstructionSetEqualsLibTorchInFloat64) {
    for (const StepLoops<float>* l : loops())
        for (const int64_t width : {1, 7, 16, 33, 576}) {
            SCOPED_TRACE(std::string(l->name) + " width " + std::to_string(width));
            const int64_t rows = 5;
            const at::Tensor x = drawn({rows, width}, 1).mul_(3).add_(0.5), w = drawn({width}, 2), b = drawn({width}, 3), g = drawn({rows, width}, 4), pass = drawn({rows, width}, 5);
            for (const bool layer : {true, false}) {
                if (layer && width == 1) continue;  // x − mean is rounding noise
                at::Tensor xd = x.to(at::kDouble).requires_grad_(), wd = w.to(at::kDouble).requires_grad_(), bd = b.to(at::kDouble).requires_grad_();
                const at::Tensor wanted = layer ? at::layer_norm(xd, {width}, wd, bd, 1e-5) : xd / (xd.pow(2).mean(-1, true) + 1e-5).sqrt() * wd;
                wanted.backward(g.to(at::kDouble));
                at::Tensor y = at::empty_like(x), again = at::empty_like(x), mean = at::empty({rows}), inverse = at::empty({rows}), out = at::empty_like(x), dw = at::zeros({width}), db = at::zeros({width});
                float* m = layer ? mean.mutable_data_ptr<float>() : nullptr;
                const float* bias = layer ? b.const_data_ptr<float>() : nullptr;
                l->norm(x.const_data_ptr<float>(), w.const_data_ptr<float>(), bias, 1e-5f, y.mutable_data_ptr<float>(), m, inverse.mutable_data_ptr<float>(), rows, width);
                EXPECT_LT(apart(y, wanted.detach()), 1e-6);
                l->normAgain(x.const_data_ptr<float>(), w.const_data_ptr<float>(), bias, m, inverse.const_data_ptr<float>(), again.mutable_data_ptr<float>(), rows, width);
                EXPECT_LT(apart(again, y), 2e-7);
                const NormGradient<float> n{x.const_data_ptr<float>(), g.const_data_ptr<float>(), w.const_data_ptr<float>(), m, inverse.const_data_ptr<float>(), pass.const_data_ptr<float>(),
                                            out.mutable_data_ptr<float>(), dw.mutable_data_ptr<float>(), layer ? db.mutable_data_ptr<float>() : nullptr};
                l->normBackward(n, rows, width);
                EXPECT_LT(apart(out, xd.grad() + pass.to(at::kDouble)), 1e-6);
                EXPECT_LT(apart(dw, wd.grad()), 1e-6);
                if (layer) {
                    EXPECT_LT(apart(db, bd.grad()), 1e-6);
                }
            }
            const int64_t count = rows * width;
            {
                at::Tensor xd = x.to(at::kDouble).requires_grad_(), y = at::empty_like(x), again = at::empty_like(x), d = g.clone();
                const at::Tensor wanted = at::gelu(xd, "tanh");
                wanted.backward(g.to(at::kDouble));
                l->gelu(x.const_data_ptr<float>(), y.mutable_data_ptr<float>(), count);
                l->geluBackward(x.const_data_ptr<float>(), d.mutable_data_ptr<float>(), again.mutable_data_ptr<float>(), count);
                EXPECT_LT(apart(y, wanted.detach()), 1e-6);
                EXPECT_LT(apart(again, y), 2e-7);
                EXPECT_LT(apart(d, xd.grad()), 2e-6);  // the error of an exponent near 10 in fp32
            }
            {
                at::Tensor xd = x.to(at::kDouble).requires_grad_(), ud = pass.to(at::kDouble).requires_grad_(), y = at::empty_like(x), d = g.clone(), dx = at::empty_like(x), du = at::empty_like(x);
                const at::Tensor wanted = at::silu(xd) * ud;
                wanted.backward(g.to(at::kDouble));
                l->swiglu(x.const_data_ptr<float>(), pass.const_data_ptr<float>(), y.mutable_data_ptr<float>(), count);
                l->swigluBackward(x.const_data_ptr<float>(), pass.const_data_ptr<float>(), d.mutable_data_ptr<float>(), dx.mutable_data_ptr<float>(), du.mutable_data_ptr<float>(), count);
                EXPECT_LT(apart(y, wanted.detach()), 1e-6);
                EXPECT_LT(apart(d, y), 2e-7);
                EXPECT_LT(apart(dx, xd.grad()), 1e-6);
                EXPECT_LT(apart(du, ud.grad()), 1e-6);
            }
            {
                at::Tensor logits = x[0].clone(), xd = x[0].to(at::kDouble);
                const int64_t label = width / 2;
                const double loss = l->crossEntropyRow(logits.mutable_data_ptr<float>(), width, label, 0.25f, true);
                const at::Tensor logs = at::log_softmax(xd, 0);
                at::Tensor wanted = logs.exp();
                wanted[label] -= 1;
                EXPECT_NEAR(loss, -logs[label].item<double>(), 2e-6);
                EXPECT_LT((logits.to(at::kDouble) - wanted * 0.25).abs().max().item<double>(), 1e-7);
            }
        }
}

// A number that is not finite must reach the loss: the guards of the trainer look there.
TEST(StepLoops, WhatIsNotFiniteStaysSo) {
    const float bad[] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()};
    for (const StepLoops<float>* l : loops())
        for (const float value : bad) {
            std::vector<float> row(37, 0.5f), x(37, 0.5f), y(37);
            row[20] = x[20] = value;
            EXPECT_FALSE(std::isfinite(l->crossEntropyRow(row.data(), 37, 3, 1.0f, true))) << l->name;
            l->gelu(x.data(), y.data(), 37);
            EXPECT_FALSE(std::isfinite(y[20])) << l->name;
            l->swiglu(x.data(), x.data(), y.data(), 37);
            EXPECT_FALSE(std::isfinite(y[20])) << l->name;
        }
    for (const StepLoops<float>* l : loops()) {  // large numbers overflow nothing
        std::vector<float> row{1e4f, -1e4f, 0}, x{-1e4f, 1e4f, -88.5f}, y(3);
        EXPECT_NEAR(l->crossEntropyRow(row.data(), 3, 1, 1.0f, true), 2e4, 1e-2) << l->name;
        EXPECT_NEAR(row[0], 1, 1e-6);
        l->gelu(x.data(), y.data(), 3);
        EXPECT_NEAR(y[0], 0, 1e-6);
        EXPECT_EQ(y[1], 1e4f);
    }
}

struct ProductCase {
    int64_t rows, columns, depth;
};
class StepProduct : public ::testing::TestWithParam<ProductCase> {};
INSTANTIATE_TEST_SUITE_P(Shapes, StepProduct, ::testing::Values(ProductCase{1, 1, 1}, ProductCase{14, 32, 8}, ProductCase{13, 31, 7}, ProductCase{29, 65, 385}, ProductCase{200, 3, 1000},
                                                                ProductCase{3, 700, 9}, ProductCase{1400, 40, 17}));

TEST_P(StepProduct, EqualsFloat64InEveryLayout) {
    const ProductCase c = GetParam();
    for (const ProductKernel* kernel : productKernels())
        for (const bool aLong : {true, false})
            for (const bool bLong : {true, false}) {
                const at::Tensor a = aLong ? drawn({c.rows, c.depth}, 1) : drawn({c.depth, c.rows}, 1).t(), b = bLong ? drawn({c.columns, c.depth}, 2).t() : drawn({c.depth, c.columns}, 2);
                const at::Tensor bias = drawn({c.columns}, 3), residual = drawn({c.rows, c.columns}, 4), wanted = at::mm(a.to(at::kDouble), b.to(at::kDouble));
                at::Tensor whole = at::full({c.rows + 2, c.columns + 3}, 7.0f);  // what lies around must stay
                at::Tensor out = whole.narrow(0, 1, c.rows).narrow(1, 1, c.columns);
                auto memory = buffer(kernel->bufferFloats);
                Product p{c.rows, c.columns, c.depth, a.const_data_ptr<float>(), aLong ? c.depth : 1, aLong ? 1 : c.rows, b.const_data_ptr<float>(), bLong ? 1 : c.columns, bLong ? c.depth : 1,
                          out.mutable_data_ptr<float>(), c.columns + 3, bias.const_data_ptr<float>(), residual.const_data_ptr<float>(), c.columns, false};
                kernel->multiply(p, {0, c.rows, 0, c.columns}, memory.get());
                const at::Tensor first = wanted + bias.to(at::kDouble) + residual.to(at::kDouble);
                EXPECT_LT(apart(out, first), 1e-6) << kernel->name;
                p.bias = p.residual = nullptr;
                p.accumulate = true;
                kernel->multiply(p, {0, c.rows, 0, c.columns}, memory.get());
                EXPECT_LT(apart(out, first + wanted), 1e-6) << kernel->name;
                EXPECT_EQ(whole.eq(7.0f).sum().item<int64_t>(), whole.numel() - out.numel());
            }
}

TEST(StepProduct, DoesNotDependOnTheNumberOfThreads) {
    const at::Tensor a = drawn({301, 500}, 1), b = drawn({500, 333}, 2), w = drawn({301}, 3);
    const int threads = at::get_num_threads();
    std::vector<at::Tensor> out;
    for (const int count : {1, 2, 3, 4}) {
        at::set_num_threads(count);
        out.push_back(product(a, b));
        out.push_back(sumRows(a));
    }
    at::set_num_threads(threads);
    for (size_t i = 2; i < out.size(); ++i) {
        if (i % 2 == 0 && !bestProduct()) continue;  // LibTorch's library promises less
        EXPECT_TRUE(at::equal(out[i], out[i % 2]));
    }
}

// What at::parallel_for hands out is compiled into our own files: without OpenMP there it silently stays on the calling thread.
TEST(StepProduct, RunsOnSeveralThreads) {
    // Long enough for the clock of the process, which takes in what other threads did some thousand times a second only.
    const at::Tensor a = drawn({512, 512}, 1), tall = at::ones({16384, 512});
    const int threads = at::get_num_threads();
    at::set_num_threads(2);
    const auto share = [&](auto run) {  // of the processor time, what the calling thread did
        run();
        const double all = processCpuSeconds(), own = threadCpuSeconds();
        for (int i = 0; i < 20; ++i) run();
        return (threadCpuSeconds() - own) / (processCpuSeconds() - all);
    };
    const double rows = share([&] { (void)sumRows(tall); }), products = bestProduct() ? share([&] { (void)product(a, a); }) : 0.5;
    at::set_num_threads(threads);
    EXPECT_LT(rows, 0.8);
    EXPECT_LT(products, 0.8);
}

TEST(TiedEmbedding, OneGradientOfTheTable) {
    const at::Tensor table = drawn({50, 33}, 1, at::kDouble).requires_grad_(), weight = drawn({50, 7}, 2, at::kDouble);
    const at::Tensor ids = at::tensor({3, 49, 3, 0, 17, 3, 3, 49}, at::kLong).view({2, 4});
    const auto loss = [&](const at::Tensor& rows, const at::Tensor& head) { return at::tanh(at::matmul(rows, head.t())).matmul(weight).square().sum(); };
    const auto gradient = [&](const at::Tensor& y) {
        table.mutable_grad().reset();
        y.backward();
        return table.grad().clone();
    };
    const at::Tensor apart = gradient(loss(at::embedding(table, ids), table));
    TiedRows tied = tiedEmbedding(table, ids);
    EXPECT_TRUE(at::equal(tied.rows, at::embedding(table, ids)));
    EXPECT_LT((gradient(loss(tied.rows, tied.head)) - apart).abs().max().item<double>(), 1e-11);
    // Only one of the two is used.
    EXPECT_LT((gradient(tiedEmbedding(table, ids).rows.square().sum()) - gradient(at::embedding(table, ids).square().sum())).abs().max().item<double>(), 1e-12);
    EXPECT_LT((gradient(tiedEmbedding(table, ids).head.square().sum()) - 2 * table.detach()).abs().max().item<double>(), 1e-12);
    // Someone else holds the head's gradient: it is not written to.
    at::Tensor held;
    tied = tiedEmbedding(table, ids);
    tied.head.register_hook([&](const at::Tensor& g) { held = g; });
    const at::Tensor whole = gradient(loss(tied.rows, tied.head));
    const at::Tensor headOnly = gradient(loss(at::embedding(table.detach(), ids), table));
    EXPECT_TRUE(at::allclose(held, headOnly));
    EXPECT_LT((whole - apart).abs().max().item<double>(), 1e-11);
}

TEST(StepProduct, TakesFloat64AndStridesOfAnyKind) {
    const at::Tensor a = drawn({6, 10}, 1, at::kDouble), b = drawn({10, 4}, 2, at::kDouble), c = drawn({4}, 3, at::kDouble), r = drawn({6, 4}, 4, at::kDouble);
    EXPECT_LT(apart(product(a, b, {.bias = c, .residual = r}), at::mm(a, b) + c + r), 1e-14);
    const at::Tensor wide = drawn({6, 20}, 5), sparse = at::as_strided(wide, {6, 10}, {20, 2});  // no unit stride
    EXPECT_LT(apart(product(sparse, b.to(at::kFloat)), at::mm(sparse.to(at::kDouble), b)), 1e-6);
}

struct FlashCase {
    int64_t rows, columns, heads, kvHeads, width;
    bool masked;
};
class StepAttention : public ::testing::TestWithParam<FlashCase> {};
INSTANTIATE_TEST_SUITE_P(Shapes, StepAttention, ::testing::Values(FlashCase{1, 1, 1, 1, 8, false}, FlashCase{2, 7, 4, 2, 5, true}, FlashCase{1, 130, 3, 1, 16, false},
                                                                  FlashCase{2, 61, 2, 2, 64, true}, FlashCase{1, 300, 2, 1, 33, false}));

TEST_P(StepAttention, ForwardAndGradientsEqualSoftmaxInFloat64) {
    const FlashCase c = GetParam();
    const int64_t n = c.rows * c.columns;
    const at::Tensor joined = drawn({n, (c.heads + 2 * c.kvHeads) * c.width}, 1);  // q, k and v are parts of wider rows
    const at::Tensor q = joined.narrow(1, 0, c.heads * c.width), k = joined.narrow(1, c.heads * c.width, c.kvHeads * c.width), v = joined.narrow(1, (c.heads + c.kvHeads) * c.width, c.kvHeads * c.width);
    const at::Tensor g = drawn({n, c.heads * c.width}, 2);
    at::Tensor mask;
    if (c.masked) {
        const at::Tensor segment = at::arange(c.columns).ge(c.columns / 3).to(at::kLong).expand({c.rows, c.columns});
        mask = at::zeros({c.rows, 1, c.columns, c.columns}).masked_fill_(segment.unsqueeze(2).eq(segment.unsqueeze(1)).tril_().logical_not().unsqueeze(1), -std::numeric_limits<float>::infinity());
    }
    const AttentionSizes s{c.rows, c.columns, c.heads, c.kvHeads, c.width};
    const Attended attended = attend(q, k, v, mask, s);
    const AttentionGradients d = attendBackward(g, q, k, v, attended, mask, s);

    at::Tensor qd = q.to(at::kDouble).contiguous().requires_grad_(), kd = k.to(at::kDouble).contiguous().requires_grad_(), vd = v.to(at::kDouble).contiguous().requires_grad_();
    auto heads = [&](const at::Tensor& x, int64_t count) { return x.view({c.rows, c.columns, count, c.width}).transpose(1, 2).repeat_interleave(c.heads / count, 1); };
    at::Tensor scores = at::matmul(heads(qd, c.heads), heads(kd, c.kvHeads).transpose(2, 3)) / std::sqrt(static_cast<double>(c.width));
    scores = mask.defined() ? scores + mask.to(at::kDouble) : scores.masked_fill(at::ones({c.columns, c.columns}, at::kBool).tril_().logical_not(), -std::numeric_limits<double>::infinity());
    const at::Tensor wanted = at::matmul(at::softmax(scores, -1), heads(vd, c.kvHeads)).transpose(1, 2).reshape({n, c.heads * c.width});
    wanted.backward(g.to(at::kDouble));
    EXPECT_LT(apart(attended.out, wanted.detach()), 2e-6);
    EXPECT_LT(apart(d.q, qd.grad()), 5e-6);
    EXPECT_LT(apart(d.k, kd.grad()), 5e-6);
    EXPECT_LT(apart(d.v, vd.grad()), 5e-6);
    // float64 takes the other path; both are there for every caller
    const Attended wide = attend(q.to(at::kDouble), k.to(at::kDouble), v.to(at::kDouble), mask.defined() ? mask.to(at::kDouble) : mask, s);
    EXPECT_LT(apart(wide.out, wanted.detach()), 1e-12);
}

}  // namespace
}  // namespace assay::nn
