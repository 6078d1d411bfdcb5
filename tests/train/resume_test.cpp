// Resume is bit-equal; checkpoints are complete or not there.
#include <sys/resource.h>
#include <csignal>

#include <cmath>

#include <assay/core/json.h>

#include "training_fixture.h"

namespace assay::train {
namespace {

using testing::tinyConfig;
using testing::TrainingRun;

class Resume : public ::testing::TestWithParam<std::tuple<const char*, double, bool>> {};
INSTANTIATE_TEST_SUITE_P(Cases, Resume,
                         ::testing::Values(std::tuple{"gpt2", 0.0, true}, std::tuple{"gpt2", 0.2, true}, std::tuple{"llama", 0.0, false}, std::tuple{"llama", 0.2, true}));

// 4 + 8 and 8 + 4 steps equal 12 steps: weights, moments and state files byte by byte, dropout included.
TEST_P(Resume, IsBitEqualToAnUnbrokenRun) {
    const auto [family, dropout, background] = GetParam();
    TrainingRun whole("whole", tinyConfig(family, dropout));
    whole.input.spec.checkpoint.background = background;
    whole.input.spec.evalEvery = 3;
    whole.input.spec.microBatch = 2;
    whole.run();
    for (int64_t at : {4, 8}) {
        TrainingRun part("part", tinyConfig(family, dropout));
        part.input.spec = whole.input.spec;
        std::filesystem::copy(whole.checkpoint(at), part.checkpoint(at), std::filesystem::copy_options::recursive);
        part.create();
        auto found = newestCheckpoint(part.input.checkpointFolder, {});
        ASSERT_TRUE(found);
        auto loaded = loadCheckpoint(*found);
        ASSERT_TRUE(loaded) << loaded.error().text();
        auto restored = part.trainer->restore(*loaded);
        ASSERT_TRUE(restored) << restored.error().text();
        const TrainResult result = part.run();
        EXPECT_EQ(result.state.step, 12);
        EXPECT_EQ(result.sessionSteps, 12 - at);
        for (const char* file : {"model.safetensors", "optimizer.safetensors"}) EXPECT_TRUE(part.bytes(12, file) == whole.bytes(12, file)) << file << " from " << at;
        EXPECT_EQ(result.state.loss, whole.trainer->state().loss);
        EXPECT_EQ(result.state.evalLoss, whole.trainer->state().evalLoss);
        EXPECT_EQ(result.state.tokens, whole.trainer->state().tokens);
    }
}

TEST(Training, LearnsAndReports) {
    TrainingRun run("learn");
    run.input.totalSteps = 60;
    run.input.spec.evalEvery = 20;
    const TrainResult result = run.run();
    EXPECT_LT(result.state.evalLoss, std::log(23.0) - 0.5);
    EXPECT_EQ(result.state.tokens, 60 * 48);
    int64_t metrics = 0, evaluations = 0, checkpoints = 0;
    std::istringstream lines(run.eventText());
    protocol::EventParser parser;
    protocol::ParsedEvent event;
    for (std::string line; std::getline(lines, line);) {
        ASSERT_TRUE(parser.parse(line, event)) << line;
        if (event.isMetric) {
            const bool evaluation = event.metric.values[0].first == "eval/loss";
            (evaluation ? evaluations : metrics) += 1;
            if (!evaluation) {
                EXPECT_EQ(event.metric.tokens, 48 * event.metric.step);
            }
        } else if (event.record["type"] == "checkpoint") {
            ++checkpoints;
        }
    }
    EXPECT_EQ(metrics, 60);
    EXPECT_EQ(evaluations, 3);
    EXPECT_EQ(checkpoints, 15);
}

TEST(Training, StopFinishesTheStepAndCommits) {
    TrainingRun run("stop");
    run.input.progress = [&](const Progress& p) {
        if (p.done >= 6) run.stop.request_stop();
    };
    run.input.totalSteps = 1000000;
    const TrainResult result = run.run();
    EXPECT_EQ(result.outcome, protocol::Outcome::kCancelled);
    EXPECT_GE(result.state.step, 6);
    auto found = newestCheckpoint(run.input.checkpointFolder, {});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->step, result.state.step);
}

TEST(Training, EarlyStopWaitsForPatience) {
    TrainingRun run("early");
    run.input.spec.optimizer.lr = 0;  // nothing improves
    run.input.spec.optimizer.weightDecay = 0;
    run.input.spec.evalEvery = 2;
    run.input.spec.earlyStop = config::EarlyStop{"eval/loss", 2};
    run.input.totalSteps = 100;
    const TrainResult result = run.run();
    EXPECT_EQ(result.outcome, protocol::Outcome::kDone);
    EXPECT_EQ(result.state.step, 6);  // best at 2, bad at 4 and 6
}

TEST(Training, MemoryAccountIsExactForWeightsAndMoments) {
    TrainingRun run("memory");
    nn::MemoryMeter meter;
    nn::MemoryScope scope(meter);
    run.fresh(tinyConfig());
    run.input.meter = &meter;
    const TrainResult result = run.run();
    const int64_t bytes = 4 * model::parameterCount(tinyConfig());
    EXPECT_EQ(result.weightBytes, bytes);
    EXPECT_EQ(result.gradientBytes, bytes);
    EXPECT_EQ(result.optimizerBytes, 2 * bytes);
    EXPECT_GT(result.peakBytes, 4 * bytes);
    run.trainer.reset();
    EXPECT_EQ(meter.liveBytes(), 2 * bytes);  // weights and gradients: the moments and every snapshot are gone
}

class Damage : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Files, Damage, ::testing::Values("model.safetensors", "optimizer.safetensors", "state.json", "config.json", "manifest.json"));

