#pragma once
// Every stored point of some curves as one CSV file, however many there are: asked for piece by piece, written beside the
// target and put in its place when it is whole. Columns run, name, metric, step, seconds, tokens, value; RFC 4180.

#include <assay/presenters/app_context.h>

#include <vector>

namespace assay::presenters {

struct SeriesToSave {
    QString run, name, metric;   // id and name of the run
};
// Called on the GUI thread, returns at once; a notice tells the outcome. Given up when `owner` is gone.
void saveSeries(AppContext& context, QObject* owner, std::vector<SeriesToSave> series, const QString& path);

}  // namespace assay::presenters
