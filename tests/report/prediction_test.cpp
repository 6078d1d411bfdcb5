// Predicted beside measured: which figures stand against which, what counts as off, and the nearest cause on record.
#include <assay/report/present.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample.h"

namespace assay::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Json trainRun() {
    Json run = sample::stage("t1", "train", 30);
    run["plan"] = {{"memory", {{"weights_bytes", 4e6}, {"gradients_bytes", 4e6}, {"optimizer_bytes", 8e6}, {"peak_bytes", 40e6}, {"stage", "gpt"}}},
                   {"stages", {{{"name", "gpt"}, {"kind", "train"}, {"runs", 1}, {"seconds", 30}, {"memory", {{"weights_bytes", 4e6}, {"gradients_bytes", 4e6}, {"optimizer_bytes", 8e6}, {"peak_bytes", 40e6}}}}}},
                   {"step_seconds", 0.1}, {"step_seconds_uncertainty", 0.2}, {"total_seconds", 30}, {"total_seconds_uncertainty", 0.25}, {"cost_usd", 0.002}, {"energy_joules", nullptr},
                   {"assumptions", {"Step time is the sum of its kernels: products, attention, layers, loss and update as measured on this machine"}}};
    run["summary"] = {{"memory/weights_bytes", 4000000}, {"memory/gradients_bytes", 4000000}, {"memory/optimizer_bytes", 8000000}, {"system/tensor_bytes_peak", 41000000},
                      {"train/step_seconds", 0.11}, {"train/steps", 200}, {"train/total_steps", 200}, {"train/running_seconds", 25}, {"data/wait_seconds", 0.5}, {"cost/usd", 0.002}};
    return run;
}

const Prediction& row(const std::vector<Prediction>& rows, std::string_view key) {
    for (const Prediction& one : rows)
        if (one.key == key) return one;
    static const Prediction kNone{};
    ADD_FAILURE() << "no row " << key;
    return kNone;
}

std::string why(const Json& run, std::string_view key) {
    const std::vector<Prediction> rows = predictionsOf(run);
    const Prediction& found = row(rows, key);
    EXPECT_EQ(found.why.has_value(), found.beyond());
    return found.why ? found.why->text() : "";
}

TEST(Prediction, figuresStandSideBySideWithTheirBounds) {
    const auto rows = predictionsOf(trainRun());
    std::vector<std::string> keys;
    for (const Prediction& one : rows) keys.push_back(one.key);
    EXPECT_THAT(keys, ElementsAre("static", "peak", "step", "time", "cost"));   // energy: neither side is known
    EXPECT_EQ(row(rows, "static").predicted, 16e6);
    EXPECT_EQ(row(rows, "static").measured, 16e6);
    EXPECT_EQ(row(rows, "static").error(), 0);
    EXPECT_NEAR(*row(rows, "peak").error(), 0.025, 1e-12);   // 41 / 40 − 1
    EXPECT_NEAR(*row(rows, "step").error(), 0.1, 1e-12);
    EXPECT_EQ(row(rows, "static").bound, 0);
    EXPECT_EQ(row(rows, "peak").bound, 0.05);
    EXPECT_EQ(row(rows, "step").bound, 0.2);
    EXPECT_EQ(row(rows, "time").bound, 0.25);
    EXPECT_EQ(row(rows, "cost").bound, 0.25);
    for (const Prediction& one : rows) EXPECT_FALSE(one.beyond()) << one.key;
    EXPECT_EQ(shownQuantity(row(rows, "step"), 0.11), "110 ms");
    EXPECT_EQ(shownQuantity(row(rows, "static"), 16e6), "16.0 MB");
    EXPECT_EQ(shownQuantity(row(rows, "time"), 90), "1 min 30 s");
    EXPECT_EQ(shownBound(row(rows, "step")), "±20 %");
    EXPECT_EQ(shownBound(row(rows, "static")), "exact");
    EXPECT_EQ(shownChange(-0.2), "−20.0 %");
}

