#pragma once
// Memory that LibTorch's allocator counts. Weights, caches and work space of the inference runtime come from it, so
// what is reported as resident is what the allocator says (METRICS.md), not an estimate.

#include <assay/core/error.h>

#include <cstdint>
#include <memory>

namespace assay::infer {

// Bytes of the c10 CPU allocator: 64-byte aligned, uninitialised. Copies share the memory.
class Buffer {
public:
    Buffer() = default;
    static Result<Buffer> allocate(int64_t bytes);  // kOutOfMemory
    int64_t bytes() const { return bytes_; }
    template <class T>
    T* as() { return static_cast<T*>(data_.get()); }
    template <class T>
    const T* as() const { return static_cast<const T*>(data_.get()); }

private:
    std::shared_ptr<void> data_;
    int64_t bytes_ = 0;
};

// Counts what the current thread allocates and frees through LibTorch's CPU allocator while the object lives. Counters
// nest: the outer one sees what the inner one sees.
class MemoryCounter {
public:
    MemoryCounter();
    ~MemoryCounter();
    MemoryCounter(const MemoryCounter&) = delete;
    MemoryCounter& operator=(const MemoryCounter&) = delete;
    int64_t liveBytes() const;
    int64_t peakBytes() const;
    void resetPeak();  // to what is live

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace assay::infer
