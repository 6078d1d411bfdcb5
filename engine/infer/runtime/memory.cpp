#include <assay/infer/memory.h>

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <algorithm>
#include <string>

namespace assay::infer {

Result<Buffer> Buffer::allocate(int64_t bytes) {
    Buffer buffer;
    if (bytes < 0) return fail(ErrorCode::kInternal, "negative buffer size");
    try {
        auto memory = std::make_shared<c10::DataPtr>(c10::GetCPUAllocator()->allocate(size_t(std::max<int64_t>(bytes, 1))));
        void* data = memory->get();
        buffer.data_ = std::shared_ptr<void>(std::move(memory), data);
        buffer.bytes_ = bytes;
    } catch (const std::exception&) {
        return fail(ErrorCode::kOutOfMemory, "cannot allocate " + std::to_string(bytes) + " bytes",
                    "Use a smaller model, batch, window or depth, or a scheme with fewer bits.");
    }
    return buffer;
}

namespace {

class Reporter : public c10::MemoryReportingInfoBase {
public:
    void reportMemoryUsage(void* data, int64_t size, size_t allocated, size_t reserved, c10::Device device) override {
        if (outer != nullptr) outer->reportMemoryUsage(data, size, allocated, reserved, device);
        if (!device.is_cpu()) return;
        live += size;
        peak = std::max(peak, live);
    }
    bool memoryProfilingEnabled() const override { return true; }
    c10::MemoryReportingInfoBase* outer =
        dynamic_cast<c10::MemoryReportingInfoBase*>(c10::ThreadLocalDebugInfo::get(c10::DebugInfoKind::PROFILER_STATE));
    int64_t live = 0, peak = 0;
};

}  // namespace

struct MemoryCounter::State {
    std::shared_ptr<Reporter> reporter = std::make_shared<Reporter>();
    c10::DebugInfoGuard guard{c10::DebugInfoKind::PROFILER_STATE, reporter};
};

MemoryCounter::MemoryCounter() : state_(std::make_unique<State>()) {}
MemoryCounter::~MemoryCounter() = default;
int64_t MemoryCounter::liveBytes() const { return state_->reporter->live; }
int64_t MemoryCounter::peakBytes() const { return state_->reporter->peak; }
void MemoryCounter::resetPeak() { state_->reporter->peak = state_->reporter->live; }

}  // namespace assay::infer
