#pragma once
#include <QCoreApplication>

namespace assay::charts {

// Texts of the charts in the person's language; `n` chooses a plural.
inline QString say(const char* text, int n = -1) { return QCoreApplication::translate("charts", text, nullptr, n); }

}  // namespace assay::charts