TEST(Prediction, withoutAPlanOrAStatedBoundNothingIsOff) {
    Json run = trainRun();
    run["plan"] = nullptr;
    EXPECT_TRUE(predictionsOf(run).empty());
    run["plan"] = {{"memory", {{"peak_bytes", 1e6}}}, {"step_seconds", 0.001}, {"total_seconds", 1}};
    const auto rows = predictionsOf(run);
    EXPECT_FALSE(row(rows, "step").bound);
    EXPECT_FALSE(row(rows, "step").beyond());
    EXPECT_EQ(shownBound(row(rows, "step")), "—");
    for (const char* odd : {"text", "[]"}) {   // hostile documents
        run["plan"] = odd;
        EXPECT_TRUE(predictionsOf(run).empty());
    }
    run["plan"] = {{"memory", 5}, {"stages", {1, nullptr}}, {"step_seconds", "soon"}, {"assumptions", {3}}};
    run["summary"] = nullptr;
    run["children"] = {1, "a"};
    EXPECT_NO_THROW((void)predictionsOf(run));
}

TEST(Prediction, anotherByteOfStaticMemoryIsSaidWithItsPart) {
    Json run = trainRun();
    run["summary"]["memory/optimizer_bytes"] = 4000000;
    EXPECT_THAT(why(run, "static"), testing::StartsWith("Most of it is the optimizer's state: 4.00 MB instead of 8.00 MB."));
    run["summary"]["system/tensor_bytes_peak"] = 30000000;
    EXPECT_EQ(why(run, "peak"), "It follows from the weights, gradients and optimizer, which differ too.");
}

TEST(Prediction, aPeakBeyondFivePercentTellsWhatIsNotStatic) {
    Json run = trainRun();
    run["summary"]["system/tensor_bytes_peak"] = 46000000;
    EXPECT_THAT(why(run, "peak"), HasSubstr("took 30.0 MB instead of 24.0 MB"));   // 46 − 16, 40 − 16
}

TEST(Prediction, theNearestCauseOfASlowStepIsNamed) {
    Json run = trainRun();
    run["summary"]["train/step_seconds"] = 0.15;
    EXPECT_THAT(why(run, "step"), HasSubstr("compare the load"));
    run["plan"]["assumptions"] = {"Step time is FLOP ÷ the matrix rate measured on this machine, plus memory traffic and the cost of single operations"};
    EXPECT_THAT(why(run, "step"), HasSubstr("had not been calibrated"));
    run["plan"]["assumptions"] = {"Price: 1 USD an hour", "Step time is that of run abc of this store, which had the same shape"};
    EXPECT_THAT(why(run, "step"), HasSubstr("earlier run of the same shape"));
    run["environment"]["load"] = {1.9, 1.0, 1.0};   // on 2 cores
    EXPECT_EQ(why(run, "step"), "Others were at work on the machine: the load was 1.9 on 2 cores when it began.");
    run["summary"]["warnings/throughput_drop"] = 1;
    EXPECT_THAT(why(run, "step"), HasSubstr("The speed fell"));
    run["summary"]["data/wait_seconds"] = 10;   // of 25 s
    EXPECT_EQ(why(run, "step"), "40 % of the time was spent waiting for data.");
}

TEST(Prediction, timeAndMoneyFollowWhatMadeThem) {
    Json run = trainRun();
    run["running_seconds"] = 45;
    run["summary"]["cost/usd"] = 0.003;
    EXPECT_THAT(why(run, "time"), HasSubstr("the rest is the start, evaluation and saving"));
    EXPECT_EQ(why(run, "cost"), "It follows from the time.");
    run["summary"]["train/step_seconds"] = 0.2;
    EXPECT_EQ(why(run, "time"), "It follows from the time of a step.");
    run["running_seconds"] = 15;
    run["summary"]["train/steps"] = 120;
    EXPECT_EQ(why(run, "time"), "It ended after 120 of 200 steps.");
    run["running_seconds"] = 30;
    EXPECT_THAT(why(run, "cost"), HasSubstr("the price of an hour"));
    run["status"] = "cancelled";   // it did not do what was planned
    const auto rows = predictionsOf(run);
    EXPECT_FALSE(row(rows, "time").measured);
    EXPECT_FALSE(row(rows, "cost").measured);
}

