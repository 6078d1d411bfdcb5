// Mixtures of experts: what must hold whatever the weights are, and the block against LibTorch's autograd.
#include <assay/torch.h>
#include <gtest/gtest.h>

#include "assay/nn/layers.h"
#include "assay/nn/routing.h"
#include "layers/experts.h"
#include "layers/routing.h"
#include "tiny.h"

namespace assay::nn {
namespace {

constexpr int64_t kTokens = 23, kWidth = 6, kInner = 10;

at::Tensor drawn(at::IntArrayRef shape, uint64_t seed, double scale = 1) {
    at::Generator generator = at::detail::createCPUGenerator(seed);
    return (at::empty(shape, at::kDouble).normal_(0, scale, generator)).requires_grad_();
}

ExpertsBlock randomBlock(int64_t experts, int64_t perToken, uint64_t seed = 3) {
    ExpertsBlock b;
    b.norm = {(drawn({kWidth}, seed, 0.1).detach() + 1).requires_grad_(), {}, 1e-5};
    b.router = drawn({experts, kWidth}, seed + 1);
    for (int64_t e = 0; e < experts; ++e) {
        b.gate.push_back(drawn({kInner, kWidth}, seed + 10 + static_cast<uint64_t>(e), 0.5));
        b.up.push_back(drawn({kInner, kWidth}, seed + 40 + static_cast<uint64_t>(e), 0.5));
        b.down.push_back(drawn({kWidth, kInner}, seed + 70 + static_cast<uint64_t>(e), 0.5));
    }
    b.perToken = perToken;
    b.routing = routingTable(1, experts);
    return b;
}

std::vector<at::Tensor> leaves(const at::Tensor& x, const ExpertsBlock& b) {
    std::vector<at::Tensor> out{x, b.norm.weight, b.router};
    for (const auto* list : {&b.gate, &b.up, &b.down}) out.insert(out.end(), list->begin(), list->end());
    return out;
}

at::Tensor expert(const at::Tensor& n, const ExpertsBlock& b, size_t e) { return at::linear(at::silu(at::linear(n, b.gate[e])) * at::linear(n, b.up[e]), b.down[e]); }

// The definition: every expert over every token, shares of those that are not among the k largest zero.
at::Tensor dense(const at::Tensor& x, const ExpertsBlock& b, at::Tensor* probabilities = nullptr) {
    const at::Tensor n = rmsNorm(x, b.norm.weight, b.norm.eps), p = at::softmax(at::linear(n, b.router), 1);
    const auto [top, chosen] = at::topk(p, b.perToken, 1);
    const at::Tensor shares = at::zeros_like(p).scatter(1, chosen, top / top.sum(1, true));
    if (probabilities) *probabilities = p;
    at::Tensor y = x;
    for (size_t e = 0; e < b.gate.size(); ++e) y = y + expert(n, b, e) * shares.select(1, static_cast<int64_t>(e)).unsqueeze(1);
    return y;
}

struct Case {
    int64_t experts, perToken;
    bool counted;
};
class Experts : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Sizes, Experts, ::testing::Values(Case{4, 2, false}, Case{4, 2, true}, Case{5, 1, false}, Case{3, 3, true}, Case{1, 1, false}, Case{8, 5, false}));

TEST_P(Experts, BothWaysHaveTheOutputAndTheGradientsOfTheDefinition) {
    const Case c = GetParam();
    ExpertsBlock b = randomBlock(c.experts, c.perToken);
    const at::Tensor x = drawn({kTokens, kWidth}, 99), weights = drawn({kTokens, kWidth}, 98).detach();
    const at::Tensor counted = c.counted ? at::arange(kTokens).remainder(3).ne(1) : at::ones({kTokens}, at::kBool);
    if (c.counted) b.counted = counted;
    b.balance = 0.7;
    at::Tensor p;
    const at::Tensor wanted = dense(x, b, &p);
    // The load-balance loss by its formula: how many tokens chose an expert, and its mean probability.
    const at::Tensor chosen = std::get<1>(at::topk(p, c.perToken, 1)), ones = at::ones({kTokens, c.perToken}, at::kDouble) * counted.unsqueeze(1);
    const at::Tensor share = at::zeros({c.experts}, at::kDouble).index_add(0, chosen.flatten(), ones.flatten()) / counted.sum(), mean = (p * counted.unsqueeze(1)).sum(0) / counted.sum();
    const at::Tensor balance = (share * mean).sum() * c.experts;
    const auto expected = torch::autograd::grad({(wanted * weights).sum() + b.balance * balance}, leaves(x, b), {}, false, false, true);
    for (const bool block : {true, false}) {
        SCOPED_TRACE(block ? "block" : "composed");
        b.routing.zero_();
        const at::Tensor y = block ? expertsBlock(x, b) : x + mixOfExperts(rmsNorm(x, b.norm.weight, b.norm.eps), b);
        EXPECT_LT((y - wanted).abs().max().item<double>(), 1e-12);
        EXPECT_NEAR(loadBalanceLoss(b.routing, c.perToken), balance.item<double>(), 1e-12);
        EXPECT_EQ(b.routing[0][0].sum().item<double>(), static_cast<double>(counted.sum().item<int64_t>() * c.perToken));  // no token is dropped
        EXPECT_NEAR(b.routing[0][1].sum().item<double>(), counted.sum().item<double>(), 1e-9);
        const auto got = torch::autograd::grad({(y * weights).sum()}, leaves(x, b));
        for (size_t i = 0; i < got.size(); ++i) {
            const at::Tensor want = expected[i].defined() ? expected[i] : at::zeros_like(got[i]);
            ASSERT_TRUE(got[i].defined()) << i;
            EXPECT_LT((got[i] - want).abs().max().item<double>(), 1e-11) << i;
        }
    }
}

TEST(Experts, SharesSumToOneAndPlacesSortByExpert) {
    const int64_t experts = 6, perToken = 3;
    at::Tensor logits = drawn({kTokens, experts}, 5, 3).detach();
    logits[0].fill_(0.5);  // all alike: the first ones
    const Route r = route(logits, perToken);
    EXPECT_LT((r.weights.sum(1) - 1).abs().max().item<double>(), 1e-14);
    EXPECT_LT((r.probabilities.sum(1) - 1).abs().max().item<double>(), 1e-14);
    EXPECT_TRUE(r.chosen[0].equal(at::tensor({0, 1, 2}, at::kInt)));
    EXPECT_EQ(r.first.back(), kTokens * perToken);
    std::vector<int> seen(static_cast<size_t>(kTokens * perToken));
    for (int64_t t = 0; t < kTokens; ++t)
        for (int64_t s = 0; s < perToken; ++s) {
            const int place = r.places[t][s].item<int>(), e = r.chosen[t][s].item<int>();
            ++seen[static_cast<size_t>(place)];
            EXPECT_EQ(r.rows[place].item<int>(), t);
            EXPECT_GE(place, r.first[static_cast<size_t>(e)]);
            EXPECT_LT(place, r.first[static_cast<size_t>(e) + 1]);
        }
    EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
}

TEST(Experts, IdenticalExpertsAreOneMlp) {
    ExpertsBlock b = randomBlock(4, 2);
    for (size_t e = 1; e < 4; ++e) {
        b.gate[e] = b.gate[0];
        b.up[e] = b.up[0];
        b.down[e] = b.down[0];
    }
    const at::Tensor x = drawn({kTokens, kWidth}, 7);
    const at::Tensor wanted = x + expert(rmsNorm(x, b.norm.weight, b.norm.eps), b, 0);
    EXPECT_LT((expertsBlock(x, b) - wanted).abs().max().item<double>(), 1e-13);
}

TEST(Experts, AnExpertWithoutTokensGetsZerosForItsGradient) {
    ExpertsBlock b = randomBlock(3, 1);
    {
        at::NoGradGuard noGrad;
        b.router[2].zero_();
        b.router[1].copy_(-b.router[0]);  // one of the two is positive, the third is never the largest
    }
    const at::Tensor x = drawn({kTokens, kWidth}, 8);
    for (const bool block : {true, false}) {
        const at::Tensor y = block ? expertsBlock(x, b) : mixOfExperts(rmsNorm(x, b.norm.weight, b.norm.eps), b);
        EXPECT_EQ(b.routing[0][0][2].item<double>(), 0);
        const auto g = torch::autograd::grad({y.sum()}, {b.gate[2], b.up[2], b.down[2], b.gate[0]});
        for (size_t i = 0; i < 3; ++i) {
            ASSERT_TRUE(g[i].defined());
            EXPECT_EQ(g[i].abs().sum().item<double>(), 0);
        }
        EXPECT_GT(g[3].abs().sum().item<double>(), 0);
    }
}

// 1 when all tokens go to one expert with certainty and k is 1: f = P = (1, 0, …), times the experts; k when all are used alike.
TEST(Experts, LoadBalanceOfKnownTables) {
    at::Tensor table = routingTable(2, 4);
    EXPECT_EQ(loadBalanceLoss(table, 1), 0);
    table.select(2, 0).fill_(10);
    EXPECT_DOUBLE_EQ(loadBalanceLoss(table, 1), 4);
    table.select(1, 0).fill_(5);
    table.select(1, 1).fill_(2.5);
    EXPECT_DOUBLE_EQ(loadBalanceLoss(table, 2), 2);
}

// The second forward pass of checkpointing routes alike and writes the same table.
TEST(Experts, CheckpointingChangesNoBit) {
    const auto config = testing::tinyMixtral();
    const auto run = [&](Checkpointing checkpointing) {
        auto model = testing::make(config);
        model->setTraining(true);
        model->setCheckpointing(checkpointing);
        Inputs inputs;
        inputs.ids = at::arange(24).remainder(29).view({2, 12});
        inputs.routing = routingTable(config.layers, config.experts);
        inputs.balance = 1;
        model->loss(inputs, inputs.ids.roll(-1, 1), 1.0 / 24).backward();
        std::vector<at::Tensor> out{inputs.routing};
        for (const Parameter& p : model->parameters()) out.push_back(p.value.grad());
        return out;
    };
    const auto plain = run({});
    for (const Checkpointing way : {Checkpointing{Checkpointing::Kind::kGroups, 1}, Checkpointing{Checkpointing::Kind::kGroups, 2}, Checkpointing{Checkpointing::Kind::kSelective, 1}}) {
        const auto again = run(way);
        for (size_t i = 0; i < plain.size(); ++i) EXPECT_TRUE(again[i].equal(plain[i])) << i;
    }
}

}  // namespace
}  // namespace assay::nn
