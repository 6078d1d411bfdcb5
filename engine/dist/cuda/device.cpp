// Devices and the statistics of the caching allocator.
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda_runtime_api.h>

#include "guard.h"

using assay::cuda::guarded;
using assay::dist::CudaAllocator;
using assay::dist::CudaDevice;
using assay::dist::CudaMessage;

namespace {

void checkDevice(int32_t device) {
    const int count = c10::cuda::device_count();
    TORCH_CHECK(device >= 0 && device < count, "there is no CUDA device ", device, "; this machine has ",
                count);
}

int64_t current(const c10::CachingAllocator::StatArray& stats) {
    return stats[static_cast<size_t>(c10::CachingAllocator::StatType::AGGREGATE)].current;
}
int64_t peak(const c10::CachingAllocator::StatArray& stats) {
    return stats[static_cast<size_t>(c10::CachingAllocator::StatType::AGGREGATE)].peak;
}

}  // namespace

extern "C" {

ASSAY_EXPORT int32_t assayCudaAbiVersion() {
    return assay::dist::kCudaAbiVersion;
}

ASSAY_EXPORT int32_t assayCudaDeviceCount(int32_t* count, CudaMessage why) {
    return guarded(why,
                   [&] { *count = c10::cuda::device_count(); });  // 0 without a driver, never throws for it
}

ASSAY_EXPORT int32_t assayCudaDevice(int32_t device, CudaDevice* out, CudaMessage why) {
    return guarded(why, [&] {
        checkDevice(device);
        cudaDeviceProp properties{};
        C10_CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
        c10::cuda::CUDAGuard guard(static_cast<c10::DeviceIndex>(device));
        size_t freeBytes = 0, totalBytes = 0;
        C10_CUDA_CHECK(cudaMemGetInfo(&freeBytes, &totalBytes));
        *out = CudaDevice{};
        assay::cuda::put({out->name, sizeof out->name}, properties.name);
        out->totalBytes = static_cast<int64_t>(totalBytes);
        out->freeBytes = static_cast<int64_t>(freeBytes);
        out->computeMajor = properties.major;
        out->computeMinor = properties.minor;
        out->multiprocessors = properties.multiProcessorCount;
        C10_CUDA_CHECK(cudaDriverGetVersion(&out->driverVersion));
        C10_CUDA_CHECK(cudaRuntimeGetVersion(&out->runtimeVersion));
    });
}

ASSAY_EXPORT int32_t assayCudaAllocatorStats(int32_t device, CudaAllocator* out, CudaMessage why) {
    return guarded(why, [&] {
        checkDevice(device);
        const auto stats =
            c10::cuda::CUDACachingAllocator::getDeviceStats(static_cast<c10::DeviceIndex>(device));
        out->allocatedBytes = current(stats.allocated_bytes);
        out->allocatedPeakBytes = peak(stats.allocated_bytes);
        out->reservedBytes = current(stats.reserved_bytes);
        out->reservedPeakBytes = peak(stats.reserved_bytes);
        out->retries = stats.num_alloc_retries;
        out->outOfMemory = stats.num_ooms;
    });
}

ASSAY_EXPORT int32_t assayCudaResetPeaks(int32_t device, CudaMessage why) {
    return guarded(why, [&] {
        checkDevice(device);
        c10::cuda::CUDACachingAllocator::resetPeakStats(static_cast<c10::DeviceIndex>(device));
    });
}
}
