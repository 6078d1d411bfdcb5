// Expected values by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include "sample.h"

namespace assay::report {
namespace {

Json bench(const std::string& id, const std::string& name, double perplexity, double decode, double price = 0.36) {
    Json run{{"id", id}, {"name", id}, {"kind", "benchmark"}, {"status", "done"}, {"running_seconds", 1800}};
    run["spec"] = Json{{"cost", {{"price", {{"usd_per_hour", price}}}}}};
    run["setups"] = Json::array({Json{{"name", name}, {"scheme", name}, {"accuracy", {{"perplexity", perplexity}, {"perplexity_se", 0.5}}}, {"speed", {{"decode_tokens_per_s", decode}}}}});
    return run;
}

TEST(Comparison, costArithmetic) {
    // 0.36 USD/h at 100 tokens/s: 360,000 tokens an hour, so 1 USD per million. Half an hour costs 0.18 USD.
    auto c = buildComparison({bench("a", "fp32", 20, 100)});
    ASSERT_TRUE(c);
    EXPECT_DOUBLE_EQ(*c->setups[0].usdPer1mOutputTokens.value, 1.0);
    EXPECT_DOUBLE_EQ(*c->setups[0].usdPerRun.value, 0.18);
    EXPECT_EQ(c->setups[0].id, "a/fp32");
    EXPECT_EQ(c->baseline, "a/fp32");
    EXPECT_EQ(c->x, "cost.usd_per_1m_output_tokens");
    EXPECT_TRUE(c->setups[0].onFrontier);
    EXPECT_EQ(*c->setups[0].perplexityRatio.value, 1.0);
}

TEST(Comparison, electricityCountsOnlyWithMeasuredPower) {
    Json run = bench("a", "fp32", 20, 100);
    run["spec"]["cost"]["electricity"] = Json{{"usd_per_kwh", 0.20}};
    auto without = buildComparison({run});
    EXPECT_DOUBLE_EQ(*without->setups[0].usdPer1mOutputTokens.value, 1.0);
    EXPECT_NE(without->warnings[0].text().find("power was not measured"), std::string::npos);
    run["summary"] = Json{{"system/power_watts", 300}};  // 0.3 kW × 0.20 = 0.06 USD/h → 0.42 / 0.36
    auto with = buildComparison({run});
    EXPECT_NEAR(*with->setups[0].usdPer1mOutputTokens.value, 0.42 / 0.36, 1e-12);
}

TEST(Comparison, noPriceIsNullAndTheAxisFallsBackToBytes) {
    Json run = bench("a", "fp32", 20, 100);
    run.erase("spec");
    run["setups"][0]["bytes"] = Json{{"weights", 1000}};
    auto c = buildComparison({run});
    const Json json = comparisonToJson(*c);
    EXPECT_TRUE(json["setups"][0]["cost"]["usd_per_run"].is_null());
    EXPECT_TRUE(json["setups"][0]["cost"]["usd_per_1m_output_tokens"].is_null());
    EXPECT_EQ(json["x"], "bytes.weights");
    EXPECT_TRUE(json["setups"][0]["bytes"]["peak"].is_null());
    EXPECT_EQ(json["setups"][0]["bytes"]["weights"], 1000);
}

TEST(Comparison, frontierByHand) {
    // cost falls with speed. a (dear, good), b (middle, middle), c (cheap, bad), d: dominated by b, e equals b.
    auto c = buildComparison({bench("a", "fp32", 20, 100), bench("b", "int8", 21, 200), bench("c", "int4", 25, 400), bench("d", "x", 22, 150), bench("e", "y", 21, 200)});
    ASSERT_TRUE(c);
    std::vector<bool> frontier;
    for (const report::Setup& s : c->setups) frontier.push_back(s.onFrontier);
    EXPECT_EQ(frontier, (std::vector<bool>{true, true, true, false, true}));
    // Unpaired ratio: 21/20 ± 1.05 × √((0.5/21)² + (0.5/20)²)
    EXPECT_DOUBLE_EQ(*c->setups[1].perplexityRatio.value, 1.05);
    EXPECT_NEAR(*c->setups[1].perplexityRatio.se, 1.05 * std::sqrt(0.25 / 441 + 0.25 / 400), 1e-12);
}

TEST(Comparison, targetFindsTheCheapest) {
    const std::vector<Json> runs{bench("a", "fp32", 20, 100), bench("b", "int8", 21, 200), bench("c", "int4", 25, 400)};
    auto cheapest = [&](const std::string& target) { return buildComparison(runs, {"", target})->cheapest; };
    EXPECT_EQ(cheapest("perplexity_ratio<=1.05"), "b/int8");
    EXPECT_EQ(cheapest("perplexity_ratio<1.05"), "a/fp32");
    EXPECT_EQ(cheapest("accuracy.perplexity <= 30"), "c/int4");
    EXPECT_EQ(cheapest("decode_tokens_per_s>=300"), "c/int4");
    EXPECT_EQ(cheapest("perplexity<=1"), "");
    EXPECT_TRUE(comparisonToJson(*buildComparison(runs))["cheapest_meeting_target"].is_null());
    for (const char* bad : {"perplexity", "perplexity=1", "<=5", "perplexity<=", "perplexity<=x", "perplexity<=nan", "bogus<=1", "perplexity<=1 2"}) {
        auto c = buildComparison(runs, {"", bad});
        ASSERT_FALSE(c) << bad;
        EXPECT_EQ(c.error().code, ErrorCode::kBadUsage) << bad;
    }
}

TEST(Comparison, baselineByIdRunOrName) {
    const std::vector<Json> runs{bench("a", "fp32", 20, 100), bench("b", "int8", 21, 200)};
    for (const char* name : {"b/int8", "run:b/int8", "b", "run:b", "int8"}) EXPECT_EQ(buildComparison(runs, {name, ""})->baseline, "b/int8") << name;
    EXPECT_EQ(buildComparison(runs, {"zzz", ""}).error().code, ErrorCode::kNotFound);
    EXPECT_DOUBLE_EQ(*buildComparison(runs, {"b", ""})->setups[0].perplexityRatio.value, 20.0 / 21);
}

TEST(Comparison, stagesMergeIntoOneSetup) {
    auto c = buildComparison({sample::pipeline()});
    ASSERT_TRUE(c);
    ASSERT_EQ(c->setups.size(), 4u);
    const report::Setup& int8 = *c->find("p1/int8");
    EXPECT_EQ(int8.runs, (std::vector<std::string>{"p1-4", "p1-5"}));
    EXPECT_EQ(*int8.perplexityRatio.value, 1.0007) << "the paired ratio is kept";
    EXPECT_EQ(*int8.perplexityRatio.se, 0.0002);
    EXPECT_EQ(*int8.decodeTokensPerS.value, 330);
    EXPECT_EQ(*int8.trainTokensPerS.value, 4900);
    EXPECT_DOUBLE_EQ(*int8.usdPerRun.value, 330.0 / 3600 * 0.08) << "the stages' time, not the parent's on top";
    EXPECT_EQ(int8.configDiff, (Json{{"quantize.scheme", {"fp32", "int8"}}}));
    EXPECT_TRUE(c->baselineSetup()->configDiff.empty());
}

TEST(Comparison, seedsBecomeMeanAndStandardError) {
    Json root{{"id", "s"}, {"name", "s"}, {"kind", "train"}, {"role", "pipeline"}, {"status", "done"}};
    const double values[] = {10, 12, 17};  // mean 13; variance ((−3)² + (−1)² + 4²)/2 = 13; se = √(13/3)
    for (int i = 0; i < 3; ++i) {
        Json seed = bench("s" + std::to_string(i), "fp32", values[i], 100);
        seed["role"] = "seed";
        seed["group"] = "s 0123";
        root["children"].push_back(seed);
    }
    auto c = buildComparison({root});
    ASSERT_TRUE(c);
    ASSERT_EQ(c->setups.size(), 1u);
    const report::Setup& s = c->setups[0];
    EXPECT_EQ(s.id, "s/fp32");
    EXPECT_EQ(s.name, "fp32");
    EXPECT_EQ(s.seeds, 3);
    EXPECT_DOUBLE_EQ(*s.perplexity.value, 13);
    EXPECT_NEAR(*s.perplexity.se, std::sqrt(13.0 / 3), 1e-12);
    EXPECT_EQ(s.runs, (std::vector<std::string>{"s0", "s1", "s2"}));
}

TEST(Comparison, aWarningThatSeveralSetupsShareIsSaidOnce) {
    Json a = sample::stage("a", "evaluate", 1, Json::array({sample::setup("fp32", 20, 1, 100, 1000)}));
    Json b = sample::stage("b", "evaluate", 1, Json::array({sample::setup("int8", 21, 1, 100, 500), sample::setup("fp16", 20, 1, 100, 700)}));
    for (Json& setup : b["setups"]) setup["accuracy"]["window"] = 64;
    auto c = buildComparison({a, b});
    ASSERT_TRUE(c.has_value());
    ASSERT_EQ(c->warnings.size(), 1u);
    const std::string text = c->warnings[0].text();
    EXPECT_LT(text.find("int8, fp16: "), text.size()) << text;
    EXPECT_LT(text.find("window 64 instead of "), text.size()) << text;
}

TEST(Comparison, whatMustNotBeComparedIsSaid) {
    Json a = sample::stage("a", "evaluate", 1, Json::array({sample::setup("fp32", 20, 1, 100, 1000)}));
    Json b = sample::stage("b", "evaluate", 1, Json::array({sample::setup("int8", 21, 1, 100, 500)}));
    auto warned = [&](const char* section, const char* key, const Json& value, const char* part) {
        Json other = b;
        other["setups"][0][section][key] = value;
        auto c = buildComparison({a, other});
        const bool found = std::any_of(c->warnings.begin(), c->warnings.end(), [&](const report::Warning& w) { return w.text().find(part) != std::string::npos; });
        EXPECT_TRUE(found) << key;
        return *c;
    };
    EXPECT_TRUE(buildComparison({a, b})->warnings.empty());
    for (const auto& [key, value, part] : std::vector<std::tuple<const char*, Json, const char*>>{{"text_sha256", "bb", "another text"}, {"window", 512, "window 512 instead of 256"}, {"mode", "half", "mode half"}}) {
        const Comparison c = warned("accuracy", key, value, part);
        EXPECT_FALSE(c.setups[1].comparable);
        EXPECT_FALSE(c.setups[1].onFrontier);
        EXPECT_FALSE(c.setups[1].perplexityRatio.value);
    }
    const Comparison tokenizer = warned("accuracy", "tokenizer_key", "uu", "bits per byte only");
    EXPECT_EQ(tokenizer.y, "accuracy.bits_per_byte");
    EXPECT_FALSE(tokenizer.setups[1].perplexityRatio.value);
    EXPECT_TRUE(warned("speed", "threads", 1, "1 threads").setups[1].comparable);
    Json elsewhere = b;
    elsewhere["environment"] = sample::environment("Other CPU");
    EXPECT_NE(buildComparison({a, elsewhere})->warnings[0].text().find("another machine"), std::string::npos);
}

TEST(Comparison, oddNumbersDoNotReachTheFrontier) {
    Json nan = bench("n", "bad", 20, 100);
    nan["setups"][0]["accuracy"]["perplexity"] = "nan";
    Json zero = bench("z", "stuck", 20, 0);
    auto c = buildComparison({bench("a", "fp32", 20, 100), nan, zero});
    ASSERT_TRUE(c);
    EXPECT_FALSE(c->setups[1].onFrontier);
    EXPECT_FALSE(c->setups[2].usdPer1mOutputTokens.value) << "no tokens, no price per token";
    EXPECT_EQ(comparisonToJson(*c)["setups"][1]["accuracy"]["perplexity"], "nan");
    EXPECT_FALSE(buildComparison({}));
    auto nothing = buildComparison({Json{{"id", "x"}}, Json(5), Json::object()});
    ASSERT_TRUE(nothing);
    EXPECT_TRUE(nothing->setups.empty());
    EXPECT_TRUE(comparisonToJson(*nothing)["baseline"].is_null());
}

}  // namespace
}  // namespace assay::report
