#pragma once
#include "assay/train/data_parallel.h"

namespace assay::train {

struct DataParallel::Bucket {
    std::vector<size_t> parameters;
    std::vector<int64_t> offsets;
    at::Tensor flat;          // the gradients
    at::Tensor own;           // this rank's part of `flat` when the sums are scattered
    dist::PendingPtr pending;
    size_t waiting = 0;       // parameters whose gradient is not complete
};

struct DataParallel::Place {
    size_t bucket = 0;
    at::Tensor view;          // of the bucket, in the shape of the parameter
    bool filled = false;      // holds a gradient of this step
    int fired = 0;            // in the backward pass under way
    int expected = 0;         // as often as in earlier passes; 0: never yet, then the end of the pass is waited for
};

// The type that gradients of a parameter are summed in.
inline at::ScalarType sumTypeOf(const nn::Parameter& p) { return p.value.scalar_type() == at::kDouble ? at::kDouble : at::kFloat; }

}  // namespace assay::train