TEST_P(Damage, FallsBackToTheCheckpointBefore) {
    TrainingRun run("damage");
    run.run();
    const std::string path = run.checkpoint(12) + "/" + GetParam();
    for (int kind = 0; kind < 3; ++kind) {
        const std::string good = *readFile(path);
        std::string bad = good;
        if (kind == 0) bad[bad.size() / 2] = static_cast<char>(bad[bad.size() / 2] ^ 0x40);  // a flipped bit
        if (kind == 1) bad.resize(bad.size() - 2);  // the last byte of a JSON file is only a newline
        if (kind == 2) std::filesystem::remove(path);
        else std::ofstream(path, std::ios::binary | std::ios::trunc) << bad;
        std::vector<std::string> warnings;
        auto found = newestCheckpoint(run.input.checkpointFolder, [&](const Error& e) { warnings.push_back(e.message); });
        ASSERT_TRUE(found);
        // One bit of manifest.json may be white space or an unread digit: only then the checkpoint may still be good.
        if (!(std::string(GetParam()) == "manifest.json" && kind == 0)) {
            EXPECT_EQ(found->step, 8) << kind;
        }
        std::ofstream(path, std::ios::binary | std::ios::trunc) << good;
        ASSERT_EQ(newestCheckpoint(run.input.checkpointFolder, {})->step, 12);
    }
}

TEST(Checkpoints, KeepsTheNewestAndClearsLeftovers) {
    TrainingRun run("keep");
    run.input.spec.checkpoint.keep = 2;
    run.input.spec.checkpoint.every = 2;
    std::filesystem::create_directories(run.input.checkpointFolder + "/.step-3.tmp");
    std::filesystem::create_directories(run.input.checkpointFolder + "/.step-1.old");
    ASSERT_TRUE(clearUnfinished(run.input.checkpointFolder));
    run.run();
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(run.input.checkpointFolder)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{"best.json", "step-10", "step-12"}));
}

TEST(Checkpoints, AFolderWithoutManifestIsNotACheckpoint) {
    TrainingRun run("partial");
    run.run();
    std::filesystem::remove(run.checkpoint(12) + "/manifest.json");
    EXPECT_EQ(newestCheckpoint(run.input.checkpointFolder, {})->step, 8);
    EXPECT_EQ(listCheckpoints(run.input.checkpointFolder).size(), 2u);
}

// RLIMIT_FSIZE makes every write past a size fail: the run ends with an error, older checkpoints stay, nothing partial.
TEST(Checkpoints, AFailedSaveLeavesTheOldOnesAndFailsTheRun) {
    for (bool background : {true, false}) {
        TrainingRun run("full");
        run.run();
        run.fresh(tinyConfig());
        run.input.spec.checkpoint.background = background;
        run.input.totalSteps = 40;
        run.create();
        auto loaded = loadCheckpoint(*newestCheckpoint(run.input.checkpointFolder, {}));
        ASSERT_TRUE(loaded);
        ASSERT_TRUE(run.trainer->restore(*loaded));
        rlimit old{}, small{};
        getrlimit(RLIMIT_FSIZE, &old);
        small = old;
        small.rlim_cur = 20000;  // model.safetensors is larger
        auto* handler = std::signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &small);
        auto result = run.trainer->run();
        setrlimit(RLIMIT_FSIZE, &old);
        std::signal(SIGXFSZ, handler);
        ASSERT_FALSE(result);
        EXPECT_NE(result.error().text().find("checkpoint of step 16"), std::string::npos) << result.error().text();
        EXPECT_EQ(newestCheckpoint(run.input.checkpointFolder, {})->step, 12);
        EXPECT_FALSE(std::filesystem::exists(run.checkpoint(16)));
        EXPECT_FALSE(std::filesystem::exists(run.input.checkpointFolder + "/.step-16.tmp"));
    }
}

