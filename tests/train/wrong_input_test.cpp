// Wrong input of a training, with the words that a person sees. What the experiment file alone shows is in tests/config.
#include <cmath>

#include <assay/core/hash.h>

#include "training_fixture.h"

namespace assay::train {
namespace {

using testing::makeBatch;
using testing::tinyConfig;
using testing::TrainingRun;

void expectError(const Result<void>& result, ErrorCode code, const std::string& message, const std::string& hint) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, code) << result.error().text();
    EXPECT_NE(result.error().text().find(message), std::string::npos) << result.error().text();
    EXPECT_NE(result.error().hint.find(hint), std::string::npos) << result.error().hint;
}
template <class T>
Result<void> only(const Result<T>& result) {
    if (result) return {};
    return fail(result.error());
}

TEST(WrongTraining, BatchesThatDoNotDivide) {
    TrainingRun run("divide");
    run.input.spec.globalBatch = 10;
    run.input.spec.microBatch = 4;
    expectError(only(Trainer::create(run.input)), ErrorCode::kInvalidFile, "global_batch 10 is not a multiple of micro_batch 4 × 1 ranks", "choose a divisor");
    run.input.spec.parallel.data = 2;
    run.input.spec.microBatch = 5;
    expectError(only(Trainer::create(run.input)), ErrorCode::kInvalidFile, "1 ranks were started", "as many workers");
}

TEST(WrongTraining, ABatchWithoutALabelIsNoStepOfTheOptimizer) {
    TrainingRun run("labels");
    run.create();
    ASSERT_TRUE(run.trainer->step({makeBatch(0, 4)}));
    data::Batch none = makeBatch(4, 4);
    for (int32_t& label : none.labels) label = -100;
    none.labelledTokens = 0;
    std::vector<at::Tensor> before;
    for (const nn::Parameter& p : run.model->parameters()) before.push_back(p.value.detach().clone());
    auto report = run.trainer->step({none});
    ASSERT_TRUE(report) << report.error().text();
    EXPECT_EQ(report->labelled, 0);
    EXPECT_FALSE(std::isnan(report->loss));
    EXPECT_TRUE(report->notFinite.empty());
    for (size_t i = 0; i < before.size(); ++i) EXPECT_TRUE(at::equal(before[i], run.model->parameters()[i].value)) << run.model->parameters()[i].info.name;
    EXPECT_EQ(run.trainer->state().updates, 1);
    EXPECT_EQ(run.trainer->state().skippedSteps, 1);
    EXPECT_EQ(run.trainer->state().step, 2);
}

TEST(WrongTraining, AHugeRateEndsWithAdvice) {
    for (const char* optimizer : {"adamw", "sgd"}) {
        TrainingRun run("rate");
        run.input.spec.optimizer.name = optimizer;
        run.input.spec.optimizer.lr = 1e38;
        run.create();
        expectError(only(run.trainer->run()), ErrorCode::kNonFinite, "is not finite (loss", "lower train.optimizer.lr");
    }
}

TEST(WrongTraining, AZeroRateChangesNothing) {
    TrainingRun run("zero");
    run.input.spec.optimizer.lr = 0;
    run.create();
    const at::Tensor before = run.model->find("transformer.wte.weight")->value.detach().clone();
    run.run();
    EXPECT_TRUE(at::equal(before, run.model->find("transformer.wte.weight")->value));
}

// Weights of fp16 without a scaler cannot be asked for in a file; a checkpoint made without one says so.
TEST(WrongTraining, Fp16WithoutItsScaler) {
    TrainingRun run("scaler");
    run.run();
    run.fresh(tinyConfig());
    run.input.spec.precision.kind = config::PrecisionSpec::Kind::kAmpFp16;
    run.create();
    expectError(run.trainer->restore(*loadCheckpoint(*newestCheckpoint(run.input.checkpointFolder, {}))), ErrorCode::kInvalidFile, "has no loss scale", "another train.precision");
}

void rewrite(const std::string& checkpoint, const std::string& name, const std::function<void(Json&)>& change) {
    Json json = *readJsonFile(checkpoint + "/" + name);
    change(json);
    ASSERT_TRUE(writeFileDurably(checkpoint + "/" + name, dumpJson(json, 2) + "\n"));
    if (name == "manifest.json") return;
    Json manifest = *readJsonFile(checkpoint + "/manifest.json");  // as one who edits it with care would
    manifest["files"][name] = {{"bytes", std::filesystem::file_size(checkpoint + "/" + name)}, {"sha256", *sha256HexOfFile(checkpoint + "/" + name)}};
    ASSERT_TRUE(writeFileDurably(checkpoint + "/manifest.json", dumpJson(manifest, 2) + "\n"));
}

TEST(WrongCheckpoint, OfANewerVersion) {
    TrainingRun run("newer");
    run.run();
    rewrite(run.checkpoint(12), "manifest.json", [](Json& m) { m["schema"] = 2; });
    expectError(verifyCheckpoint(run.checkpoint(12)), ErrorCode::kVersionMismatch, "was written by a newer Assay (schema 2, this one knows 1)", "update Assay");
    rewrite(run.checkpoint(8), "state.json", [](Json& s) { s["schema"] = 2; });
    ASSERT_TRUE(verifyCheckpoint(run.checkpoint(8)));
    run.fresh(tinyConfig());
    run.create();
    expectError(run.trainer->restore(*loadCheckpoint({.step = 8, .path = run.checkpoint(8)})), ErrorCode::kVersionMismatch, "schema 2, this one knows 1", "update Assay");
}

TEST(WrongCheckpoint, OfAnotherModelOrOptimizer) {
    TrainingRun run("foreign");
    run.run();
    const LoadedCheckpoint checkpoint = *loadCheckpoint(*newestCheckpoint(run.input.checkpointFolder, {}));
    model::ModelConfig wider = tinyConfig();
    wider.ffn = 48;
    run.fresh(wider);
    run.create();
    expectError(run.trainer->restore(checkpoint), ErrorCode::kInvalidFile, "mlp.c_fc", "belongs to another model");
    run.fresh(tinyConfig("llama"));
    run.create();
    expectError(run.trainer->restore(checkpoint), ErrorCode::kInvalidFile, "checkpoint has no tensor model.", "another model or optimizer");
    run.fresh(tinyConfig());
    run.input.spec.optimizer.name = "lion";
    run.create();
    expectError(run.trainer->restore(checkpoint), ErrorCode::kInvalidFile, "made with the optimizer adamw, not lion", "another model or optimizer");
}

TEST(WrongCheckpoint, CountersThatCannotBe) {
    TrainingRun run("counters");
    run.run();
    for (const auto& change : std::vector<std::function<void(Json&)>>{[](Json& s) { s["step"] = -5; }, [](Json& s) { s.erase("loader"); }, [](Json& s) { s["non_finite"]["rate_factor"] = 0; },
                                                                     [](Json& s) { s["non_finite"]["rate_factor"] = 1e9; }, [](Json& s) { s["updates"] = "many"; }}) {
        Json state = *readJsonFile(run.checkpoint(12) + "/state.json");
        change(state);
        EXPECT_FALSE(stateFromJson(state)) << dumpJson(state);
    }
}

}  // namespace
}  // namespace assay::train
