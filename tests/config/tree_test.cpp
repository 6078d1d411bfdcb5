// Run trees and differences.
#include <assay/config/config.h>
#include <gtest/gtest.h>

#include <set>

namespace assay::config {
namespace {

Spec load(const std::string& yaml) {
    const Loaded loaded = loadSpecText(yaml, "x.yaml", "/d");
    EXPECT_TRUE(loaded.problems.empty()) << (loaded.problems.empty() ? "" : loaded.problems[0].key + ": " + loaded.problems[0].message);
    return loaded.spec;
}

const std::string kBase =
    "name: n\ndata: {train: a, eval: {split: last 5%}, tokenizer: bytes}\nmodel: {from: {family: gpt2}}\ntrain: {steps: 5}\nquantize: {schemes: [int8]}\nbenchmark: {}\n";

TEST(Tree, stagesFollowOneAnotherAndNameTheirInputs) {
    const auto runs = expandSpec(load(kBase));
    ASSERT_EQ(runs.size(), 6u);
    const Kind kinds[] = {Kind::kPipeline, Kind::kPrepare, Kind::kTrain, Kind::kEvaluate, Kind::kQuantize, Kind::kBenchmark};
    for (size_t i = 0; i < runs.size(); ++i) {
        EXPECT_EQ(runs[i].spec.kind, kinds[i]);
        EXPECT_EQ(runs[i].parent, i == 0 ? -1 : 0);
        EXPECT_EQ(runs[i].role, i == 0 ? "pipeline" : "stage");
        EXPECT_EQ(runs[i].after, i < 2 ? std::vector<int>{} : std::vector<int>{static_cast<int>(i) - 1});
        if (i) { EXPECT_TRUE(runs[i].spec.stages.empty()); }
        EXPECT_TRUE(specFromJson(specToJson(runs[i].spec))) << i;
    }
    EXPECT_EQ(runs[1].spec.inputs, (InputsSpec{}));
    EXPECT_EQ(runs[2].spec.inputs, (InputsSpec{"run:@1", "", ""}));
    EXPECT_EQ(runs[3].spec.inputs, (InputsSpec{"run:@1", "run:@2", ""}));
    EXPECT_EQ(runs[5].spec.inputs, (InputsSpec{"run:@1", "run:@2", "run:@4"}));
    EXPECT_EQ(runs[2].spec.name, "n/train");
}

TEST(Tree, singleKindIsOneRun) {
    const auto runs = expandSpec(load("kind: benchmark\nmodel: {from: m}\nbenchmark: {}\n"));
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_EQ(runs[0].parent, -1);
}

TEST(Tree, seedsShareAGroup) {
    const auto runs = expandSpec(load(kBase + "seeds: [3, 1, 2]\n"));
    ASSERT_EQ(runs.size(), 1u + 3 * 6);
    std::set<std::string> groups;
    std::vector<uint64_t> seeds;
    for (const PlannedRun& run : runs) {
        if (run.parent < 0) continue;
        groups.insert(run.group);
        if (run.role == "seed") {
            seeds.push_back(run.spec.seed);
            EXPECT_EQ(run.parent, 0);
            EXPECT_TRUE(run.spec.seeds.empty());
        }
    }
    EXPECT_EQ(groups.size(), 1u);
    EXPECT_FALSE(groups.begin()->empty());
    EXPECT_EQ(seeds, (std::vector<uint64_t>{3, 1, 2}));
    EXPECT_EQ(runs[7].role, "seed");
    EXPECT_EQ(runs[9].spec.inputs.prepared, "run:@8") << "stages refer to their own seed's runs";
    EXPECT_EQ(runs[9].spec.seed, 1u);
}

TEST(Tree, gridMakesEveryCombination) {
    const auto runs = expandSpec(load("kind: train\nname: n\ndata: {train: a, tokenizer: bytes}\nmodel: {from: {family: gpt2}}\ntrain: {steps: 5}\nseeds: [1, 2]\n"
                                      "sweep: {grid: {train.optimizer.lr: [1e-3, 3e-4], train.clip_norm: [0, 1, 2]}}\n"));
    ASSERT_EQ(runs.size(), 1u + 6 * (1 + 2));
    std::vector<std::pair<double, double>> members;
    std::set<std::string> groups;
    for (const PlannedRun& run : runs) {
        if (run.role == "sweep") members.emplace_back(run.spec.train->optimizer.lr, run.spec.train->clipNorm);
        if (run.role == "seed") groups.insert(run.group);
        if (run.parent >= 0) { EXPECT_TRUE(run.spec.sweep.is_null()); }
    }
    EXPECT_EQ(members, (std::vector<std::pair<double, double>>{{1e-3, 0}, {1e-3, 1}, {1e-3, 2}, {3e-4, 0}, {3e-4, 1}, {3e-4, 2}}));
    EXPECT_EQ(groups.size(), 6u) << "one set-up per member";
    EXPECT_EQ(runs[1].spec.name, "n/lr=0.001 clip_norm=0");
}

TEST(Tree, variantsInOrderOfTheFile) {
    const auto runs = expandSpec(load("kind: train\nname: n\ndata: {train: a, tokenizer: bytes}\nmodel: {from: {family: gpt2}}\n"
                                      "train: {steps: 5, ema: {decay: 0.5}, optimizer: {lr: 0.5, betas: [0.1, 0.2]}}\n"
                                      "sweep:\n  variants:\n    as it is:\n    lion: {train.optimizer.name: lion, train.optimizer.lr: 1e-4}\n"
                                      "    fresh: {train.optimizer: {name: sgd}, train.ema: null}\n"));
    ASSERT_EQ(runs.size(), 4u);
    EXPECT_EQ(runs[1].spec.name, "n/as it is");
    EXPECT_EQ(runs[1].spec.train->optimizer.name, "adamw");
    EXPECT_EQ(runs[2].spec.name, "n/lion");
    EXPECT_EQ(runs[2].spec.train->optimizer.name, "lion");
    EXPECT_EQ(runs[2].spec.train->optimizer.lr, 1e-4);
    EXPECT_EQ(runs[2].spec.train->optimizer.beta1, 0.1) << "keys that a variant does not name stay";
    EXPECT_EQ(runs[3].spec.train->optimizer, (OptimizerSpec{.name = "sgd"})) << "a map takes the place of what was there";
    EXPECT_FALSE(runs[3].spec.train->ema) << "null takes a key out";
    for (size_t i = 1; i < 4; ++i) {
        EXPECT_EQ(runs[i].role, "sweep");
        EXPECT_EQ(runs[i].parent, 0);
        EXPECT_TRUE(runs[i].spec.sweep.is_null());
    }
}

TEST(Tree, membersOfASweepTakeTurnsSeedBySeed) {
    for (const char* sweep : {"{variants: {a: {}, b: {train.steps: 6}}}", "{grid: {train.steps: [5, 6]}}"}) {
        const auto runs = expandSpec(load(kBase + "seeds: [7, 8]\nsweep: " + sweep + "\n"));
        ASSERT_EQ(runs.size(), 1u + 2 * (1 + 2 * 6)) << sweep;
        std::vector<std::pair<int64_t, uint64_t>> order;
        std::set<std::string> groups[2];
        for (size_t i = 0; i < runs.size(); ++i) {
            if (runs[i].role == "seed") order.emplace_back(*runs[i].spec.train->steps, runs[i].spec.seed);
            if (runs[i].role == "seed") groups[*runs[i].spec.train->steps - 5].insert(runs[i].group);
            if (i) { EXPECT_LT(runs[i].parent, static_cast<int>(i)) << "parents come before children"; }
            if (runs[i].role == "seed") { EXPECT_EQ(runs[static_cast<size_t>(runs[i].parent)].spec.train->steps, runs[i].spec.train->steps); }
            for (int index : runs[i].after) EXPECT_EQ(runs[static_cast<size_t>(index)].parent, runs[i].parent) << "stages wait for their own";
        }
        EXPECT_EQ(order, (std::vector<std::pair<int64_t, uint64_t>>{{5, 7}, {6, 7}, {5, 8}, {6, 8}})) << sweep;
        EXPECT_EQ(groups[0].size(), 1u);
        EXPECT_EQ(groups[1].size(), 1u);
        EXPECT_NE(*groups[0].begin(), *groups[1].begin());
    }
}

TEST(Tree, tooManyRunsAreRefused) {
    std::string values = "[1";
    for (int i = 2; i <= 200; ++i) values += ", " + std::to_string(i);
    values += "]";
    const Loaded loaded = loadSpecText(kBase + "sweep: {grid: {train.steps: " + values + ", train.checkpoint.keep: " + values + "}}\n", "x", "/d");
    ASSERT_EQ(loaded.problems.size(), 1u);
    EXPECT_NE(loaded.problems[0].message.find("240000 runs"), std::string::npos) << loaded.problems[0].message;
    EXPECT_TRUE(expandSpec(loaded.spec).empty());
}

TEST(Differences, flattenedInOrderOfTheLeft) {
    const Json left = {{"a", 1}, {"m", {{"x", 1}, {"y", {1, 2}}}}, {"gone", true}, {"list", {{{"p", 1}}, {{"p", 2}}}}};
    const Json right = {{"new", "n"}, {"m", {{"y", {1, 3}}, {"x", 1}}}, {"a", 2}, {"list", {{{"p", 1}}, {{"p", 5}}}}};
    const auto differences = diffSpecs(left, right);
    ASSERT_EQ(differences.size(), 5u);
    auto expect = [&](size_t i, const char* key, const Json& l, const Json& r) {
        EXPECT_EQ(differences[i].key, key);
        EXPECT_EQ(differences[i].left, l);
        EXPECT_EQ(differences[i].right, r);
    };
    expect(0, "a", 1, 2);
    expect(1, "m.y", {1, 2}, {1, 3});
    expect(2, "gone", true, nullptr);
    expect(3, "list.1.p", 2, 5);
    expect(4, "new", nullptr, "n");
    EXPECT_TRUE(diffSpecs(left, left).empty());
}

}  // namespace
}  // namespace assay::config
