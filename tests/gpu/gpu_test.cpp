// Gradients of every family against fp64 on the CPU, the collectives of a GPU, and the figures that tests/gpu/check prints.
// Without a GPU the same code runs on the shadow device, with small sizes and no claims of speed.
#include <assay/core/clock.h>
#include <assay/core/cuda_driver.h>
#include <assay/dist/device.h>
#include <assay/nn/device.h>

#include <assay/plan/hardware.h>
#include <assay/plan/memory.h>
#include <assay/plan/plan.h>
#include <assay/train/autocast.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "chosen_device.h"
#include "training_fixture.h"

namespace assay::train {
namespace {

using shadow::deviceUnderTest;
using shadow::onGpu;
using testing::makeBatch;
using testing::tinyConfig;
using testing::TrainingRun;

std::vector<at::Tensor> gradientsOn(at::Device device, at::ScalarType type, const std::string& family) {
    auto model = std::move(*nn::createModel(tinyConfig(family), {.dtype = type, .device = device}));
    model->initialize(3);
    const data::Batch batch = makeBatch(0, 4);
    auto inputs = inputsOf(batch, model->config(), device);
    model->loss(*inputs, labelsOf(batch), 1.0 / 40).backward();
    std::vector<at::Tensor> out;
    for (const nn::Parameter& p : model->parameters()) out.push_back(nn::hostCopy(p.value.grad()).to(at::kDouble));
    return out;
}

double distance(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
    double difference = 0, size = 0;
    for (size_t i = 0; i < a.size(); ++i) {
        difference += (a[i] - b[i]).square().sum().item<double>();
        size += b[i].square().sum().item<double>();
    }
    return std::sqrt(difference / size);
}

TEST(Gpu, GradientsEqualFp64OnTheCpu) {
    for (const char* family : {"gpt2", "llama"}) {
        const auto reference = gradientsOn(at::kCPU, at::kDouble, family);
        EXPECT_LT(distance(gradientsOn(deviceUnderTest(), at::kDouble, family), reference), 1e-10) << family;
        EXPECT_LT(distance(gradientsOn(deviceUnderTest(), at::kFloat, family), reference), 1e-5) << family;
    }
}

TEST(Gpu, CollectivesOfOneRankOverNccl) {
    const std::string file = (std::filesystem::temp_directory_path() / ("assay-nccl-" + std::to_string(::getpid()))).string();
    auto group = dist::makeCollective("nccl", {.storeFile = file});
    if (!onGpu()) {
        ASSERT_FALSE(group);
        EXPECT_EQ(group.error().code, ErrorCode::kUnsupported);
        EXPECT_NE(group.error().message.find("the CUDA plugin is not loaded"), std::string::npos);
        return;
    }
    ASSERT_TRUE(group) << group.error().text();
    const at::Tensor x = at::arange(12, at::TensorOptions(deviceUnderTest()).dtype(at::kFloat)), out = at::empty_like(x);
    at::Tensor sum = x.clone();
    ASSERT_TRUE((*group)->allReduce(sum));
    ASSERT_TRUE((*group)->reduceScatter(out, x));
    EXPECT_TRUE(at::equal(sum.cpu(), x.cpu()) && at::equal(out.cpu(), x.cpu()));
    ASSERT_TRUE((*group)->allGather(out, x));
    ASSERT_TRUE((*group)->broadcast(sum, 0));
    ASSERT_TRUE((*group)->barrier());
    std::vector<double> numbers{1.5, -2};
    ASSERT_TRUE((*group)->allReduce(numbers));
    EXPECT_EQ(numbers, (std::vector<double>{1.5, -2}));
}

// The same steps on both, in fp32 without TF32.
TEST(Gpu, LossesAreThoseOfTheCpu) {
    const int64_t rows = onGpu() ? 8 : 4, columns = onGpu() ? 128 : 16, vocabulary = onGpu() ? 997 : 61;
    const int steps = onGpu() ? 50 : 10;
    for (const char* family : {"gpt2", "llama"}) {
        const auto config = onGpu() ? *model::describe(family, 4, 256, 4, std::string_view(family) == "gpt2" ? 4 : 2, 1024, columns, vocabulary, true, 0)
                                    : *model::describe(family, 2, 32, 2, std::string_view(family) == "gpt2" ? 2 : 1, 64, columns, vocabulary, true, 0);
        auto losses = [&](at::Device device) {
            TrainingRun run("losses", config);
            if (device.is_cpu() && onGpu()) at::set_num_threads(static_cast<int>(std::max(1u, std::thread::hardware_concurrency() / 2)));
            run.input.spec.globalBatch = rows;
            run.input.spec.optimizer.lr = 1e-3;
            run.input.spec.clipNorm = 1;
            run.device = device;
            run.fresh(config);
            run.create();
            std::vector<double> out;
            for (int s = 0; s < steps; ++s) {
                auto done = run.trainer->step({makeBatch(s * rows, rows, columns, vocabulary)});
                EXPECT_TRUE(done) << (done ? "" : done.error().text());
                if (done) out.push_back(done->loss);
            }
            return out;
        };
        const std::vector<double> here = losses(at::kCPU), there = losses(deviceUnderTest());
        ASSERT_EQ(here.size(), there.size());
        for (size_t s = 0; s < here.size(); ++s) EXPECT_NEAR(here[s], there[s], 1e-4) << family << " step " << s;
        EXPECT_LT(here.back(), here.front());
    }
}

using Number = config::PrecisionSpec::Kind;
using Switch = config::CheckpointingSpec::Kind;

struct Way {
    const char* name;
    Number precision;
    Switch checkpointing;
    bool anyOrder;  // kernels whose sums come in another order each time
    const char* format;  // whose peak rate of the hardware counts
};
const Way kWays[] = {
    {"fp32", Number::kFp32, Switch::kNone, false, "fp32"},          {"amp bf16", Number::kAmpBf16, Switch::kNone, false, "bf16"},
    {"amp bf16, any order", Number::kAmpBf16, Switch::kNone, true, "bf16"}, {"amp fp16", Number::kAmpFp16, Switch::kNone, false, "fp16"},
    {"bf16", Number::kBf16, Switch::kNone, false, "bf16"},          {"amp bf16, selective", Number::kAmpBf16, Switch::kSelective, false, "bf16"},
    {"amp bf16, full", Number::kAmpBf16, Switch::kFull, false, "bf16"}, {"amp bf16, offload", Number::kAmpBf16, Switch::kOffload, false, "bf16"},
};

Json measure(const Way& way, const model::ModelConfig& config, int64_t rows) {
    constexpr int kWarmUp = 2, kLeast = 3, kMost = 10;
    constexpr double kEnough = 3;  // seconds
    TrainingRun run("figures", config);
    run.input.spec.globalBatch = rows;
    run.input.spec.optimizer.lr = 1e-3;
    run.input.spec.clipNorm = 1;
    run.input.spec.precision.kind = way.precision;
    run.input.spec.activationCheckpointing.kind = way.checkpointing;
    run.device = deviceUnderTest();
    run.fresh(config, weightType(run.input.spec.precision));
    run.create();
    if (way.anyOrder) at::globalContext().setDeterministicAlgorithms(false, false);
    std::vector<double> times;
    double loss = 0, all = 0;
    for (int s = 0; s < kWarmUp + kMost && (s < kWarmUp + kLeast || all < kEnough); ++s) {
        if (s == kWarmUp && onGpu()) (void)dist::CudaPlugin::loaded()->resetPeaks(0);
        const std::vector<data::Batch> batches{makeBatch(s * rows, rows, config.context, config.vocab)};
        shadow::waitForDevice();
        const double start = monotonicSeconds();
        auto done = run.trainer->step(batches);
        shadow::waitForDevice();
        const double took = monotonicSeconds() - start;
        EXPECT_TRUE(done) << way.name << ": " << (done ? "" : done.error().text());
        if (!done) return nullptr;
        loss = done->loss;
        if (s < kWarmUp) continue;
        times.push_back(took);
        all += took;
    }
    if (way.anyOrder && onGpu()) nn::preferSameBits();
    EXPECT_TRUE(std::isfinite(loss)) << way.name;
    std::sort(times.begin(), times.end());
    const double seconds = times[times.size() / 2], tokens = static_cast<double>(rows * config.context), rate = plan::trainingFlops(config, tokens, config.context) / seconds;
    plan::TrainShape shape{.rows = rows, .columns = config.context};
    shape.masked = shape.saves = false;
    shape.device = true;
    shape.precision.kind = way.precision;
    shape.checkpointing.kind = way.checkpointing;
    const plan::Memory planned = plan::trainMemory(config, shape);
    Json row = {{"way", way.name}, {"step_ms", 1e3 * seconds}, {"tokens_per_s", tokens / seconds}, {"tflops", rate / 1e12}, {"mfu", nullptr}, {"loss", loss},
                {"planned_peak_bytes", planned.peak}, {"peak_bytes", nullptr}, {"host_bytes", run.model->offloaded() ? Json(run.model->offloaded()->peak()) : Json()}};
    if (onGpu()) {
        row["peak_bytes"] = dist::CudaPlugin::loaded()->memory(0)->allocatedPeakBytes;
        const auto gpu = dist::CudaPlugin::loaded()->device(0);
        const plan::Hardware* known = gpu ? plan::findHardwareByModel(gpu->name, gpu->totalBytes) : nullptr;
        if (known && known->flopsOf(way.format) > 0) row["mfu"] = rate / known->flopsOf(way.format);
    }
    return row;
}

TEST(Gpu, Figures) {
    Json report = Json::array();
    for (const char* family : {"gpt2", "llama"}) {
        const auto config = onGpu() ? *model::describe(family, 12, 768, 12, 12, std::string_view(family) == "gpt2" ? 3072 : 2048, 512, 32000, true, 0)
                                    : *model::describe(family, 2, 16, 2, 2, 32, 12, 23, true, 0);
        const int64_t rows = onGpu() ? 8 : 2;
        Json rowsOf = Json::array();
        for (const Way& way : kWays) rowsOf.push_back(measure(way, config, rows));
        report.push_back({{"family", family}, {"layers", config.layers}, {"hidden", config.hidden}, {"parameters", model::parameterCount(config)}, {"rows", rows}, {"columns", config.context}, {"ways", rowsOf}});
    }
    if (const char* path = std::getenv("ASSAY_GPU_FIGURES")) std::ofstream(path) << dumpJson(report, 2) << "\n";
}

TEST(Plugin, WhereItLies) {
    ::setenv("ASSAY_CUDA_PLUGIN", "/somewhere/else.so", 1);
    EXPECT_EQ(cudaPluginPath(), "/somewhere/else.so");
    ::unsetenv("ASSAY_CUDA_PLUGIN");
    EXPECT_TRUE(cudaPluginPath().ends_with("/libassay_cuda.so"));
}

}  // namespace
}  // namespace assay::train
