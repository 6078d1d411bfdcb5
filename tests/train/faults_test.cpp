// Public bug reports as tests (their numbers are those of the list of training faults the project keeps). Fault 15 stands in
// optimizer_test.cpp, fault 30 in precision_test.cpp.
#include <barrier>
#include <cmath>
#include <thread>

#include <assay/train/autocast.h>
#include <assay/train/schedule.h>

#include "training_fixture.h"

namespace assay::train {
namespace {

using testing::makeBatch;
using testing::tinyConfig;
using testing::TrainingRun;
using Precision = config::PrecisionSpec::Kind;

// Ranks as threads of one process: sums and maxima only, which is all that data-parallel training asks for.
class ThreadRing {
public:
    explicit ThreadRing(int world) : world_(world), barrier_(world), slots_(static_cast<size_t>(world)) {}
    class Member final : public dist::Collective {
    public:
        Member(ThreadRing& ring, int rank) : ring_(ring), rank_(rank) {}
        std::string_view name() const override { return "threads"; }
        int rank() const override { return rank_; }
        int world() const override { return ring_.world_; }
        dist::PendingPtr allReduceAsync(at::Tensor tensor, dist::Reduce op) override {
            at::NoGradGuard noGrad;
            ring_.slots_[static_cast<size_t>(rank_)] = tensor.clone();
            ring_.barrier_.arrive_and_wait();
            at::Tensor sum = ring_.slots_[0].clone();
            for (size_t r = 1; r < ring_.slots_.size(); ++r) sum = op == dist::Reduce::kSum ? sum.add(ring_.slots_[r]) : at::maximum(sum, ring_.slots_[r]);
            ring_.barrier_.arrive_and_wait();
            tensor.copy_(sum);
            return std::make_unique<Done>();
        }
        dist::PendingPtr reduceScatterAsync(at::Tensor, at::Tensor, dist::Reduce) override { return unused(); }
        dist::PendingPtr allGatherAsync(at::Tensor, at::Tensor) override { return unused(); }
        dist::PendingPtr broadcastAsync(at::Tensor, int) override { return unused(); }
        dist::PendingPtr allToAllAsync(at::Tensor, at::Tensor) override { return unused(); }
        dist::PendingPtr sendAsync(at::Tensor, int, int) override { return unused(); }
        dist::PendingPtr receiveAsync(at::Tensor, int, int) override { return unused(); }
        Result<void> barrier() override {
            ring_.barrier_.arrive_and_wait();
            return {};
        }

