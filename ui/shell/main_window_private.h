#pragma once
#include <assay/presenters/machine_watch.h>
#include <assay/presenters/notice_log.h>
#include <assay/presenters/page_history.h>
#include <assay/shell/main_window.h>

#include <QPointer>

#include "desktop_notify.h"

class QShortcut;

namespace assay::shell {

class CommandPalette;
class NavRail;
class NoticeList;
class PageHost;
class StatusBar;
class ToastHost;
class Tour;

struct MainWindow::Private {
    Private(MainWindow& owner, presenters::AppContext& shared) : window(owner), context(shared), watch(shared.session), notices(shared.notifier) {}

    MainWindow& window;
    presenters::AppContext& context;
    presenters::MachineWatch watch;
    presenters::NoticeLog notices;
    presenters::PageHistory history;
    DesktopNotify desktop;

    // Made anew when the language changes.
    QWidget* content = nullptr;
    NavRail* rail = nullptr;
    PageHost* host = nullptr;
    StatusBar* status = nullptr;
    CommandPalette* palette = nullptr;
    NoticeList* noticeList = nullptr;
    ToastHost* toasts = nullptr;
    QPointer<Tour> tour;
    QList<QShortcut*> keys;
    bool refreshingKeys = false, rebuilding = false;

    void build();
    void rebuild();
    void registerCommands();
    void refreshKeys();
    bool show(const QString& page, const Json& argument);   // without a step in the history
    void go(std::optional<presenters::PageHistory::Place> place);
    void save();
    void restoreGeometry();
    void startTour();
    void watchMachine();
    void toggleLanguage();
};

}  // namespace assay::shell
