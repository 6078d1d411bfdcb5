// Small random models of transformers (tests/golden/tiny/make.py): logits in fp32, and what must hold for any scheme.
#include "kind_runner.h"

#include <assay/infer/generate.h>

#include <gtest/gtest.h>

#include <cmath>

namespace assay::infer::test {
namespace {

std::string folderOf(const std::string& name) { return std::string(ASSAY_SOURCE_DIR) + "/tests/golden/tiny/" + name; }
ModelPtr load(const std::string& name, const std::string& scheme, ThreadPool& pool) {
    const auto file = model::openModel(folderOf(name));
    EXPECT_TRUE(file) << file.error().text();
    LoadOptions options;
    options.scheme = scheme;
    auto model = InferenceModel::load(**file, options, pool);
    EXPECT_TRUE(model) << model.error().text();
    return *model;
}
std::unique_ptr<Session> open(const ModelPtr& model, ThreadPool& pool, int64_t sequences = 1, int64_t capacity = 0) {
    SessionOptions options;
    options.capacity = capacity;
    options.sequences = sequences;
    options.maxLogits = 64;
    auto session = Session::create(model, options, pool);
    EXPECT_TRUE(session) << session.error().text();
    return std::move(*session);
}
std::vector<float> all(Session& session, const std::vector<int32_t>& ids, size_t step) {
    std::vector<float> out;
    const int64_t vocab = session.model().config().vocab;
    session.clear(0);
    for (size_t begin = 0; begin < ids.size(); begin += step) {
        std::vector<Row> rows;
        for (size_t i = begin; i < std::min(begin + step, ids.size()); ++i) rows.push_back({ids[i], 0});
        EXPECT_TRUE(session.forward(rows));
        const float* logits = session.logits(0, int64_t(rows.size()));
        out.insert(out.end(), logits, logits + int64_t(rows.size()) * vocab);
    }
    return out;
}

class TinyGolden : public testing::TestWithParam<const char*> {};

// head_dim apart from hidden/heads (TensorRT-LLM#5912), grouped key heads (onnx#7274), biases, tied and untied heads, rope kinds,
// windows, norms of the heads, mixtures of experts.
TEST_P(TinyGolden, LogitsAreThoseOfTransformersWholeAndThroughTheCache) {
    ThreadPool pool(2);
    const auto golden = readJsonFile(folderOf(GetParam()) + "/golden.json");
    ASSERT_TRUE(golden);
    // longrope decides by the positions a session may reach.
    const auto session = open(load(GetParam(), "fp32", pool), pool, 1, int64_t((*golden)["input_ids"][0].size()));
    for (size_t s = 0; s < (*golden)["input_ids"].size(); ++s) {
        const auto ids = (*golden)["input_ids"][s].get<std::vector<int32_t>>();
        for (const size_t step : {ids.size(), size_t{7}, size_t{1}}) {
            const auto logits = all(*session, ids, step);
            size_t i = 0;
            for (const auto& row : (*golden)["logits"][s])
                for (const auto& value : row) {
                    ASSERT_NEAR(logits[i], value.get<double>(), 1e-4 * (1 + std::abs(value.get<double>()))) << i << " step " << step;
                    ++i;
                }
            ASSERT_EQ(i, logits.size());
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Families, TinyGolden, testing::Values("gpt2", "gpt2_untied", "llama", "llama3_bias_untied", "llama_linear_sharded", "llama_yarn",
                                                               "llama_yarn_set", "llama_yarn_mscale", "llama_longrope_short", "llama_longrope_long", "mistral_window",
                                                               "mistral_plain", "qwen2", "qwen3", "qwen3_tied", "mixtral", "mixtral_top1_tied", "mixtral_fused"));

TEST(TinyModels, NeighboursInABatchDoNotChangeARow) {  // sglang#2567, transformers#25790
    ThreadPool pool(2);
    for (const auto& [name, scheme] : std::vector<std::pair<const char*, const char*>>{
             {"llama", "fp32"}, {"llama", "int8"}, {"llama", "int4-g32"}, {"mixtral", "fp32"}, {"mixtral", "int8"}, {"mistral_window", "fp32"}}) {
        SCOPED_TRACE(std::string(name) + " " + scheme);
        const auto model = load(name, scheme, pool);
        const int64_t vocab = model->config().vocab;
        const std::vector<int32_t> prompt{5, 9, 2}, longer{7, 7, 8, 1, 3, 60, 4, 12, 33}, other{44, 45, 46, 47};
        const auto decode = [&](const std::vector<int32_t>& neighbour) {
            const auto session = open(model, pool, 2);
            EXPECT_TRUE(session->prefill(prompt, 0));
            EXPECT_TRUE(session->prefill(neighbour, 1));
            const Row rows[] = {{11, 0}, {13, 1}};
            EXPECT_TRUE(session->forward(rows));
            const float* logits = session->logits(0, 2);
            return std::vector<float>(logits, logits + vocab);
        };
        // How many rows an expert gets depends on the neighbours; sums in fp32 differ with it in their last bits.
        const auto one = decode(longer), two = decode(other);
        if (std::string_view(name) != "mixtral" || scheme[0] != 'f') {
            EXPECT_EQ(one, two);
        }
        for (int64_t i = 0; i < vocab; ++i) EXPECT_NEAR(one[i], two[i], 1e-5);
        const auto alone = open(model, pool);
        const auto single = all(*alone, {5, 9, 2, 11}, 4);
        const auto batched = decode(longer);
        for (int64_t i = 0; i < vocab; ++i) EXPECT_NEAR(batched[i], single[3 * vocab + i], scheme[0] == 'f' ? 1e-4 : 0.05);
    }
}

TEST(TinyModels, LimitsAreErrors) {
    ThreadPool pool(1);
    const auto session = open(load("llama", "fp32", pool), pool);
    EXPECT_FALSE(session->prefill(std::vector<int32_t>{101}, 0));
    EXPECT_FALSE(session->prefill(std::vector<int32_t>{-1}, 0));
    EXPECT_FALSE(session->prefill(std::vector<int32_t>(65, 3), 0));  // context 64
}

TEST(TinyModels, QuantizeKindWritesFoldersThatLoadAndEvaluate) {
    for (const char* name : {"llama", "gpt2", "llama3_bias_untied", "qwen3", "mixtral"}) {
        SCOPED_TRACE(name);
        TemporaryFolder folder;
        const std::string text = folder.path + "/text.txt";
        std::string content;
        for (int i = 0; i < 600; ++i) content += char(' ' + i * 7 % 60);
        ASSERT_TRUE(writeFileDurably(text, content));
        Json spec = {{"assay", 1}, {"kind", "quantize"}, {"name", "q"}, {"threads", 2}, {"model", {{"from", folderOf(name)}}},
                     {"quantize", {{"schemes", {"fp16", "int8", "int4-g32"}}}}};
        const auto run = runKind(runQuantize, spec, folder.path + "/run");
        ASSERT_TRUE(run.outcome) << run.outcome.error().text();
        ThreadPool pool(2);
        for (const auto& scheme : run.result["schemes"]) {
            const auto file = model::openModel(scheme["path"].get<std::string>());
            ASSERT_TRUE(file) << file.error().text();
            const auto model = InferenceModel::load(**file, {}, pool);
            ASSERT_TRUE(model) << model.error().text();
            const auto direct = load(name, (*model)->scheme(), pool);
            const auto a = open(*model, pool), b = open(direct, pool);
            EXPECT_EQ(all(*a, {3, 1, 4, 1, 5}, 5), all(*b, {3, 1, 4, 1, 5}, 5));
            EXPECT_EQ((*model)->storedBytes(), direct->storedBytes());
            LoadOptions again;
            again.scheme = "int8-g64";
            EXPECT_FALSE(InferenceModel::load(**file, again, pool));  // never quantized twice
        }
        spec["quantize"] = {{"schemes", {"int8"}}, {"keep", {"no_such_layer"}}};
        EXPECT_FALSE(runKind(runQuantize, spec, folder.path + "/run2").outcome);
        spec["quantize"] = {{"schemes", {"int8"}}, {"keep", {"lm_head", "embed_tokens"}}};
        const auto kept = runKind(runQuantize, spec, folder.path + "/run3");
        ASSERT_TRUE(kept.outcome) << kept.outcome.error().text();
        EXPECT_GT(kept.result["bits_per_weight"].get<double>(), run.result["schemes"][1]["bits_per_weight"].get<double>());
    }
}

TEST(TinyModels, BenchmarkHasEveryFieldOfTheContract) {
    TemporaryFolder folder;
    const Json spec = {{"assay", 1}, {"kind", "benchmark"}, {"name", "b"}, {"threads", 2}, {"model", {{"from", folderOf("llama")}}},
                       {"benchmark", {{"prefill", {8}}, {"decode", 4}, {"batch", {1, 3}}, {"depth", {0, 8}}, {"repeats", 2}, {"schemes", {"fp32", "int8"}}}}};
    const auto run = runKind(runBenchmark, spec, folder.path);
    ASSERT_TRUE(run.outcome) << run.outcome.error().text();
    ASSERT_EQ(run.result.size(), 8u);
    for (const auto& entry : run.result) {
        for (const char* key : {"scheme", "batch", "prefill", "decode", "depth", "threads", "prefill_tokens_per_s", "decode_tokens_per_s",
                                "ttft_ms", "tpot_ms", "weight_bytes", "resident_weight_bytes", "peak_bytes", "repeats"})
            EXPECT_TRUE(entry.contains(key)) << key;
        EXPECT_EQ(entry["repeats"].size(), 2u);
        EXPECT_GT(entry["peak_bytes"].get<int64_t>(), entry["resident_weight_bytes"].get<int64_t>());
    }
    EXPECT_EQ(run.setups.size(), 2u);
}

TEST(TinyModels, StoppedRunsAreCancelled) {
    TemporaryFolder folder;
    std::stop_source source;
    source.request_stop();
    const Json spec = {{"assay", 1}, {"kind", "quantize"}, {"name", "q"}, {"model", {{"from", folderOf("llama")}}}, {"quantize", {{"schemes", {"int8"}}}}};
    const auto run = runKind(runQuantize, spec, folder.path, Json::array(), source.get_token());
    ASSERT_TRUE(run.outcome);
    EXPECT_EQ(*run.outcome, protocol::Outcome::kCancelled);
    EXPECT_FALSE(std::filesystem::exists(folder.path + "/artifacts/int8"));
}

TEST(TinyModels, StopsAtAnyEosUnlessTold) {  // vllm#4180
    ThreadPool pool(2);
    const auto session = open(load("llama", "fp32", pool), pool);
    GenerateOptions options;
    options.maxTokens = 6;
    const std::vector<int32_t> prompt{4, 8, 15};
    const auto whole = generate(*session, prompt, options);
    ASSERT_TRUE(whole);
    ASSERT_EQ(whole->ids.size(), 6u);
    options.eosIds = {-5, whole->ids[2]};
    const auto stopped = generate(*session, prompt, options);
    EXPECT_EQ(stopped->stopReason, "eos");
    EXPECT_EQ(stopped->ids.back(), whole->ids[2]);
    EXPECT_LE(stopped->ids.size(), 3u);
    options.ignoreEos = true;
    EXPECT_EQ(generate(*session, prompt, options)->ids, whole->ids);
}

}  // namespace
}  // namespace assay::infer::test
