#pragma once
// What the command palette offers for what was typed: pages and commands at once, runs of the engine when they come.

#include <assay/presenters/app_context.h>

#include <QTimer>
#include <functional>

namespace assay::presenters {

struct PaletteEntry {
    enum class Kind { kCommand, kPage, kRun } kind = Kind::kCommand;
    QString title, detail, shortcut, icon;
    std::function<void()> run;
};
struct PalettePage {
    QString key, title, icon;
};

class PalettePresenter final : public QObject {
    Q_OBJECT
public:
    PalettePresenter(AppContext& context, QList<PalettePage> pages, QObject* parent = nullptr);
    void setTyped(const QString& text);
    const QList<PaletteEntry>& entries() const { return entries_; }
    bool isSearching() const { return searching_; }

Q_SIGNALS:
    void changed();

private:
    void rebuild();
    void askRuns();
    AppContext& context_;
    QList<PalettePage> pages_;
    QString typed_;
    QTimer delay_;
    QList<PaletteEntry> entries_, runs_;
    qint64 question_ = 0;
    bool searching_ = false;
};

// The `where` of runs.list for a text typed by a person; quotes and backslashes are the engine's own.
QString runSearch(const QString& typed);

}  // namespace assay::presenters
