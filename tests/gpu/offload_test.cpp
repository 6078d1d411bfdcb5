// activation_checkpointing: offload. On the shadow device copies beside the computation are done as late as they can be, so a
// missing wait shows as another gradient.
#include <assay/nn/device.h>
#include <assay/plan/memory.h>
#include <assay/train/autocast.h>

#include "chosen_device.h"
#include "shadow_device.h"
#include "training_fixture.h"

namespace assay::train {
namespace {

using shadow::deviceUnderTest;
using testing::makeBatch;
using testing::TrainingRun;
using Switch = config::CheckpointingSpec::Kind;
using Number = config::PrecisionSpec::Kind;

constexpr int64_t kRows = 8, kColumns = 64, kVocabulary = 101;

model::ModelConfig fourLayers(const std::string& family, double dropout) {
    return *model::describe(family, 4, 64, 4, family == "gpt2" ? 4 : 2, 256, kColumns, kVocabulary, true, dropout);
}

struct Trained {
    std::vector<at::Tensor> weights;
    std::vector<double> losses;
    int64_t devicePeak = 0, hostPeak = 0;
};

Trained trained(const model::ModelConfig& config, Switch way, Number precision, int64_t accumulation = 2, int steps = 3) {
    TrainingRun run("offload", config);
    run.input.spec.activationCheckpointing.kind = way;
    run.input.spec.precision.kind = precision;
    run.input.spec.globalBatch = kRows * accumulation;
    run.input.spec.microBatch = kRows;
    run.device = deviceUnderTest();
    run.fresh(config, weightType(run.input.spec.precision));
    run.create();
    Trained out;
    for (int s = 0; s < steps; ++s) {
        std::vector<data::Batch> batches;
        for (int64_t m = 0; m < accumulation; ++m) batches.push_back(makeBatch((s * accumulation + m) * kRows, kRows, kColumns, kVocabulary));
        shadow::resetCounts();
        auto done = run.trainer->step(batches);
        EXPECT_TRUE(done) << (done ? "" : done.error().text());
        if (!done) break;
        out.losses.push_back(done->loss);
        out.devicePeak = shadow::counts().peakBytes;
    }
    for (const nn::Parameter& p : run.model->parameters()) out.weights.push_back(nn::hostCopy(p.value));
    if (const nn::OffloadTally* tally = run.model->offloaded()) {
        out.hostPeak = tally->peak();
        EXPECT_EQ(tally->live(), 0) << "what a step put into the host's memory goes with it";
    }
    return out;
}

void expectBitEqual(const Trained& a, const Trained& b) {
    EXPECT_EQ(a.losses, b.losses);
    ASSERT_EQ(a.weights.size(), b.weights.size());
    for (size_t i = 0; i < a.weights.size(); ++i) EXPECT_TRUE(at::equal(a.weights[i], b.weights[i])) << i;
}

TEST(Offload, GradientsAreThoseOfThePlainPass) {
    for (const char* family : {"gpt2", "llama"})
        for (const double dropout : {0.0, 0.2})
            for (const Number precision : {Number::kFp32, Number::kAmpBf16, Number::kBf16}) {
                SCOPED_TRACE(std::string(family) + " dropout " + std::to_string(dropout) + " precision " + std::to_string(static_cast<int>(precision)));
                const model::ModelConfig config = fourLayers(family, dropout);
                const Trained plain = trained(config, Switch::kNone, precision), away = trained(config, Switch::kOffload, precision);
                expectBitEqual(plain, away);
                EXPECT_GT(away.hostPeak, 0);
                EXPECT_EQ(plain.hostPeak, 0);
                if (!shadow::onGpu()) {
                    EXPECT_LT(away.devicePeak, plain.devicePeak);
                }
            }
}

// OffloadCounts: what only the shadow device can count; the check on a GPU leaves it out.
// More layers take more of the host's memory and, beside their weights, none of the device's.
TEST(OffloadCounts, DeviceHoldsTwoLayersWhateverTheDepth) {
    auto at = [](int64_t layers, Switch way) {
        model::ModelConfig config = fourLayers("llama", 0);
        config.layers = layers;
        return trained(config, way, Number::kFp32, 1, 2);
    };
    const Trained four = at(4, Switch::kOffload), eight = at(8, Switch::kOffload), fourPlain = at(4, Switch::kNone), eightPlain = at(8, Switch::kNone);
    int64_t layer = 0;  // weights, gradients, two moments: 16 bytes a parameter
    for (size_t i = four.weights.size(); i < eight.weights.size(); ++i) layer += 4 * static_cast<int64_t>(eight.weights[i].nbytes());
    EXPECT_LT(eight.devicePeak - four.devicePeak, layer + (64 << 10) * 4);
    EXPECT_GT(eightPlain.devicePeak - fourPlain.devicePeak, layer + (int64_t{1} << 20));
    EXPECT_NEAR(static_cast<double>(eight.hostPeak), static_cast<double>(four.hostPeak) / 3 * 7, 0.01 * static_cast<double>(eight.hostPeak));  // all but the last
}

TEST(OffloadCounts, IsPlannedWithinFivePercent) {
    for (const char* family : {"gpt2", "llama"})
        for (const Switch way : {Switch::kNone, Switch::kSelective, Switch::kOffload}) {
            const model::ModelConfig config = fourLayers(family, 0);
            const Trained measured = trained(config, way, Number::kFp32, 1);
            plan::TrainShape shape{.rows = kRows, .columns = kColumns};
            shape.masked = shape.saves = false;
            shape.device = true;
            shape.checkpointing.kind = way;
            const plan::Memory planned = plan::trainMemory(config, shape);
            EXPECT_NEAR(static_cast<double>(planned.peak) / static_cast<double>(measured.devicePeak), 1, 0.05)
                << family << " way " << static_cast<int>(way) << ": planned " << planned.peak << " in " << planned.moment << ", measured " << measured.devicePeak;
            if (way == Switch::kOffload) {
                EXPECT_NEAR(static_cast<double>(planned.offloaded) / static_cast<double>(measured.hostPeak), 1, 0.05) << family << ": planned " << planned.offloaded << ", measured " << measured.hostPeak;
            }
        }
}

TEST(Offload, IsRefusedOnTheCpuByName) {
    TrainingRun run("refused");
    run.input.spec.activationCheckpointing.kind = Switch::kOffload;
    const auto made = Trainer::create(run.input);
    ASSERT_FALSE(made);
    EXPECT_NE(made.error().message.find("offload"), std::string::npos);
    EXPECT_NE(made.error().hint.find("device: cuda"), std::string::npos);
}

}  // namespace
}  // namespace assay::train
