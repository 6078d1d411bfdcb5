// Tensor memory is reported to the byte, per thread.
#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <gtest/gtest.h>
#include <assay/torch.h>

#include <thread>

namespace assay {
namespace {

class Counter : public c10::MemoryReportingInfoBase {
public:
    bool memoryProfilingEnabled() const override { return true; }
    void reportMemoryUsage(void*, int64_t size, size_t, size_t, c10::Device) override {
        live += size;
        peak = std::max(peak, live);
    }
    int64_t live = 0, peak = 0;
};

TEST(Memory, reportsExactBytes) {
    auto counter = std::make_shared<Counter>();
    c10::DebugInfoGuard guard(c10::DebugInfoKind::PROFILER_STATE, counter);
    {
        at::Tensor a = at::empty({1000, 3}, at::kFloat);
        EXPECT_EQ(counter->live, 12000);
        at::Tensor view = a.t();
        EXPECT_EQ(counter->live, 12000);
        at::Tensor positive = at::relu(a);
        EXPECT_EQ(counter->live, 24000);
    }
    EXPECT_EQ(counter->live, 0);
    EXPECT_EQ(counter->peak, 24000);
}

TEST(Memory, countsWhatIsHeldForTheBackwardPass) {
    auto counter = std::make_shared<Counter>();
    c10::DebugInfoGuard guard(c10::DebugInfoKind::PROFILER_STATE, counter);
    at::Tensor x = at::ones({64, 32}), w = at::ones({32, 32}).requires_grad_();
    const int64_t before = counter->live;
    at::Tensor y = at::gelu(at::linear(x, w));  // keeps the input of gelu and the result
    EXPECT_EQ(counter->live - before, 2 * 64 * 32 * 4);
}

TEST(Memory, isSeenOnlyByTheThreadThatAsked) {
    auto counter = std::make_shared<Counter>();
    c10::DebugInfoGuard guard(c10::DebugInfoKind::PROFILER_STATE, counter);
    std::thread([] { at::Tensor unseen = at::empty({1000}); }).join();
    EXPECT_EQ(counter->peak, 0);
}

}  // namespace
}  // namespace assay
