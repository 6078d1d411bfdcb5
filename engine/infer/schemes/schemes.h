#pragma once
#include <assay/infer/scheme.h>

#include <optional>

namespace assay::infer {

// A matcher gives the scheme of that name, nothing when the name is not of its family, or an error when it is but cannot be.
using SchemeMatcher = Result<SchemePtr> (*)(std::string_view name);
Result<SchemePtr> matchFp32(std::string_view name);
Result<SchemePtr> matchFp16(std::string_view name);
Result<SchemePtr> matchInt8(std::string_view name);
Result<SchemePtr> matchInt4(std::string_view name);

// G of "intN-gG" (or `fallback` for "intN" alone); nothing when the name is not of this form.
std::optional<int64_t> groupOf(std::string_view name, std::string_view prefix, int64_t fallback);
Result<void> checkGroup(std::string_view name, int64_t group);
// The first weight that is not finite, as an error naming tensor, row and column.
Result<void> checkFinite(const float* weights, int64_t rows, int64_t columns, const std::string& what, ThreadPool& pool);
Result<void> checkStored(std::string_view bytes, int64_t expected, const std::string& what, std::string_view suffix);

}  // namespace assay::infer
