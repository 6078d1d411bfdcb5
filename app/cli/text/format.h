#pragma once
// Values as people read them. One rounding rule: four significant digits, whole numbers in full with thousands apart.

#include <assay/core/json.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace assay::cli {

// Control characters, escape sequences and broken UTF-8 become visible text: names come from files of others.
std::string safeText(std::string_view text, bool keepNewlines = false);

std::string formatNumber(double value);      // "3.412", "1,204", "2.1e-05", "nan"
std::string formatInteger(int64_t value);    // "1,204,233"
std::string formatBytes(double bytes);       // "1.42 MB" (powers of 1000)
std::string formatSeconds(double seconds);   // "0.84 s", "12.3 s", "4:07", "2:03:10"
std::string formatPercent(double fraction);  // "62.1 %"
// A JSON value in a cell: numbers by the rule above, null and absent "-", others as text.
std::string formatValue(const Json& value);

int displayWidth(std::string_view text);  // columns on a terminal
std::string cutToWidth(std::string_view text, int columns);  // with … when something is missing

}  // namespace assay::cli
