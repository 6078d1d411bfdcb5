#pragma once
#include <cstdint>

namespace assay::infer {

struct Int4Fit {
    uint16_t scale = 0, minimum = 0;  // fp16
};

// Chooses scale and minimum for one group and writes q (0..15) so that Σ (w − scale·q − minimum)² is small. Starts from
// plain round-to-nearest over [min, max]; narrower ranges and a least-squares refit replace it only when the squared error
// falls, so weights that lie on a 4-bit grid already are held exactly.
Int4Fit fitInt4(const float* weights, int64_t n, uint8_t* q);

}  // namespace assay::infer
