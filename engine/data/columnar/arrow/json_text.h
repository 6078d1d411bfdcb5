#pragma once
// JSON text of scalar values, appended to a string.
#include <cstdint>
#include <string>
#include <string_view>

namespace assay::data {

void appendQuoted(std::string& out, std::string_view text);  // escaped; `text` is UTF-8
void appendBase64(std::string& out, std::string_view bytes); // quoted
void appendReal(std::string& out, double value);             // shortest form that reads back the same; "nan", "inf", "-inf"
void appendReal(std::string& out, float value);

// Moments as ISO 8601 in quotes. `perSecond`: units in a second (1, 1000, …). Zoned moments are written in UTC with a Z.
void appendDate(std::string& out, int64_t daysSince1970);
void appendMoment(std::string& out, int64_t value, int64_t perSecond, bool zoned);
void appendTimeOfDay(std::string& out, int64_t value, int64_t perSecond);
void appendSeconds(std::string& out, int64_t value, int64_t perSecond);  // a number

}  // namespace assay::data
