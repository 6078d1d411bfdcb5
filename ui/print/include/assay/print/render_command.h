#pragma once
// `assay-studio --render-report INPUT --out F.pdf`: what `assay report --out F.pdf` starts. Needs a QGuiApplication.

#include <QString>

namespace assay::print {

// Reads the JSON of report::reportInputToJson, writes the PDF, prints {"path", "sha256"} or {"error": {…}} as one line on stdout.
// Returns the exit code.
int renderReport(const QString& input, const QString& out);

}  // namespace assay::print
