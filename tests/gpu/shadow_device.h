#pragma once
// A device of its own for tests on machines without a GPU: LibTorch's PrivateUse1. Its memory lies in pages that the host
// may not touch at the tensors' addresses (reading one ends the process, as with a GPU's pointer), its operations are the
// CPU's on a second mapping of the same pages, and an operation that meets tensors of the host fails as CUDA's do (single
// numbers apart). Backward passes run on a thread of the device. What makes the host wait is counted.

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace assay::shadow {

at::Device device();  // the one device; the first call registers it

struct Counts {
    int64_t waits = 0;       // a number or a tensor read from the device
    int64_t readBytes = 0;   // device → host
    int64_t sentBytes = 0;   // host → device
    int64_t operations = 0;
    int64_t liveBytes = 0, peakBytes = 0;
};
Counts counts();
void resetCounts();  // all but liveBytes; the peak starts from it

}  // namespace assay::shadow
