// Early stop, evaluation, stop requests and rollbacks are decided once for all ranks, and again after a resume.
#include <atomic>
#include <cmath>
#include <thread>

#include "thread_ring.h"
#include "training_fixture.h"

namespace assay::train {
namespace {

using testing::ThreadRing;
using testing::TrainingRun;

class Group {
public:
    explicit Group(int world, const std::function<void(TrainingRun&)>& settings) : ring_(world) {
        static std::atomic<int> groups{0};
        const std::string name = "group" + std::to_string(++groups) + "-";
        for (int rank = 0; rank < world; ++rank) {
            auto run = std::make_unique<TrainingRun>(name + std::to_string(rank));
            run->group = std::make_unique<ThreadRing::Member>(ring_, rank);
            run->input.group = run->group.get();
            run->input.spec.parallel.data = world;
            run->input.spec.globalBatch = 4;
            run->input.spec.microBatch = 4 / world;
            // Each rank reads the same rows, so a rank is as far as a share of what all have consumed.
            const auto inner = run->input.makeLoader;
            run->input.makeLoader = [inner, world](bool evaluation, int64_t sequences) { return inner(evaluation, sequences / world); };
            settings(*run);
            if (rank > 0) run->input.checkpointFolder = runs_[0]->input.checkpointFolder;
            runs_.push_back(std::move(run));
        }
    }
    void create() {
        for (auto& run : runs_) run->create();
    }
    void restoreNewest() {
        const LoadedCheckpoint checkpoint = *loadCheckpoint(*newestCheckpoint(runs_[0]->input.checkpointFolder, {}));
        for (auto& run : runs_) ASSERT_TRUE(run->trainer->restore(checkpoint));
    }
    std::vector<TrainResult> run() {
        std::vector<TrainResult> out(runs_.size());
        {
            std::vector<std::jthread> threads;
            for (size_t r = 0; r < runs_.size(); ++r)
                threads.emplace_back([&, r] {
                    at::set_num_threads(1);
                    auto result = runs_[r]->trainer->run();
                    EXPECT_TRUE(result) << (result ? "" : result.error().text());
                    if (result) out[r] = *result;
                });
        }
        return out;
    }
    TrainingRun& operator[](size_t rank) { return *runs_[rank]; }

private:
    ThreadRing ring_;
    std::vector<std::unique_ptr<TrainingRun>> runs_;
};

TEST(Ranks, EarlyStopIsTheSameEverywhereAndAfterAResume) {
    const auto settings = [](TrainingRun& run) {
        run.input.spec.optimizer.lr = 0;
        run.input.spec.optimizer.weightDecay = 0;
        run.input.spec.evalEvery = 2;
        run.input.spec.earlyStop = config::EarlyStop{"eval/loss", 3};
        run.input.totalSteps = 100;
    };
    Group whole(2, settings);
    whole.create();
    for (const TrainResult& result : whole.run()) {
        EXPECT_EQ(result.state.step, 8);  // best at 2, no better at 4, 6 and 8
        EXPECT_TRUE(result.state.stoppedEarly);
        EXPECT_EQ(result.outcome, protocol::Outcome::kDone);
    }
    Group again(2, settings);
    std::filesystem::copy(whole[0].checkpoint(4), again[0].checkpoint(4), std::filesystem::copy_options::recursive);
    again.create();
    again.restoreNewest();
    for (const TrainResult& result : again.run()) {
        EXPECT_EQ(result.state.step, 8);
        EXPECT_EQ(result.state.badEvaluations, 3);
    }
}

TEST(Ranks, OneRankThatIsAskedStopsAllAtTheSameStepWithACheckpoint) {
    Group group(2, [](TrainingRun& run) { run.input.totalSteps = 1'000'000; });
    group[1].input.progress = [&](const Progress& p) {
        if (p.done >= 6) group[1].stop.request_stop();
    };
    group.create();
    const auto results = group.run();
    EXPECT_EQ(results[0].outcome, protocol::Outcome::kCancelled);
    EXPECT_EQ(results[1].outcome, protocol::Outcome::kCancelled);
    EXPECT_EQ(results[0].state.step, results[1].state.step);
    EXPECT_GE(results[0].state.step, 6);
    const int64_t step = newestCheckpoint(group[0].input.checkpointFolder, {})->step;
    EXPECT_EQ(step, results[0].state.step);
    // Going on from there ends as a run that was not stopped.
    Group whole(2, [&](TrainingRun& run) { run.input.totalSteps = step + 4; }), rest(2, [&](TrainingRun& run) { run.input.totalSteps = step + 4; });
    // The schedule depends on the total, which the stopped run had another of: a constant rate has none.
    for (size_t rank = 0; rank < 2; ++rank) whole[rank].input.spec.schedule.name = rest[rank].input.spec.schedule.name = "constant";
    for (size_t rank = 0; rank < 2; ++rank) whole[rank].input.spec.checkpoint.every = step;
    whole.create();
    whole.run();
    std::filesystem::copy(whole[0].checkpoint(step), rest[0].checkpoint(step), std::filesystem::copy_options::recursive);
    rest.create();
    rest.restoreNewest();
    rest.run();
    EXPECT_TRUE(rest[0].bytes(step + 4, "model.safetensors") == whole[0].bytes(step + 4, "model.safetensors"));
}

TEST(Ranks, ARollbackIsMadeByAllToTheSameCheckpoint) {
    Group group(2, [](TrainingRun& run) { run.input.spec.onNonFinite = config::NonFinite::kRollback; });
    // One rank's copy is spoiled once: its gradients spoil the sum of all.
    const auto inner = group[1].input.makeLoader;
    struct Spoiling final : data::Loader {
        std::unique_ptr<data::Loader> inner;
        std::function<void()> now;
        int64_t count = 0;
        Result<void> next(data::Batch& out) override {
            if (++count == 7) now();
            return inner->next(out);
        }
        double waitSeconds() const override { return 0; }
    };
    group[1].input.makeLoader = [&](bool evaluation, int64_t sequences) -> Result<std::unique_ptr<data::Loader>> {
        ASSAY_TRY(auto loader, inner(evaluation, sequences));
        if (evaluation) return loader;
        auto spoiling = std::make_unique<Spoiling>();
        spoiling->inner = std::move(loader);
        spoiling->now = [&] {
            at::NoGradGuard noGrad;
            at::Tensor(group[1].model->find("transformer.ln_f.bias")->value)[0] = std::nan("");
        };
        return spoiling;
    };
    group.create();
    for (const TrainResult& result : group.run()) {
        EXPECT_EQ(result.state.rollbacks, 1);
        EXPECT_EQ(result.state.rateFactor, 0.5);
        EXPECT_EQ(result.state.step, 12);
    }
    for (size_t i = 0; i < group[0].model->parameters().size(); ++i) EXPECT_TRUE(at::equal(group[0].model->parameters()[i].value, group[1].model->parameters()[i].value)) << i;
}

// Samples are rank 0's; the others wait and train on.
TEST(Ranks, OnlyTheFirstRankWritesSamples) {
    model::ModelConfig config = testing::tinyConfig();
    config.vocab = 300;
    Group group(2, [&](TrainingRun& run) {
        run.model = std::move(*nn::createModel(config, {}));
        run.model->initialize(run.input.seed);
        run.input.model = run.model.get();
        run.input.tokenizerPath = "bytes";
        run.input.spec.sample = config::SampleSpec{.every = 4, .prompts = {"ab"}, .maxTokens = 3};
    });
    group.create();
    group.run();
    EXPECT_NE(group[0].eventText().find("\"type\":\"sample\""), std::string::npos);
    EXPECT_EQ(group[1].eventText().find("\"type\":\"sample\""), std::string::npos);
}

}  // namespace
}  // namespace assay::train
