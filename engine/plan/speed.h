#pragma once
// Seconds of the parts of a run, on this machine or by a vendor's figures.

#include <map>

#include "assay/plan/plan.h"

namespace assay::plan {

class Speed {
public:
    Speed(const Input& input, const Hardware& hardware) : input_(input), hardware_(hardware) {}
    bool here() const { return hardware_.measured; }
    double matrixRate(int64_t width, std::string_view format = "fp32") const;  // FLOP/s that layers of this width reach
    double memoryRate() const;                                                  // bytes/s
    double uncertainty() const { return here() ? 0.4 : 0.5; }

    // One optimizer step over all ranks' micro-batches; `note`: where the figure is from.
    Seconds step(const model::ModelConfig& config, const TrainShape& shape, int64_t savedBytes, std::string_view format, std::string& note) const;
    // Inference kernels, by the scheme the weights are held in.
    double forward(const model::ModelConfig& config, double tokens, int64_t context, std::string_view scheme = "fp32") const;
    double decode(const model::ModelConfig& config, int64_t batch, int64_t context, int64_t weightBytes, int64_t cacheBytes, std::string_view scheme = "fp32") const;  // one step

private:
    const Calibration& calibrationFor(const TrainShape& shape) const;
    const Input& input_;
    const Hardware& hardware_;
    mutable std::map<int64_t, Calibration> others_;  // by threads
};

constexpr double kWorkerStart = 0.5;   // seconds until a worker works
constexpr double kLoadRate = 800e6;    // bytes/s of weights as they are held, from files the system has in memory
constexpr double kTextSeconds = 0.3;   // reading and tokenizing a text to score, some megabytes
// Comparing a model with the base, for each entry of the vocabulary and token, on one thread; and quantizing and writing
// a weight. Measured.
constexpr double kCompareSeconds = 7e-9, kPackSeconds = 11e-9, kPackSeconds4Bit = 17e-9;
constexpr double kDiskRate = 300e6;    // bytes/s of a checkpoint with its fsync

}  // namespace assay::plan
