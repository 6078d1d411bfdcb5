#pragma once
// What NVIDIA's driver says of this machine's GPUs, asked through its C interface (libcuda.so.1, CUDA Driver API): no CUDA
// library is linked, and no context is made on a device. CUDA_VISIBLE_DEVICES counts. Any thread.

#include <cstdint>
#include <string>
#include <vector>

namespace assay {

struct CudaGpu {
    std::string name;
    int64_t memoryBytes = 0;
    int major = 0, minor = 0;  // compute capability
};

struct CudaDriver {
    bool found = false;        // libcuda.so.1 is there
    std::string trouble;       // a sentence without a full stop when there is no usable device, else empty
    int version = 0;           // 1000 × major + 10 × minor of the newest CUDA that the driver knows
    std::vector<CudaGpu> gpus; // in CUDA's order
};
CudaDriver cudaDriver();

// Where the worker looks for its CUDA plugin: $ASSAY_CUDA_PLUGIN, else libassay_cuda.so beside the program.
std::string cudaPluginPath();

}  // namespace assay
