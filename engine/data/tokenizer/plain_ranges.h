#pragma once
// EncodeOptions::plain, asked.
#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

namespace assay::data {

// Whether one of the ranges (ascending, disjoint) holds a byte of [begin, end).
inline bool touches(std::span<const std::pair<uint32_t, uint32_t>> ranges, size_t begin, size_t end) {
    const auto first = std::partition_point(ranges.begin(), ranges.end(), [&](const auto& r) { return r.second <= begin; });
    return first != ranges.end() && first->first < end;
}

}  // namespace assay::data
