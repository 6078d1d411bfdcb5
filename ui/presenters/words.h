#pragma once
#include <assay/models/json_values.h>

#include <string>

namespace assay::presenters {

using models::kNan;
using models::numberAt;
using models::textAt;
inline QString toQt(const std::string& text) { return QString::fromStdString(text); }

}  // namespace assay::presenters
