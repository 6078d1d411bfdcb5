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

// A sweep of two variants with three seeds each, as the engine lists it: everything below the root side by side.
Json trainingSweep(const char* firstScheme = "fp32") {
    struct Variant {
        const char *name, *scheme;
        double loss[3], seconds[3], peak;
    };
    // Differences of the loss: 0.10, 0.12, 0.14 → mean 0.12, se 0.02/√3. Of the step: −10, +5, +2 ms.
    const Variant variants[] = {{"plain", firstScheme, {2.00, 2.10, 2.20}, {0.050, 0.050, 0.050}, 30e6}, {"small", "fp32", {2.10, 2.22, 2.34}, {0.040, 0.055, 0.052}, 20e6}};
    Json root{{"id", "r"}, {"name", "n"}, {"kind", "train"}, {"role", "pipeline"}, {"status", "done"}, {"children", Json::array()}};
    root["spec"] = Json{{"name", "n"}, {"sweep", {{"variants", {{"plain", Json::object()}, {"small", {{"train.micro_batch", 1}}}}}}}};
    for (const Variant& v : variants)
        root["children"].push_back(Json{{"id", v.name}, {"parent", "r"}, {"name", std::string("n/") + v.name}, {"kind", "train"}, {"role", "sweep"}, {"status", "done"}, {"children", Json::array()}});
    for (const int seed : {1, 2, 3})
        for (const Variant& v : variants) {
            const std::string id = v.name + std::to_string(seed);
            Json run{{"id", id}, {"parent", v.name}, {"name", "n/" + std::string(v.name) + "/seed-" + std::to_string(seed)}, {"kind", "train"}, {"role", "seed"}, {"group", v.name}, {"status", "done"}, {"running_seconds", 10}};
            run["spec"] = Json{{"seed", seed}, {"train", {{"micro_batch", std::string_view(v.name) == "small" ? 1 : 2}}}, {"cost", {{"price", {{"usd_per_hour", 0.36}}}}}};
            run["summary"] = Json{{"train/step_seconds", v.seconds[seed - 1]}, {"system/tensor_bytes_peak", v.peak}, {"train/tokens_per_s", 1000}};
            run["setups"] = Json::array({Json{{"name", v.scheme}, {"scheme", v.scheme}, {"accuracy", {{"eval_loss", v.loss[seed - 1]}, {"eval_tokens", 100}}}}});
            run["children"] = Json::array();
            root["children"].push_back(std::move(run));
        }
    return root;
}

TEST(Comparison, variantsOfASweepAreComparedSeedBySeed) {
    auto c = buildComparison({trainingSweep()});
    ASSERT_TRUE(c);
    ASSERT_EQ(c->setups.size(), 2u);
    const report::Setup &plain = c->setups[0], &small = c->setups[1];
    EXPECT_EQ(plain.id, "plain/fp32");
    EXPECT_EQ(plain.name, "plain") << "the name in the sweep says enough";
    EXPECT_EQ(small.name, "small");
    EXPECT_EQ(c->baseline, plain.id);
    EXPECT_EQ(small.seeds, 3);
    EXPECT_EQ(small.configDiff, (Json{{"train.micro_batch", {2, 1}}}));
    EXPECT_DOUBLE_EQ(*plain.evalLoss.value, 2.1);
    EXPECT_NEAR(*plain.evalLoss.se, 0.1 / std::sqrt(3), 1e-12);
    EXPECT_DOUBLE_EQ(*small.trainPeakBytes.value, 20e6);
    EXPECT_DOUBLE_EQ(*plain.trainStepMs.value, 50);
    EXPECT_NEAR(*small.trainStepMs.value, 49, 1e-9);
    EXPECT_DOUBLE_EQ(*plain.usdPerRun.value, 10.0 / 3600 * 0.36);

    const Difference& loss = small.differences.at("accuracy.eval_loss");
    EXPECT_NEAR(loss.mean, 0.12, 1e-12);
    EXPECT_NEAR(loss.se, 0.02 / std::sqrt(3), 1e-12);
    EXPECT_NEAR(loss.high, 0.12 + 4.303 * 0.02 / std::sqrt(3), 1e-9) << "Student's t with 2 degrees of freedom";
    EXPECT_EQ(loss.seeds, 3);
    EXPECT_TRUE(loss.separable) << "though the errors of the two means overlap";
    const Difference& step = small.differences.at("speed.train_step_ms");
    EXPECT_NEAR(step.mean, -1, 1e-9);
    EXPECT_NEAR(step.se, std::sqrt((81 + 36 + 9) / 2.0 / 3), 1e-9);
    EXPECT_FALSE(step.separable);
    const Difference& peak = small.differences.at("bytes.train_peak");
    EXPECT_DOUBLE_EQ(peak.mean, -10e6);
    EXPECT_TRUE(peak.separable) << "bytes are exact";
    EXPECT_TRUE(plain.differences.empty());
    // Memory differs by half, the step by 2 %: memory is the cost that is shown.
    EXPECT_EQ(c->x, "bytes.train_peak");
    EXPECT_EQ(c->y, "accuracy.eval_loss");
    EXPECT_EQ(comparisonToJson(*c)["setups"][1]["differences"]["bytes.train_peak"]["mean"], -10e6);
}