Json planOfPipeline() {
    const auto stage = [](const char* kind, double seconds, double peak) {
        return Json{{"name", std::string("kjv-gpt/") + kind}, {"kind", kind}, {"runs", 1}, {"seconds", seconds}, {"memory", {{"weights_bytes", 1e6}, {"gradients_bytes", 1e6}, {"optimizer_bytes", 2e6}, {"peak_bytes", peak}}}};
    };
    return {{"memory", {{"peak_bytes", 50e6}, {"stage", "kjv-gpt/train"}}}, {"stages", {stage("prepare", 6, 0), stage("train", 240, 50e6), stage("evaluate", 4, 10e6)}}, {"step_seconds", 0.8},
            {"step_seconds_uncertainty", 0.2}, {"total_seconds", 250}, {"total_seconds_uncertainty", 0.2}, {"cost_usd", nullptr}, {"energy_joules", nullptr}};
}

TEST(Prediction, aPipelineNamesTheStageThatIsOff) {
    Json run = sample::pipeline();   // train 240 s, evaluate 14 s, quantize 40 s, benchmark 30 s
    run["plan"] = planOfPipeline();
    for (Json& child : run["children"]) child["summary"]["system/tensor_bytes_peak"] = child["kind"] == "evaluate" ? 70e6 : 45e6;
    EXPECT_EQ(why(run, "peak"), "The peak came in evaluating and not, as predicted, in training.");
    EXPECT_EQ(why(run, "time"), "Most of it is evaluating: 14.0 s instead of 4.00 s.");   // 330 s instead of 250 s
}

TEST(Prediction, aSweepHasNoStepOfItsOwn) {
    Json run = trainRun();
    Json a = trainRun(), b = trainRun();
    a["id"] = "a";
    b["id"] = "b";
    run["summary"] = Json::object();
    run["children"] = {a, b};
    std::vector<std::string> keys;
    for (const Prediction& one : predictionsOf(run)) keys.push_back(one.key);
    EXPECT_THAT(keys, ElementsAre("peak", "time", "cost"));
}

TEST(Prediction, theReportShowsThemInEveryFormatThatHoldsRuns) {
    Json run = sample::pipeline();
    run["plan"] = planOfPipeline();
    run["name"] = "<b>run</b>";
    ReportInput input;
    input.runs = {run};
    input.comparison = *buildComparison(input.runs);
    const std::string html = htmlReport(input);
    EXPECT_THAT(html, HasSubstr("Predicted and measured"));
    EXPECT_THAT(html, HasSubstr("data-k='time' data-p='250.0' data-m='330.0'"));
    EXPECT_THAT(html, HasSubstr("+32.0 %"));
    EXPECT_THAT(html, HasSubstr("Most of it is evaluating: 14.0 s instead of 4.00 s."));
    EXPECT_THAT(html, Not(HasSubstr("<b>run</b>")));
    const Json json = jsonReport(input);
    ASSERT_EQ(json["predictions"].size(), 1u);
    EXPECT_EQ(json["predictions"][0]["run"], "p1");
    EXPECT_EQ(json["predictions"][0]["figures"]["time"]["measured"], 330);
    EXPECT_NEAR(json["predictions"][0]["figures"]["time"]["error"].get<double>(), 0.32, 1e-12);
    EXPECT_TRUE(json["predictions"][0]["figures"]["step"]["measured"].is_null());
    input.runs = {sample::pipeline()};
    EXPECT_THAT(htmlReport(input), Not(HasSubstr("Predicted and measured")));
}

}  // namespace
}  // namespace assay::report
