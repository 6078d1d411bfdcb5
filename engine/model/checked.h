#pragma once
// Arithmetic on sizes that come from files: overflow is an answer, not a wrap.
#include <cstdint>
#include <optional>
#include <vector>

namespace assay::model {

inline std::optional<int64_t> checkedProduct(int64_t a, int64_t b) {
    int64_t out;
    if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &out)) return std::nullopt;
    return out;
}
inline std::optional<int64_t> checkedProduct(const std::vector<int64_t>& shape) {
    std::optional<int64_t> out = 1;
    for (int64_t d : shape) {
        out = checkedProduct(*out, d);
        if (!out) return out;
    }
    return out;
}
// Product of a shape that has been checked already.
inline int64_t elementsOf(const std::vector<int64_t>& shape) {
    int64_t out = 1;
    for (int64_t d : shape) out *= d;
    return out;
}

}  // namespace assay::model
