// Every optimizer against PyTorch's classes (tests/golden/optimizers) or, where there is none, the formula of its paper written
// out with at:: in fp64.
#include <cmath>
#include <set>

#include <assay/train/weight_average.h>

#include "training_fixture.h"

namespace assay::train {
namespace {

using testing::tinyConfig;
using testing::TrainingRun;

nn::Parameter parameter(const std::string& name, const at::Tensor& value, bool decay) {
    nn::Parameter p;
    p.info.name = name;
    p.info.shape = value.sizes().vec();
    p.info.decay = decay;
    p.value = value.clone().requires_grad_();
    return p;
}

void setGradient(const nn::Parameter& p, const at::Tensor& gradient) { at::Tensor(p.value).mutable_grad() = gradient.to(p.value.scalar_type()).clone(); }

at::Tensor tensorOf(const Json& numbers, at::IntArrayRef shape) {
    std::vector<double> values = numbers.get<std::vector<double>>();
    return at::tensor(values, at::kDouble).view(shape);
}

double apart(const at::Tensor& a, const at::Tensor& b) { return (a.detach().to(at::kDouble) - b.detach().to(at::kDouble)).abs().max().item<double>(); }

Json golden() {
    auto read = readJsonFile(std::string(ASSAY_SOURCE_DIR) + "/tests/golden/optimizers/optimizers.json");
    EXPECT_TRUE(read) << (read ? "" : read.error().text());
    return read ? *read : Json();
}

std::unique_ptr<Optimizer> make(const config::OptimizerSpec& spec, const std::vector<nn::Parameter>& parameters, const OptimizerOptions& options = {}) {
    auto made = makeOptimizer(spec, parameters, options);
    EXPECT_TRUE(made) << (made ? "" : made.error().text());
    return made ? std::move(*made) : nullptr;
}

TEST(Optimizers, EqualPyTorchStepByStep) {
    const Json g = golden();
    std::set<std::string> seen;
    for (const Json& c : g["cases"]) {
        config::OptimizerSpec spec;
        spec.name = c["name"].get<std::string>();
        spec.weightDecay = c["options"]["weight_decay"].get<double>();
        spec.momentum = c["options"].value("momentum", 0.9);
        spec.nesterov = c["options"].value("nesterov", false);
        seen.insert(spec.name);
        const std::vector<nn::Parameter> parameters{parameter("matrix", tensorOf(g["start"]["matrix"], {5, 7}), true), parameter("vector", tensorOf(g["start"]["vector"], {7}), false)};
        auto optimizer = make(spec, parameters);
        ASSERT_TRUE(optimizer);
        for (size_t s = 0; s < g["rates"].size(); ++s) {
            for (const nn::Parameter& p : parameters) setGradient(p, tensorOf(g["gradients"][s][p.info.name], p.value.sizes()));
            optimizer->step(g["rates"][s].get<double>());
            for (const nn::Parameter& p : parameters) EXPECT_LT(apart(p.value, tensorOf(c["after"][s][p.info.name], p.value.sizes())), 1e-12) << c["name"] << c["options"] << " step " << s << " " << p.info.name;
        }
        EXPECT_EQ(optimizer->steps(), static_cast<int64_t>(g["rates"].size()));
    }
    EXPECT_EQ(seen, (std::set<std::string>{"adamw", "adam", "sgd", "adafactor"}));
}

// Chen et al. 2023, algorithm 2, in fp64 and for the fp32 kernel.
TEST(Optimizers, LionIsItsPaper) {
    for (const at::ScalarType type : {at::kDouble, at::kFloat}) {
        at::manual_seed(3);
        config::OptimizerSpec spec;
        spec.name = "lion";
        spec.beta2 = 0.99;
        const std::vector<nn::Parameter> parameters{parameter("matrix", at::randn({40, 30}, at::kDouble).to(type), true), parameter("vector", at::randn({30}, at::kDouble).to(type), false)};
        auto optimizer = make(spec, parameters);
        std::vector<at::Tensor> w, m;
        for (const auto& p : parameters) {
            w.push_back(p.value.detach().to(at::kDouble).clone());
            m.push_back(at::zeros_like(w.back()));
        }
        for (int step = 0; step < 5; ++step) {
            const double lr = 1e-2 / (step + 1);
            for (size_t i = 0; i < w.size(); ++i) {
                const at::Tensor g = at::randn(w[i].sizes(), at::kDouble).to(type).to(at::kDouble);
                setGradient(parameters[i], g);
                w[i] = w[i] - lr * (at::sign(spec.beta1 * m[i] + (1 - spec.beta1) * g) + (i == 0 ? spec.weightDecay : 0) * w[i]);
                m[i] = spec.beta2 * m[i] + (1 - spec.beta2) * g;
            }
            optimizer->step(lr);
            for (size_t i = 0; i < w.size(); ++i) EXPECT_LT(apart(parameters[i].value, w[i]), type == at::kDouble ? 1e-14 : 1e-6) << step;
        }
    }
}

// The levels of dynamic tree quantization, from the text of the paper: 0, 1, and in the decade 10⁻ᵉ … 10⁻ᵉ⁺¹ the middles of
// equal parts.
std::vector<double> levelsByHand(bool withSign) {
    std::vector<double> out{0, 1};
    for (int e = 0; e < 7; ++e) {
        const int parts = (withSign ? 64 : 128) >> e;
        for (int i = 0; i < parts; ++i) {
            const double a = 0.1 + 0.9 * i / parts, b = 0.1 + 0.9 * (i + 1) / parts;
            out.push_back(std::pow(10.0, -e) * (a + b) / 2);
            if (withSign) out.push_back(-out.back());
        }
    }
    std::sort(out.begin(), out.end());
    EXPECT_EQ(out.size(), 256u);
    return out;
}

// Rounds every block to the nearest level times its largest magnitude; `floor`: positive numbers keep the smallest level.
at::Tensor roundBlocks(const at::Tensor& x, const std::vector<double>& levels, bool floor) {
    const at::Tensor flat = x.flatten().clone(), book = at::tensor(levels, at::kDouble);
    for (int64_t at = 0; at < flat.numel(); at += 256) {
        at::Tensor block = flat.narrow(0, at, std::min<int64_t>(256, flat.numel() - at));
        const double most = block.abs().max().item<double>();
        if (most == 0) continue;
        const at::Tensor unit = block / most;
        at::Tensor index = (unit.unsqueeze(1) - book.unsqueeze(0)).abs().argmin(1);
        if (floor) index = at::where(unit > 0, index.clamp_min(1), index);
        block.copy_(book.index_select(0, index) * most);
    }
    return flat.view(x.sizes());
}

TEST(Optimizers, AdamW8bitIsItsPaper) {
    at::manual_seed(4);
    config::OptimizerSpec spec;
    spec.name = "adamw_8bit";
    // 90 × 50 is not a multiple of the block; 30 × 30 is small and keeps fp32 moments.
    const std::vector<nn::Parameter> parameters{parameter("large", at::randn({90, 50}), true), parameter("small", at::randn({30, 30}), true)};
    auto optimizer = make(spec, parameters);
    const auto signs = levelsByHand(true), plain = levelsByHand(false);
    std::vector<at::Tensor> w, m, v;
    for (const auto& p : parameters) {
        w.push_back(p.value.detach().to(at::kDouble).clone());
        m.push_back(at::zeros_like(w.back()));
        v.push_back(at::zeros_like(w.back()));
    }
    for (int step = 1; step <= 6; ++step) {
        const double lr = 1e-3 * step, c1 = 1 - std::pow(spec.beta1, step), c2 = 1 - std::pow(spec.beta2, step);
        for (size_t i = 0; i < w.size(); ++i) {
            // Sizes over seven decades, and whole rows of zeros: what block-wise codes are good and bad at.
            at::Tensor g = at::randn(w[i].sizes()) * at::pow(10.0, at::rand(w[i].sizes()) * -7);
            g[step].zero_();
            setGradient(parameters[i], g);
            g = g.to(at::kDouble);
            m[i] = spec.beta1 * m[i] + (1 - spec.beta1) * g;
            v[i] = spec.beta2 * v[i] + (1 - spec.beta2) * g * g;
            w[i] = w[i] * (1 - lr * spec.weightDecay) - lr * (m[i] / c1) / ((v[i] / c2).sqrt() + spec.eps);
            if (i != 0) continue;
            m[i] = roundBlocks(m[i], signs, false);
            v[i] = roundBlocks(v[i], plain, true);
        }
        optimizer->step(lr);
        // A number on the border of two levels may fall to either side in fp32: few do.
        const at::Tensor off = (parameters[0].value.detach().to(at::kDouble) - w[0]).abs();
        EXPECT_LT(off.gt(1e-5).sum().item<int64_t>(), 25) << step;
        EXPECT_LT(off.median().item<double>(), 1e-6);
        EXPECT_LT(apart(parameters[1].value, w[1]), 1e-5) << step;
    }
    int64_t bytes = 0;
    for (const StateTensor& s : optimizer->state()) bytes += static_cast<int64_t>(s.value.nbytes());
    EXPECT_EQ(bytes, 2 * (4500 + 4 * 18) + 8 * 900);  // 4500 elements in 18 blocks
}

// A moment that decays under the smallest level must not leave eps alone in the denominator.
TEST(Optimizers, AdamW8bitDoesNotExplodeWhenGradientsVanish) {
    config::OptimizerSpec spec;
    spec.name = "adamw_8bit";
    spec.weightDecay = 0;
    const std::vector<nn::Parameter> parameters{parameter("large", at::zeros({64, 64}), false)};
    auto optimizer = make(spec, parameters);
    at::Tensor g = at::full({64, 64}, 1e-4);
    g.flatten()[0] = 1;  // the largest of its block: 1e-8 of its square is under the smallest level
    setGradient(parameters[0], g);
    optimizer->step(1e-3);
    for (int i = 0; i < 3; ++i) {
        setGradient(parameters[0], at::zeros({64, 64}));
        optimizer->step(1e-3);
    }
    EXPECT_LT(parameters[0].value.abs().max().item<double>(), 4.5e-3);  // AdamW moves at most about lr a step
}

// Muon is a word of the file format without a formula here; anything else is no word at all.
TEST(Optimizers, WhatIsNotBuiltIsRefusedByName) {
    config::OptimizerSpec spec;
    spec.name = "muon";
    auto muon = makeOptimizer(spec, {});
    ASSERT_FALSE(muon);
    EXPECT_EQ(muon.error().code, ErrorCode::kUnsupported);
    spec.name = "sgdx";
    auto other = makeOptimizer(spec, {});
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().code, ErrorCode::kInvalidFile);
    for (const std::string_view name : optimizerNames()) EXPECT_NE(other.error().hint.find(name), std::string::npos) << other.error().hint;
}

TEST(Optimizers, NormsAndBiasesDoNotDecayAndTheSentenceSaysSo) {
    for (const std::string_view name : optimizerNames()) {
        for (const char* family : {"gpt2", "llama"}) {
            auto model = nn::createModel(tinyConfig(family), {});
            ASSERT_TRUE(model);
            (*model)->initialize(5);
            config::OptimizerSpec spec;
            spec.name = std::string(name);
            spec.weightDecay = 0.5;
            auto optimizer = make(spec, (*model)->parameters());
            std::vector<at::Tensor> before;
            for (const auto& p : (*model)->parameters()) {
                before.push_back(p.value.detach().clone());
                setGradient(p, at::zeros(p.value.sizes()));
            }
            optimizer->step(0.1);
            const std::string told = describeDecay(spec, (*model)->parameters());
            const size_t border = told.find("does not apply to");
            ASSERT_NE(border, std::string::npos) << told;
            for (size_t i = 0; i < before.size(); ++i) {
                const nn::Parameter& p = (*model)->parameters()[i];
                const bool matrix = p.value.dim() >= 2;
                // Adam divides the gradient by its own size, so that decay alone moves every weight by about lr.
                if (!matrix) {
                    EXPECT_EQ(apart(p.value, before[i]), 0) << name << " " << p.info.name;
                } else if (before[i].abs().max().item<double>() > 0) {
                    EXPECT_GT(apart(p.value, before[i]), 1e-3) << name << " " << p.info.name;
                }
                if (p.info.name.find("norm") != std::string::npos || p.info.name.find("ln_") != std::string::npos) {
                    EXPECT_FALSE(matrix);
                }
            }
            EXPECT_NE(told.find(family == std::string("gpt2") ? "h.*.ln_1.weight" : "layers.*.input_layernorm.weight"), std::string::npos) << told;
            EXPECT_GT(told.find(family == std::string("gpt2") ? "ln_1.weight" : "input_layernorm.weight"), border);
        }
    }
}

// Fault 15 (ml-by-hand#85, pytorch#120376, ao#1124, torchtune#2254): bf16 weights of 1.0 under small steps.
TEST(Fault15, Bf16WeightsAreNotDead) {
    config::OptimizerSpec spec;
    spec.weightDecay = 0;
    const double lr = 6e-4;
    auto run = [&](at::ScalarType type, LowPrecision how) {
        const std::vector<nn::Parameter> parameters{parameter("w", at::ones({768}, type), false)};
        auto optimizer = make(spec, parameters, {.lowPrecision = how, .seed = 11});
        for (int i = 0; i < 100; ++i) {
            setGradient(parameters[0], at::ones({768}));
            optimizer->step(lr);
        }
        return parameters[0].value.detach().to(at::kDouble);
    };
    const at::Tensor reference = run(at::kFloat, LowPrecision::kMaster);
    EXPECT_NEAR(reference.mean().item<double>(), 1 - 100 * lr, 1e-4);
    // The same rounded to bf16 at every step, as an optimizer on bf16 weights would: nothing moves.
    at::Tensor naive = at::ones({768}, at::kBFloat16);
    for (int i = 0; i < 100; ++i) naive.sub_(at::full({768}, lr));
    EXPECT_EQ(naive.ne(1).sum().item<int64_t>(), 0);
    const at::Tensor master = run(at::kBFloat16, LowPrecision::kMaster);
    EXPECT_EQ(master.ne(1).sum().item<int64_t>(), 768);
    EXPECT_LT(apart(master, reference), 0.0039);  // half a step of bf16
    const at::Tensor random = run(at::kBFloat16, LowPrecision::kStochastic);
    EXPECT_GT(random.ne(1).sum().item<int64_t>(), 750);
    EXPECT_NEAR(random.mean().item<double>(), reference.mean().item<double>(), 0.003);  // 0.0155 a weight / √768, five times
    EXPECT_TRUE(at::equal(random, run(at::kBFloat16, LowPrecision::kStochastic)));  // a function of seed and step
}

TEST(Stochastic, IsExactForWhatBf16HoldsAndNeverMakesAnInfinityOfANumber) {
    config::OptimizerSpec spec;
    spec.name = "sgd";
    spec.momentum = 0;
    spec.weightDecay = 0;
    const std::vector<nn::Parameter> parameters{parameter("w", at::tensor({1.0, -2.5, 3.3895313892515355e38, 0.0, -1e-40}, at::kDouble).to(at::kBFloat16), false)};
    const at::Tensor before = parameters[0].value.detach().clone();
    auto optimizer = make(spec, parameters, {.lowPrecision = LowPrecision::kStochastic, .seed = 1});
    for (int i = 0; i < 20; ++i) {
        setGradient(parameters[0], at::zeros({5}));
        optimizer->step(1);
    }
    EXPECT_TRUE(at::equal(before, parameters[0].value));
}

TEST(Average, FollowsItsFormulaAndLeavesTheWeightsAlone) {
    const std::vector<nn::Parameter> parameters{parameter("w", at::randn({6, 5}, at::kDouble), true)};
    config::OptimizerSpec spec;
    auto optimizer = make(spec, parameters);
    WeightAverage average(0.5, parameters);
    at::Tensor expected = parameters[0].value.detach().clone();
    for (int n = 1; n <= 12; ++n) {
        setGradient(parameters[0], at::randn({6, 5}, at::kDouble));
        optimizer->step(0.1);
        average.update(*optimizer);
        const double d = std::min(0.5, (1.0 + n) / (10.0 + n));  // 2/11, 3/12, … and 0.5 from the eighth on
        expected = d * expected + (1 - d) * parameters[0].value.detach();
        EXPECT_LT(apart(average.state()[0].value, expected), 1e-14) << n;
    }
    const at::Tensor handle = parameters[0].value, before = handle.detach().clone();
    const void* storage = handle.const_data_ptr();
    {
        const WeightAverage::Scope scope(average, parameters);
        EXPECT_LT(apart(handle, expected), 1e-14);
        EXPECT_TRUE(handle.requires_grad());
    }
    EXPECT_TRUE(at::equal(handle, before));
    EXPECT_EQ(handle.const_data_ptr(), storage);
}

}  // namespace
}  // namespace assay::train
