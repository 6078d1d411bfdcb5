#pragma once
// A page of the window: a widget that shows one presenter. Adding one is a file and a line in registry.cpp.

#include <assay/presenters/app_context.h>

#include <QWidget>
#include <functional>
#include <vector>

namespace assay::pages {

class Page : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    virtual void open(const Json& argument) { (void)argument; }        // each time it is navigated to
    virtual Json saveState() const { return nullptr; }                  // layout, filters, what is selected
    virtual void restoreState(const Json& state) { (void)state; }
    virtual QWidget* inspector() { return nullptr; }                    // shown in the dock on the right; owned by the page
    virtual void exportData() {}                                        // Ctrl+E
    virtual bool acceptsFiles(const QStringList& paths) const { (void)paths; return false; }
    virtual void takeFiles(const QStringList& paths) { (void)paths; }   // dropped on the window

Q_SIGNALS:
    void contentShown();   // what the page asked the engine for is on screen the first time (start-up timing)

protected:
    bool event(QEvent* event) override;   // keeps the order of Tab; those who override it call it
    void orderTabs();                     // along the layouts; for parts that come late inside a scroll area

private:
    QWidgetList tabStops_;   // compared only
};

struct PageEntry {
    const char* key;        // "home": stable, used by navigate(), settings and tests
    const char* icon;
    const char* title;      // untranslated, context "pages"
    bool inRail = true;     // false: reached from another page (run)
    bool atBottom = false;
    std::function<Page*(presenters::AppContext&, QWidget* parent)> make;
};
const std::vector<PageEntry>& registry();
QString pageTitle(const PageEntry& entry);

}  // namespace assay::pages
