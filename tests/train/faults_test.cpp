// Public bug reports as tests (their numbers are those of the list of training faults the project keeps). Faults 8 to 14 stand
// in scaler_test.cpp, fault 15 in optimizer_test.cpp, fault 30 in precision_test.cpp.
#include <cmath>
#include <thread>

#include <assay/train/schedule.h>

#include "rank_group.h"
#include "training_fixture.h"

namespace assay::train {
namespace {

using testing::makeBatch;
using testing::RankGroup;
using testing::tinyConfig;
using testing::TrainingRun;

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
    int64_t rows = 0;
    for (const auto& p : parts) rows += p.rows;
    RankGroup group("rank", world, tinyConfig(), type, [&](TrainerInput& input) {
        input.spec.clipNorm = 0;
        input.spec.globalBatch = rows;
        input.spec.microBatch = parts[0].rows;
        input.spec.schedule = {"linear", 4, 1e-4};
    });
    std::vector<Outcome> out(static_cast<size_t>(world));
    group.each([&](TrainingRun& run, int rank) {
        std::vector<data::Batch> mine;
        for (size_t i = static_cast<size_t>(rank); i < parts.size(); i += static_cast<size_t>(world)) mine.push_back(parts[i]);
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
