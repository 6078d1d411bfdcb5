// Kind train from a text to set-ups, as a worker runs it: what a run in half precision with an average of the weights leaves
// behind and says.
#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include <assay/config/config.h>
#include <assay/train/kinds.h>

#include "training_fixture.h"

namespace assay::train {
namespace {

struct KindRun {
    std::set<std::string> artifacts;
    std::map<std::string, Json> setups;
    std::vector<std::pair<std::string, std::string>> log;  // level, text
    Json summary;
};

KindRun trainFromText(const std::string& folder, const Json& train) {
    KindRun out;
    at::set_num_threads(1);
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder + "/run");
    std::ofstream text(folder + "/corpus.txt");
    for (int i = 0; i < 400; ++i) text << "the lazy dog number " << i % 7 << " sleeps over the quick fox.\n\n";
    text.close();
    Json spec = {{"assay", 1}, {"kind", "train"}, {"seed", 5}, {"threads", 1}, {"data", {{"train", {{"path", folder + "/corpus.txt"}, {"format", "text"}}}, {"document", "paragraph"}, {"tokenizer", "bytes"}, {"sequence_length", 32}, {"workers", 1}}},
                 {"model", {{"from", {{"family", "llama"}, {"layers", 1}, {"hidden", 32}, {"heads", 2}, {"context", 32}, {"vocab", "auto"}}}}}, {"train", train}};
    protocol::WorkerJob job{.runId = "0123456789abc", .runFolder = folder + "/run", .storeFolder = folder + "/store", .spec = spec};
    {
        auto events = std::move(*protocol::EventWriter::open(job.runFolder + "/events.rank0.jsonl", job.runId, 0, 1));
        protocol::WorkerContext context{job, *events, {}, {}};
        auto outcome = runTrain(context);
        EXPECT_TRUE(outcome) << (outcome ? "" : outcome.error().text());
        EXPECT_TRUE(events->flush());
    }
    std::istringstream lines(*readFile(job.runFolder + "/events.rank0.jsonl"));
    protocol::EventParser parser;
    protocol::ParsedEvent event;
    for (std::string line; std::getline(lines, line);) {
        if (!parser.parse(line, event) || event.isMetric) continue;
        const std::string type = event.record["type"];
        if (type == "artifact") out.artifacts.insert(event.record["name"]);
        if (type == "setup") out.setups[event.record["name"]] = event.record;
        if (type == "summary") out.summary = event.record["values"];
        if (type == "log") out.log.emplace_back(jsonStringOr(event.record, "level", ""), dumpJson(event.record));
    }
    return out;
}

bool said(const KindRun& run, const std::string& level, const std::string& words) {
    return std::any_of(run.log.begin(), run.log.end(), [&](const auto& line) { return line.first == level && line.second.find(words) != std::string::npos; });
}

TEST(KindTrain, HalfPrecisionAndTheAverageLeaveTwoSetups) {
    const std::string folder = (std::filesystem::temp_directory_path() / ("assay-kind-" + std::to_string(::getpid()))).string();
    const KindRun run = trainFromText(folder, {{"steps", 6}, {"global_batch", 4}, {"precision", {{"bf16", "stochastic"}}}, {"ema", {{"decay", 0.9}}}, {"optimizer", {{"name", "lion"}, {"lr", 1e-3}}}});
    EXPECT_EQ(run.artifacts, (std::set<std::string>{"model", "ema"}));
    ASSERT_EQ(run.setups.size(), 2u);
    std::vector<std::string> contents;
    for (const char* name : {"bf16", "ema"}) {
        ASSERT_TRUE(run.setups.contains(name));
        const Json& setup = run.setups.at(name);
        EXPECT_EQ(setup["scheme"], "bf16");
        const std::string path = setup["path"];
        auto model = model::openModel(path);
        ASSERT_TRUE(model) << model.error().text();
        const int64_t parameters = model::parameterCount((*model)->config());
        EXPECT_EQ(setup["bytes"]["weights"], 2 * parameters);
        for (const auto& tensor : (*model)->tensors()) EXPECT_EQ(tensor.type, model::DType::kBF16) << tensor.name;
        contents.push_back(*readFile(path + "/model.safetensors"));
        EXPECT_EQ(run.summary["memory/weights_bytes"], 2 * parameters);
        EXPECT_EQ(run.summary["memory/optimizer_bytes"], 8 * parameters);  // one moment and the average
    }
    EXPECT_NE(contents[0], contents[1]);
    // The measured truth about the precision is told either way, and agrees with the number in the summary.
    const double speedup = run.summary["train/precision_speedup"].get<double>();
    EXPECT_GT(speedup, 0);
    EXPECT_EQ(said(run, "warning", "bf16 is slower than fp32"), speedup < 0.95);
    EXPECT_EQ(said(run, "info", "bf16 matrix products run at"), speedup >= 0.95);
    EXPECT_TRUE(said(run, "info", "it does not apply to model.layers.*.input_layernorm.weight"));
    std::filesystem::remove_all(folder);
}

TEST(KindTrain, Fp32SaysNothingOfPrecision) {
    const std::string folder = (std::filesystem::temp_directory_path() / ("assay-kind32-" + std::to_string(::getpid()))).string();
    const KindRun run = trainFromText(folder, {{"steps", 2}, {"global_batch", 4}});
    EXPECT_FALSE(run.summary.contains("train/precision_speedup"));
    ASSERT_EQ(run.setups.size(), 1u);
    EXPECT_EQ(run.setups.at("fp32")["scheme"], "fp32");
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace assay::train
