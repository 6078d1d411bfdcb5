#include "rounding_kernels.h"

#include <bit>

#include <assay/core/random.h>

namespace assay::train {

void roundStochastically(const float* from, uint16_t* to, int64_t begin, int64_t end, uint64_t key, int64_t place) {
    for (int64_t i = begin; i < end; ++i) {
        const auto bits = std::bit_cast<uint32_t>(from[i]);
        if ((bits & 0x7F800000u) == 0x7F800000u) {  // infinity, NaN: the random bits must not turn one into the other
            const bool nan = (bits & 0x007FFFFFu) != 0;
            to[i] = static_cast<uint16_t>((bits >> 16) | (nan ? 0x40u : 0u));
            continue;
        }
        const auto random = static_cast<uint32_t>(mixBits(key ^ static_cast<uint64_t>(place + i))) & 0xFFFFu;
        to[i] = static_cast<uint16_t>((bits + random) >> 16);  // the carry reaches the exponent where it should
    }
}

}  // namespace assay::train