TEST(Comparison, theFirstVariantIsTheBaseline) {
    // The one in full precision comes second here.
    auto c = buildComparison({trainingSweep("bf16")});
    ASSERT_TRUE(c);
    EXPECT_EQ(c->baseline, "plain/bf16");
    EXPECT_EQ(buildComparison({trainingSweep("bf16")}, {"small/fp32", ""})->baseline, "small/fp32");
}

TEST(Comparison, heldOutLossesOfOtherTokensAreNotCompared) {
    Json sweep = trainingSweep();
    for (Json& child : sweep["children"])
        if (child["name"].get<std::string>().find("small/") != std::string::npos) child["setups"][0]["accuracy"]["eval_tokens"] = 90;
    auto c = buildComparison({sweep});
    ASSERT_TRUE(c);
    EXPECT_FALSE(c->setups[1].comparable);
    EXPECT_FALSE(c->setups[1].differences.contains("accuracy.eval_loss"));
    EXPECT_TRUE(c->setups[1].differences.contains("speed.train_step_ms"));
    ASSERT_FALSE(c->warnings.empty());
    EXPECT_NE(c->warnings[0].text().find("90 tokens instead of 100"), std::string::npos) << c->warnings[0].text();
}

TEST(Comparison, vocabulariesAreComparedByBitsPerByte) {
    Json sweep = trainingSweep();
    for (Json& child : sweep["children"])
        if (child["role"] == "seed") {
            const bool small = child["name"].get<std::string>().find("small/") != std::string::npos;
            child["setups"][0]["accuracy"].update(Json{{"tokenizer_key", small ? "b" : "a"}, {"bits_per_byte", small ? 2.5 : 2.25}, {"eval_tokens", small ? 90 : 100}});
        }
    auto c = buildComparison({sweep});
    ASSERT_TRUE(c);
    EXPECT_EQ(c->y, "accuracy.bits_per_byte");
    EXPECT_TRUE(c->setups[1].comparable);
    EXPECT_FALSE(c->setups[1].differences.contains("accuracy.eval_loss"));
    EXPECT_DOUBLE_EQ(c->setups[1].differences.at("accuracy.bits_per_byte").mean, 0.25);
}

TEST(Comparison, stagesOfSeedsStandBelowTheirOwnSeed) {
    // The engine's list of a pipeline with two seeds: seed, its stages, seed, its stages.
    Json root{{"id", "r"}, {"name", "n"}, {"kind", "pipeline"}, {"role", "pipeline"}, {"status", "done"}, {"children", Json::array()}};
    for (const int seed : {1, 2}) {
        const std::string id = "s" + std::to_string(seed);
        Json run{{"id", id}, {"parent", "r"}, {"name", "n/seed-" + std::to_string(seed)}, {"kind", "pipeline"}, {"role", "seed"}, {"group", "g"}, {"status", "done"}, {"spec", {{"seed", seed}}}, {"children", Json::array()}};
        root["children"].push_back(run);
        Json stage = sample::stage(id + "e", "evaluate", 1, Json::array({sample::setup("fp32", seed == 1 ? 20 : 22, 1, 100, 1000)}));
        stage["parent"] = id;
        stage["group"] = "g";
        root["children"].push_back(std::move(stage));
    }
    auto c = buildComparison({root});
    ASSERT_TRUE(c);
    ASSERT_EQ(c->setups.size(), 1u);
    EXPECT_EQ(c->setups[0].seeds, 2);
    EXPECT_DOUBLE_EQ(*c->setups[0].perplexity.value, 21);
    EXPECT_EQ(c->setups[0].runs, (std::vector<std::string>{"s1e", "s2e"}));
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
