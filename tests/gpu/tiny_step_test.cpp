// The training run of the plugin's self-check, on the CPU: what the self-check expects of a GPU holds here
// first.
#include <gtest/gtest.h>

#include "tiny_step.h"

namespace assay::cuda {
namespace {

std::vector<double> losses(at::ScalarType precision) {
    TinyTrainer trainer(c10::kCPU, precision, {});
    std::vector<double> out;
    for (int i = 0; i < 20; ++i)
        out.push_back(trainer.step().loss);
    return out;
}

TEST(TinyStep, learnsAndAutocastStaysNear) {
    const auto full = losses(at::kFloat);
    EXPECT_LT(full.back(), full.front() - 0.2);
    for (at::ScalarType precision : {at::kBFloat16, at::kHalf}) {
        const auto low = losses(precision);
        double largest = 0;
        for (size_t i = 0; i < full.size(); ++i)
            largest = std::max(largest, std::abs(low[i] - full[i]));
        EXPECT_LT(largest, 0.05) << precision;
        EXPECT_GT(largest, 0) << "autocast changed nothing for " << precision;
    }
}

TEST(TinyStep, infiniteGradientIsSkippedAndHalvesTheScale) {
    TinyTrainer trainer(c10::kCPU, at::kHalf, {});
    const double scale = trainer.step().scale;
    std::vector<at::Tensor> before;
    for (const at::Tensor& weight : trainer.weights())
        before.push_back(weight.detach().clone());
    const StepResult poisoned = trainer.poisonedStep();
    EXPECT_TRUE(poisoned.skipped);
    EXPECT_EQ(poisoned.scale, scale / 2);
    for (size_t i = 0; i < before.size(); ++i)
        EXPECT_TRUE(at::equal(before[i], trainer.weights()[i].detach()));
    EXPECT_FALSE(trainer.step().skipped);
}

}  // namespace
}  // namespace assay::cuda
