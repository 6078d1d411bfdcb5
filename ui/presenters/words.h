#pragma once
#include <QString>
#include <limits>
#include <string>

namespace assay::presenters {

inline QString toQt(const std::string& text) { return QString::fromStdString(text); }
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace assay::presenters
