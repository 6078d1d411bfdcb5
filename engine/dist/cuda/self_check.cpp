// assayCudaSelfCheck: does what training on a GPU will do, small, and compares it with the CPU.
//
//   fp32   20 steps with a one-rank NCCL group; losses within 1e-4 of the CPU's, step by step
//   bf16   20 steps under autocast; losses within 0.05 of the CPU's fp32 ones
//   fp16   20 steps under autocast with gradient scaling; then a poisoned step that must be skipped and halve
//   the scale memory bytes of a tensor of known size, by the caching allocator
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>

#include <chrono>
#include <cmath>
#include <sstream>
#include <torch/csrc/distributed/c10d/HashStore.hpp>

#include "guard.h"
#include "process_group.h"
#include "tiny_step.h"

namespace assay::cuda {
namespace {

constexpr int kSteps = 20;

struct Curve {
    std::vector<double> losses;
    double seconds = 0;
};

Curve train(TinyTrainer& trainer) {
    Curve curve;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kSteps; ++i)
        curve.losses.push_back(trainer.step().loss);
    curve.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return curve;
}

double largestDifference(const Curve& a, const Curve& b) {
    double largest = 0;
    for (size_t i = 0; i < a.losses.size(); ++i)
        largest = std::max(largest, std::abs(a.losses[i] - b.losses[i]));
    return largest;
}

int64_t allocatedBytes(c10::DeviceIndex device) {
    const auto stats = c10::cuda::CUDACachingAllocator::getDeviceStats(device);
    return stats.allocated_bytes[static_cast<size_t>(c10::CachingAllocator::StatType::AGGREGATE)].current;
}

class Report {
public:
    void number(const char* key, double value) { text_ << separator() << '"' << key << "\":" << value; }
    void check(const char* key, bool passed) {
        text_ << separator() << '"' << key << "\":" << (passed ? "true" : "false");
        passed_ = passed_ && passed;
    }
    std::string finish() {
        check("passed", passed_);
        return text_.str() + "}";
    }

private:
    const char* separator() { return text_.tellp() == std::streampos(0) ? "{" : ","; }
    std::ostringstream text_;
    bool passed_ = true;
};

void checkPrecisions(c10::Device device, const c10::intrusive_ptr<c10d::Backend>& group, Report& report) {
    TinyTrainer reference(c10::kCPU, at::kFloat, {});
    const Curve cpu = train(reference);
    report.number("cpu_first_loss", cpu.losses.front());
    report.number("cpu_last_loss", cpu.losses.back());
    report.check("cpu_learns", cpu.losses.back() < cpu.losses.front() - 0.2);
    struct Row {
        at::ScalarType precision;
        const char *difference, *close, *seconds;
        double tolerance;
    };
    for (const Row& row : {Row{at::kFloat, "fp32_difference", "fp32_equals_cpu", "fp32_seconds", 1e-4},
                           Row{at::kBFloat16, "bf16_difference", "bf16_near_cpu", "bf16_seconds", 0.05},
                           Row{at::kHalf, "fp16_difference", "fp16_near_cpu", "fp16_seconds", 0.05}}) {
        TinyTrainer trainer(device, row.precision, group);
        const Curve curve = train(trainer);
        const double difference = largestDifference(cpu, curve);
        report.number(row.difference, difference);
        report.check(row.close, difference < row.tolerance);
        report.number(row.seconds, curve.seconds);
    }
}

void checkScaling(c10::Device device, const c10::intrusive_ptr<c10d::Backend>& group, Report& report) {
    TinyTrainer trainer(device, at::kHalf, group);
    const double scale = trainer.step().scale;
    std::vector<at::Tensor> before;
    for (const at::Tensor& weight : trainer.weights())
        before.push_back(weight.detach().clone());
    const StepResult poisoned = trainer.poisonedStep();
    bool same = true;
    for (size_t i = 0; i < before.size(); ++i)
        same = same && at::equal(before[i], trainer.weights()[i].detach());
    report.check("infinite_gradient_skips", poisoned.skipped && same);
    report.check("infinite_gradient_halves_scale", poisoned.scale == scale / 2);
    report.check("goes_on_after_skip", !trainer.step().skipped);
}

}  // namespace
}  // namespace assay::cuda

extern "C" ASSAY_EXPORT int32_t assayCudaSelfCheck(int32_t index, assay::dist::CudaMessage out,
                                                   assay::dist::CudaMessage why) {
    using namespace assay::cuda;
    return guarded(why, [&] {
        TORCH_CHECK(index >= 0 && index < c10::cuda::device_count(), "there is no CUDA device ", index);
        const auto ordinal = static_cast<c10::DeviceIndex>(index);
        const c10::Device device(c10::kCUDA, ordinal);
        c10::cuda::CUDAGuard guard(ordinal);
        Report report;

        const int64_t before = allocatedBytes(ordinal);
        at::Tensor mebibyte = at::empty({256, 1024}, at::TensorOptions(device).dtype(at::kFloat));
        report.check("allocator_counts_bytes", allocatedBytes(ordinal) - before == int64_t{1} << 20);

        auto group = makeNccl(c10::make_intrusive<c10d::HashStore>(), 0, 1, std::chrono::minutes(1));
        checkPrecisions(device, group, report);
        checkScaling(device, group, report);
        group->shutdown();
        put(out, report.finish());
    });
}
