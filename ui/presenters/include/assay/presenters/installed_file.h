#pragma once
#include <assay/core/error.h>

#include <QString>

namespace assay::presenters {

// A file that comes with the program, e.g. "experiments/quickstart/kjv-gpt.yaml": beside an installation
// (PREFIX/share/assay), in $ASSAY_DATA_DIR, or in the source tree that the program was built from.
Result<QString> installedFile(const QString& name);

}  // namespace assay::presenters
