// Mixed precision: the loss scaler against PyTorch's, autocast, and public bug reports about both (faults 8 to 14 of the list of
// training faults the project keeps).
#include <cmath>
#include <thread>

#include <assay/train/autocast.h>

#include "thread_ring.h"
#include "training_fixture.h"

namespace assay::train {
namespace {

using testing::makeBatch;
using testing::ThreadRing;
using testing::tinyConfig;
using testing::TrainingRun;
using Precision = config::PrecisionSpec::Kind;

double change(const std::vector<at::Tensor>& before, const nn::Model& model) {
    double sum = 0;
    for (size_t i = 0; i < before.size(); ++i) sum += (model.parameters()[i].value.detach() - before[i]).to(at::kDouble).square().sum().item<double>();
    return std::sqrt(sum);
}

std::vector<at::Tensor> weightsOf(const nn::Model& model) {
    std::vector<at::Tensor> out;
    for (const nn::Parameter& p : model.parameters()) out.push_back(p.value.detach().clone());
    return out;
}

// Lightning#9599, #9330: clipping before unscaling would leave a step 65536 times too small.
TEST(Fault08, ClipsAfterUnscaling) {
    TrainingRun run("clip");
    run.input.spec.precision.kind = Precision::kAmpFp16;  // the first scale is 65536
    run.input.spec.optimizer = {.name = "sgd", .lr = 1, .weightDecay = 0, .momentum = 0};
    run.input.spec.schedule.name = "constant";
    run.input.spec.clipNorm = 0.1;
    run.create();
    const auto before = weightsOf(*run.model);
    auto done = run.trainer->step({makeBatch(0, 4)});
    ASSERT_TRUE(done);
    ASSERT_FALSE(done->overflow);
    EXPECT_EQ(done->lossScale, 65536);
    EXPECT_GT(done->gradientNorm, 0.1);   // reported before clipping, and unscaled
    EXPECT_LT(done->gradientNorm, 100);
    EXPECT_NEAR(change(before, *run.model), 0.1, 1e-4);
}

// transformers#11144, Lightning#21339: a step that overflowed changes nothing but the scale.
TEST(Fault10, AnOverflowMovesNeitherWeightsNorMomentsNorSchedule) {
    TrainingRun run("overflow");
    run.input.spec.precision.kind = Precision::kAmpFp16;
    run.input.spec.precision.scalerInit = 1099511627776;  // 2⁴⁰: no gradient in fp16 survives it
    run.input.spec.schedule = {"linear", 3, 0};
    run.input.spec.ema = config::EmaSpec{};
    run.create();
    const auto before = weightsOf(*run.model);
    std::vector<at::Tensor> state;
    for (const auto& s : run.trainer->optimizer().state()) state.push_back(s.value.clone());
    auto first = run.trainer->step({makeBatch(0, 4)});
    ASSERT_TRUE(first);
    EXPECT_TRUE(first->overflow);
    EXPECT_EQ(first->notFinite, "");
    EXPECT_TRUE(std::isfinite(first->loss));
    EXPECT_EQ(change(before, *run.model), 0);
    for (size_t i = 0; i < state.size(); ++i) EXPECT_TRUE(at::equal(state[i], run.trainer->optimizer().state()[i].value));
    for (size_t i = 0; i < before.size(); ++i) EXPECT_TRUE(at::equal(before[i], run.trainer->average()->state()[i].value));
    EXPECT_EQ(run.trainer->optimizer().steps(), 0);
    EXPECT_EQ(run.trainer->state().updates, 0);
    EXPECT_EQ(run.trainer->state().skippedSteps, 1);
    auto second = run.trainer->step({makeBatch(4, 4)});
    ASSERT_TRUE(second);
    EXPECT_EQ(second->lossScale, first->lossScale / 2);
    EXPECT_EQ(second->lr, first->lr);
    for (int i = 0; i < 40 && run.trainer->state().updates == 0; ++i) ASSERT_TRUE(run.trainer->step({makeBatch(8, 4)}));
    EXPECT_EQ(run.trainer->optimizer().steps(), 1);  // in the end the scale fits, and Adam counts from one
    EXPECT_GT(change(before, *run.model), 0);
}

// The whole run goes on over overflows, says the scale with every step, and the policy for bad losses stays out of it.
TEST(Fault10, TheRunGoesOnAndReportsTheScale) {
    TrainingRun run("scale");
    run.input.spec.precision.kind = Precision::kAmpFp16;
    run.input.spec.precision.scalerInit = 1099511627776;
    run.input.totalSteps = 40;
    const TrainResult result = run.run();
    EXPECT_EQ(result.outcome, protocol::Outcome::kDone);
    EXPECT_GT(result.state.skippedSteps, 3);
    EXPECT_EQ(result.state.updates, 40 - result.state.skippedSteps);
    EXPECT_NE(run.eventText().find("train/loss_scale"), std::string::npos);
}

TEST(Fault10, OneRanksOverflowSkipsAllRanks) {
    ThreadRing ring(2);
    std::vector<int> finite(2, -1);
    std::vector<double> scales(2);
    {
        std::vector<std::jthread> threads;
        for (int rank = 0; rank < 2; ++rank)
            threads.emplace_back([&, rank] {
                ThreadRing::Member group(ring, rank);
                GradScaler scaler({.kind = Precision::kAmpFp16});
                const double value = rank == 1 ? INFINITY : 1.0;
                auto answer = scaler.unscale({at::full({3}, value, at::kFloat)}, group);
                finite[static_cast<size_t>(rank)] = answer ? *answer : -1;
                scaler.next();
                scales[static_cast<size_t>(rank)] = scaler.scale();
            });
    }
    EXPECT_EQ(finite, (std::vector<int>{0, 0}));
    EXPECT_EQ(scales, (std::vector<double>{32768, 32768}));
}

// transformers#34053, composer#1376, detectron2#3686: scale and growth tracker are back before the first use.
TEST(Fault11, TheScaleIsRestoredBeforeFirstUse) {
    TrainingRun run("restore");
    run.input.spec.precision = {.kind = Precision::kAmpFp16, .scalerInit = 256, .scalerInterval = 3};
    run.input.totalSteps = 4;
    run.run();  // grew once after three steps: 512, one good step since
    run.input.totalSteps = 12;
    run.fresh(tinyConfig());
    run.create();
    auto loaded = loadCheckpoint(*newestCheckpoint(run.input.checkpointFolder, {}));
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->state["scaler"]["scale"], 512);
    EXPECT_EQ(loaded->state["scaler"]["growth_tracker"], 1);
    ASSERT_TRUE(run.trainer->restore(*loaded));
    const double scales[] = {512, 512, 1024};  // the third good step of three was the second one here
    for (const double scale : scales) EXPECT_EQ(run.trainer->step({makeBatch(0, 4)})->lossScale, scale);
    Json without = loaded->state;
    without.erase("scaler");
    LoadedCheckpoint other = *loaded;
    other.state = without;
    auto refused = run.trainer->restore(other);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidFile);
    for (const Json& bad : {Json{{"scale", -1}, {"growth_tracker", 0}}, Json{{"scale", 2}, {"growth_tracker", -1}}, Json{{"scale", "x"}, {"growth_tracker", 0}}}) {
        other.state["scaler"] = bad;
        EXPECT_FALSE(run.trainer->restore(other));
    }
}

