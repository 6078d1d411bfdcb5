#pragma once
// What this machine has, read from the kernel; for `assay doctor`.
#include <assay/core/cuda_driver.h>
#include <assay/core/json.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay::cli {

struct Cpu {
    std::string model;
    std::vector<std::string> features;  // of those that matter to kernels, as the kernel names them
    int cores = 0;          // processors this process may use
    int physicalCores = 0;  // without hyper-threads
};
Cpu cpuFrom(std::string_view cpuInfo, int allowedProcessors);  // text of /proc/cpuinfo
Cpu thisCpu();

int64_t memoryBytes();                      // of the machine
std::optional<double> measureReadGbPerS();  // all cores reading memory far larger than the caches; 1e9 bytes; < 1 s
// What the driver shows: [{"name","memory_bytes","compute_capability"}]; when it shows none, what the kernel lists:
// [{"name","bus"}].
Json gpus(const CudaDriver& driver);

struct LibTorch {
    std::string version, path;
};
std::optional<LibTorch> installedLibTorch();

}  // namespace assay::cli
