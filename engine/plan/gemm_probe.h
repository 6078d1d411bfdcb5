#pragma once
#include <cstdint>

namespace assay::plan {

// C += A · B for square row-major fp32 matrices of `n` (a multiple of 48), rows [first, last) (multiples of 6). `pack`: n × 16 floats.
void probeGemm(const float* a, const float* b, float* c, int64_t n, int64_t first, int64_t last, float* pack);

}  // namespace assay::plan