// transformers#23905.
TEST(Fault12, ASecondUnscaleIsAnError) {
    auto group = std::move(*dist::makeCollective("single", {}));
    GradScaler scaler({.kind = Precision::kAmpFp16});
    const at::Tensor gradient = at::full({2}, 65536.0, at::kFloat);
    ASSERT_TRUE(scaler.unscale({gradient}, *group));
    EXPECT_EQ(gradient[0].item<double>(), 1);
    auto again = scaler.unscale({gradient}, *group);
    ASSERT_FALSE(again);
    EXPECT_NE(again.error().message.find("twice"), std::string::npos);
    EXPECT_EQ(gradient[0].item<double>(), 1);
    scaler.next();
    EXPECT_TRUE(scaler.unscale({gradient}, *group));
}

// torch.amp.GradScaler of 2.11 over gradients with infinities and NaN, step by step.
TEST(Scaler, EqualsPyTorch) {
    auto golden = readJsonFile(std::string(ASSAY_SOURCE_DIR) + "/tests/golden/optimizers/optimizers.json");
    ASSERT_TRUE(golden);
    const Json& g = (*golden)["scaler"];
    auto group = std::move(*dist::makeCollective("single", {}));
    GradScaler scaler({.kind = Precision::kAmpFp16, .scalerInit = g["init"], .scalerGrowth = g["growth"], .scalerBackoff = g["backoff"], .scalerInterval = g["interval"]});
    nn::Parameter p;
    p.info.name = "w";
    p.value = at::tensor(g["start"].get<std::vector<double>>(), at::kDouble).to(at::kFloat).requires_grad_();
    auto optimizer = std::move(*makeOptimizer({.name = "sgd", .weightDecay = 0, .momentum = g["momentum"]}, {p}));
    for (const Json& step : g["steps"]) {
        std::vector<double> values;
        for (const Json& x : step["gradient"]) values.push_back(std::stod(x.get<std::string>()));
        p.value.mutable_grad() = at::tensor(values, at::kDouble).mul(scaler.scale()).to(at::kFloat);
        auto finite = scaler.unscale({p.value.grad()}, *group);
        ASSERT_TRUE(finite);
        if (*finite) optimizer->step(g["lr"].get<double>());
        scaler.next();
        EXPECT_EQ(scaler.scale(), step["scale"].get<double>());
        EXPECT_EQ(scaler.state()["growth_tracker"], step["growth_tracker"]);
        const at::Tensor expected = at::tensor(step["weight"].get<std::vector<double>>(), at::kDouble).to(at::kFloat);
        EXPECT_LT((p.value.detach() - expected).abs().max().item<double>(), 1e-6);
    }
}

