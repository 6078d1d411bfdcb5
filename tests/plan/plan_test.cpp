#include <assay/config/config.h>
#include <assay/core/clock.h>
#include <assay/core/durable.h>
#include <assay/plan/plan.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "temp_folder.h"

namespace assay::plan {
namespace {

constexpr const char* kSpec = R"(
assay: 1
name: small
kind: pipeline
stages: [prepare, train, quantize, benchmark]
data:
  train: {path: /data/corpus.txt}
  tokenizer: bytes
  sequence_length: 64
  packing: none
model:
  from: {family: gpt2, layers: 2, hidden: 64, heads: 4, context: 64, vocab: 257}
train: {steps: 100, global_batch: 8, micro_batch: 4}
quantize: {schemes: [int8]}
benchmark: {prefill: [16], decode: 16}
cost: {price: {usd_per_hour: 3.6}}
)";

Input inputOf(const std::string& yaml, const std::vector<std::string>& overrides = {}) {
    const config::Loaded loaded = config::loadSpecText(yaml, "test.yaml", "/", overrides);
    EXPECT_TRUE(loaded.problems.empty()) << (loaded.problems.empty() ? "" : loaded.problems[0].message);
    Input input;
    input.spec = loaded.spec;
    input.machine = {"Test CPU", 2, int64_t{8} << 30, int64_t{100} << 30};
    input.calibration = {"Test CPU", 2, {{96, 50e9}, {480, 100e9}}, 10e9, 0};
    input.model = [](const config::Spec& spec) -> Result<ModelFacts> {
        ASSAY_TRY(auto config, describedModel(*spec.model->description, 257, spec.data->sequenceLength));
        return ModelFacts{config, false};
    };
    input.data = [](const config::Spec&, const ModelFacts&) {
        DataFacts facts;
        facts.bytes = 1'000'000;
        facts.trainTokens = 1'000'000;
        return facts;
    };
    return input;
}

const Warning* find(const Plan& plan, const std::string& key) {
    const auto at = std::find_if(plan.warnings.begin(), plan.warnings.end(), [&](const Warning& w) { return w.key == key; });
    return at == plan.warnings.end() ? nullptr : &*at;
}

TEST(Plan, StagesTotalsAndTheDocument) {
    const auto plan = makePlan(inputOf(kSpec));
    ASSERT_TRUE(plan.has_value()) << plan.error().text();
    ASSERT_EQ(plan->stages.size(), 4u);
    double sum = 0;
    int64_t peak = 0;
    for (const Stage& s : plan->stages) {
        sum += s.seconds.value;
        peak = std::max(peak, s.memory.peak);
    }
    EXPECT_DOUBLE_EQ(plan->total.value, sum);
    EXPECT_EQ(plan->training->accumulation, 2);
    EXPECT_EQ(plan->training->tokensPerStep, 8 * 64);
    EXPECT_DOUBLE_EQ(*plan->training->epochs, 100.0 * 8 * 64 / 1e6);
    EXPECT_DOUBLE_EQ(*plan->costUsd, 3.6 * sum / 3600);
    EXPECT_FALSE(plan->energyJoules.has_value());  // nothing is known of the power of this machine
    EXPECT_EQ(plan->fits, "fits");
    EXPECT_TRUE(plan->warnings.empty());

    const Json d = planToJson(*plan);
    EXPECT_EQ(d["memory"]["peak_bytes"].get<int64_t>(), peak);
    EXPECT_TRUE(d["energy_joules"].is_null());
    EXPECT_EQ(d["elsewhere"].size(), 6u);
    EXPECT_EQ(d["layout"]["micro_batch"], 4);
}

TEST(Plan, WhatTheBuildRefusesIsKnownFromTheFileAlone) {
    const auto refused = [](const std::vector<std::string>& overrides) {
        const auto found = unsupportedIn(inputOf(kSpec, overrides).spec);
        return found.empty() ? std::string() : found[0].key;
    };
    EXPECT_EQ(refused({}), "");
    EXPECT_EQ(refused({"method={lora: {rank: 8}}"}), "method");
    EXPECT_EQ(refused({"train.optimizer.name=muon"}), "train.optimizer.name");
    for (const char* works : {"train.precision=bf16", "train.precision={bf16: stochastic}", "train.precision={amp: bf16}", "train.precision={amp: fp16}", "train.ema={decay: 0.99}", "train.optimizer.name=adamw_8bit"})
        EXPECT_EQ(refused({works}), "") << works;
    EXPECT_EQ(refused({"method={lora: {rank: 8}}", "stages=[prepare, benchmark]"}), "") << "nothing is trained";
    const auto plan = makePlan(inputOf(kSpec, {"method={lora: {rank: 8}}"}));
    ASSERT_TRUE(plan.has_value());
    const Warning* warning = find(*plan, "method");
    ASSERT_TRUE(warning);
    EXPECT_TRUE(warning->blocks);
    EXPECT_EQ(std::count_if(plan->warnings.begin(), plan->warnings.end(), [](const Warning& w) { return w.key == "method"; }), 1);
}

TEST(Plan, SeedsMultiplyTimeAndNotMemory) {
    const auto one = makePlan(inputOf(kSpec));
    const auto three = makePlan(inputOf(std::string(kSpec) + "seeds: [1, 2, 3]\n"));
    ASSERT_TRUE(one && three);
    EXPECT_NEAR(three->total.value / one->total.value, 3.0, 1e-9);
    EXPECT_EQ(three->stages[1].runs, 3);
    // Root, then a pipeline for each seed with its four stages: prepare, train, quantize, benchmark.
    EXPECT_EQ(three->stages[1].members, (std::vector<int>{3, 8, 13}));
    EXPECT_EQ(one->stages[1].members, (std::vector<int>{2}));
    EXPECT_EQ(three->stages[three->peakStage].memory.peak, one->stages[one->peakStage].memory.peak);
}

TEST(Plan, CataloguedHardwareGivesEnergyPriceAndItsOwnCapacity) {
    Input input = inputOf(kSpec);  // its price is for this machine
    input.hardware = "H100-SXM";
    const auto plan = makePlan(input);
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(plan->capacityBytes, 80'000'000'000);
    EXPECT_DOUBLE_EQ(*plan->energyJoules, 0.8 * 700 * plan->total.value);
    EXPECT_DOUBLE_EQ(*plan->costUsd, plan->hardware.price->usdPerHour * plan->total.value / 3600);
    input.hardware = "abacus";
    EXPECT_EQ(makePlan(input).error().code, ErrorCode::kNotFound);
}

TEST(Plan, RanksShareTheBatch) {
    Input input = inputOf(kSpec);
    input.gpus = 4;
    const auto plan = makePlan(input);
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(plan->training->ranks, 4);
    EXPECT_EQ(plan->training->rows, 2);
    EXPECT_EQ(plan->training->accumulation, 1);
    input.gpus = 3;
    EXPECT_EQ(makePlan(input).error().code, ErrorCode::kBadUsage);
}

TEST(Plan, SaysWhatDoesNotFit) {
    Input input = inputOf(kSpec);
    input.machine.memoryBytes = 10'000'000;
    input.machine.diskFreeBytes = 1000;
    const auto plan = makePlan(input);
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(plan->fits, "too_big");
    ASSERT_TRUE(find(*plan, "memory"));
    EXPECT_TRUE(find(*plan, "memory")->blocks);
    ASSERT_TRUE(find(*plan, "disk"));
    EXPECT_EQ(fitOf(79, 100), "fits");
    EXPECT_EQ(fitOf(80, 100), "tight");
    EXPECT_EQ(fitOf(100, 100), "tight");
    EXPECT_EQ(fitOf(101, 100), "too_big");
}

TEST(Plan, TrainsOnTheGpuOfThisMachine) {
    constexpr const char* kTrain = "assay: 1\nname: small\nkind: train\ndata: {train: {path: /data/corpus.txt}, tokenizer: bytes, sequence_length: 64}\n"
                                   "model: {from: {family: gpt2, layers: 2, hidden: 64, heads: 4, context: 64, vocab: 257}}\ntrain: {steps: 100, global_batch: 8}\n";
    Input input = inputOf(kTrain, {"device=cuda"});
    input.machine.gpuTrouble = "this machine has no NVIDIA driver";
    auto plan = makePlan(input);
    ASSERT_TRUE(plan.has_value());
    ASSERT_TRUE(find(*plan, "device"));
    EXPECT_TRUE(find(*plan, "device")->blocks);
    EXPECT_NE(find(*plan, "device")->message.find("no NVIDIA driver"), std::string::npos);
    input.machine.gpus = {{"NVIDIA H200", 150'754'820'096}};
    plan = makePlan(input);
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(plan->hardware.name, "h200");
    EXPECT_FALSE(find(*plan, "device"));
    input.machine.gpus = {{"NVIDIA Imaginary", 16'000'000'000}};
    plan = makePlan(input);
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(plan->hardware.name, "here");
    ASSERT_TRUE(find(*plan, "device"));
    EXPECT_FALSE(find(*plan, "device")->blocks);
    input = inputOf(kTrain, {"device=cpu"});
    input.machine.gpus = {{"NVIDIA H200", 150'754'820'096}};
    plan = makePlan(input);
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(plan->hardware.name, "here");
}

// Names and memory as nvidia-smi shows them.
TEST(Hardware, IsFoundByWhatTheDriverCallsIt) {
    const std::tuple<const char*, double, const char*> cases[] = {
        {"NVIDIA H100 80GB HBM3", 85.5e9, "h100-sxm"}, {"NVIDIA H100 PCIe", 85.5e9, "h100-pcie"},        {"NVIDIA A100-SXM4-80GB", 85.9e9, "a100-80gb"},
        {"NVIDIA A100-SXM4-40GB", 42.9e9, ""},         {"NVIDIA A100 80GB PCIe", 85.9e9, ""},            {"Tesla T4", 16.1e9, "t4"},
        {"NVIDIA L4", 24.2e9, "l4"},                   {"NVIDIA L40S", 48.3e9, "l40s"},                  {"NVIDIA H200", 150.8e9, "h200"},
        {"NVIDIA GeForce RTX 4090", 25.8e9, "rtx4090"}, {"NVIDIA GeForce RTX 3090", 25.8e9, "rtx3090"}, {"NVIDIA GeForce RTX 5090", 34.2e9, ""},
    };
    for (const auto& [model, bytes, name] : cases) {
        const Hardware* found = findHardwareByModel(model, static_cast<int64_t>(bytes));
        EXPECT_EQ(found ? found->name : "", name) << model;
    }
}

TEST(Plan, RefusesWhatTheWorkerWouldRefuse) {
    const std::pair<const char*, const char*> cases[] = {
        {"train.optimizer.name=muon", "train.optimizer.name"}, {"train.activation_checkpointing=offload", "train.activation_checkpointing"},
        {"method={lora: {rank: 8}}", "method"},             {"device=cuda", "device"},
        {"quantize.kv_cache=[int8]", "quantize.kv_cache"},  {"benchmark.depth=[1000]", "benchmark"},
        {"quantize.schemes=[w8a8-smooth]", "quantize.schemes"},
    };
    for (const auto& [change, key] : cases) {
        const auto plan = makePlan(inputOf(kSpec, {change}));
        ASSERT_TRUE(plan.has_value()) << change;
        ASSERT_TRUE(find(*plan, key)) << change;
        EXPECT_TRUE(find(*plan, key)->blocks) << change;
    }
    const auto narrow = makePlan(inputOf(kSpec, {"train.precision={amp: bf16}"}));
    ASSERT_TRUE(narrow.has_value());
    ASSERT_TRUE(find(*narrow, "train.precision"));  // the time is not known, and that is said
    EXPECT_FALSE(find(*narrow, "train.precision")->blocks);
    const auto many = makePlan(inputOf(kSpec, {"train.steps=100000"}));
    ASSERT_TRUE(many.has_value());
    ASSERT_TRUE(find(*many, "train.steps"));
    EXPECT_FALSE(find(*many, "train.steps")->blocks);
}

TEST(Plan, ActivationCheckpointingCostsTimeAndSavesMemory) {
    const auto plain = makePlan(inputOf(kSpec, {"train.checkpoint.every=0"}));
    ASSERT_TRUE(plain.has_value());
    EXPECT_EQ(planToJson(*plain)["training"]["activation_checkpointing"], "none");
    for (const auto& [change, mode] : {std::pair<const char*, Json>{"full", "full"}, {"selective", "selective"}, {"{every: 2}", {{"every", 2}}}}) {
        const auto plan = makePlan(inputOf(kSpec, {std::string("train.activation_checkpointing=") + change}));
        ASSERT_TRUE(plan.has_value()) << change;
        EXPECT_FALSE(find(*plan, "train.activation_checkpointing")) << change;
        EXPECT_EQ(planToJson(*plan)["training"]["activation_checkpointing"], mode);
        EXPECT_TRUE(std::any_of(plan->assumptions.begin(), plan->assumptions.end(), [](const std::string& a) { return a.find("Activation checkpointing: ") == 0; })) << change;
        EXPECT_LT(plan->stages[plan->peakStage].memory.saved, plain->stages[plain->peakStage].memory.saved) << change;
        EXPECT_GE(plan->training->step.value, plain->training->step.value * (mode == "selective" ? 1 : 1.05)) << change;
        EXPECT_EQ(plan->training->flopsPerStep, plain->training->flopsPerStep) << change;  // model FLOP do not count it
    }
}

TEST(Plan, OffloadMovesActivationsToTheMachinesMemoryOnAGpuOnly) {
    const std::vector<std::string> large = {"model.from={family: gpt2, layers: 8, hidden: 1024, heads: 16, context: 64, vocab: 257}", "train.micro_batch=256", "train.global_batch=512",
                                            "train.checkpoint.every=0"};
    auto planned = [&](const char* way, const char* hardware) {
        std::vector<std::string> changes = large;
        changes.push_back(std::string("train.activation_checkpointing=") + way);
        Input input = inputOf(kSpec, changes);
        input.hardware = hardware;
        return makePlan(input);
    };
    const auto none = planned("none", "h200"), selective = planned("selective", "h200"), offload = planned("offload", "h200");
    ASSERT_TRUE(none.has_value() && selective.has_value() && offload.has_value());
    EXPECT_FALSE(find(*offload, "train.activation_checkpointing"));
    auto memory = [](const Plan& plan) { return plan.stages[plan.peakStage].memory; };
    EXPECT_LT(memory(*offload).peak, memory(*selective).peak);
    EXPECT_LT(memory(*selective).peak, memory(*none).peak);
    EXPECT_EQ(memory(*none).offloaded, 0);
    EXPECT_EQ(planToJson(*offload)["memory"]["offloaded_bytes"], memory(*offload).offloaded);
    // Seven of eight layers; each at least x, q, k, v, attention, x2 and the MLP's inner state.
    const double state = 256.0 * 64 * 1024 * 4, held = static_cast<double>(memory(*offload).offloaded);
    EXPECT_GT(held, 7 * 10 * state);
    EXPECT_LT(held, 7 * 11 * state);
    // What copies at 20 GB/s, out during a third of the computation and back during the rest, do not hide.
    const double compute = selective->training->step.value, copies = 2 * held / 20e9;
    EXPECT_NEAR(offload->training->step.value, compute + std::max(0.0, copies - compute / 3) + std::max(0.0, copies - 2 * compute / 3), 1e-9);
    EXPECT_GT(offload->training->step.value, compute);

    const auto here = planned("offload", "");
    ASSERT_TRUE(here.has_value() && find(*here, "train.activation_checkpointing"));
    EXPECT_TRUE(find(*here, "train.activation_checkpointing")->blocks);
    const auto byFile = [](const char* device) { return unsupportedIn(inputOf(kSpec, {"train.activation_checkpointing=offload", std::string("device=") + device}).spec); };
    EXPECT_EQ(byFile("cpu").size(), 1u);
    EXPECT_EQ(byFile("auto").size(), 0u);  // it depends on the machine
}

// On the GPU of this machine only training runs.
TEST(Plan, OtherStagesThanTrainingAreThoseOfTheCpu) {
    Input input = inputOf(kSpec);
    const auto cpu = makePlan(input);
    input.machine.gpus = {{"NVIDIA H200", 150'754'820'096}};
    const auto gpu = makePlan(input);
    ASSERT_TRUE(cpu.has_value() && gpu.has_value());
    EXPECT_EQ(gpu->hardware.name, "h200");
    ASSERT_EQ(gpu->stages.size(), cpu->stages.size());
    double total = 0;
    for (size_t i = 0; i < gpu->stages.size(); ++i) {
        const bool trains = gpu->stages[i].kind == config::Kind::kTrain;
        EXPECT_EQ(gpu->stages[i].seconds.value == cpu->stages[i].seconds.value, !trains) << i;
        total += gpu->stages[i].seconds.value;
    }
    EXPECT_NEAR(gpu->total.value, total, 1e-9);
    EXPECT_TRUE(std::any_of(gpu->assumptions.begin(), gpu->assumptions.end(), [](const std::string& a) { return a.find("Training takes the GPU") == 0; }));
}

TEST(Plan, ARunOfTheSameShapeGivesTheStepTime) {
    Input input = inputOf(kSpec);
    PastRun run;
    run.id = "earlier";
    run.config = *describedModel(*input.spec.model->description, 257, 64);
    run.microBatch = 4;
    run.sequenceLength = 64;
    run.stepTokens = 8 * 64;
    run.stepSeconds = 0.25;
    input.history = {run};
    const auto plan = makePlan(input);
    ASSERT_TRUE(plan.has_value());
    EXPECT_DOUBLE_EQ(plan->training->step.value, 0.25);
    EXPECT_LT(plan->training->step.uncertainty, 0.2);
    EXPECT_TRUE(std::any_of(plan->assumptions.begin(), plan->assumptions.end(), [](const std::string& a) { return a.find("earlier") != std::string::npos; }));
}

TEST(Plan, OnlyRunsOfTheSamePrecisionGiveItsStepTime) {
    Input input = inputOf(kSpec, {"train.precision={amp: bf16}"});
    PastRun run;
    run.config = *describedModel(*input.spec.model->description, 257, 64);
    run.microBatch = 4;
    run.sequenceLength = 64;
    run.stepTokens = 8 * 64;
    run.id = "wide";
    run.stepSeconds = 0.25;
    PastRun narrow = run;
    narrow.id = "narrow";
    narrow.stepSeconds = 1.5;
    narrow.precision = config::PrecisionSpec::Kind::kAmpBf16;
    input.history = {run};
    const auto unknown = makePlan(input);
    ASSERT_TRUE(unknown.has_value());
    EXPECT_NE(unknown->training->step.value, 0.25);
    EXPECT_TRUE(find(*unknown, "train.precision"));
    input.history = {run, narrow};
    const auto measured = makePlan(input);
    ASSERT_TRUE(measured.has_value());
    EXPECT_DOUBLE_EQ(measured->training->step.value, 1.5);
    EXPECT_FALSE(find(*measured, "train.precision"));
}

TEST(Plan, SearchPutsTheFastestThatFitsFirst) {
    const auto rows = searchLayouts(inputOf(kSpec));
    ASSERT_TRUE(rows.has_value());
    ASSERT_EQ(rows->size(), 4u);  // 1, 2, 4, 8
    for (size_t i = 1; i < rows->size(); ++i) EXPECT_LE((*rows)[i - 1]["step_seconds"].get<double>(), (*rows)[i]["step_seconds"].get<double>());
}

TEST(Plan, CostAtOtherPricesAndShares) {
    const auto plan = makePlan(inputOf(kSpec));
    ASSERT_TRUE(plan && plan->sensitivity);
    EXPECT_DOUBLE_EQ(plan->sensitivity->priceLow, 0.8 * *plan->costUsd);
    EXPECT_DOUBLE_EQ(plan->sensitivity->priceHigh, 1.2 * *plan->costUsd);
    ASSERT_EQ(plan->sensitivity->utilisation.size(), 3u);
    EXPECT_DOUBLE_EQ(plan->sensitivity->utilisation[0].second, *plan->costUsd / 0.3);
    // Electricity is paid for the work: neither the price nor the idle hours change it.
    Input power = inputOf(kSpec, {"cost={hardware: h100-sxm, price: {usd_per_hour: 2}, electricity: {usd_per_kwh: 0.5}}"});
    const auto metered = makePlan(power);
    ASSERT_TRUE(metered && metered->sensitivity && metered->energyJoules);
    const double electricity = *metered->energyJoules / 3.6e6 * 0.5, price = 2 * metered->total.value / 3600;
    EXPECT_NEAR(*metered->costUsd, price + electricity, 1e-12);
    EXPECT_NEAR(metered->sensitivity->priceHigh, 1.2 * price + electricity, 1e-12);
    EXPECT_NEAR(metered->sensitivity->utilisation[2].second, price / 0.9 + electricity, 1e-12);
    // No price: nothing, and not 0.
    Input unknown = inputOf(kSpec);
    unknown.spec.cost = {};
    const auto free = makePlan(unknown);
    ASSERT_TRUE(free);
    const Json d = planToJson(*free);
    for (const char* key : {"cost_usd", "cost_sensitivity", "energy_joules"}) EXPECT_TRUE(d[key].is_null()) << key;
}

TEST(Plan, AbsurdSizesAreErrorsOrHonestNumbersAtOnce) {
    const auto timed = [](const std::vector<std::string>& overrides, int64_t gpus = 0, bool search = false) {
        Input input = inputOf(kSpec, overrides);
        input.gpus = gpus;
        const double from = processCpuSeconds();
        const auto plan = makePlan(input);
        if (search) (void)searchLayouts(input);
        EXPECT_LT(processCpuSeconds() - from, search ? 0.5 : 0.05) << overrides[0];
        if (!plan) {
            EXPECT_FALSE(plan.error().message.empty());
            EXPECT_TRUE(plan.error().code == ErrorCode::kInvalidFile || plan.error().code == ErrorCode::kBadUsage) << plan.error().text();
            return std::string("refused");
        }
        EXPECT_GE(plan->total.value, 0);
        EXPECT_TRUE(std::isfinite(plan->total.value));
        for (const Stage& s : plan->stages) {
            EXPECT_GT(s.memory.peak + s.memory.process, 0) << overrides[0];
            EXPECT_GE(s.memory.activations, 0) << overrides[0];
            EXPECT_EQ(s.memory.weights + s.memory.gradients + s.memory.optimizer + s.memory.activations + s.memory.other, s.memory.peak);
        }
        return plan->fits;
    };
    const std::string from = "model.from=";
    // 10¹² parameters: 96 layers of 29,440 come to 12 · 96 · 29,440² = 9.98·10¹¹.
    EXPECT_EQ(timed({from + "{family: gpt2, layers: 96, hidden: 29440, heads: 230, vocab: 257}"}), "too_big");
    EXPECT_EQ(timed({from + "{family: llama, layers: 4096, hidden: 1048576, heads: 8192, ffn: 4194304, vocab: 16777216}"}), "refused");
    EXPECT_EQ(timed({from + "{family: gpt2, layers: 4096, hidden: 128, heads: 4, vocab: 257}"}), "too_big");
    EXPECT_EQ(timed({"train.global_batch=9007199254740992", "train.micro_batch=9007199254740992"}), "refused");
    EXPECT_EQ(timed({"train.global_batch=9007199254740992", "train.micro_batch=auto"}), "refused");
    EXPECT_EQ(timed({"train.global_batch=1125899906842624", "train.micro_batch=1"}, 0, true), "fits");
    EXPECT_EQ(timed({"train.steps=9007199254740992"}), "fits");
    EXPECT_EQ(timed({"data.sequence_length=16777216", "model.from.context=16777216"}), "too_big");
    EXPECT_EQ(timed({"data.sequence_length=16777216", "model.from.context=16777216", "model.from.dropout=0.1", "train.micro_batch=4"}), "refused");
    EXPECT_EQ(timed({"train.parallel.data=65536", "train.global_batch=65536", "train.micro_batch=1"}), "too_big");
    EXPECT_EQ(timed({"train.global_batch=8"}, 65536), "refused");
    EXPECT_EQ(timed({"benchmark.batch=[65536]", "benchmark.prefill=[16777216]", "benchmark.decode=16777216"}), "too_big");
    // Beyond the file format's own ranges: refused with the file, before anything is planned.
    for (const char* wrong : {"model.from.layers=1000000000000", "model.from.hidden=0", "model.from.heads=-4", "train.global_batch=0", "train.micro_batch=-1", "data.sequence_length=0", "train.steps=1e300", "cost.price.usd_per_hour=-1"})
        EXPECT_FALSE(config::loadSpecText(kSpec, "test.yaml", "/", {wrong}).problems.empty()) << wrong;
}

TEST(Plan, UnknownHardwareListsWhatIsKnown) {
    Input input = inputOf(kSpec);
    input.hardware = "abacus";
    const auto plan = makePlan(input);
    ASSERT_FALSE(plan);
    for (const Hardware& h : catalogue()) EXPECT_NE(plan.error().text().find(h.name), std::string::npos) << h.name;
}

TEST(Plan, TimesElsewhereAreStatedAsHalfKnown) {
    Input input = inputOf(kSpec);
    input.hardware = "h100-sxm";
    const auto plan = makePlan(input);
    ASSERT_TRUE(plan);
    EXPECT_DOUBLE_EQ(plan->training->step.uncertainty, 0.5);
    EXPECT_TRUE(std::any_of(plan->assumptions.begin(), plan->assumptions.end(), [](const std::string& a) { return a.find("vendor") != std::string::npos && a.find("not measured here") != std::string::npos; }));
}

TEST(Catalogue, EveryEntryIsInOrder) {
    EXPECT_GE(catalogue().size(), 8u);
    for (const Hardware& h : catalogue()) {
        EXPECT_EQ(findHardware(h.name), &h);
        EXPECT_GE(h.memoryBytes, 8'000'000'000) << h.name;
        EXPECT_GT(h.flopsOf("fp16"), h.flopsOf("fp32")) << h.name;
        EXPECT_TRUE(!h.price || !(h.price->source.empty() || h.price->date.empty())) << h.name;
    }
}

TEST(Catalogue, WrongEntriesAreNamed) {
    const auto broken = [](const char* text) {
        auto json = parseJson(text, "test");
        EXPECT_TRUE(json.has_value());
        auto parsed = parseCatalogue(*json);
        EXPECT_FALSE(parsed.has_value());
        return parsed ? std::string() : parsed.error().text();
    };
    EXPECT_NE(broken(R"({"schema": 2, "entries": []})").find("schema"), std::string::npos);
    EXPECT_NE(broken(R"({"schema": 1, "entries": [{"name": "x", "label": "X", "memory_bytes": -1}]})").find("memory_bytes"), std::string::npos);
    EXPECT_NE(broken(R"({"schema": 1, "entries": [{"name": "x", "label": "X", "memory_bytes": 1, "bandwidth_bytes_per_s": 1, "tdp_watts": 1, "flops": {"fp31": 1}}]})").find("flops"), std::string::npos);
}

TEST(Calibration, IsMeasuredOnceForAProcessorAndThreads) {
    const testing::TempFolder folder;
    const std::string path = folder / "cache/calibration.json";
    EXPECT_FALSE(loadCalibration(path, "A", 2));
    const Calibration a{"A", 2, {{96, 1e9}, {480, 3e9}}, 5e9, 1}, b{"B", 2, {{96, 2e9}}, 6e9, 1};
    ASSERT_TRUE(storeCalibration(path, a));
    ASSERT_TRUE(storeCalibration(path, b));
    const auto loaded = loadCalibration(path, "A", 2);
    ASSERT_TRUE(loaded);
    EXPECT_DOUBLE_EQ(loaded->bytesPerS, 5e9);
    EXPECT_DOUBLE_EQ(loaded->gemmAt(288), 2e9);  // half way
    EXPECT_DOUBLE_EQ(loaded->gemmAt(48), 1e9);
    EXPECT_DOUBLE_EQ(loaded->gemmAt(4096), 3e9);
    EXPECT_FALSE(loadCalibration(path, "A", 4));
    ASSERT_TRUE(writeFileDurably(path, "{\"entries\": [1, {\"gemm\": 3}]}"));
    EXPECT_FALSE(loadCalibration(path, "A", 2));
}

TEST(Calibration, MeasuresPlausibleRates) {
    const Calibration c = measureMachine("this", 1);
    ASSERT_EQ(c.gemm.size(), 3u);
    EXPECT_GT(c.gemm.back().flopsPerS, 1e8);
    EXPECT_LT(c.gemm.back().flopsPerS, 1e13);
    EXPECT_GT(c.bytesPerS, 1e8);
}

}  // namespace
}  // namespace assay::plan
