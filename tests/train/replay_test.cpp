// Kind verify: steps of a run done again are equal bit by bit; what was changed is found and named; the run stays as it is.
#include <map>
#include <sstream>

#include <assay/config/config.h>
#include <assay/core/hash.h>
#include <assay/protocol/job.h>
#include <assay/train/kinds.h>

#include "training_fixture.h"

namespace assay::train {
namespace {

namespace fs = std::filesystem;

class Trained {
public:
    explicit Trained(const std::string& name, Json train = Json::object(), uint64_t seed = 5) {
        at::set_num_threads(1);
        folder_ = (fs::temp_directory_path() / ("assay-replay-" + name + "-" + std::to_string(::getpid()))).string();
        fs::remove_all(folder_);
        fs::create_directories(run());
        std::ofstream text(folder_ + "/corpus.txt");
        for (int i = 0; i < 300; ++i) text << "the lazy dog number " << i % 7 << " sleeps over the quick fox.\n\n";
        text.close();
        Json spec = {{"assay", 1}, {"kind", "train"}, {"seed", seed}, {"threads", 1},
                     {"data", {{"train", {{"path", folder_ + "/corpus.txt"}, {"format", "text"}}}, {"eval", {{"path", folder_ + "/corpus.txt"}, {"split", "last 10%"}}}, {"document", "paragraph"}, {"tokenizer", "bytes"}, {"sequence_length", 32}, {"workers", 1}}},
                     {"model", {{"from", {{"family", "llama"}, {"layers", 1}, {"hidden", 32}, {"heads", 2}, {"context", 32}, {"vocab", "auto"}, {"dropout", 0.1}}}}},
                     {"train", {{"steps", 12}, {"global_batch", 4}, {"micro_batch", 2}, {"eval_every", 5}, {"checkpoint", {{"every", 4}, {"keep", 10}}}}}};
        spec["train"].update(train);
        job_ = {.runId = "0123456789abc", .runFolder = run(), .storeFolder = folder_ + "/store", .spec = spec};
        EXPECT_TRUE(writeFileDurably(run() + "/job.json", dumpJson(protocol::jobToJson(job_))));
        auto outcome = work(job_, runTrain);
        EXPECT_TRUE(outcome) << (outcome ? "" : outcome.error().text());
    }
    ~Trained() { fs::remove_all(folder_); }
    std::string run() const { return folder_ + "/run"; }
    std::string checkpoint(int64_t step) const { return run() + "/checkpoints/step-" + std::to_string(step); }

