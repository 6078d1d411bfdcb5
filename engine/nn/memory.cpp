#include "assay/nn/memory.h"

#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>

namespace assay::nn {

struct MemoryMeter::State : public c10::MemoryReportingInfoBase {
    std::atomic<int64_t> live{0}, peak{0};

    void reportMemoryUsage(void*, int64_t size, size_t, size_t, c10::Device device) override {
        if (!device.is_cpu()) return;  // a GPU's allocator keeps its own figures
        const int64_t now = live.fetch_add(size, std::memory_order_relaxed) + size;
        int64_t seen = peak.load(std::memory_order_relaxed);
        while (now > seen && !peak.compare_exchange_weak(seen, now, std::memory_order_relaxed)) {
        }
    }
    bool memoryProfilingEnabled() const override { return true; }
};

MemoryMeter::MemoryMeter() : state_(std::make_shared<State>()) {}
MemoryMeter::~MemoryMeter() = default;
int64_t MemoryMeter::liveBytes() const { return state_->live.load(std::memory_order_relaxed); }
int64_t MemoryMeter::peakBytes() const { return state_->peak.load(std::memory_order_relaxed); }
void MemoryMeter::resetPeak() { state_->peak.store(liveBytes(), std::memory_order_relaxed); }

struct MemoryScope::Guard {
    c10::DebugInfoGuard guard;
};
MemoryScope::MemoryScope(MemoryMeter& meter)
    : guard_(new Guard{c10::DebugInfoGuard(c10::DebugInfoKind::PROFILER_STATE, meter.state_)}) {}
MemoryScope::~MemoryScope() = default;

int64_t residentBytes() {
    long pages = 0, resident = 0;
    if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
        std::fclose(file);
    }
    return static_cast<int64_t>(resident) * sysconf(_SC_PAGESIZE);
}

}  // namespace assay::nn
