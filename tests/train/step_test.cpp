// One optimizer step: normalisation, accumulation, clipping, AdamW against its definition.
#include <cmath>

#include "training_fixture.h"

namespace assay::train {
namespace {

using testing::makeBatch;
using testing::tinyConfig;
using testing::TrainingRun;

std::vector<at::Tensor> gradients(const nn::Model& model) {
    std::vector<at::Tensor> out;
    for (const nn::Parameter& p : model.parameters()) out.push_back(p.value.grad().clone());
    return out;
}

double worst(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
    double most = 0;
    for (size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).abs().max().item<double>());
    return most;
}

struct OneStep {
    std::vector<at::Tensor> gradient;
    StepReport report;
};
OneStep oneStep(const std::string& family, std::vector<data::Batch> batches, at::ScalarType type) {
    TrainingRun run("step", tinyConfig(family), type);
    run.input.spec.clipNorm = 0;
    int64_t rows = 0;
    for (const auto& b : batches) rows += b.rows;
    run.input.spec.globalBatch = rows;
    run.input.spec.microBatch = batches[0].rows;
    run.create();
    auto done = run.trainer->step(batches);
    EXPECT_TRUE(done);
    return {gradients(*run.model), *done};
}

class Accumulation : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Families, Accumulation, ::testing::Values("gpt2", "llama"));

// Micro-batches with unequal numbers of labelled tokens: the gradient is that of one large batch (Σ NLL / Σ labels), not
// the mean of means.
TEST_P(Accumulation, EqualsOneLargeBatch) {
    const OneStep whole = oneStep(GetParam(), {makeBatch(0, 4)}, at::kDouble);
    const OneStep parts = oneStep(GetParam(), {makeBatch(0, 1), makeBatch(1, 1), makeBatch(2, 1), makeBatch(3, 1)}, at::kDouble);
    EXPECT_LT(worst(whole.gradient, parts.gradient), 1e-10);
    EXPECT_NEAR(whole.report.loss, parts.report.loss, 1e-10);
    EXPECT_EQ(whole.report.labelled, 12 + 11 + 10 + 9);  // the last 0, 1, 2, 3 labels of a row are not scored
    const OneStep whole32 = oneStep(GetParam(), {makeBatch(0, 4)}, at::kFloat), parts32 = oneStep(GetParam(), {makeBatch(0, 2), makeBatch(2, 2)}, at::kFloat);
    EXPECT_LT(worst(whole32.gradient, parts32.gradient), 1e-5);
}

TEST(Normalisation, LossIsTheMeanOverLabelledTokens) {
    const data::Batch batch = makeBatch(0, 4);
    const OneStep step = oneStep("gpt2", {batch}, at::kDouble);
    TrainingRun run("mean", tinyConfig("gpt2"), at::kDouble);
    at::NoGradGuard noGrad;
    const at::Tensor logits = run.model->logits(*inputsOf(batch, run.model->config()));
    double sum = 0, count = 0;
    for (int64_t i = 0; i < 4 * 12; ++i) {
        const int32_t label = batch.labels[static_cast<size_t>(i)];
        if (label < 0) continue;
        const at::Tensor row = logits.view({48, 23})[i];
        sum += std::log(row.exp().sum().item<double>()) - row[label].item<double>();
        count += 1;
    }
    EXPECT_NEAR(step.report.loss, sum / count, 1e-10);
    EXPECT_EQ(step.report.tokens, 48);
}

// A micro-batch of padding only adds nothing; a step without any label has zero gradients and no NaN.
TEST(Normalisation, EmptyMicroBatches) {
    data::Batch empty = makeBatch(7, 2);
    std::fill(empty.labels.begin(), empty.labels.end(), -100);
    empty.labelledTokens = 0;
    const OneStep with = oneStep("gpt2", {makeBatch(0, 2), empty}, at::kDouble), without = oneStep("gpt2", {makeBatch(0, 2)}, at::kDouble);
    EXPECT_EQ(worst(with.gradient, without.gradient), 0);
    EXPECT_EQ(with.report.loss, without.report.loss);
    const OneStep nothing = oneStep("gpt2", {empty}, at::kDouble);
    EXPECT_EQ(nothing.report.loss, 0);
    EXPECT_EQ(nothing.report.notFinite, "");
    for (const at::Tensor& g : nothing.gradient) EXPECT_EQ(g.abs().max().item<double>(), 0);
}

