#pragma once
// Seconds of the parts of a run, on this machine or by a vendor's figures.

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
    double forward(const model::ModelConfig& config, double tokens, int64_t context) const;  // inference kernels
    double decode(const model::ModelConfig& config, int64_t batch, int64_t context, int64_t weightBytes, int64_t cacheBytes) const;  // one step

private:
    const Input& input_;
    const Hardware& hardware_;
};

constexpr double kWorkerStart = 1.0;   // seconds until a worker works
constexpr double kDiskRate = 300e6;    // bytes/s of a checkpoint with its fsync

}  // namespace assay::plan
