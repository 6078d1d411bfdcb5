#pragma once
// Blocks of metric points as bytes (STORAGE.md, "Blocks").

#include <assay/store/types.h>

#include <span>

namespace assay::store {

inline constexpr size_t kMaxBlockPoints = 4096;

std::string encodeBlock(std::span<const Point> points);  // at most kMaxBlockPoints
Result<void> decodeBlock(std::string_view bytes, std::vector<Point>& out);  // appends; kInvalidFile when damaged

// One point per step, later ones win; then M4 on step. `points` are in order of arrival.
void keepLastPerStep(std::vector<Point>& points);
std::vector<Point> sampleM4(std::span<const Point> points, int64_t maxPoints);

}  // namespace assay::store
