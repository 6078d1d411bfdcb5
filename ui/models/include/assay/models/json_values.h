#pragma once
// Single values of an engine's answer, where a key may be absent or of another kind. Pure functions, any thread.

#include <assay/core/json.h>
#include <assay/models/format.h>

#include <QString>
#include <limits>
#include <string_view>

namespace assay::models {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();   // "no value" wherever a figure may be missing

// Empty when there is none; as it came, so never shown as it is.
inline QString textAt(const Json& object, std::string_view key) { return QString::fromStdString(jsonStringOr(object, key, "")); }
inline QString plainAt(const Json& object, std::string_view key) { return plain(textAt(object, key)); }   // to be shown
inline double numberAt(const Json& object, const char* key) {   // kNan when there is none; "nan" and "inf" are read
    const auto found = object.find(key);
    return found == object.end() ? kNan : numberFromJson(*found);
}

}  // namespace assay::models