// Large sets of tensors are cut into shards with an index; the checkpoint verifies, resumes and opens as a model as before,
// and a shard that is missing or named elsewhere is an error.
TEST(Checkpoints, ShardsHoldEveryTensorOnce) {
    TrainingRun run("shards");
    run.run();
    Snapshot snapshot;
    snapshot.step = 77;
    snapshot.config = run.model->config();
    snapshot.state = *readJsonFile(run.checkpoint(12) + "/state.json");
    snapshot.shardBytes = 4096;
    for (const nn::Parameter& p : run.model->parameters()) snapshot.weights.emplace_back(p.info.name, p.value.detach().clone());
    for (const StateTensor& s : run.trainer->optimizer().state()) snapshot.optimizer.emplace_back(s.name, s.value.clone());
    auto written = writeCheckpoint(run.input.checkpointFolder, snapshot);
    ASSERT_TRUE(written) << written.error().text();
    EXPECT_TRUE(verifyCheckpoint(written->path));
    EXPECT_FALSE(std::filesystem::exists(written->path + "/model.safetensors"));
    size_t shards = 0;
    for (const auto& entry : std::filesystem::directory_iterator(written->path)) shards += entry.path().filename().string().starts_with("model-");
    EXPECT_GT(shards, 2u);
    auto opened = model::openModel(written->path);
    ASSERT_TRUE(opened) << opened.error().text();
    EXPECT_EQ((*opened)->tensors().size(), run.model->parameters().size());
    auto loaded = loadCheckpoint(*written);
    ASSERT_TRUE(loaded) << loaded.error().text();
    run.fresh(tinyConfig());
    run.create();
    ASSERT_TRUE(run.trainer->restore(*loaded));
    for (size_t i = 0; i < snapshot.weights.size(); ++i) EXPECT_TRUE(at::equal(snapshot.weights[i].second, run.model->parameters()[i].value));
    for (size_t i = 0; i < snapshot.optimizer.size(); ++i) EXPECT_TRUE(at::equal(snapshot.optimizer[i].second, run.trainer->optimizer().state()[i].value));

    const std::string indexPath = written->path + "/optimizer.safetensors.index.json";
    Json index = *readJsonFile(indexPath);
    index["weight_map"].begin().value() = "../escape.safetensors";
    ASSERT_TRUE(writeFileDurably(indexPath, dumpJson(index, 2)));
    EXPECT_FALSE(verifyCheckpoint(written->path));  // its hash
    EXPECT_FALSE(CheckpointTensors::open(written->path, "optimizer"));
    std::filesystem::remove(written->path + "/model-00002-of-0000" + std::to_string(shards) + ".safetensors");
    EXPECT_FALSE(CheckpointTensors::open(written->path, "model"));
}

// A background save reads the tensors where they are; what it has not written when they are about to change is copied.
TEST(Checkpoints, ASaveHoldsWhatWasThereWhateverComesAfter) {
    TrainingRun run("live");
    Snapshot snapshot;
    snapshot.step = 5;
    snapshot.config = run.model->config();
    snapshot.state = {{"schema", 1}};
    at::Tensor large = at::arange(16 << 20, at::kFloat), small = at::full({100}, 3.0f), empty = at::empty({0});
    snapshot.weights = {{"large", large}, {"small", small}, {"empty", empty}};
    snapshot.optimizer = {{"moments", at::full({8 << 20}, 2.0f)}};
    const at::Tensor moments = snapshot.optimizer[0].second;
    const at::Tensor largeBefore = large.clone();
    CheckpointWriter writer({.folder = run.input.checkpointFolder, .keep = 2, .background = true, .committed = {}, .meter = nullptr});
    ASSERT_TRUE(writer.save(std::move(snapshot)));
    writer.settle();
    large.fill_(-1);
    small.fill_(-1);
    at::Tensor(moments).fill_(-1);
    auto finished = writer.finish();
    ASSERT_TRUE(finished) << finished.error().text();
    auto loaded = loadCheckpoint(*newestCheckpoint(run.input.checkpointFolder, {}));
    ASSERT_TRUE(loaded) << loaded.error().text();
    at::Tensor read = at::empty_like(large);
    ASSERT_TRUE(copyEntry(*loaded->weights, "large", read));
    EXPECT_TRUE(at::equal(read, largeBefore));
    read = at::empty({100});
    ASSERT_TRUE(copyEntry(*loaded->weights, "small", read));
    EXPECT_TRUE(at::equal(read, at::full({100}, 3.0f)));
    read = at::empty({8 << 20});
    ASSERT_TRUE(copyEntry(*loaded->optimizer, "moments", read));
    EXPECT_TRUE(at::equal(read, at::full({8 << 20}, 2.0f)));
}

