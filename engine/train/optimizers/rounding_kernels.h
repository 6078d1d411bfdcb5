#pragma once
#include <cstdint>

namespace assay::train {

// Rounds elements [begin, end) of fp32 `from` to bf16 `to`: away from zero with the probability of the remainder, by random
// bits that are a function of (key, place + element). Values that bf16 holds, infinities and NaN stay as they are.
void roundStochastically(const float* from, uint16_t* to, int64_t begin, int64_t end, uint64_t key, int64_t place = 0);

}  // namespace assay::train
