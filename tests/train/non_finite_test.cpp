// train.on_nonfinite: the policies, their limits, and that a resumed run decides as an unbroken one.
#include <cmath>

#include <assay/train/schedule.h>

#include "training_fixture.h"

namespace assay::train {
namespace {

using testing::TrainingRun;
using testing::tinyConfig;

// Before micro-batch `at` of a session (counted from the sequence it starts with) something is done to the weights.
struct Spoiling final : data::Loader {
    std::unique_ptr<data::Loader> inner;
    std::function<void(int64_t)> before;
    int64_t sequence = 0, rows = 4;
    Result<void> next(data::Batch& out) override {
        before(sequence / rows + 1);  // the step under way
        sequence += rows;
        return inner->next(out);
    }
    double waitSeconds() const override { return 0; }
};

void spoilAt(TrainingRun& run, std::function<bool(int64_t step)> when, double with = std::nan("")) {
    const auto inner = run.input.makeLoader;
    run.input.makeLoader = [&run, inner, when, with](bool evaluation, int64_t sequences) -> Result<std::unique_ptr<data::Loader>> {
        ASSAY_TRY(auto loader, inner(evaluation, sequences));
        if (evaluation) return loader;
        auto spoiling = std::make_unique<Spoiling>();
        spoiling->inner = std::move(loader);
        spoiling->sequence = sequences;
        spoiling->before = [&run, when, with](int64_t step) {
            if (!when(step)) return;
            at::NoGradGuard noGrad;
            at::Tensor(run.model->find("transformer.ln_f.bias")->value)[0] = with;
        };
        return spoiling;
    };
}

TEST(NonFinite, SkipStopsAfterItsLimitInARow) {
    TrainingRun run("skip-limit");
    run.input.spec.onNonFinite = config::NonFinite::kSkip;
    run.input.spec.skipLimit = 3;
    run.input.spec.checkpoint.background = false;
    spoilAt(run, [](int64_t step) { return step == 6; });  // the weights stay spoiled
    run.create();
    auto result = run.trainer->run();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::kNonFinite);
    EXPECT_NE(result.error().message.find("step 9"), std::string::npos) << result.error().text();
    EXPECT_NE(result.error().message.find("3 steps in a row were left out"), std::string::npos) << result.error().text();
    EXPECT_NE(result.error().hint.find("train.optimizer.lr"), std::string::npos);
    EXPECT_EQ(run.trainer->state().skippedSteps, 4);
    EXPECT_EQ(run.trainer->state().updates, 5);
    EXPECT_EQ(newestCheckpoint(run.input.checkpointFolder, {})->step, 8);
}

TEST(NonFinite, AGoodStepEndsTheRow) {
    TrainingRun run("skip-row");
    run.input.spec.onNonFinite = config::NonFinite::kSkip;
    run.input.spec.skipLimit = 2;
    // Steps 3, 4, 7, 8 and 11 are spoiled for their own duration.
    double kept = 0;
    spoilAt(run, [&](int64_t step) {
        at::NoGradGuard noGrad;
        at::Tensor bias = run.model->find("transformer.ln_f.bias")->value;
        const bool bad = step == 3 || step == 4 || step == 7 || step == 8 || step == 11;
        if (!bad && std::isnan(bias[0].item<double>())) bias[0] = kept;
        else if (!std::isnan(bias[0].item<double>())) kept = bias[0].item<double>();
        return bad;
    });
    const TrainResult result = run.run();
    EXPECT_EQ(result.state.step, 12);
    EXPECT_EQ(result.state.skippedSteps, 5);
    EXPECT_EQ(result.state.updates, 7);
    EXPECT_EQ(result.state.skippedInARow, 0);
}

TEST(NonFinite, RollbackLowersTheRateAndFromTheFirstStepOn) {
    TrainingRun run("rollback-rate");
    run.input.spec.onNonFinite = config::NonFinite::kRollback;
    run.input.spec.rollbackFactor = 0.25;
    run.input.spec.checkpoint.every = 100;  // nothing but the start to go back to
    spoilAt(run, [](int64_t step) { return step == 3; });
    run.create();
    auto result = run.trainer->run();
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ(result->state.rollbacks, 1);
    EXPECT_EQ(result->state.rateFactor, 0.25);
    EXPECT_EQ(result->state.updates, 9);  // steps 4 to 12, from the first weights
    std::vector<std::pair<int64_t, double>> rates;
    std::istringstream lines(run.eventText());
    protocol::EventParser parser;
    protocol::ParsedEvent event;
    for (std::string line; std::getline(lines, line);)
        if (parser.parse(line, event) && event.isMetric)
            for (const auto& [name, value] : event.metric.values)
                if (name == "train/lr") rates.emplace_back(event.metric.step, value);
    ASSERT_EQ(rates.size(), 12u);
    for (const auto& [step, rate] : rates) EXPECT_DOUBLE_EQ(rate, learningRate(run.input.spec.schedule, 1e-2, step - 1, 12) * (step > 3 ? 0.25 : 1)) << step;
    EXPECT_NE(run.eventText().find("back to the checkpoint of step 0"), std::string::npos);
}

TEST(NonFinite, RollbacksWithoutANewCheckpointEnd) {
    TrainingRun run("rollback-end");
    run.input.spec.onNonFinite = config::NonFinite::kRollback;
    run.input.spec.checkpoint.every = 100;
    run.input.totalSteps = 60;
    spoilAt(run, [](int64_t step) { return step % 5 == 0; });
    run.create();
    auto result = run.trainer->run();
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.find("step 20"), std::string::npos) << result.error().text();
    EXPECT_NE(result.error().message.find("went back 3 times"), std::string::npos) << result.error().text();
    EXPECT_EQ(run.trainer->state().rateFactor, 0.125);
}

