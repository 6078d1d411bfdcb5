#pragma once
// The border between assay-worker and libassay_cuda.so: C functions only, found by name with dlsym. The
// plugin links torch_cuda, c10_cuda and NCCL; the worker never does. Load it before the first ATen call of
// the process, because ATen caches whether CUDA exists. Raise kCudaAbiVersion with every change of a function
// or struct here.

#include <cstddef>
#include <cstdint>

namespace assay::dist {

constexpr int32_t kCudaAbiVersion = 1;

struct CudaDevice {
    char name[256];
    int64_t totalBytes, freeBytes;
    int32_t computeMajor, computeMinor;  // compute capability
    int32_t multiprocessors;
    int32_t driverVersion, runtimeVersion;  // as CUDA states them: 1000 × major + 10 × minor
};

struct CudaAllocator {  // of the caching allocator, in bytes, since start or the last reset of the peaks
    int64_t allocatedBytes, allocatedPeakBytes;
    int64_t reservedBytes, reservedPeakBytes;
    int64_t retries, outOfMemory;  // counts
};

// Where a failing function writes why: at most `size` bytes with the closing NUL.
struct CudaMessage {
    char* text;
    size_t size;
};

}  // namespace assay::dist

extern "C" {
// Every function but the first returns 0, or 1 with the reason in `why`. None throws. Any thread.
int32_t assayCudaAbiVersion();
// 0 devices without a driver or without a GPU: both are valid machines.
int32_t assayCudaDeviceCount(int32_t* count, assay::dist::CudaMessage why);
int32_t assayCudaDevice(int32_t device, assay::dist::CudaDevice* out, assay::dist::CudaMessage why);
int32_t assayCudaAllocatorStats(int32_t device, assay::dist::CudaAllocator* out,
                                assay::dist::CudaMessage why);
int32_t assayCudaResetPeaks(int32_t device, assay::dist::CudaMessage why);
// Makes a c10d::ProcessGroupNCCL. `store` points to a c10::intrusive_ptr<c10d::Store>, `out` to an empty
// c10::intrusive_ptr<c10d::Backend>; both sides link the same libtorch_cpu, so the types agree.
int32_t assayCudaMakeNccl(const void* store, int32_t rank, int32_t world, double timeoutSeconds, void* out,
                          assay::dist::CudaMessage why);
// A few real training steps on the device, checked against the CPU: see self_check.cpp. `report` receives a
// JSON document.
int32_t assayCudaSelfCheck(int32_t device, assay::dist::CudaMessage report, assay::dist::CudaMessage why);
}
