// The whole training step on a device that is not the CPU (shadow_device.h): the same numbers as on the CPU, no tensor of
// the host where one of the device belongs, no pointer of the device read by the host, few waits.
#include <assay/core/random.h>
#include <assay/nn/device.h>
#include <assay/nn/errors.h>
#include <assay/nn/linear_cross_entropy.h>

#include "optimizers/optimizers.h"
#include "optimizers/rounding_kernels.h"
#include "chosen_device.h"
#include "shadow_device.h"
#include "training_fixture.h"

namespace assay::train {
namespace {

using shadow::deviceUnderTest;
using testing::makeBatch;
using testing::tinyConfig;
using testing::TrainingRun;

struct Curve {
    std::vector<double> losses, norms;
    std::vector<at::Tensor> weights;
};

data::Batch packed(int64_t first) {  // two documents a row
    data::Batch b = makeBatch(first, 2);
    b.oneSegmentPerRow = false;
    for (int64_t row = 0; row < b.rows; ++row)
        for (int64_t t = 0; t < b.columns; ++t) {
            const auto at = static_cast<size_t>(row * b.columns + t);
            b.segments[at] = t < 5 ? 0 : 1;
            b.positions[at] = static_cast<int32_t>(t < 5 ? t : t - 5);
        }
    return b;
}

class ShadowTraining : public ::testing::Test {
protected:
    template <class Change>
    Curve train(at::Device device, const model::ModelConfig& config, Change change, int steps = 5, bool pack = false) {
        TrainingRun run("shadow", config);
        change(run.input.spec);
        run.device = device;
        run.fresh(config, run.input.spec.precision.kind == config::PrecisionSpec::Kind::kBf16 ? at::kBFloat16 : at::kFloat);
        run.create();
        Curve curve;
        for (int s = 0; s < steps; ++s) {
            std::vector<data::Batch> batches;
            for (int m = 0; m < 2; ++m) batches.push_back(pack ? packed(4 * s + 2 * m) : makeBatch(4 * s + 2 * m, 2));
            auto done = run.trainer->step(batches);
            EXPECT_TRUE(done) << (done ? "" : done.error().text());
            if (!done) break;
            curve.losses.push_back(done->loss);
            curve.norms.push_back(done->gradientNorm);
        }
        for (const nn::Parameter& p : run.model->parameters()) {
            EXPECT_EQ(p.value.device(), device);
            curve.weights.push_back(nn::hostCopy(p.value).to(at::kFloat));
        }
        return curve;
    }
    template <class Change>
    void expectSame(const model::ModelConfig& config, Change change, double tolerance, bool pack = false, int steps = 5) {
        if (shadow::onGpu()) tolerance = std::max(tolerance, 1e-4);  // sums in another order
        const Curve cpu = train(at::kCPU, config, change, steps, pack), shadow = train(deviceUnderTest(), config, change, steps, pack);
        ASSERT_EQ(cpu.losses.size(), shadow.losses.size());
        for (size_t s = 0; s < cpu.losses.size(); ++s) {
            EXPECT_NEAR(cpu.losses[s], shadow.losses[s], tolerance * std::abs(cpu.losses[s])) << "step " << s;
            EXPECT_NEAR(cpu.norms[s], shadow.norms[s], 20 * tolerance * cpu.norms[s]) << "step " << s;
        }
        EXPECT_LT(cpu.losses.back(), cpu.losses.front());
    }
};

void nothing(config::TrainSpec&) {}

TEST_F(ShadowTraining, EveryFamilyTrainsAsOnTheCpu) {
    for (const char* family : {"gpt2", "llama"}) {
        SCOPED_TRACE(family);
        expectSame(tinyConfig(family), nothing, 1e-5, /*pack=*/false, /*steps=*/20);
        expectSame(tinyConfig(family), nothing, 1e-5, /*pack=*/true);
        expectSame(tinyConfig(family), [](config::TrainSpec& t) { t.activationCheckpointing.kind = config::CheckpointingSpec::Kind::kFull; }, 1e-5);
    }
}

TEST_F(ShadowTraining, EveryOptimizerUpdatesAsOnTheCpu) {
    model::ModelConfig config = tinyConfig();
    config.hidden = 64;  // the MLP's matrices are large enough for 8-bit moments
    config.headDim = 32;
    config.ffn = 128;
    for (const std::string_view name : optimizerNames()) {
        SCOPED_TRACE(name);
        expectSame(config, [&](config::TrainSpec& s) {
            s.optimizer.name = name;
            s.optimizer.lr = name == "sgd" ? 0.1 : name == "adafactor" ? 0.05 : 2e-3;
            s.optimizer.momentum = name == "sgd" ? 0.9 : s.optimizer.momentum;
        }, name == "adamw_8bit" ? 1e-4 : 1e-5);
    }
}

TEST_F(ShadowTraining, EveryPrecisionTrains) {
    using Kind = config::PrecisionSpec::Kind;
    for (const Kind kind : {Kind::kAmpBf16, Kind::kAmpFp16, Kind::kBf16}) {
        SCOPED_TRACE(static_cast<int>(kind));
        expectSame(tinyConfig("llama"), [&](config::TrainSpec& s) { s.precision.kind = kind; }, 0.01);
    }
    expectSame(tinyConfig(), [&](config::TrainSpec& s) {
        s.precision.kind = Kind::kBf16;
        s.precision.stochastic = true;
    }, 0.01);
}

TEST_F(ShadowTraining, DropoutDrawsFromTheDevicesGenerator) {
    // Masks of the shadow device are the CPU's; those of a GPU are others, and come again with the same seed.
    if (!shadow::onGpu()) expectSame(tinyConfig("gpt2", 0.2), nothing, 1e-5);
    const at::Tensor ones = at::ones({64}, at::TensorOptions(deviceUnderTest()));
    const auto draw = [&](uint64_t seed) {
        nn::seedDevice(deviceUnderTest(), seed);
        return nn::hostCopy(at::dropout(ones, 0.5, true));
    };
    const at::Tensor first = draw(5);
    EXPECT_TRUE(at::equal(first, draw(5)));
    EXPECT_FALSE(at::equal(first, draw(6)));
}

using ShadowCounts = ShadowTraining;  // what only the shadow device can count; the check on a GPU leaves it out

// The loss, the norms and with fp16 the found infinity are read together, whatever the number of micro-batches or parameters.
TEST_F(ShadowCounts, TheHostWaitsOnceAStep) {
    for (const int64_t layers : {1, 3})
        for (const size_t micro : {1, 4})
            for (const bool fp16 : {false, true}) {
                model::ModelConfig config = tinyConfig("llama", 0.1);
                config.layers = layers;
                TrainingRun run("waits", config);
                run.input.spec.clipNorm = 0.5;
                if (fp16) run.input.spec.precision.kind = config::PrecisionSpec::Kind::kAmpFp16;
                run.device = shadow::device();
                run.fresh(config);
                run.create();
                std::vector<data::Batch> batches;
                for (size_t m = 0; m < micro; ++m) batches.push_back(packed(static_cast<int64_t>(2 * m)));
                ASSERT_TRUE(run.trainer->step(batches));
                shadow::resetCounts();
                ASSERT_TRUE(run.trainer->step(batches));
                EXPECT_EQ(shadow::counts().waits, 1) << layers << " layers, " << micro << " micro-batches";
                EXPECT_LT(shadow::counts().readBytes, 8 * 64) << "the host reads numbers, no tensors";
            }
}

TEST_F(ShadowTraining, CheckpointsCrossDevices) {
    const model::ModelConfig config = tinyConfig();
    TrainingRun run("cross", config);
    run.input.spec.ema = config::EmaSpec{.decay = 0.9};
    run.input.deviceBytes = [] { return DeviceBytes{.live = 1, .peak = 12345}; };
    run.device = deviceUnderTest();
    run.fresh(config);
    const TrainResult whole = run.run();  // saves every 4 steps, evaluates at the end
    EXPECT_EQ(whole.devicePeakBytes, 12345);
    EXPECT_NE(run.eventText().find("system/gpu_bytes_peak"), std::string::npos);
    const std::string weights = run.bytes(12, "model.safetensors"), moments = run.bytes(12, "optimizer.safetensors");
    std::filesystem::remove_all(run.checkpoint(12));
    for (const at::Device device : {deviceUnderTest(), at::Device(at::kCPU)}) {
        SCOPED_TRACE(device.str());
        run.device = device;
        run.fresh(config);
        run.create();
        auto found = newestCheckpoint(run.input.checkpointFolder, {});
        ASSERT_TRUE(found);
        ASSERT_EQ(found->step, 8);
        auto loaded = loadCheckpoint(*found);
        ASSERT_TRUE(loaded);
        auto restored = run.trainer->restore(*loaded);
        ASSERT_TRUE(restored) << restored.error().text();
        const TrainResult rest = run.run();
        EXPECT_NEAR(rest.state.loss, whole.state.loss, 1e-5);
        EXPECT_NEAR(rest.state.evalLoss, whole.state.evalLoss, 1e-5);
        if (device == deviceUnderTest()) {
            EXPECT_EQ(run.bytes(12, "model.safetensors"), weights);
            EXPECT_EQ(run.bytes(12, "optimizer.safetensors"), moments);
        }
        std::filesystem::remove_all(run.checkpoint(12));
    }
}

TEST_F(ShadowTraining, LossTakesLabelsOfEitherSide) {
    const at::Tensor hidden = at::randn({40, 8}), weight = at::randn({23, 8}), labels = at::randint(0, 23, {40}, at::kLong);
    labels.narrow(0, 3, 7).fill_(-100);
    const double expected = nn::linearCrossEntropy(hidden, weight, labels, 0.1).item<double>();
    const at::Device d = deviceUnderTest();
    for (const bool host : {true, false}) {
        const at::Tensor h = hidden.to(d).requires_grad_(), w = weight.to(d).requires_grad_();
        const at::Tensor there = host ? labels : labels.to(d);
        shadow::resetCounts();
        const at::Tensor loss = nn::linearCrossEntropy(h, w, there, 0.1);
        loss.backward();
        if (host && !shadow::onGpu()) {
            EXPECT_EQ(shadow::counts().waits, 0);
        }
        EXPECT_NEAR(loss.item<double>(), expected, 1e-5 * std::abs(expected));
    }
}

TEST_F(ShadowTraining, StochasticRoundingEqualsTheKernelBitForBit) {
    at::Tensor wide = at::randn({1000}) * at::pow(at::full({1000}, 10.0), at::randint(-30, 30, {1000}, at::kFloat));
    auto* values = wide.mutable_data_ptr<float>();
    values[0] = std::numeric_limits<float>::infinity();
    values[1] = -std::numeric_limits<float>::infinity();
    values[2] = std::numeric_limits<float>::quiet_NaN();
    values[3] = std::bit_cast<float>(0x7F800001u);  // a NaN whose upper half is that of infinity
    values[4] = std::bit_cast<float>(0xFF7FFFFFu);  // the most negative number
    values[5] = -0.0f;
    for (const uint64_t key : {uint64_t{1}, uint64_t{0xFEDCBA9876543210}}) {
        std::vector<uint16_t> expected(1000);
        roundStochastically(values, expected.data(), 0, 1000, key, 77);
        at::Tensor narrow = at::empty({1000}, at::TensorOptions(deviceUnderTest()).dtype(at::kBFloat16));
        roundStochastically(wide.to(deviceUnderTest()), narrow, key, 77);
        const at::Tensor back = nn::hostCopy(narrow);
        EXPECT_EQ(std::memcmp(back.const_data_ptr(), expected.data(), 2000), 0);
    }
}

TEST(ShadowDevice, RefusesWhatAGpuWouldRefuse) {
    const at::Tensor there = at::ones({4}, at::TensorOptions(shadow::device())), here = at::ones({4});
    EXPECT_THROW((void)(there + here), c10::Error);
    EXPECT_NO_THROW((void)(there + at::ones({})));
    EXPECT_EXIT((void)*static_cast<const volatile float*>(there.const_data_ptr()), ::testing::KilledBySignal(SIGSEGV), "");
    try {
        (void)at::empty({int64_t{1} << 30}, at::TensorOptions(shadow::device()));
        FAIL();
    } catch (const std::exception& e) {
        const Error error = nn::errorFromException(e);
        EXPECT_EQ(error.code, ErrorCode::kOutOfMemory);
        EXPECT_NE(error.message.find("the GPU has not enough memory"), std::string::npos) << error.text();
        EXPECT_NE(error.hint.find("micro_batch"), std::string::npos);
    }
}

}  // namespace
}  // namespace assay::train
