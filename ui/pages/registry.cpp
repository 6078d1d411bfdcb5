#include <QCoreApplication>

#include "make_pages.h"

namespace assay::pages {

// The order of the rail.
const std::vector<PageEntry>& registry() {
    static const std::vector<PageEntry> kPages = {
    };
    return kPages;
}

QString pageTitle(const PageEntry& entry) { return QCoreApplication::translate("pages", entry.title); }

}  // namespace assay::pages