    Result<Json> verify(int64_t steps = 0) {
        protocol::WorkerJob job = job_;
        job.runId = "1123456789abc";
        job.runFolder = folder_ + "/verify";
        job.spec["kind"] = "verify";
        job.spec["verify"] = {{"run", run()}, {"steps", steps}};
        fs::remove_all(job.runFolder);
        fs::create_directories(job.runFolder);
        auto outcome = work(job, runVerify);
        log_ = *readFile(job.runFolder + "/events.rank0.jsonl");
        EXPECT_TRUE(!fs::exists(job.runFolder + "/checkpoints") || fs::is_empty(job.runFolder + "/checkpoints"));
        if (!outcome) return fail(outcome.error());
        std::istringstream lines(log_);
        for (std::string line; std::getline(lines, line);) {
            Json record = *parseJson(line, "event");
            if (record["type"] == "result") return record["data"];
        }
        return fail(ErrorCode::kInternal, "no result");
    }
    const std::string& log() const { return log_; }
    // Every file of the run with its content and time.
    std::map<std::string, std::string> state() const {
        std::map<std::string, std::string> out;
        for (const auto& entry : fs::recursive_directory_iterator(run()))
            out[entry.path().string()] = std::to_string(entry.last_write_time().time_since_epoch().count()) + (entry.is_regular_file() ? *sha256HexOfFile(entry.path().string()) : "");
        return out;
    }
    void replace(const std::string& file, const std::string& from, const std::string& to) {
        std::string text = *readFile(file);
        const size_t at = text.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        text.replace(at, from.size(), to);
        std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
    }

private:
    static Result<protocol::Outcome> work(const protocol::WorkerJob& job, Result<protocol::Outcome> (*kind)(protocol::WorkerContext&)) {
        auto events = std::move(*protocol::EventWriter::open(job.runFolder + "/events.rank0.jsonl", job.runId, 0, 1));
        protocol::WorkerContext context{job, *events, {}, {}};
        auto outcome = kind(context);
        EXPECT_TRUE(events->flush());
        return outcome;
    }
    std::string folder_, log_;
    protocol::WorkerJob job_;
};

TEST(VerifyResume, EqualBitByBitAndTheRunUntouched) {
    Trained trained("equal");
    const auto before = trained.state();
    auto result = trained.verify();
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ((*result)["steps"], 4);
    EXPECT_EQ((*result)["from_step"], 8);
    EXPECT_EQ((*result)["equal"], true) << dumpJson(*result);
    EXPECT_TRUE((*result)["first_difference"].is_null());
    EXPECT_GT((*result)["compared_tensors"], 20);
    EXPECT_GE((*result)["compared_numbers"], 4 * 3 + 1);
    EXPECT_TRUE((*result)["warnings"].empty()) << dumpJson(*result);
    result = trained.verify(6);  // over the checkpoint of step 8
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ((*result)["steps"], 6);
    EXPECT_EQ((*result)["from_step"], 4);
    EXPECT_EQ((*result)["equal"], true) << dumpJson(*result);
    EXPECT_GT((*result)["compared_tensors"], 20);
    result = trained.verify(2);
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ((*result)["to_step"], 10);
    EXPECT_EQ((*result)["compared_tensors"], 0);
    result = trained.verify(100);  // more than there is
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ((*result)["steps"], 8);
    EXPECT_EQ(trained.state(), before);
}

TEST(VerifyResume, AnotherNumberIsFoundWithItsStep) {
    Trained trained("number");
    const std::string events = trained.run() + "/events.rank0.jsonl";
    std::istringstream lines(*readFile(events));
    std::string all;
    for (std::string line; std::getline(lines, line);) {
        if (line.find("\"step\":10,") != std::string::npos && line.find("train/grad_norm") != std::string::npos) {
            const size_t at = line.find("\"train/grad_norm\":") + 18;
            line[at] = line[at] == '9' ? '8' : static_cast<char>(line[at] + 1);
        }
        all += line + "\n";
    }
    std::ofstream(events, std::ios::binary | std::ios::trunc) << all;
    auto result = trained.verify();
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ((*result)["equal"], false);
    EXPECT_EQ((*result)["first_difference"]["step"], 10);
    EXPECT_EQ((*result)["first_difference"]["name"], "train/grad_norm");
}

TEST(VerifyResume, AnotherTensorIsFoundWithItsElement) {
    Trained trained("tensor"), other("other", Json::object(), 6);
    fs::remove_all(trained.checkpoint(12));
    fs::copy(other.checkpoint(12), trained.checkpoint(12), fs::copy_options::recursive);
    auto result = trained.verify();
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ((*result)["equal"], false);
    const Json first = (*result)["first_difference"];
    EXPECT_EQ(first["step"], 12);
    EXPECT_EQ(first["element"], 0);
    EXPECT_NE(first["recorded"], first["replayed"]);
}

TEST(VerifyResume, DamagedOnesAreLeftOutAndInterruptedRunsChecked) {
    Trained trained("damaged");
    std::string weights = *readFile(trained.checkpoint(12) + "/model.safetensors");
    weights[weights.size() - 5] = static_cast<char>(weights[weights.size() - 5] ^ 1);
    std::ofstream(trained.checkpoint(12) + "/model.safetensors", std::ios::binary | std::ios::trunc) << weights;
    auto result = trained.verify();
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ((*result)["from_step"], 4);
    EXPECT_EQ((*result)["steps"], 4);
    EXPECT_EQ((*result)["equal"], true);
    EXPECT_NE(trained.log().find("has changed (SHA-256 differs); it is left out"), std::string::npos);
    // Killed after step 12 with one checkpoint: the steps after it are compared by their numbers.
    fs::remove_all(trained.checkpoint(12));
    fs::remove_all(trained.checkpoint(4));
    result = trained.verify();
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ((*result)["from_step"], 8);
    EXPECT_EQ((*result)["steps"], 4);
    EXPECT_EQ((*result)["equal"], true);
    EXPECT_EQ((*result)["compared_tensors"], 0);
}

TEST(VerifyResume, NothingToCompareIsAClearError) {
    Trained trained("nothing", {{"checkpoint", {{"every", 0}}}});
    auto result = trained.verify();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::kNotFound);
    EXPECT_NE(result.error().message.find("nothing after its only checkpoint, that of step 12"), std::string::npos) << result.error().text();
    EXPECT_NE(result.error().hint.find("train.checkpoint.every"), std::string::npos);
    fs::remove_all(trained.run() + "/checkpoints");
    result = trained.verify();
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.find("no committed checkpoint"), std::string::npos) << result.error().text();
}

TEST(VerifyResume, OtherCircumstancesAreSaid) {
    Trained trained("threads");
    // As if the run had been made by three threads.
    const std::string state = trained.checkpoint(8) + "/state.json", manifest = trained.checkpoint(8) + "/manifest.json";
    trained.replace(state, "\"threads\": 1", "\"threads\": 3");
    Json files = *readJsonFile(manifest);
    files["files"]["state.json"]["sha256"] = *sha256HexOfFile(state);
    ASSERT_TRUE(writeFileDurably(manifest, dumpJson(files)));
    auto result = trained.verify();
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_EQ((*result)["steps"], 4);
    ASSERT_EQ((*result)["warnings"].size(), 1u) << dumpJson(*result);
    EXPECT_EQ((*result)["warnings"][0], "threads was 3, is 1");
}

// Skipped steps, rollbacks, scalers, averages and early stopping are part of what is compared.
TEST(VerifyResume, EverySwitchIsPartOfIt) {
    for (const Json& train : {Json{{"ema", {{"decay", 0.9}}}, {"precision", {{"amp", "bf16"}}}}, Json{{"precision", {{"amp", "fp16"}}}, {"on_nonfinite", "rollback"}},
                              Json{{"precision", {{"bf16", "stochastic"}}}, {"optimizer", {{"name", "adamw_8bit"}, {"lr", 1e-2}}}, {"early_stop", {{"metric", "eval/loss"}, {"patience", 5}}}}}) {
        Trained trained("switch", train);
        auto result = trained.verify(7);
        ASSERT_TRUE(result) << result.error().text() << dumpJson(train);
        EXPECT_EQ((*result)["steps"], 7);
        EXPECT_EQ((*result)["equal"], true) << dumpJson(*result) << dumpJson(train);
    }
}

}  // namespace
}  // namespace assay::train
