#include <assay/models/format.h>
#include <assay/presenters/dropped_paths.h>
#include <assay/presenters/engine_session.h>
#include <assay/presenters/settings.h>
#include <assay/shell/language.h>
#include <assay/shell/main_window.h>

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QScreen>
#include <QTimer>
#include <QVBoxLayout>

#include "command_palette.h"
#include "link_banner.h"
#include "main_window_private.h"
#include "nav_rail.h"
#include "notice_list.h"
#include "page_host.h"
#include "status_bar.h"
#include "toast_host.h"
#include "tour.h"

namespace assay::shell {

using presenters::Navigator;
using presenters::PageHistory;

MainWindow::MainWindow(presenters::AppContext& context, QWidget* parent) : QMainWindow(parent), d_(std::make_unique<Private>(*this, context)) {
    setObjectName(QStringLiteral("main-window"));
    setAcceptDrops(true);
    setMinimumSize(800, 560);
    d_->build();
    d_->restoreGeometry();
    connect(&context.navigator, &Navigator::requested, this, &MainWindow::openPage);
    connect(&context.commands, &presenters::CommandRegistry::changed, this, [this] { d_->refreshKeys(); });
    connect(&context.settings, &presenters::Settings::changed, this, [this](const QString& key) {
        if (key != QLatin1String("language")) return;
        // After the click that caused it: the widget that was clicked goes too.
        QTimer::singleShot(0, this, [this] { d_->rebuild(); });
    });
    connect(&context.session, &presenters::EngineSession::event, this, [this](const QString& run, const QString& type, const Json& event) {
        if (type == QLatin1String("run") && event.contains("row")) d_->desktop.runChanged(run, event["row"], isActiveWindow());
    });
    if (const QString trouble = context.settings.trouble(); !trouble.isEmpty())
        QTimer::singleShot(0, this, [&context, trouble] {
            context.notifier.notify({.severity = presenters::Severity::kWarning, .title = tr("Settings were reset"), .detail = trouble});
        });
    if (!context.settings.flag(QStringLiteral("tour.done"), false)) QTimer::singleShot(600, this, [this] { d_->startTour(); });
}

MainWindow::~MainWindow() { disconnect(&d_->context.commands, nullptr, this, nullptr); }

void MainWindow::Private::build() {
    content = new QWidget(&window);
    content->setObjectName(QStringLiteral("content"));
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* middle = new QHBoxLayout;
    middle->setSpacing(0);
    rail = new NavRail(content);
    host = new PageHost(context, content);
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    column->addWidget(new LinkBanner(context, content));
    column->addWidget(host, 1);
    middle->addWidget(rail);
    middle->addLayout(column, 1);
    layout->addLayout(middle, 1);
    status = new StatusBar(context, watch, notices, content);
    layout->addWidget(status);
    window.setCentralWidget(content);
    palette = new CommandPalette(context, &window);
    noticeList = new NoticeList(notices, &window);
    toasts = new ToastHost(context.notifier, &window);

    rail->setCollapsed(context.settings.flag(QStringLiteral("window.rail_collapsed"), false));
    QObject::connect(host, &PageHost::contentShown, &window, &MainWindow::contentShown);
    QObject::connect(rail, &NavRail::chosen, &window, [this](const QString& key) { window.openPage(key); });
    QObject::connect(rail, &NavRail::collapsedChanged, &window, [this](bool on) { context.settings.set(QStringLiteral("window.rail_collapsed"), on); });
    QObject::connect(status, &StatusBar::enginesWanted, &window, [this] { window.openPage(QStringLiteral("engines")); });
    QObject::connect(status, &StatusBar::runsWanted, &window, [this] { window.openPage(QStringLiteral("runs")); });
    QObject::connect(status, &StatusBar::paletteWanted, palette, &CommandPalette::popUp);
    QObject::connect(status, &StatusBar::noticesWanted, noticeList, [this] { noticeList->toggle(status); });
    QObject::connect(status, &StatusBar::languageWanted, &window, [this] { toggleLanguage(); });
    registerCommands();
}

// Every word of the window is made once, in the language of that moment; another language is another set of widgets. The
// pages keep what they show through saveState.
void MainWindow::Private::rebuild() {
    if (rebuilding) return;
    rebuilding = true;
    host->saveStates();
    installLanguage(context.settings.text(QStringLiteral("language")));
    const auto place = history.current();
    delete palette;
    delete noticeList;
    delete toasts;
    delete tour;
    QWidget* old = window.takeCentralWidget();
    delete old;
    build();
    if (place) show(place->page, place->argument);
    rebuilding = false;
}

void MainWindow::Private::toggleLanguage() {
    const QStringList codes = languages();
    const auto at = codes.indexOf(installedLanguage());
    context.settings.set(QStringLiteral("language"), codes[(at + 1) % codes.size()].toStdString());
}

bool MainWindow::Private::show(const QString& page, const Json& argument) {
    const bool focusInPage = host->current() && QApplication::focusWidget() && host->isAncestorOf(QApplication::focusWidget());
    if (!host->open(page, argument)) return false;
    rail->setCurrent(page);
    const pages::PageEntry* entry = findPage(page);
    window.setWindowTitle(entry ? QStringLiteral("%1 — Assay").arg(pages::pageTitle(*entry)) : QStringLiteral("Assay"));
    if (focusInPage) host->current()->setFocus(Qt::OtherFocusReason);
    return true;
}

void MainWindow::openPage(const QString& key, const Json& argument) {
    if (!d_->show(key, argument)) {
        // A page of a later version in the settings, or a typing error of --page: the window opens all the same.
        if (!d_->host->current() && !pages::registry().empty()) openPage(QLatin1String(pages::registry().front().key));
        if (!key.isEmpty()) d_->context.notifier.notify({.severity = presenters::Severity::kWarning, .title = tr("There is no page “%1”").arg(models::shortened(key, 40))});
        return;
    }
    d_->history.visit({key, argument});
    d_->context.settings.set(QStringLiteral("window.page"), key.toStdString());
    d_->context.settings.set(QStringLiteral("window.argument"), argument);
}

void MainWindow::Private::go(std::optional<PageHistory::Place> place) {
    if (place && show(place->page, place->argument)) {
        context.settings.set(QStringLiteral("window.page"), place->page.toStdString());
        context.settings.set(QStringLiteral("window.argument"), place->argument);
    }
}

QString MainWindow::currentPage() const { return d_->host->currentKey(); }

void MainWindow::openPaths(const QStringList& paths) {
    for (const auto& [key, list] : presenters::routePaths(paths)) {
        if (key.isEmpty()) {
            QStringList names;
            for (const QString& path : list) names.append(models::shortened(path, 80));
            d_->context.notifier.notify({.severity = presenters::Severity::kWarning,
                                         .title = tr("Assay cannot open %n file(s)", nullptr, static_cast<int>(list.size())),
                                         .detail = tr("Datasets are text, JSONL or CSV; experiments are .yaml; models are .gguf or a folder with config.json.") + QLatin1Char('\n') + names.join(QLatin1Char('\n'))});
            continue;
        }
        openPage(key);
        pages::Page* page = d_->host->current();
        if (page && d_->host->currentKey() == key && page->acceptsFiles(list)) page->takeFiles(list);
    }
}

void MainWindow::Private::restoreGeometry() {
    const QByteArray saved = QByteArray::fromBase64(context.settings.text(QStringLiteral("window.geometry")).toLatin1());
    if (!saved.isEmpty() && window.QWidget::restoreGeometry(saved)) return;
    const QScreen* screen = QGuiApplication::primaryScreen();
    const QSize room = screen ? screen->availableSize() : QSize(1280, 800);
    window.resize(QSize(1280, 800).boundedTo(room));
    // The frame is not known before the window stands; on a small screen it would push the status bar off.
    if (room.width() < 1320 || room.height() < 860) window.setWindowState(Qt::WindowMaximized);
}

void MainWindow::Private::save() {
    host->saveStates();
    context.settings.set(QStringLiteral("window.geometry"), window.saveGeometry().toBase64().toStdString());
    context.settings.flush();
}

void MainWindow::Private::watchMachine() { watch.setActive(window.isVisible() && !window.isMinimized()); }

void MainWindow::Private::startTour() {
    if (!window.isVisible()) return;
    delete tour;
    tour = new Tour({{rail, tr("Pages"), tr("From data to comparison, top to bottom. Ctrl+1 to Ctrl+9 open them.")},
                     {host, tr("Start here"), tr("Run the demo: it trains a small model, makes cheaper versions of it and measures what they save and lose.")},
                     {status->findChild<QWidget*>(QStringLiteral("status-palette")), tr("Everything by name"), tr("Ctrl+K finds every command, page and run.")},
                     {status, tr("Runs go on without the window"), tr("An engine in the background works on the queue. Its state, and that of its machine, stands here.")}},
                    &window);
    QObject::connect(tour, &Tour::finished, &window, [this] { context.settings.set(QStringLiteral("tour.done"), true); });
    tour->start();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    d_->save();
    event->accept();
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    d_->watchMachine();
}

void MainWindow::hideEvent(QHideEvent* event) {
    QMainWindow::hideEvent(event);
    d_->watchMachine();
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange && d_) d_->watchMachine();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!event->mimeData()->hasUrls()) return;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) return event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) paths.append(url.toLocalFile());
    event->acceptProposedAction();
    openPaths(paths);
}

}  // namespace assay::shell
