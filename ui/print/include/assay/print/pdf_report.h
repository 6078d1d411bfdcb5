#pragma once
// A comparison as a PDF: the numbers of HTML, CSV and JSON (engine/report), drawn as vectors on A4. Needs a QGuiApplication
// (the offscreen platform will do), no window.

#include <assay/report/report.h>

namespace assay::print {

// Written through the durable-write helper. kIo, kDiskFull when it cannot be.
Result<report::Written> writePdfReport(const std::string& path, const report::ReportInput& input);

}  // namespace assay::print
