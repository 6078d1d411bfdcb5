// Mixed and half precision, the loss scaler, the average of the weights: gradients against fp64, resume bit by bit, bytes
// against the plan.
#include <cmath>

#include <assay/plan/memory.h>
#include <assay/train/autocast.h>
#include <assay/train/precision_probe.h>

#include "training_fixture.h"

namespace assay::train {
namespace {

using testing::makeBatch;
using testing::tinyConfig;
using testing::TrainingRun;
using Precision = config::PrecisionSpec::Kind;

// Large enough for 8-bit moments.
model::ModelConfig widerConfig(const std::string& family) {
    model::ModelConfig c = tinyConfig(family);
    c.hidden = 64;
    c.headDim = 32;
    c.ffn = 128;
    return c;
}

struct Case {
    const char* name;
    const char* optimizer;
    Precision precision;
    bool stochastic = false, averaged = false;
};
const Case kCases[] = {
    {"adamw", "adamw", Precision::kFp32},
    {"adam", "adam", Precision::kFp32},
    {"sgd", "sgd", Precision::kFp32, false, true},
    {"lion", "lion", Precision::kFp32},
    {"adafactor", "adafactor", Precision::kFp32},
    {"adamw_8bit", "adamw_8bit", Precision::kFp32},
    {"amp_bf16", "adamw", Precision::kAmpBf16, false, true},
    {"amp_fp16", "adamw", Precision::kAmpFp16},
    {"bf16_master", "adamw", Precision::kBf16, false, true},
    {"bf16_stochastic", "lion", Precision::kBf16, true},
    {"bf16_8bit", "adamw_8bit", Precision::kBf16},
    {"bf16_adafactor", "adafactor", Precision::kBf16, true, true},
};

void apply(const Case& c, config::TrainSpec& spec) {
    spec.optimizer.name = c.optimizer;
    spec.optimizer.lr = c.optimizer == std::string("lion") ? 1e-3 : 1e-2;
    spec.precision.kind = c.precision;
    spec.precision.stochastic = c.stochastic;
    spec.precision.scalerInit = 1024;
    spec.precision.scalerInterval = 3;
    if (c.averaged) spec.ema = config::EmaSpec{0.9};
    else spec.ema.reset();
}

class EveryCase : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Combinations, EveryCase, ::testing::ValuesIn(kCases), [](const auto& info) { return std::string(info.param.name); });

// Fault 30 (NeMo Automodel#763, OneVision-Encoder#65): 4 + 8 steps equal 12 steps bit by bit, with the state of each optimizer,
// master copies, averages and the loss scale.
TEST_P(EveryCase, Fault30ResumesBitEqual) {
    const model::ModelConfig config = widerConfig("gpt2");
    TrainingRun whole("whole", config);
    apply(GetParam(), whole.input.spec);
    whole.input.spec.microBatch = 2;
    whole.input.spec.evalEvery = 6;
    const at::ScalarType type = weightType(whole.input.spec.precision);
    whole.fresh(config, type);
    whole.run();
    TrainingRun part("part", config);
    part.input.spec = whole.input.spec;
    part.fresh(config, type);
    std::filesystem::copy(whole.checkpoint(4), part.checkpoint(4), std::filesystem::copy_options::recursive);
    part.create();
    auto loaded = loadCheckpoint(*newestCheckpoint(part.input.checkpointFolder, {}));
    ASSERT_TRUE(loaded) << loaded.error().text();
    auto restored = part.trainer->restore(*loaded);
    ASSERT_TRUE(restored) << restored.error().text();
    const TrainResult result = part.run();
    EXPECT_EQ(result.sessionSteps, 8);
    for (const char* file : {"model.safetensors", "optimizer.safetensors"}) EXPECT_TRUE(part.bytes(12, file) == whole.bytes(12, file)) << file;
    EXPECT_EQ(result.state.loss, whole.trainer->state().loss);
    EXPECT_EQ(result.state.evalLoss, whole.trainer->state().evalLoss);
    auto before = readJsonFile(whole.checkpoint(12) + "/state.json"), after = readJsonFile(part.checkpoint(12) + "/state.json");
    ASSERT_TRUE(before && after);
    EXPECT_EQ(before->contains("scaler"), GetParam().precision == Precision::kAmpFp16);
    if (before->contains("scaler")) {
        EXPECT_EQ((*before)["scaler"], (*after)["scaler"]);
        EXPECT_GT((*before)["scaler"]["scale"].get<double>(), 1024);  // it grew on the way
    }
}

// What the plan says of the static memory is what the tensors take, to the byte.
TEST_P(EveryCase, StaticBytesAreThoseOfThePlan) {
    for (const char* family : {"gpt2", "llama"})
        for (const int64_t accumulation : {1, 2}) {
            const model::ModelConfig config = widerConfig(family);
            TrainingRun run("bytes", config);
            apply(GetParam(), run.input.spec);
            run.input.spec.microBatch = run.input.spec.globalBatch / accumulation;
            run.input.totalSteps = 2;
            run.fresh(config, weightType(run.input.spec.precision));
            const TrainResult result = run.run();
            plan::TrainShape shape;
            shape.accumulation = accumulation;
            shape.optimizer = run.input.spec.optimizer;
            shape.precision = run.input.spec.precision;
            shape.averaged = run.input.spec.ema.has_value();
            const plan::StaticBytes planned = plan::staticBytes(config, shape);
            EXPECT_EQ(planned.weights, result.weightBytes) << family;
            EXPECT_EQ(planned.gradients, result.gradientBytes) << family << " " << accumulation;
            EXPECT_EQ(planned.optimizer, result.optimizerBytes) << family;
        }
}

TEST_P(EveryCase, Learns) {
    TrainingRun run("learn", widerConfig("llama"));
    apply(GetParam(), run.input.spec);
    if (GetParam().optimizer == std::string("sgd")) run.input.spec.optimizer.lr = 0.3;
    if (GetParam().optimizer == std::string("adafactor")) run.input.spec.optimizer.lr = 0.2;  // relative to the size of the weights
    run.input.totalSteps = 60;
    run.input.spec.checkpoint.every = 0;
    run.fresh(widerConfig("llama"), weightType(run.input.spec.precision));
    const TrainResult result = run.run();
    EXPECT_LT(result.state.evalLoss, std::log(23.0) - 0.4);
    EXPECT_EQ(result.state.updates + result.state.skippedSteps, 60);
}

std::vector<at::Tensor> gradientsOf(const std::string& family, Precision precision, at::ScalarType type, double* loss, double* norm) {
    TrainingRun run("gradients", tinyConfig(family), type);
    run.input.spec.precision.kind = precision;
    run.input.spec.clipNorm = 0;
    run.input.spec.microBatch = 2;
    run.create();
    auto done = run.trainer->step({makeBatch(0, 2), makeBatch(2, 2)});
    EXPECT_TRUE(done) << (done ? "" : done.error().text());
    *loss = done->loss;
    *norm = done->gradientNorm;
    std::vector<at::Tensor> out;
    for (const nn::Parameter& p : run.model->parameters()) out.push_back(p.value.grad().to(at::kDouble).clone());
    return out;
}

TEST(PrecisionGradients, AreThoseOfFp64UpToTheTypesDigits) {
    for (const char* family : {"gpt2", "llama"}) {
        double loss = 0, norm = 0;
        const auto reference = gradientsOf(family, Precision::kFp32, at::kDouble, &loss, &norm);
        struct Kind {
            Precision precision;
            at::ScalarType type;
            double error;
        };
        // Unit round-off: 2⁻¹¹ for fp16, 2⁻⁸ for bf16; a few of them add up over two layers.
        for (const Kind& kind : {Kind{Precision::kFp32, at::kFloat, 1e-5}, Kind{Precision::kAmpFp16, at::kFloat, 0.01}, Kind{Precision::kAmpBf16, at::kFloat, 0.04}, Kind{Precision::kBf16, at::kBFloat16, 0.1}}) {
            double l = 0, n = 0;
            const auto measured = gradientsOf(family, kind.precision, kind.type, &l, &n);
            double difference = 0, size = 0;
            for (size_t i = 0; i < measured.size(); ++i) {
                difference += (measured[i] - reference[i]).square().sum().item<double>();
                size += reference[i].square().sum().item<double>();
            }
            EXPECT_LT(std::sqrt(difference / size), kind.error) << family << " " << static_cast<int>(kind.precision);
            EXPECT_NEAR(l, loss, kind.error) << family;
            EXPECT_NEAR(n, norm, kind.error * norm) << family;
        }
    }
}

// The peak of one step, as the allocator saw it, is the plan's within 5 %, in every precision.
TEST(PrecisionMemory, PeaksAreThoseOfThePlan) {
    for (const char* family : {"gpt2", "llama"})
        for (const Precision precision : {Precision::kFp32, Precision::kAmpBf16, Precision::kBf16})  // fp16 is as wide as bf16
            for (const bool masked : {false, true})
                for (const int64_t accumulation : {1, 2}) {
                    auto config = *model::describe(family, 3, 96, 4, 0, 384, 64, 257, true, 0);
                    nn::MemoryMeter meter;
                    nn::MemoryScope scope(meter);
                    TrainingRun run("peak");
                    run.input.meter = &meter;
                    run.input.spec.precision.kind = precision;
                    run.input.spec.globalBatch = 8 * accumulation;
                    run.input.spec.microBatch = 8;
                    run.fresh(config, weightType(run.input.spec.precision));
                    run.create();
                    std::vector<data::Batch> batches;
                    for (int64_t m = 0; m < accumulation; ++m) {
                        batches.push_back(makeBatch(8 * m, 8, 64, 257));
                        batches.back().oneSegmentPerRow = !masked;
                    }
                    ASSERT_TRUE(run.trainer->step(batches));
                    meter.resetPeak();
                    ASSERT_TRUE(run.trainer->step(batches));
                    plan::TrainShape shape{.rows = 8, .columns = 64, .accumulation = accumulation};
                    shape.masked = masked;
                    shape.saves = false;
                    shape.precision = run.input.spec.precision;
                    const plan::Memory planned = plan::trainMemory(config, shape);
                    EXPECT_NEAR(static_cast<double>(planned.peak) / static_cast<double>(meter.peakBytes()), 1, 0.05)
                        << family << " precision " << static_cast<int>(precision) << " masked " << masked << " accumulation " << accumulation << " measured " << meter.peakBytes() << " moment " << planned.moment;
                }
}

// EMA: evaluation computes with the average, training goes on with the weights.
TEST(Averaged, EvaluationUsesTheAverage) {
    TrainingRun run("ema");
    run.input.spec.ema = config::EmaSpec{0.99};
    run.input.totalSteps = 10;
    run.run();
    ASSERT_NE(run.trainer->average(), nullptr);
    const double averaged = *run.trainer->evaluate();
    std::vector<at::Tensor> own;
    {
        at::NoGradGuard noGrad;
        for (size_t i = 0; i < run.model->parameters().size(); ++i) {
            at::Tensor value = run.model->parameters()[i].value;
            own.push_back(value.detach().clone());
            value.copy_(run.trainer->average()->state()[i].value);
        }
    }
    TrainingRun plain("plain");
    at::NoGradGuard noGrad;
    for (size_t i = 0; i < own.size(); ++i) at::Tensor(plain.model->parameters()[i].value).copy_(run.model->parameters()[i].value);
    plain.create();
    EXPECT_EQ(*plain.trainer->evaluate(), averaged);
    for (size_t i = 0; i < own.size(); ++i) at::Tensor(plain.model->parameters()[i].value).copy_(own[i]);
    EXPECT_NE(*plain.trainer->evaluate(), averaged);
}

TEST(Combinations, WeightsOfAnotherTypeAreRefused) {
    TrainingRun run("type");
    run.input.spec.precision.kind = Precision::kBf16;
    EXPECT_FALSE(Trainer::create(run.input));
    run.fresh(tinyConfig(), at::kBFloat16);
    EXPECT_TRUE(Trainer::create(run.input));
}

TEST(Probe, SaysHowATypeDoesHere) {
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16, at::kHalf}) {
        const double ratio = precisionSpeedup(tinyConfig(), 128, type);
        EXPECT_TRUE(std::isfinite(ratio) && ratio > 0) << c10::toString(type);
    }
}

}  // namespace
}  // namespace assay::train
