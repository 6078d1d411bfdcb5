#pragma once
// Exact bytes of tensors in the host's memory as the allocator sees them (a GPU's: dist/device.h). c10 reports allocations per thread: make a MemoryScope on every
// thread that allocates or frees tensors (the CPU backward pass runs on the calling thread).

#include <cstdint>
#include <memory>

namespace assay::nn {

class MemoryMeter {
public:
    MemoryMeter();
    ~MemoryMeter();
    int64_t liveBytes() const;
    int64_t peakBytes() const;
    void resetPeak();  // the peak becomes what is live now

private:
    friend class MemoryScope;
    struct State;
    std::shared_ptr<State> state_;
};

class MemoryScope {  // counts the calling thread's allocations into `meter` until destroyed
public:
    explicit MemoryScope(MemoryMeter& meter);
    ~MemoryScope();
    MemoryScope(const MemoryScope&) = delete;
    MemoryScope& operator=(const MemoryScope&) = delete;

private:
    struct Guard;
    std::unique_ptr<Guard> guard_;
};

int64_t residentBytes();  // RSS of this process

}  // namespace assay::nn
