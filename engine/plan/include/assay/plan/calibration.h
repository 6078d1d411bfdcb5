#pragma once
// How fast this machine multiplies matrices and reads memory, measured once and kept in <cache>/assay/calibration.json.

#include <assay/core/json.h>

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
    double gemmAt(int64_t size) const;  // between the sizes by interpolation
};

// Takes at most about 1.5 s; uses `threads` threads.
Calibration measureMachine(const std::string& cpuModel, int threads);

// A calibration of the same processor and threads, when the file has one that is in order.
std::optional<Calibration> loadCalibration(const std::string& path, const std::string& cpuModel, int threads);
Result<void> storeCalibration(const std::string& path, const Calibration& calibration);  // beside those of other keys
std::string calibrationPath();  // cacheRoot()/calibration.json

}  // namespace assay::plan
