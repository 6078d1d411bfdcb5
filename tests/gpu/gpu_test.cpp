// Gradients of every family against fp64 on the CPU, the collectives of a GPU, and the figures that tests/gpu/check prints.
// Without a GPU the same code runs on the shadow device, with small sizes and no claims of speed.
#include <assay/core/clock.h>
#include <assay/core/cuda_driver.h>
#include <assay/dist/device.h>
#include <assay/nn/device.h>

#include <algorithm>
#include <cmath>

#include "device_under_test.h"
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

struct Figure {
    double seconds = 0, loss = 0;  // of a step, median; of the last step
    int64_t peakBytes = 0, staticBytes = 0;
};

Figure measure(config::PrecisionSpec::Kind kind, const model::ModelConfig& config, int64_t rows, int steps) {
    using Kind = config::PrecisionSpec::Kind;
    TrainingRun run("figures", config);
    run.input.spec.globalBatch = rows;
    run.input.spec.optimizer.lr = 1e-3;
    run.input.spec.precision.kind = kind;
    run.device = deviceUnderTest();
    if (onGpu()) (void)dist::CudaPlugin::loaded()->resetPeaks(0);
    run.fresh(config, kind == Kind::kBf16 ? at::kBFloat16 : at::kFloat);
    run.create();
    Figure figure;
    std::vector<double> times;
    for (int s = 0; s < steps; ++s) {
        const std::vector<data::Batch> batches{makeBatch(s * rows, rows, config.context, config.vocab)};
        shadow::waitForDevice();
        const double start = monotonicSeconds();
        auto done = run.trainer->step(batches);
        shadow::waitForDevice();
        times.push_back(monotonicSeconds() - start);
        EXPECT_TRUE(done) << (done ? "" : done.error().text());
        if (done) figure.loss = done->loss;
    }
    std::sort(times.begin() + 2, times.end());  // two to warm up
    figure.seconds = times[2 + (times.size() - 2) / 2];
    for (const nn::Parameter& p : run.model->parameters()) figure.staticBytes += static_cast<int64_t>(p.value.nbytes() + p.value.grad().nbytes());
    for (const StateTensor& s : run.trainer->optimizer().state()) figure.staticBytes += static_cast<int64_t>(s.value.nbytes());
    if (onGpu()) figure.peakBytes = dist::CudaPlugin::loaded()->memory(0)->allocatedPeakBytes;
    return figure;
}

TEST(Gpu, FiguresOfEveryPrecision) {
    using Kind = config::PrecisionSpec::Kind;
    model::ModelConfig config = tinyConfig("llama");
    config.kvHeads = 2;
    if (onGpu()) {
        config.layers = 12;
        config.hidden = 768;
        config.heads = config.kvHeads = 12;
        config.headDim = 64;
        config.ffn = 2048;
        config.vocab = 32000;
        config.context = 512;
    }
    const int64_t rows = onGpu() ? 16 : 2;
    const int steps = onGpu() ? 12 : 4;
    Json report = {{"layers", config.layers}, {"hidden", config.hidden}, {"rows", rows}, {"columns", config.context}, {"steps", steps}};
    double fp32 = 0;
    for (const auto& [name, kind] : std::initializer_list<std::pair<const char*, Kind>>{{"fp32", Kind::kFp32}, {"amp_bf16", Kind::kAmpBf16}, {"amp_fp16", Kind::kAmpFp16}, {"bf16", Kind::kBf16}}) {
        const Figure figure = measure(kind, config, rows, steps);
        EXPECT_TRUE(std::isfinite(figure.loss)) << name;
        if (kind == Kind::kFp32) fp32 = figure.seconds;
        report[name] = {{"step_seconds", figure.seconds}, {"tokens_per_s", static_cast<double>(rows * config.context) / figure.seconds}, {"speed_to_fp32", fp32 / figure.seconds},
                        {"loss", figure.loss}, {"peak_bytes", figure.peakBytes}, {"static_bytes", figure.staticBytes}};
        if (onGpu()) {
            EXPECT_GT(figure.peakBytes, figure.staticBytes) << name;
        }
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
