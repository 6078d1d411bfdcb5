#include "assay/nn/layers.h"

#include <gtest/gtest.h>
#include <assay/torch.h>
#include <torch/nn/functional.h>

#include <cmath>

#include "assay/nn/linear_cross_entropy.h"
#include "assay/nn/memory.h"
#include "tiny.h"

namespace assay::nn {
namespace {

at::Tensor normal(std::vector<int64_t> shape, uint64_t seed, at::ScalarType type = at::kDouble) {
    at::Generator g = at::detail::createCPUGenerator(seed);
    return at::randn(shape, g, at::TensorOptions().dtype(type));
}

// The definition, written with LibTorch's own cross entropy and full logits.
at::Tensor reference(const at::Tensor& h, const at::Tensor& w, const at::Tensor& labels, double scale) {
    return torch::nn::functional::cross_entropy(at::mm(h, w.t()), labels, torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kSum).ignore_index(-100)) * scale;
}

struct CrossEntropyCase {
    int64_t rows, width, vocabulary;
    double skipped;  // share of rows without a label
    at::ScalarType type;
    double tolerance;
};
class CrossEntropy : public ::testing::TestWithParam<CrossEntropyCase> {};
INSTANTIATE_TEST_SUITE_P(Shapes, CrossEntropy,
                         ::testing::Values(CrossEntropyCase{7, 5, 11, 0, at::kDouble, 1e-12}, CrossEntropyCase{7, 5, 11, 0.5, at::kDouble, 1e-12},
                                           CrossEntropyCase{150, 6, 70000, 0.2, at::kDouble, 1e-11},  // several chunks
                                           CrossEntropyCase{200, 32, 3000, 0.1, at::kFloat, 2e-6}));

TEST_P(CrossEntropy, LossAndGradientsEqualTheDefinition) {
    const CrossEntropyCase c = GetParam();
    at::Tensor h = normal({c.rows, c.width}, 1, c.type).requires_grad_(), w = normal({c.vocabulary, c.width}, 2, c.type).mul_(0.3).requires_grad_();
    at::Generator g = at::detail::createCPUGenerator(3);
    at::Tensor labels = at::randint(c.vocabulary, {c.rows}, g, at::kLong);
    labels.masked_fill_(at::rand({c.rows}, g, at::kDouble).lt(c.skipped), -100);
    const double scale = 0.37;
    const at::Tensor wanted = reference(h, w, labels, scale);
    wanted.backward();
    const at::Tensor wantedH = h.grad().clone(), wantedW = w.grad().clone();
    h.mutable_grad().reset();
    w.mutable_grad().reset();
    const at::Tensor loss = linearCrossEntropy(h, w, labels, scale);
    EXPECT_NEAR(loss.item<double>(), wanted.item<double>(), c.tolerance * std::max(1.0, std::abs(wanted.item<double>())));
    (loss * 2).backward();  // a factor from outside reaches the gradients
    EXPECT_LT((h.grad() - 2 * wantedH).abs().max().item<double>(), 4 * c.tolerance);
    EXPECT_LT((w.grad() - 2 * wantedW).abs().max().item<double>(), 4 * c.tolerance);
    at::NoGradGuard noGrad;
    EXPECT_EQ(linearCrossEntropy(h, w, labels, scale).item<double>(), loss.item<double>());
}

TEST(CrossEntropyEdges, NoLabelAtAllGivesZeroLossAndZeroGradients) {
    at::Tensor h = normal({4, 3}, 1).requires_grad_(), w = normal({9, 3}, 2).requires_grad_();
    const at::Tensor loss = linearCrossEntropy(h, w, at::full({4}, -100, at::kLong), 1);
    EXPECT_EQ(loss.item<double>(), 0);
    loss.backward();
    EXPECT_EQ(h.grad().abs().max().item<double>(), 0);
    EXPECT_EQ(w.grad().abs().max().item<double>(), 0);
}

// Full logits would be 4096 × 8192 × 4 B = 128 MiB; a chunk is 16 MiB.
TEST(CrossEntropyEdges, NeverHoldsTheLogitsOfTheWholeBatch) {
    MemoryMeter meter;
    MemoryScope scope(meter);
    at::Tensor h = normal({4096, 8}, 1, at::kFloat).requires_grad_(), w = normal({8192, 8}, 2, at::kFloat).requires_grad_();
    linearCrossEntropy(h, w, at::zeros({4096}, at::kLong), 1).backward();
    EXPECT_LT(meter.peakBytes(), int64_t{48} << 20);
}

TEST(RmsNorm, ForwardAndGradientEqualTheDefinition) {
    at::Tensor x = normal({6, 5}, 1).requires_grad_(), w = normal({5}, 2).requires_grad_();
    const at::Tensor g = normal({6, 5}, 3);
    auto definition = [&] { return x / (x.pow(2).mean(-1, true) + 1e-5).sqrt() * w; };
    definition().backward(g);
    const at::Tensor wantedX = x.grad().clone(), wantedW = w.grad().clone();
    x.mutable_grad().reset();
    w.mutable_grad().reset();
    const at::Tensor y = rmsNorm(x, w, 1e-5);
    EXPECT_LT((y - definition()).abs().max().item<double>(), 1e-14);
    y.backward(g);
    EXPECT_LT((x.grad() - wantedX).abs().max().item<double>(), 1e-13);
    EXPECT_LT((w.grad() - wantedW).abs().max().item<double>(), 1e-13);
}

TEST(Attention, EqualsSoftmaxOverAllowedColumns) {
    const int64_t rows = 2, heads = 4, kv = 2, t = 7, width = 4;
    const at::Tensor q = normal({rows, heads, t, width}, 1), k = normal({rows, kv, t, width}, 2), v = normal({rows, kv, t, width}, 3);
    const at::Tensor segments = at::tensor({0, 0, 1, 1, 1, 2, -1, 0, 0, 0, 0, 0, 0, 0}, at::kLong).view({rows, t});
    const at::Tensor out = causalAttention(q, k, v, causalMask(segments, at::kDouble), 0).view({rows, t, heads, width});
    const at::Tensor plain = causalAttention(q, k, v, at::Tensor(), 0).view({rows, t, heads, width});
    for (int64_t b = 0; b < rows; ++b)
        for (int64_t h = 0; h < heads; ++h)
            for (int64_t i = 0; i < t; ++i) {
                for (bool masked : {true, false}) {
                    std::vector<double> weight(static_cast<size_t>(t), 0);
                    double sum = 0;
                    for (int64_t j = 0; j <= i; ++j) {
                        if (masked && segments[b][i].item<int64_t>() != segments[b][j].item<int64_t>()) continue;
                        weight[static_cast<size_t>(j)] = std::exp(at::dot(q[b][h][i], k[b][h / 2][j]).item<double>() / 2);  // √4
                        sum += weight[static_cast<size_t>(j)];
                    }
                    at::Tensor wanted = at::zeros({width}, at::kDouble);
                    for (int64_t j = 0; j <= i; ++j) wanted += v[b][h / 2][j] * (weight[static_cast<size_t>(j)] / sum);
                    EXPECT_LT(((masked ? out : plain)[b][i][h] - wanted).abs().max().item<double>(), 1e-12) << b << h << i << masked;
                }
            }
}

TEST(Rotary, TurnsPairsByPositionTimesFrequency) {
    model::ModelConfig c = testing::tinyLlama();  // d = 4, θ = 10000: frequencies 1 and 1/100
    const Rotary rotary(c);
    const at::Tensor x = normal({1, 1, 6, 4}, 5);
    const at::Tensor y = Rotary::apply(x, rotary.angles(at::Tensor(), 6, at::kDouble));
    for (int64_t t = 0; t < 6; ++t)
        for (int64_t i = 0; i < 2; ++i) {
            const double angle = static_cast<double>(t) * (i == 0 ? 1.0 : 0.01);
            const double a = x[0][0][t][i].item<double>(), b = x[0][0][t][i + 2].item<double>();
            EXPECT_NEAR(y[0][0][t][i].item<double>(), a * std::cos(angle) - b * std::sin(angle), 1e-7);
            EXPECT_NEAR(y[0][0][t][i + 2].item<double>(), b * std::cos(angle) + a * std::sin(angle), 1e-7);
        }
    const at::Tensor positions = at::tensor({5, 4, 3, 2, 1, 0}, at::kLong).view({1, 6});
    const at::Tensor turned = Rotary::apply(x, rotary.angles(positions, 6, at::kDouble));
    EXPECT_LT((turned[0][0][5] - x[0][0][5]).abs().max().item<double>(), 1e-15);  // position 0
}

TEST(Rotary, LinearScalingStretchesPositions) {
    model::ModelConfig c = testing::tinyLlama(), scaled = c;
    scaled.ropeScaling = {.kind = "linear", .factor = 2};
    const auto plain = Rotary(c).angles(at::Tensor(), 5, at::kDouble), slow = Rotary(scaled).angles(at::Tensor(), 9, at::kDouble);
    for (int64_t t = 0; t < 5; ++t) EXPECT_LT((plain.cosine[t] - slow.cosine[2 * t]).abs().max().item<double>(), 1e-6);
}

TEST(Memory, CountsLiveAndPeakBytesExactly) {
    MemoryMeter meter;
    MemoryScope scope(meter);
    {
        const at::Tensor a = at::empty({1000}, at::kFloat);
        EXPECT_EQ(meter.liveBytes(), 4000);
        { const at::Tensor b = at::empty({500}, at::kDouble); }
        EXPECT_EQ(meter.liveBytes(), 4000);
        EXPECT_EQ(meter.peakBytes(), 8000);
        meter.resetPeak();
        EXPECT_EQ(meter.peakBytes(), 4000);
    }
    EXPECT_EQ(meter.liveBytes(), 0);
}

}  // namespace
}  // namespace assay::nn
