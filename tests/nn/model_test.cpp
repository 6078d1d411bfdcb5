#include "assay/nn/model.h"

#include <gtest/gtest.h>
#include <assay/torch.h>

#include <cmath>

#include "tiny.h"

namespace assay::nn {
namespace {

using testing::make;
using testing::tinyGpt2;
using testing::tinyLlama;

at::Tensor randomIds(int64_t rows, int64_t columns, int64_t vocab, uint64_t seed = 1) {
    at::Generator g = at::detail::createCPUGenerator(seed);
    return at::randint(vocab, {rows, columns}, g, at::kLong);
}

class EveryFamily : public ::testing::TestWithParam<const char*> {
protected:
    model::ModelConfig config() const {
        const std::string name = GetParam();
        return name == "gpt2" ? tinyGpt2() : name == "llama" ? tinyLlama() : name == "qwen3" ? testing::tinyQwen3() : testing::tinyMixtral();
    }
};
INSTANTIATE_TEST_SUITE_P(Families, EveryFamily, ::testing::Values("gpt2", "llama", "qwen3", "mixtral"));

TEST(Registry, ListsTheFamiliesThatTheTestsCover) { EXPECT_EQ(supportedFamilies(), (std::vector<std::string_view>{"gpt2", "llama", "mixtral"})); }

TEST_P(EveryFamily, ParametersAreThoseOfTheDescription) {
    const auto model = make(config());
    const auto described = model::parametersOf(config());
    ASSERT_EQ(model->parameters().size(), described.size());
    for (size_t i = 0; i < described.size(); ++i) {
        EXPECT_EQ(model->parameters()[i].info.name, described[i].name);
        EXPECT_EQ(model->parameters()[i].value.sizes().vec(), described[i].shape);
    }
}

// Central differences in float64: |f(w+h) − f(w−h)|/2h against the gradient, three places of every parameter.
TEST_P(EveryFamily, GradientsEqualFiniteDifferences) {
    const auto model = make(config(), 7, {.dtype = at::kDouble});
    {   // norms and biases away from 1 and 0, where mistakes hide
        at::NoGradGuard noGrad;
        at::Generator g = at::detail::createCPUGenerator(3);
        for (const Parameter& p : model->parameters()) at::Tensor(p.value).add_(at::randn(p.value.sizes(), g, at::kDouble).mul_(0.2));
    }
    Inputs inputs;
    inputs.ids = randomIds(2, 9, config().vocab);
    inputs.segments = at::tensor({0, 0, 0, 1, 1, 1, 1, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0}, at::kLong).view({2, 9});
    inputs.positions = at::tensor({0, 1, 2, 0, 1, 2, 3, 4, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8}, at::kLong).view({2, 9});
    at::Tensor labels = randomIds(2, 9, config().vocab, 2);
    labels[0][3] = -100;
    labels[1][8] = -100;
    model->loss(inputs, labels, 1.0 / 16).backward();
    at::NoGradGuard noGrad;
    for (const Parameter& p : model->parameters()) {
        ASSERT_TRUE(p.value.grad().defined()) << p.info.name;
        at::Tensor flat = p.value.flatten(), gradient = p.value.grad().flatten();
        for (int64_t at : {int64_t{0}, flat.numel() / 3, flat.numel() - 1}) {
            const double original = flat[at].item<double>(), h = 1e-5;
            flat[at] = original + h;
            const double up = model->loss(inputs, labels, 1.0 / 16).item<double>();
            flat[at] = original - h;
            const double down = model->loss(inputs, labels, 1.0 / 16).item<double>();
            flat[at] = original;
            EXPECT_NEAR(gradient[at].item<double>(), (up - down) / (2 * h), 2e-9) << p.info.name << " at " << at;
        }
    }
}

TEST_P(EveryFamily, InitialWeightsDependOnSeedAndNameOnly) {
    const auto whole = make(config(), 11), part = make(config(), 11, {.layers = {1, 2}}), other = make(config(), 12);
    for (const Parameter& p : part->parameters()) EXPECT_TRUE(at::equal(p.value, whole->find(p.info.name)->value)) << p.info.name;
    size_t differing = 0;
    for (const Parameter& p : whole->parameters()) differing += !at::equal(p.value, other->find(p.info.name)->value);
    EXPECT_GT(differing, 5u);
    EXPECT_LT(part->parameters().size(), whole->parameters().size());
}

TEST(Initialization, Gpt2ShrinksResidualProjectionsWithDepth) {
    model::ModelConfig c = tinyGpt2();
    c.hidden = 128;
    c.heads = c.kvHeads = 4;
    c.headDim = 32;
    c.ffn = 512;
    c.layers = 8;
    const auto model = make(c, 1);
    auto deviation = [&](const char* name) { return model->find(name)->value.std().item<double>(); };
    EXPECT_NEAR(deviation("transformer.h.3.mlp.c_fc.weight"), 0.02, 0.0005);
    EXPECT_NEAR(deviation("transformer.h.3.mlp.c_proj.weight"), 0.005, 0.0002);  // 0.02 / √16
    EXPECT_EQ(model->find("transformer.h.3.ln_1.weight")->value.min().item<float>(), 1.0f);
    EXPECT_EQ(model->find("transformer.h.3.attn.c_attn.bias")->value.abs().max().item<float>(), 0.0f);
}

// Two parts, one after the other, are the whole model.
TEST_P(EveryFamily, PartsComposeToTheWhole) {
    const auto whole = make(config(), 3), first = make(config(), 3, {.layers = {0, 1}}), second = make(config(), 3, {.layers = {1, 2}});
    at::NoGradGuard noGrad;
    Inputs inputs;
    inputs.ids = randomIds(2, 8, config().vocab);
    Inputs middle = inputs;
    middle.hidden = first->hidden(inputs).view({2, 8, config().hidden});
    EXPECT_TRUE(at::equal(second->logits(middle), whole->logits(inputs)));
}

// The loss of packed documents is the sum of the losses of the documents alone, and a document's gradient does not see
// its neighbour.
TEST_P(EveryFamily, PackedDocumentsDoNotSeeEachOther) {
    const auto model = make(config(), 3, {.dtype = at::kDouble});
    const at::Tensor a = randomIds(1, 5, config().vocab, 8), b = randomIds(1, 6, config().vocab, 9), c = randomIds(1, 6, config().vocab, 10);
    auto pack = [&](const at::Tensor& x, const at::Tensor& y) {
        Inputs inputs;
        inputs.ids = at::cat({x, y}, 1);
        inputs.segments = at::cat({at::zeros({1, 5}, at::kLong), at::ones({1, 6}, at::kLong)}, 1);
        inputs.positions = at::cat({at::arange(5), at::arange(6)}).unsqueeze(0);
        return inputs;
    };
    auto alone = [&](const at::Tensor& x) {
        Inputs inputs;
        inputs.ids = x;
        return inputs;
    };
    {
        at::NoGradGuard noGrad;
        const double packed = model->loss(pack(a, b), at::cat({a, b}, 1), 1).item<double>();
        const double apart = model->loss(alone(a), a, 1).item<double>() + model->loss(alone(b), b, 1).item<double>();
        EXPECT_NEAR(packed, apart, 1e-9);
        EXPECT_LT((model->logits(pack(a, b)).narrow(1, 0, 5) - model->logits(pack(a, c)).narrow(1, 0, 5)).abs().max().item<double>(), 1e-12);
        EXPECT_LT((model->logits(pack(a, b)).narrow(1, 5, 6) - model->logits(alone(b))).abs().max().item<double>(), 1e-10);
    }
    auto gradientOfFirst = [&](const at::Tensor& neighbour) {
        for (const Parameter& p : model->parameters()) at::Tensor(p.value).mutable_grad().reset();
        const at::Tensor labels = at::cat({a, at::full({1, 6}, -100, at::kLong)}, 1);
        model->loss(pack(a, neighbour), labels, 1).backward();
        std::vector<at::Tensor> out;
        for (const Parameter& p : model->parameters()) out.push_back(p.value.grad().clone());
        return out;
    };
    const auto with = gradientOfFirst(b), without = gradientOfFirst(c);
    for (size_t i = 0; i < with.size(); ++i) EXPECT_LT((with[i] - without[i]).abs().max().item<double>(), 1e-12) << model->parameters()[i].info.name;
}

TEST_P(EveryFamily, LaterTokensDoNotChangeEarlierLogits) {
    const auto model = make(config(), 3);
    at::NoGradGuard noGrad;
    Inputs one, two;
    one.ids = randomIds(1, 10, config().vocab, 4);
    two.ids = one.ids.clone();
    two.ids[0][9] = (one.ids[0][9].item<int64_t>() + 1) % config().vocab;
    const at::Tensor x = model->logits(one), y = model->logits(two);
    EXPECT_TRUE(at::equal(x.narrow(1, 0, 9), y.narrow(1, 0, 9)));
    EXPECT_FALSE(at::equal(x.narrow(1, 9, 1), y.narrow(1, 9, 1)));
}

TEST(Dropout, IsOffInEvaluationAndFollowsTheSeed) {
    model::ModelConfig c = tinyGpt2();
    c.dropout = 0.5;
    const auto model = make(c, 3);
    Inputs inputs;
    inputs.ids = randomIds(1, 8, c.vocab);
    auto run = [&](bool training, uint64_t seed) {
        at::NoGradGuard noGrad;
        model->setTraining(training);
        at::Generator generator = at::detail::getDefaultCPUGenerator();
        generator.set_current_seed(seed);
        return model->logits(inputs);
    };
    EXPECT_TRUE(at::equal(run(false, 1), run(false, 2)));
    EXPECT_TRUE(at::equal(run(true, 1), run(true, 1)));
    EXPECT_FALSE(at::equal(run(true, 1), run(true, 2)));
}

TEST(CreateModel, RefusesPartsThatAreNone) {
    const auto model = createModel(tinyGpt2(), {.layers = {1, 3}});
    ASSERT_FALSE(model);
    EXPECT_NE(model.error().message.find("model of 2"), std::string::npos);
}

}  // namespace
}  // namespace assay::nn