    private:
        struct Done final : dist::Pending {
            Result<void> wait() override { return {}; }
        };
        dist::PendingPtr unused() {
            ADD_FAILURE() << "data-parallel training only reduces";
            return std::make_unique<Done>();
        }
        ThreadRing& ring_;
        int rank_;
    };

private:
    int world_;
    std::barrier<> barrier_;
    std::vector<at::Tensor> slots_;
};

data::Batch labelled(int64_t sequence, int64_t count) {  // a row of 12 with `count` labels
    data::Batch b = makeBatch(sequence, 1);
    b.labelledTokens = 0;
    for (size_t i = 0; i < b.labels.size(); ++i) {
        if (static_cast<int64_t>(i) >= count || b.labels[i] < 0) b.labels[i] = -100;
        b.labelledTokens += b.labels[i] >= 0;
    }
    return b;
}

data::Batch joined(const std::vector<data::Batch>& parts) {
    data::Batch all = parts[0];
    for (size_t i = 1; i < parts.size(); ++i) {
        all.rows += parts[i].rows;
        all.realTokens += parts[i].realTokens;
        all.labelledTokens += parts[i].labelledTokens;
        for (auto field : {&data::Batch::ids, &data::Batch::labels, &data::Batch::positions, &data::Batch::segments}) (all.*field).insert((all.*field).end(), (parts[i].*field).begin(), (parts[i].*field).end());
    }
    return all;
}

struct Outcome {
    std::vector<at::Tensor> gradients;
    double loss = 0, norm = 0, lr = 0;
};

// One step of `world` ranks; rank r takes parts r, r + world, … as micro-batches.
std::vector<Outcome> stepOf(int world, const std::vector<data::Batch>& parts, at::ScalarType type = at::kDouble) {
    ThreadRing ring(world);
    std::vector<Outcome> out(static_cast<size_t>(world));
    std::vector<std::unique_ptr<TrainingRun>> runs;
    int64_t rows = 0;
    for (const auto& p : parts) rows += p.rows;
    for (int rank = 0; rank < world; ++rank) {
        auto run = std::make_unique<TrainingRun>("rank" + std::to_string(rank), tinyConfig(), type);
        run->group = std::make_unique<ThreadRing::Member>(ring, rank);
        run->input.group = run->group.get();
        run->input.spec.parallel.data = world;
        run->input.spec.clipNorm = 0;
        run->input.spec.globalBatch = rows;
        run->input.spec.microBatch = parts[0].rows;
        run->input.spec.schedule = {"linear", 4, 1e-4};
        run->create();
        runs.push_back(std::move(run));
    }
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < world; ++rank)
        threads.emplace_back([&, rank] {
            at::set_num_threads(1);
            std::vector<data::Batch> mine;
            for (size_t i = static_cast<size_t>(rank); i < parts.size(); i += static_cast<size_t>(world)) mine.push_back(parts[i]);
            TrainingRun& run = *runs[static_cast<size_t>(rank)];
            auto done = run.trainer->step(mine);
            if (!done) {
                ADD_FAILURE() << done.error().text();
                return;
            }
            Outcome& o = out[static_cast<size_t>(rank)];
            o.loss = done->loss;
            o.norm = done->gradientNorm;
            o.lr = done->lr;
            for (const nn::Parameter& p : run.model->parameters()) o.gradients.push_back(p.value.grad().clone());
        });
    threads.clear();
    return out;
}

void expectEqual(const Outcome& a, const Outcome& b, double tolerance) {
    ASSERT_EQ(a.gradients.size(), b.gradients.size());
    for (size_t i = 0; i < a.gradients.size(); ++i) EXPECT_LT((a.gradients[i] - b.gradients[i]).abs().max().item<double>(), tolerance) << i;
    EXPECT_NEAR(a.loss, b.loss, tolerance);
}

// transformers#34191 and kin: micro-batches with 3 and 9 labels are one batch of 12, not the mean of two means.
TEST(Fault01, AccumulationWeighsTokensNotMicroBatches) {
    const std::vector<data::Batch> parts{labelled(0, 3), labelled(4, 9)};
    ASSERT_EQ(parts[0].labelledTokens + parts[1].labelledTokens, 12);
    expectEqual(stepOf(1, parts)[0], stepOf(1, {joined(parts)})[0], 1e-10);
}

// mlx-lm#1413: five micro-batches, one of padding only; none is dropped, nothing is divided by zero.
TEST(Fault02, EveryMicroBatchCountsAndPaddingAddsNothing) {
    const std::vector<data::Batch> parts{labelled(0, 12), labelled(4, 5), labelled(8, 0), labelled(12, 7), labelled(16, 1)};
    expectEqual(stepOf(1, parts)[0], stepOf(1, {joined(parts)})[0], 1e-10);
    const Outcome none = stepOf(1, {labelled(0, 0), labelled(4, 0)})[0];
    EXPECT_EQ(none.norm, 0);
    EXPECT_EQ(none.loss, 0);
}

// Megatron-LM#7452 finding 3: uneven labels on four ranks; the divisor is the global count.
TEST(Fault03, UnevenTokensOnFourRanks) {
    const std::vector<data::Batch> parts{labelled(0, 1), labelled(4, 3), labelled(8, 12), labelled(12, 6)};
    const auto ranks = stepOf(4, parts);
    const Outcome whole = stepOf(1, {joined(parts)})[0];
    for (const Outcome& rank : ranks) expectEqual(rank, whole, 1e-10);
}

// Megatron-LM#7513, #673 (context) and torchtune#2420 (tensor): layouts that are not built must not train wrongly.
TEST(Fault04And07, OtherLayoutsAreRefused) {
    for (auto set : {+[](config::ParallelSpec& p) { p.context = 2; }, +[](config::ParallelSpec& p) { p.tensor = 2; }}) {
        TrainingRun run("layout");
        set(run.input.spec.parallel);
        auto made = Trainer::create(run.input);
        ASSERT_FALSE(made);
        EXPECT_EQ(made.error().code, ErrorCode::kUnsupported);
    }
}

// miles#3231, Megatron-Bridge#5555: any number of ranks and micro-batches, any mask.
TEST(Fault06, RanksAccumulationAndMasksChangeNothing) {
    for (uint64_t seed = 0; seed < 3; ++seed) {
        std::vector<data::Batch> parts;
        for (uint64_t i = 0; i < 4; ++i) parts.push_back(labelled(static_cast<int64_t>(4 * i), static_cast<int64_t>(mixBits(seed, i) % 13)));
        const Outcome whole = stepOf(1, {joined(parts)})[0];
        for (const int world : {1, 2, 4})
            for (const Outcome& rank : stepOf(world, parts)) {
                expectEqual(rank, whole, 1e-10);
                EXPECT_NEAR(rank.norm, whole.norm, 1e-10);
            }
    }
    const std::vector<data::Batch> parts{labelled(0, 2), labelled(4, 11)};
    expectEqual(stepOf(2, parts, at::kFloat)[1], stepOf(1, {joined(parts)}, at::kFloat)[0], 1e-5);
}

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

// The cache of casts after a pass without gradients: a later pass in the same region still reaches the tied head.
TEST(Fault14, APassWithoutGradientsDoesNotCutTheTiedHead) {
    auto gradient = [](bool before) {
        TrainingRun run("tied");
        const data::Batch batch = makeBatch(0, 2);
        const nn::Inputs inputs = *inputsOf(batch, run.model->config());
        at::Tensor loss;
        {
            AutocastGuard region(at::kBFloat16);
            if (before) {
                at::NoGradGuard noGrad;
                run.model->logits(inputs);
            }
            loss = run.model->logits(inputs).to(at::kFloat).square().sum();
        }
        loss.backward();
        std::vector<at::Tensor> out;
        for (const nn::Parameter& p : run.model->parameters()) {
            EXPECT_TRUE(p.value.grad().defined()) << p.info.name;
            out.push_back(p.value.grad().defined() ? p.value.grad().clone() : at::zeros_like(p.value));
        }
        return out;
    };
    const auto fresh = gradient(false), after = gradient(true);
    for (size_t i = 0; i < fresh.size(); ++i) EXPECT_TRUE(at::equal(fresh[i], after[i])) << i;
    EXPECT_GT(fresh[0].abs().max().item<double>(), 0);
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

// accelerate#662, transformers#24088: the rate goes neither accumulation times nor ranks times as fast.
TEST(Fault31, TheRateIsAFunctionOfTheStepAlone) {
    const std::vector<data::Batch> parts{labelled(0, 4), labelled(4, 4), labelled(8, 4), labelled(12, 4)};
    for (const int world : {1, 2, 4})
        for (const Outcome& rank : stepOf(world, parts)) EXPECT_DOUBLE_EQ(rank.lr, 1e-2 / 4);  // the first of four warm-up steps
    TrainingRun run("rates");
    run.input.spec.schedule = {"linear", 2, 1e-3};
    run.input.spec.microBatch = 1;
    run.create();
    std::vector<double> rates;
    for (int64_t s = 0; s < 12; ++s) rates.push_back(run.trainer->step({makeBatch(0, 1), makeBatch(1, 1), makeBatch(2, 1), makeBatch(3, 1)})->lr);
    EXPECT_DOUBLE_EQ(rates[0], 1e-2 / 2);
    EXPECT_DOUBLE_EQ(rates[11], 1e-3);
    for (size_t s = 0; s < 12; ++s) EXPECT_DOUBLE_EQ(rates[s], learningRate(run.input.spec.schedule, 1e-2, static_cast<int64_t>(s), 12));
}

}  // namespace
}  // namespace assay::train