// AdamW written out (Loshchilov & Hutter 2019) for three steps, with decay on matrices only and clipping.
TEST(AdamW, EqualsItsDefinition) {
    TrainingRun run("adamw", tinyConfig("gpt2"), at::kDouble);
    run.input.spec.schedule = {"constant", 2, 0};
    run.input.spec.clipNorm = 0.5;
    run.input.spec.optimizer.weightDecay = 0.1;
    run.create();
    const auto& o = run.input.spec.optimizer;
    std::vector<at::Tensor> w, m, v;
    for (const nn::Parameter& p : run.model->parameters()) {
        w.push_back(p.value.detach().clone());
        m.push_back(at::zeros_like(w.back()));
        v.push_back(at::zeros_like(w.back()));
    }
    for (int64_t step = 1; step <= 3; ++step) {
        auto done = run.trainer->step({makeBatch(4 * step, 4)});
        ASSERT_TRUE(done);
        ASSERT_GT(done->gradientNorm, 0.5);
        EXPECT_DOUBLE_EQ(done->lr, step == 1 ? o.lr / 2 : o.lr);
        double norm = 0;
        const auto clipped = gradients(*run.model);
        for (const at::Tensor& g : clipped) norm += g.square().sum().item<double>();
        EXPECT_NEAR(std::sqrt(norm), 0.5, 1e-9);
        for (size_t i = 0; i < w.size(); ++i) {
            const nn::Parameter& p = run.model->parameters()[i];
            const bool matrix = p.value.dim() >= 2;
            if (matrix) w[i].mul_(1 - done->lr * o.weightDecay);
            m[i].mul_(o.beta1).add_(clipped[i], 1 - o.beta1);
            v[i].mul_(o.beta2).addcmul_(clipped[i], clipped[i], 1 - o.beta2);
            const double c1 = 1 - std::pow(o.beta1, static_cast<double>(step)), c2 = 1 - std::pow(o.beta2, static_cast<double>(step));
            w[i].sub_(done->lr * (m[i] / c1) / ((v[i] / c2).sqrt() + o.eps));
            EXPECT_LT((w[i] - p.value).abs().max().item<double>(), 1e-9) << p.info.name << " step " << step;
        }
    }
}

TEST(NonFinite, StopNamesStepAndTensorAndSkipChangesNothing) {
    for (const auto policy : {config::NonFinite::kStop, config::NonFinite::kSkip}) {
        TrainingRun run("nan");
        run.input.spec.onNonFinite = policy;
        run.input.spec.skipLimit = 100;
        run.create();
        {
            at::NoGradGuard noGrad;
            at::Tensor(run.model->find("transformer.h.1.mlp.c_fc.bias")->value)[3] = std::nan("");
        }
        const at::Tensor before = run.model->find("transformer.wte.weight")->value.detach().clone();
        auto result = run.trainer->run();
        EXPECT_TRUE(at::equal(before, run.model->find("transformer.wte.weight")->value));
        if (policy == config::NonFinite::kStop) {
            ASSERT_FALSE(result);
            EXPECT_EQ(result.error().code, ErrorCode::kNonFinite);
            EXPECT_NE(result.error().message.find("step 1"), std::string::npos) << result.error().message;
        } else {
            ASSERT_TRUE(result) << result.error().text();
            EXPECT_EQ(result->state.skippedSteps, 12);
            EXPECT_EQ(result->state.updates, 0);
        }
    }
}

TEST(NonFinite, RollbackReturnsToTheLastCheckpointAndGoesOn) {
    TrainingRun run("rollback");
    run.input.spec.onNonFinite = config::NonFinite::kRollback;
    run.create();
    // At step 6 (after the checkpoint of step 4) the weights are spoiled once.
    const auto inner = run.input.makeLoader;
    bool spoiled = false;
    struct Spoiler final : data::Loader {
        std::unique_ptr<data::Loader> inner;
        std::function<void(int64_t)> before;
        int64_t count = 0;
        Result<void> next(data::Batch& out) override {
            before(count++);
            return inner->next(out);
        }
        double waitSeconds() const override { return 0; }
    };
    run.trainer.reset();
    run.input.makeLoader = [&](bool evaluation, int64_t sequences) -> Result<std::unique_ptr<data::Loader>> {
        ASSAY_TRY(auto loader, inner(evaluation, sequences));
        if (evaluation) return loader;
        auto spoiler = std::make_unique<Spoiler>();
        spoiler->inner = std::move(loader);
        spoiler->before = [&](int64_t count) {
            if (count != 5 || spoiled) return;
            spoiled = true;
            at::NoGradGuard noGrad;
            at::Tensor(run.model->find("transformer.ln_f.bias")->value)[0] = std::nan("");
        };
        return spoiler;
    };
    const TrainResult result = run.run();
    EXPECT_TRUE(spoiled);
    EXPECT_EQ(result.state.rollbacks, 1);
    EXPECT_EQ(result.state.step, 12);
    EXPECT_EQ(result.state.updates, 4 + 6);  // 4 kept, step 5 lost with the weights, step 6 not applied
    EXPECT_TRUE(std::isfinite(result.state.evalLoss));
}

TEST(Batches, WrongContentIsNamed) {
    data::Batch batch = makeBatch(0, 1);
    batch.ids[3] = 23;
    auto inputs = inputsOf(batch, tinyConfig());
    ASSERT_FALSE(inputs);
    EXPECT_NE(inputs.error().message.find("token 23"), std::string::npos);
    batch = makeBatch(0, 1);
    batch.positions[11] = 12;
    inputs = inputsOf(batch, tinyConfig());
    ASSERT_FALSE(inputs);
    EXPECT_NE(inputs.error().message.find("position 12"), std::string::npos);
}

TEST(Create, RefusesSizesThatDoNotDivideAndWhatIsNotBuilt) {
    TrainingRun run("refuse");
    run.input.spec.globalBatch = 6;
    run.input.spec.microBatch = 4;
    EXPECT_EQ(Trainer::create(run.input).error().code, ErrorCode::kInvalidFile);
    run.input.spec.microBatch = 3;
    EXPECT_TRUE(Trainer::create(run.input));
    run.input.spec.parallel.tensor = 2;
    EXPECT_EQ(Trainer::create(run.input).error().code, ErrorCode::kUnsupported);
    run.input.spec.parallel.tensor = 1;
    run.input.spec.optimizer.name = "sgdx";
    EXPECT_EQ(Trainer::create(run.input).error().code, ErrorCode::kInvalidFile);
}

}  // namespace
}  // namespace assay::train
