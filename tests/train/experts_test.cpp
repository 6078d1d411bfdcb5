// Training of mixtures of experts: the load-balance loss moves the weights and stays out of the loss that is reported.
#include <cmath>
#include <map>

#include "training_fixture.h"

namespace assay::train {
namespace {

using testing::makeBatch;
using testing::TrainingRun;

model::ModelConfig mixtureConfig(double coefficient) {
    model::ModelConfig c = testing::tinyConfig("mixtral");
    c.experts = 4;
    c.expertsPerToken = 2;
    c.routerAuxCoef = coefficient;
    return c;
}

struct MixtureStep {
    std::vector<at::Tensor> gradient;
    StepReport report;
};
MixtureStep mixtureStep(double coefficient, const std::vector<data::Batch>& batches) {
    TrainingRun run("mixture", mixtureConfig(coefficient), at::kDouble);
    run.input.spec.clipNorm = 0;
    run.input.spec.globalBatch = 0;
    for (const data::Batch& b : batches) run.input.spec.globalBatch += b.rows;
    run.input.spec.microBatch = batches[0].rows;
    run.create();
    auto done = run.trainer->step(batches);
    EXPECT_TRUE(done);
    MixtureStep out{{}, *done};
    for (const nn::Parameter& p : run.model->parameters()) out.gradient.push_back(p.value.grad().clone());
    return out;
}

double largestDifference(const MixtureStep& a, const MixtureStep& b) {
    double most = 0;
    for (size_t i = 0; i < a.gradient.size(); ++i) most = std::max(most, (a.gradient[i] - b.gradient[i]).abs().max().item<double>());
    return most;
}

TEST(Mixture, AccumulationEqualsOneLargeBatchOfTheLanguageLoss) {
    const MixtureStep whole = mixtureStep(0, {makeBatch(0, 4)}), parts = mixtureStep(0, {makeBatch(0, 1), makeBatch(1, 1), makeBatch(2, 1), makeBatch(3, 1)});
    EXPECT_LT(largestDifference(whole, parts), 1e-10);
    EXPECT_NEAR(whole.report.loss, parts.report.loss, 1e-10);
    EXPECT_TRUE(whole.report.routing.select(1, 0).equal(parts.report.routing.select(1, 0)));
}

TEST(Mixture, TheLoadBalanceLossIsApart) {
    const MixtureStep without = mixtureStep(0, {makeBatch(0, 4)}), with = mixtureStep(0.5, {makeBatch(0, 4)}), twice = mixtureStep(1.0, {makeBatch(0, 4)});
    EXPECT_EQ(without.report.loss, with.report.loss);
    EXPECT_EQ(without.report.balance, with.report.balance);
    EXPECT_GT(with.report.balance, 1.0);  // perToken when even, 4 when one expert has all
    EXPECT_LT(with.report.balance, 4.0);
    EXPECT_GT(largestDifference(without, with), 1e-5);
    for (size_t i = 0; i < with.gradient.size(); ++i)  // linear in the coefficient
        EXPECT_LT((twice.gradient[i] - without.gradient[i] - 2 * (with.gradient[i] - without.gradient[i])).abs().max().item<double>(), 1e-12);
}

TEST(Mixture, PaddingCountsForNothing) {
    data::Batch padded = makeBatch(0, 4);
    for (int64_t t = 7; t < 12; ++t) {  // the end of the second row
        const auto at = static_cast<size_t>(12 + t);
        padded.ids[at] = 0;
        padded.realTokens -= 1;
        padded.labelledTokens -= padded.labels[at] >= 0;
        padded.labels[at] = -100;
        padded.segments[at] = -1;
    }
    const MixtureStep step = mixtureStep(0.5, {padded});
    EXPECT_EQ(step.report.routing.select(1, 0).sum().item<double>(), 2.0 * 2 * (48 - 5));  // layers × experts of a token
    EXPECT_NEAR(step.report.routing.select(1, 1).sum().item<double>(), 2.0 * (48 - 5), 1e-9);
}

TEST(Mixture, EveryStepTellsTheLoadOfEachLayer) {
    TrainingRun run("mixture", mixtureConfig(0.01));
    run.input.totalSteps = 3;
    std::vector<std::map<std::string, double>> rows;
    run.input.seen = [&](const protocol::MetricRecord& row) { rows.emplace_back(row.values.begin(), row.values.end()); };
    run.create();
    const auto result = run.trainer->run();
    ASSERT_TRUE(result) << result.error().text();
    size_t steps = 0;
    for (const auto& row : rows) {
        if (!row.contains("train/loss")) continue;
        ++steps;
        for (const char* layer : {"0", "1"}) {
            const double load = row.at(std::string("moe/load/") + layer), even = row.at(std::string("moe/evenness/") + layer);
            EXPECT_GE(load, 1);
            EXPECT_LE(load, 2);  // an expert can have at most every token once: experts / perToken times the mean
            EXPECT_GT(even, 0.4);
            EXPECT_LE(even, 1 + 1e-12);
        }
        EXPECT_EQ(row.at("moe/dropped"), 0);
        EXPECT_GT(row.at("moe/aux_loss"), 1);
    }
    EXPECT_EQ(steps, 3u);
    double sum = 0;
    for (int e = 0; e < 4; ++e) sum += result->watched.at("moe/share/1/" + std::to_string(e));
    EXPECT_NEAR(sum, 1, 1e-12);
}

}  // namespace
}  // namespace assay::train