// Weights that are spoiled without the loss showing it before a checkpoint is made: the one before is taken.
TEST(NonFinite, RollbackPassesOverACheckpointOfSpoiledWeights) {
    TrainingRun run("rollback-past");
    run.input.spec.onNonFinite = config::NonFinite::kRollback;
    run.run();
    const LoadedCheckpoint good = *loadCheckpoint({.step = 8, .path = run.checkpoint(8)});
    run.fresh(tinyConfig());
    run.create();
    ASSERT_TRUE(run.trainer->restore(good));
    {
        at::NoGradGuard noGrad;
        at::Tensor(run.model->find("transformer.ln_f.bias")->value)[0] = INFINITY;
    }
    Snapshot spoiled = *run.trainer->snapshot();
    spoiled.step = 12;
    ASSERT_TRUE(writeCheckpoint(run.input.checkpointFolder, spoiled));
    run.input.totalSteps = 16;
    run.create();
    ASSERT_TRUE(run.trainer->restore(*loadCheckpoint({.step = 12, .path = run.checkpoint(12)})));
    auto result = run.trainer->run();
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ(result->state.rollbacks, 1);
    EXPECT_NE(run.eventText().find("step-12 holds weights that are not finite"), std::string::npos);
    EXPECT_NE(run.eventText().find("back to the checkpoint of step 8"), std::string::npos);
}

// Killed anywhere after a rollback or a skip, the run ends with the bits of the unbroken one.
TEST(NonFinite, ResumeRepeatsTheDecision) {
    for (const auto policy : {config::NonFinite::kSkip, config::NonFinite::kRollback}) {
        auto make = [&](const char* name) {
            auto run = std::make_unique<TrainingRun>(name);
            run->input.spec.onNonFinite = policy;
            run->input.spec.clipNorm = 0;
            // A huge value, gone with the weights that are gone back to; for skip it must go by itself.
            auto* raw = run.get();
            spoilAt(*run, [policy, raw, kept = 0.0](int64_t step) mutable {
                at::NoGradGuard noGrad;
                at::Tensor bias = raw->model->find("transformer.ln_f.bias")->value;
                if (policy == config::NonFinite::kSkip) {
                    if (step == 6) kept = bias[0].item<double>();
                    if (step == 7) bias[0] = kept;
                }
                return step == 6;
            });
            return run;
        };
        auto whole = make("whole");
        whole->run();
        ASSERT_EQ(whole->trainer->state().rollbacks + whole->trainer->state().skippedSteps, 1);
        for (const int64_t from : {4, 8}) {
            auto part = make("part");
            for (const int64_t earlier : {0, 4, 8})
                if (earlier <= from && std::filesystem::exists(whole->checkpoint(earlier)))
                    std::filesystem::copy(whole->checkpoint(earlier), part->checkpoint(earlier), std::filesystem::copy_options::recursive);
            part->create();
            ASSERT_TRUE(part->trainer->restore(*loadCheckpoint(*newestCheckpoint(part->input.checkpointFolder, {}))));
            ASSERT_EQ(part->trainer->state().step, from);
            part->run();
            for (const char* file : {"model.safetensors", "optimizer.safetensors"}) EXPECT_TRUE(part->bytes(12, file) == whole->bytes(12, file)) << file << " from " << from;
            EXPECT_EQ(part->trainer->state().rateFactor, whole->trainer->state().rateFactor);
        }
    }
}

}  // namespace
}  // namespace assay::train
