#pragma once
// How long the kernels of a training step take on this machine: matrix products by shape, attention, whole layers, the loss,
// optimizers, memory. Points only, each a shape and its seconds; what a step of another shape takes is engine/plan's business
// (kernel_rates.h reads this document). `assay-worker --calibrate` prints it.

#include <assay/core/json.h>

namespace assay::train {

struct RateOptions {
    double seconds = 2.2;   // of this thread's work; on a slow machine the larger shapes are left out
    double patience = 3;    // on a busy machine at most this many times longer by the clock
    bool half = true;       // bf16 and fp16 too
};

// Uses ATen's threads as they are set. Others on the machine hardly matter (calibrate/stopwatch.h); "disturbed" tells when they
// took the cores from several threads meanwhile, which leaves the figures less certain. LibTorch's exceptions pass through.
Json measureRates(const RateOptions& options = {});

}  // namespace assay::train
