#include <QCoreApplication>

#include "make_pages.h"

namespace assay::pages {

// The order of the rail.
const std::vector<PageEntry>& registry() {
    static const std::vector<PageEntry> kPages = {
        {"home", "home", QT_TRANSLATE_NOOP("pages", "Home"), true, false, makeHomePage},
        {"data", "data", QT_TRANSLATE_NOOP("pages", "Data"), true, false, makeDataPage},
        {"models", "models", QT_TRANSLATE_NOOP("pages", "Models"), true, false, makeModelsPage},
        {"experiment", "experiment", QT_TRANSLATE_NOOP("pages", "New experiment"), true, false, makeExperimentPage},
        {"runs", "runs", QT_TRANSLATE_NOOP("pages", "Queue & runs"), true, false, makeRunsPage},
        {"run", "runs", QT_TRANSLATE_NOOP("pages", "Run"), false, false, makeRunPage},
        {"compare", "compare", QT_TRANSLATE_NOOP("pages", "Compare"), true, false, makeComparePage},
        {"benchmark", "benchmark", QT_TRANSLATE_NOOP("pages", "Benchmark"), true, false, makeBenchmarkPage},
        {"try", "try", QT_TRANSLATE_NOOP("pages", "Try it"), true, false, makeTryPage},
        {"engines", "engines", QT_TRANSLATE_NOOP("pages", "Engines"), true, true, makeEnginesPage},
        {"settings", "settings", QT_TRANSLATE_NOOP("pages", "Settings"), true, true, makeSettingsPage},
    };
    return kPages;
}

QString pageTitle(const PageEntry& entry) { return QCoreApplication::translate("pages", entry.title); }

}  // namespace assay::pages