TEST(Checkpoints, OpenAsModels) {
    TrainingRun run("open");
    run.run();
    auto file = model::openModel(run.checkpoint(8));
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_EQ((*file)->config().family, "gpt2");
    EXPECT_EQ((*file)->tensors().size(), run.model->parameters().size());
}

TEST(State, RoundTripsAndNamesDifferences) {
    TrainingState s;
    s.step = 7;
    s.updates = 6;
    s.tokens = 12345;
    s.labelledTokens = 12000;
    s.sequences = 84;
    s.seconds = 1.5;
    s.loss = 0.1;
    s.evalLoss = std::nan("");
    s.badEvaluations = 1;
    s.bestMetric = 3.25;
    const Circumstances now = circumstances(5, 1, "abc");
    const Json json = stateToJson(s, now);
    auto back = stateFromJson(*parseJson(dumpJson(json), "state"));
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(dumpJson(stateToJson(*back, now)), dumpJson(json));
    EXPECT_TRUE(std::isnan(back->evalLoss));
    EXPECT_TRUE(differences(json, now).empty());
    Circumstances other = now;
    other.threads += 1;
    ASSERT_EQ(differences(json, other).size(), 1u);
    EXPECT_NE(differences(json, other)[0].find("threads"), std::string::npos);
    EXPECT_FALSE(stateFromJson(Json::object()));
    Json negative = json;
    negative["step"] = -1;
    EXPECT_FALSE(stateFromJson(negative));
}

// The newest ones are kept, and the one with the lowest held-out loss; the pointer survives damage.
TEST(Best, IsKeptBesideTheNewest) {
    TrainingRun run("best");
    const double losses[] = {3, 1, 2, 2.5, 4};
    for (int64_t step = 1; step <= 5; ++step) {
        Snapshot snapshot;
        snapshot.step = step;
        snapshot.config = tinyConfig();
        snapshot.weights = {{"w", at::ones({4})}};
        snapshot.optimizer = {{"w.exp_avg", at::ones({4})}};
        snapshot.state = {{"eval_loss", losses[step - 1]}, {"eval_step", step == 5 ? 4 : step}};
        CheckpointWriter writer({.folder = run.input.checkpointFolder, .keep = 1, .background = false});
        ASSERT_TRUE(writer.save(std::move(snapshot)));
        ASSERT_TRUE(bestCheckpoint(run.input.checkpointFolder));
        EXPECT_EQ(bestCheckpoint(run.input.checkpointFolder)->step, std::min<int64_t>(step, 2));
    }
    auto kept = listCheckpoints(run.input.checkpointFolder);
    ASSERT_EQ(kept.size(), 2u);
    EXPECT_EQ(kept[0].step, 2);
    EXPECT_EQ(kept[1].step, 5);
    std::ofstream(run.input.checkpointFolder + "/best.json") << "{";
    EXPECT_FALSE(bestCheckpoint(run.input.checkpointFolder));
    std::ofstream(run.input.checkpointFolder + "/best.json") << "{\"step\": 3, \"eval_loss\": 1}";  // a checkpoint that is gone
    EXPECT_FALSE(bestCheckpoint(run.input.checkpointFolder));
}

// training.md fault 32: what does not fit is refused with the numbers, and what was there stays.
TEST(Fault32, RefusedBeforeItIsBegun) {
    TrainingRun run("space");
    Snapshot snapshot;
    snapshot.step = 1;
    snapshot.config = tinyConfig();
    // A view of one element with the size of a city: it could never be written.
    snapshot.weights = {{"w", at::ones({1}).expand({int64_t{1} << 58})}};
    auto written = writeCheckpoint(run.input.checkpointFolder, snapshot);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ErrorCode::kDiskFull);
    EXPECT_NE(written.error().message.find("bytes are free"), std::string::npos) << written.error().text();
    EXPECT_NE(written.error().message.find(std::to_string((uint64_t{1} << 60) + (uint64_t{4} << 20))), std::string::npos) << written.error().text();
    EXPECT_TRUE(std::filesystem::is_empty(run.input.checkpointFolder));
}

}  // namespace
}  // namespace assay::train
