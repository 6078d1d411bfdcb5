#pragma once
#include <assay/core/error.h>

#include <QString>
#include <QStringList>

namespace assay::studio {

struct Options {
    QString engine, store, page, runs, theme, language;
    QString renderReport, out;
    QStringList paths;
    bool help = false, version = false;
};
Result<Options> parseOptions(const QStringList& arguments);   // without the program's name
QString usage();

// Nothing when a window can be shown; else why not. Looked for before Qt does, since Qt ends the process.
Result<void> requireDisplay();

}  // namespace assay::studio
