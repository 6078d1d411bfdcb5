#pragma once
// How fast this machine multiplies matrices, reads memory and runs the kernels of a training step, measured once and kept in
// <cache>/assay/calibration.json.

#include <assay/core/json.h>
#include <assay/plan/kernel_rates.h>

#include <optional>
#include <string>
#include <vector>

namespace assay::plan {

struct GemmRate {
    int64_t size = 0;      // of square fp32 matrices
    double flopsPerS = 0;  // all threads together
};

struct Calibration {
    std::string cpuModel;
    int threads = 1;
    std::vector<GemmRate> gemm;     // smallest size first
    double bytesPerS = 0;           // reading and writing memory larger than the caches
    double measuredAt = 0;          // Unix time
    std::optional<KernelRates> kernels;  // what `assay-worker --calibrate` measured; nothing: no worker here
    std::string worker;             // which build of the worker that was; another one may have other kernels
    double gemmAt(int64_t size) const;  // between the sizes by interpolation
};

// Takes about half a second; uses `threads` threads. Without `kernels`.
Calibration measureMachine(const std::string& cpuModel, int threads);

// A calibration of the same processor, threads and worker, when the file has one that is in order. One that was disturbed
// serves for ten minutes.
std::optional<Calibration> loadCalibration(const std::string& path, const std::string& cpuModel, int threads, const std::string& worker = {});
Result<void> storeCalibration(const std::string& path, const Calibration& calibration);  // beside those of other keys
std::string calibrationPath();  // cacheRoot()/calibration.json

}  // namespace assay::plan
