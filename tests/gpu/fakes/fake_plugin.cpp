// A libassay_cuda.so for tests: of the interface version FAKE_CUDA_ABI, and its CUDA sees no device.
#include <assay/dist/cuda_abi.h>

#include <cstdlib>

using assay::dist::CudaAllocator;
using assay::dist::CudaDevice;
using assay::dist::CudaMessage;

extern "C" {
int32_t assayCudaAbiVersion() {
    const char* version = std::getenv("FAKE_CUDA_ABI");
    return version ? std::atoi(version) : assay::dist::kCudaAbiVersion;
}
int32_t assayCudaDeviceCount(int32_t* count, CudaMessage) {
    *count = 0;
    return 0;
}
int32_t assayCudaDevice(int32_t, CudaDevice*, CudaMessage) { return 1; }
int32_t assayCudaAllocatorStats(int32_t, CudaAllocator*, CudaMessage) { return 1; }
int32_t assayCudaResetPeaks(int32_t, CudaMessage) { return 1; }
int32_t assayCudaMakeNccl(const void*, int32_t, int32_t, double, void*, CudaMessage) { return 1; }
int32_t assayCudaSelfCheck(int32_t, CudaMessage, CudaMessage) { return 1; }
}
