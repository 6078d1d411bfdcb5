// The commands of the window itself and the keys of all commands.
#include <assay/presenters/engine_session.h>
#include <assay/presenters/settings.h>
#include <assay/style/tokens.h>

#include <QApplication>
#include <QShortcut>

#include "command_palette.h"
#include "help_dialogs.h"
#include "main_window_private.h"
#include "nav_rail.h"
#include "notice_list.h"
#include "page_host.h"

namespace assay::shell {
namespace {

QString themeName(style::ThemeChoice choice) {
    switch (choice) {
        case style::ThemeChoice::kLight: return QStringLiteral("light");
        case style::ThemeChoice::kDark: return QStringLiteral("dark");
        case style::ThemeChoice::kSystem: break;
    }
    return QStringLiteral("system");
}

}  // namespace

void MainWindow::Private::registerCommands() {
    refreshingKeys = true;   // once at the end instead of after each
    const QString view = MainWindow::tr("View"), go = MainWindow::tr("Go"), help = MainWindow::tr("Help"), engine = MainWindow::tr("Engine");
    auto& commands = context.commands;
    const auto add = [&](const char* id, const QString& title, const QString& group, const char* key, std::function<void()> run, std::function<bool()> enabled = {}) {
        commands.add({QLatin1String(id), title, group, QLatin1String(key), std::move(run), std::move(enabled)});
    };
    add("window.palette", MainWindow::tr("Commands, pages and runs"), go, "Ctrl+K", [this] { palette->popUp(); });
    add("window.back", MainWindow::tr("Back"), go, "Alt+Left", [this] { this->go(history.back()); }, [this] { return history.canGoBack(); });
    add("window.forward", MainWindow::tr("Forward"), go, "Alt+Right", [this] { this->go(history.forward()); }, [this] { return history.canGoForward(); });
    add("window.export", MainWindow::tr("Export what this page shows"), go, "Ctrl+E", [this] {
        if (host->current()) host->current()->exportData();
    });
    add("window.inspector", MainWindow::tr("Show or hide the inspector"), view, "Ctrl+I", [this] { host->setInspectorShown(!host->inspectorShown()); },
        [this] { return host->hasInspector(); });
    add("window.rail", MainWindow::tr("Show or hide the names of pages"), view, "Ctrl+B", [this] {
        rail->setCollapsed(!rail->isCollapsed());
        context.settings.set(QStringLiteral("window.rail_collapsed"), rail->isCollapsed());
    });
    add("window.full_screen", MainWindow::tr("Full screen"), view, "F11", [this] { window.setWindowState(window.windowState() ^ Qt::WindowFullScreen); });
    for (style::ThemeChoice choice : {style::ThemeChoice::kLight, style::ThemeChoice::kDark, style::ThemeChoice::kSystem}) {
        const QString title = choice == style::ThemeChoice::kLight  ? MainWindow::tr("Light theme")
                              : choice == style::ThemeChoice::kDark ? MainWindow::tr("Dark theme")
                                                                    : MainWindow::tr("Theme of the desktop");
        commands.add({QStringLiteral("window.theme.") + themeName(choice), title, view, {}, [this, choice] {
                          style::setTheme(choice);
                          context.settings.set(QStringLiteral("theme"), themeName(choice).toStdString());
                      }});
    }
    add("window.language", MainWindow::tr("Language: English or 简体中文"), view, "", [this] { toggleLanguage(); });
    add("window.notices", MainWindow::tr("Notices"), view, "Ctrl+Shift+N", [this] { noticeList->toggle(nullptr); });
    add("engine.retry", MainWindow::tr("Connect to the engine again"), engine, "", [this] { context.session.retry(); },
        [this] { return context.session.link() != presenters::Link::kLive; });
    add("help.keys", MainWindow::tr("Keys"), help, "F1", [this] { showKeys(context, &window); });
    add("help.tour", MainWindow::tr("Tour"), help, "", [this] { startTour(); });
    add("help.about", MainWindow::tr("About Assay"), help, "", [this] { showAbout(context, &window); });
    add("window.quit", MainWindow::tr("Close the window; runs go on"), go, "Ctrl+Q", [this] { window.close(); });
    refreshingKeys = false;
    refreshKeys();
}

void MainWindow::Private::refreshKeys() {
    if (refreshingKeys) return;
    qDeleteAll(keys);
    keys.clear();
    const auto bind = [this](const QKeySequence& sequence, auto run) {
        auto* key = new QShortcut(sequence, &window);
        key->setContext(Qt::WindowShortcut);
        QObject::connect(key, &QShortcut::activated, &window, run);
        keys.append(key);
    };
    for (const presenters::Command& command : context.commands.commands()) {
        if (command.shortcut.isEmpty()) continue;
        bind(QKeySequence(command.shortcut), [command] {
            if (!command.enabled || command.enabled()) command.run();
        });
    }
    const QStringList pages = rail->keys();
    for (qsizetype i = 0; i < std::min<qsizetype>(pages.size(), 9); ++i)
        bind(QKeySequence(static_cast<int>(Qt::CTRL) | static_cast<int>(Qt::Key_1 + i)), [this, key = pages[i]] { window.openPage(key); });
    // "?" is a letter inside a text field, and help everywhere else.
    bind(QKeySequence(Qt::Key_Question), [this] { showKeys(context, &window); });
}

}  // namespace assay::shell
