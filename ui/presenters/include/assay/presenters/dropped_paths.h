#pragma once
// Where files go that were dropped on the window or named on the command line.

#include <QString>
#include <QStringList>

namespace assay::presenters {

enum class PathKind { kMissing, kDataset, kExperiment, kModel, kUnknown };
PathKind pathKind(const QString& path);     // looks at the name, and into a folder for its file names; never at contents
QString pageForKind(PathKind kind);         // "data", "experiment", "models", ""

// Groups by page, in the order given; what goes nowhere comes last under "".
QList<std::pair<QString, QStringList>> routePaths(const QStringList& paths);

}  // namespace assay::presenters
