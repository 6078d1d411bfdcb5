// One operation of each kind that Assay uses, against plain loops in double precision.
#include <gtest/gtest.h>
#include <assay/torch.h>

#include <cmath>
#include <limits>
#include <vector>

namespace assay {
namespace {

// Fixed numbers in [-amplitude, amplitude], the same on every machine.
at::Tensor wave(at::IntArrayRef shape, double phase = 0, double amplitude = 1) {
    return ((at::arange(c10::multiply_integers(shape), at::kDouble) * 1.7 + phase).sin() * amplitude)
        .to(at::kFloat)
        .view(shape);
}
double at2(const at::Tensor& t, int64_t i, int64_t j) {
    return t[i][j].item<double>();
}

double largestDifference(const at::Tensor& a, const at::Tensor& b) {
    return (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

at::Tensor product(const at::Tensor& x, const at::Tensor& w) {  // x · wᵀ
    at::Tensor out = at::zeros({x.size(0), w.size(0)}, at::kDouble);
    for (int64_t i = 0; i < x.size(0); ++i)
        for (int64_t j = 0; j < w.size(0); ++j) {
            double sum = 0;
            for (int64_t k = 0; k < x.size(1); ++k)
                sum += at2(x, i, k) * at2(w, j, k);
            out[i][j] = sum;
        }
    return out;
}

TEST(Operations, linear) {
    at::Tensor x = wave({3, 7}), w = wave({5, 7}, 1), b = wave({5}, 2);
    EXPECT_LT(largestDifference(at::linear(x, w, b), product(x, w) + b.to(at::kDouble)), 1e-6);
}

// Attention by its definition: softmax of q·kᵀ/√d over the keys that `visible` lets through.
template <class Visible>
at::Tensor attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, Visible visible) {
    const int64_t length = q.size(2), width = q.size(3);
    at::Tensor out = at::zeros_like(q, at::kDouble);
    for (int64_t i = 0; i < length; ++i) {
        std::vector<double> weight(static_cast<size_t>(length), 0.0);
        double sum = 0;
        for (int64_t j = 0; j < length; ++j) {
            if (!visible(i, j)) continue;
            double dot = 0;
            for (int64_t d = 0; d < width; ++d)
                dot += at2(q[0][0], i, d) * at2(k[0][0], j, d);
            sum += weight[static_cast<size_t>(j)] = std::exp(dot / std::sqrt(static_cast<double>(width)));
        }
        for (int64_t j = 0; j < length; ++j)
            out[0][0][i] += v[0][0][j].to(at::kDouble) * (weight[static_cast<size_t>(j)] / sum);
    }
    return out;
}

TEST(Operations, attentionCausalAndMasked) {
    at::Tensor q = wave({1, 1, 6, 8}), k = wave({1, 1, 6, 8}, 1), v = wave({1, 1, 6, 8}, 2);
    at::Tensor causal = at::scaled_dot_product_attention(q, k, v, {}, 0.0, true);
    EXPECT_LT(largestDifference(causal, attention(q, k, v, [](int64_t i, int64_t j) { return j <= i; })),
              1e-6);
    at::Tensor mask = at::zeros({6, 6}, at::kBool);
    auto visible = [](int64_t i, int64_t j) { return j <= i && i / 3 == j / 3; };  // two documents
    for (int64_t i = 0; i < 6; ++i)
        for (int64_t j = 0; j < 6; ++j)
            mask[i][j] = visible(i, j);
    at::Tensor masked = at::scaled_dot_product_attention(q, k, v, mask);
    EXPECT_LT(largestDifference(masked, attention(q, k, v, visible)), 1e-6);
}

TEST(Operations, attentionSharesKeysAmongHeads) {
    at::Tensor q = wave({1, 4, 5, 8}), k = wave({1, 2, 5, 8}, 1), v = wave({1, 2, 5, 8}, 2);
    at::Tensor grouped = at::scaled_dot_product_attention(q, k, v, {}, 0.0, true, {}, /*enable_gqa=*/true);
    at::Tensor repeated = at::scaled_dot_product_attention(q, k.repeat_interleave(2, 1),
                                                           v.repeat_interleave(2, 1), {}, 0.0, true);
    EXPECT_LT(largestDifference(grouped, repeated), 1e-6);
}

TEST(Operations, layerNorm) {
    at::Tensor x = wave({2, 9}), w = wave({9}, 1), b = wave({9}, 2), out = at::layer_norm(x, {9}, w, b, 1e-5);
    for (int64_t i = 0; i < 2; ++i) {
        double mean = 0, variance = 0;
        for (int64_t j = 0; j < 9; ++j)
            mean += at2(x, i, j) / 9;
        for (int64_t j = 0; j < 9; ++j)
            variance += (at2(x, i, j) - mean) * (at2(x, i, j) - mean) / 9;
        for (int64_t j = 0; j < 9; ++j)
            EXPECT_NEAR(at2(out, i, j),
                        (at2(x, i, j) - mean) / std::sqrt(variance + 1e-5) * w[j].item<double>() +
                            b[j].item<double>(),
                        1e-6);
    }
}

TEST(Operations, embeddingAndItsGradient) {
    at::Tensor table = wave({4, 3}).requires_grad_(), ids = at::tensor({2, 0, 2}, at::kLong);
    at::Tensor rows = at::embedding(table, ids);
    EXPECT_EQ(largestDifference(rows[0], table[2]), 0);
    rows.sum().backward();
    EXPECT_TRUE(
        at::equal(table.grad().select(1, 0), at::tensor({1.f, 0.f, 2.f, 0.f})));  // a row counts per use
}

TEST(Operations, crossEntropyIgnoresUnlabelledTokens) {
    at::Tensor logits = wave({3, 4}), labels = at::tensor({1, -100, 3}, at::kLong);
    double expected = 0;
    for (int64_t i : {0, 2}) {
        double sum = 0;
        for (int64_t j = 0; j < 4; ++j)
            sum += std::exp(at2(logits, i, j));
        expected += std::log(sum) - at2(logits, i, labels[i].item<int64_t>());
    }
    at::Tensor loss = at::cross_entropy_loss(logits, labels, {}, at::Reduction::Sum, -100);
    EXPECT_NEAR(loss.item<double>(), expected, 1e-6);
}

TEST(Operations, foreachNorm) {
    std::vector<at::Tensor> list{wave({5}), wave({2, 3}, 1)};
    auto norms = at::_foreach_norm(list, 2);
    for (size_t i = 0; i < 2; ++i) {
        double sum = 0;
        for (int64_t j = 0; j < list[i].numel(); ++j)
            sum += std::pow(list[i].flatten()[j].item<double>(), 2);
        EXPECT_NEAR(norms[i].item<double>(), std::sqrt(sum), 1e-6);
    }
}

// AdamW with decoupled decay (Loshchilov and Hutter 2019), two steps.
TEST(Operations, fusedAdamW) {
    const double lr = 0.1, b1 = 0.9, b2 = 0.95, decay = 0.2, eps = 1e-8;
    at::Tensor p = wave({6}), m = at::zeros({6}), v = at::zeros({6}), step = at::zeros({});
    std::vector<double> ep(6), em(6, 0), ev(6, 0);
    for (int64_t i = 0; i < 6; ++i)
        ep[static_cast<size_t>(i)] = p[i].item<double>();
    for (int t = 1; t <= 2; ++t) {
        at::Tensor g = wave({6}, t);
        step.add_(1);
        at::_fused_adamw_({p}, {g}, {m}, {v}, {}, {step}, lr, b1, b2, decay, eps, false, false);
        for (size_t i = 0; i < 6; ++i) {
            const double gi = g[static_cast<int64_t>(i)].item<double>();
            ep[i] *= 1 - lr * decay;
            em[i] = b1 * em[i] + (1 - b1) * gi;
            ev[i] = b2 * ev[i] + (1 - b2) * gi * gi;
            ep[i] -= lr * (em[i] / (1 - std::pow(b1, t))) / (std::sqrt(ev[i] / (1 - std::pow(b2, t))) + eps);
        }
    }
    for (size_t i = 0; i < 6; ++i)
        EXPECT_NEAR(p[static_cast<int64_t>(i)].item<double>(), ep[i], 1e-6);
    // with found_inf set nothing moves
    at::Tensor before = p.clone();
    at::_fused_adamw_({p}, {wave({6})}, {m}, {v}, {}, {step}, lr, b1, b2, decay, eps, false, false, {},
                      at::ones({}));
    EXPECT_TRUE(at::equal(p, before));
}

TEST(Operations, gradientScaling) {
    at::Tensor found = at::zeros({}), inverse = at::full({}, 0.25);
    std::vector<at::Tensor> gradients{at::tensor({4.f, 8.f}), at::tensor({-2.f})};
    at::_amp_foreach_non_finite_check_and_unscale_(gradients, found, inverse);
    EXPECT_EQ(found.item<float>(), 0);
    EXPECT_TRUE(at::equal(gradients[0], at::tensor({1.f, 2.f})));
    gradients[1].fill_(std::numeric_limits<float>::quiet_NaN());
    at::_amp_foreach_non_finite_check_and_unscale_(gradients, found, inverse);
    EXPECT_EQ(found.item<float>(), 1);

    at::Tensor scale = at::full({}, 65536.0), growth = at::zeros({}, at::kInt);
    at::_amp_update_scale_(scale, growth, found, 2.0, 0.5, 2);
    EXPECT_EQ(scale.item<float>(), 32768);
    found.zero_();
    at::_amp_update_scale_(scale, growth, found, 2.0, 0.5, 2);
    EXPECT_EQ(scale.item<float>(), 32768);
    at::_amp_update_scale_(scale, growth, found, 2.0, 0.5, 2);
    EXPECT_EQ(scale.item<float>(), 65536);
}

TEST(Operations, int8WeightProduct) {
    at::Tensor q =
        at::arange(32 * 64, at::kLong).mul(37).remainder(255).sub(127).to(at::kChar).view({32, 64});
    at::Tensor x = wave({2, 64}).to(at::kBFloat16),
               scale = (wave({32}, 1).abs() / 127 + 0.001).to(at::kBFloat16);
    at::Tensor out = at::_weight_int8pack_mm(x, q, scale);
    at::Tensor expected = product(x.to(at::kFloat), q.to(at::kFloat)) * scale.to(at::kDouble);
    const double size = expected.abs().max().item<double>();
    EXPECT_LT(largestDifference(out, expected), 0.01 * size);  // bfloat16 keeps 8 bits
}

TEST(Operations, int4WeightProduct) {
    const int64_t rows = 32, columns = 64, group = 32;
    at::Tensor q = at::arange(rows * columns, at::kInt).mul(11).remainder(16).view({rows, columns});
    at::Tensor scales = wave({columns / group, rows, 2}, 1, 0.1);  // [group][row] = {scale, zero}
    at::Tensor packed = at::_convert_weight_to_int4pack_for_cpu(q, 1);
    EXPECT_EQ(packed.numel() * packed.element_size(), rows * columns / 2);
    at::Tensor weight = at::zeros({rows, columns});
    for (int64_t r = 0; r < rows; ++r)
        for (int64_t c = 0; c < columns; ++c)
            weight[r][c] = (q[r][c].item<double>() - 8) * scales[c / group][r][0].item<double>() +
                           scales[c / group][r][1].item<double>();
    at::Tensor x = wave({2, columns});
    EXPECT_LT(
        largestDifference(at::_weight_int4pack_mm_for_cpu(x, packed, group, scales), product(x, weight)),
        1e-4);
}

}  // namespace
}  // namespace assay