// pytorch#120376: only the forward pass runs in the region.
TEST(Fault13, BackwardAndUpdateAreOutsideAutocast) {
    for (const Precision precision : {Precision::kAmpBf16, Precision::kAmpFp16}) {
        TrainingRun run("outside");
        run.input.spec.precision.kind = precision;
        run.create();
        int calls = 0, inside = 0;
        for (const nn::Parameter& p : run.model->parameters())
            p.value.register_hook([&](const at::Tensor& g) {
                ++calls;
                inside += at::autocast::is_autocast_enabled(at::kCPU);
                EXPECT_EQ(g.scalar_type(), at::kFloat);
                return g;
            });
        ASSERT_TRUE(run.trainer->step({makeBatch(0, 4)}));
        EXPECT_GT(calls, 10);
        EXPECT_EQ(inside, 0);
        EXPECT_FALSE(at::autocast::is_autocast_enabled(at::kCPU));
        for (const nn::Parameter& p : run.model->parameters()) EXPECT_EQ(p.value.grad().scalar_type(), at::kFloat) << p.info.name;
        for (const auto& s : run.trainer->optimizer().state()) EXPECT_EQ(s.value.scalar_type(), at::kFloat);
    }
}

// A pass without gradients (evaluation by the average of the weights) leaves no cast behind: a later pass in the same region computes with
// the weights of its own, and the tied head gets its gradient. With LibTorch's cache of casts, which the guard turns off, it does not.
TEST(Fault14, APassWithoutGradientsDoesNotCutTheTiedHead) {
    auto gradient = [](bool before, bool cache) {
        TrainingRun run("tied");
        const data::Batch batch = makeBatch(0, 2);
        const nn::Inputs inputs = *inputsOf(batch, run.model->config());
        const auto& parameters = run.model->parameters();
        const WeightAverage average(0.9, parameters);
        {
            at::NoGradGuard noGrad;
            for (const StateTensor& s : average.state()) at::Tensor(s.value).mul_(2);
        }
        at::Tensor loss;
        {
            AutocastGuard region(at::kBFloat16);
            at::autocast::set_autocast_cache_enabled(cache || at::autocast::is_autocast_cache_enabled());
            if (before) {
                at::NoGradGuard noGrad;
                const WeightAverage::Scope averaged(average, parameters);
                run.model->logits(inputs);
            }
            loss = run.model->logits(inputs).to(at::kFloat).square().sum();
        }
        loss.backward();
        std::vector<at::Tensor> out;
        for (const nn::Parameter& p : parameters) {
            EXPECT_TRUE(cache || p.value.grad().defined()) << p.info.name;
            out.push_back(p.value.grad().defined() ? p.value.grad().clone() : at::zeros_like(p.value));
        }
        return out;
    };
    const auto fresh = gradient(false, false), after = gradient(true, false), cached = gradient(true, true);
    for (size_t i = 0; i < fresh.size(); ++i) EXPECT_TRUE(at::equal(fresh[i], after[i])) << i;
    EXPECT_GT(fresh[0].abs().max().item<double>(), 0);
    EXPECT_FALSE(at::equal(fresh[0], cached[0])) << "the cache did no harm: then this test cannot fail, and the guard need not turn it off";
}

TEST(Autocast, NestsAndRestoresWhatWasThere) {
    const bool cache = at::autocast::is_autocast_cache_enabled();
    const at::ScalarType type = at::autocast::get_autocast_dtype(at::kCPU);
    {
        AutocastGuard outer(at::kHalf);
        EXPECT_EQ(at::mm(at::ones({2, 2}), at::ones({2, 2})).scalar_type(), at::kHalf);
        {
            AutocastGuard inner(at::kBFloat16);
            EXPECT_EQ(at::mm(at::ones({2, 2}), at::ones({2, 2})).scalar_type(), at::kBFloat16);
        }
        EXPECT_EQ(at::mm(at::ones({2, 2}), at::ones({2, 2})).scalar_type(), at::kHalf);
        try {
            AutocastGuard thrown(at::kBFloat16);
            throw std::runtime_error("x");
        } catch (const std::runtime_error&) {
        }
        EXPECT_EQ(at::autocast::get_autocast_dtype(at::kCPU), at::kHalf);
    }
    EXPECT_FALSE(at::autocast::is_autocast_enabled(at::kCPU));
    EXPECT_EQ(at::autocast::is_autocast_cache_enabled(), cache);
    EXPECT_EQ(at::autocast::get_autocast_dtype(at::kCPU), type);
}

}  // namespace
}  // namespace assay::train
