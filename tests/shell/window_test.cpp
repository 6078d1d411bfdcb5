#include <assay/presenters/engine_session.h>
#include <assay/presenters/settings.h>
#include <assay/shell/language.h>
#include <assay/shell/main_window.h>
#include <gtest/gtest.h>

#include <QDialog>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QPushButton>
#include <QTemporaryDir>
#include <QToolButton>

#include "page_support.h"

namespace assay {
namespace {

using test::Context;
using test::part;

struct Window : testing::Test {
    Context context;
    std::unique_ptr<shell::MainWindow> window;

    Window() {
        shell::installLanguage(QStringLiteral("en"));
        context.settings.set(QStringLiteral("tour.done"), true);
        context.prepare = [](client::FakeEngineClient& engine) {
            engine.on("runs.list", [](const Json& params) -> Result<Json> {
                if (params.contains("where") && params["where"].get<std::string>().starts_with("name")) return test::runList({test::runRow("abcd", "needle-run", "done")});
                if (params.contains("where")) return test::runList({});
                return test::runList({test::runRow("r3", "kjv-gpt", "done"), test::runRow("r4", "smollm2-lora-r8", "failed")});
            });
            engine.on("engine.info", [](const Json&) { return Result<Json>(Json{{"version", "0.1.0"}, {"uptime_seconds", 5}}); });
            engine.on("engine.machine", [](const Json&) {
                return Result<Json>(Json{{"cpu_model", "Abacus 9000"}, {"cores", 2}, {"cpu_fraction", 0.61}, {"memory_total_bytes", 24e9}, {"memory_used_bytes", 9.8e9}, {"disk_total_bytes", 500e9},
                                         {"disk_free_bytes", 71e9}, {"store_bytes", 12e9}, {"gpus", Json::array()}, {"runs_running", 1}, {"runs_queued", 3}, {"trouble", nullptr}});
            });
        };
    }
    void open(bool live = true) {
        if (live) context.connect();
        window = std::make_unique<shell::MainWindow>(context.app);
        window->openPage(QStringLiteral("home"));
        window->show();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
        context.settle();
    }
    bool waitFor(const std::function<bool()>& so, int ms = 5000) {
        return QTest::qWaitFor([&] {
            context.settle();
            return so();
        }, ms);
    }
    QWidget* made(const char* page) { return part(*window, (QByteArray("page-") + page).constData()); }
};

TEST_F(Window, PagesAreMadeWhenTheyAreVisited) {
    open();
    EXPECT_TRUE(made("home"));
    EXPECT_FALSE(made("engines"));
    QTest::mouseClick(part(*window, "rail-engines"), Qt::LeftButton);
    EXPECT_EQ(window->currentPage(), QStringLiteral("engines"));
    EXPECT_TRUE(made("engines")->isVisible());
    EXPECT_FALSE(made("home")->isVisible());
    EXPECT_TRUE(window->windowTitle().startsWith(QStringLiteral("Engines")));
    EXPECT_TRUE(waitFor([&] { return part(*window, "status-queue")->isVisible(); }));
    EXPECT_EQ(part(*window, "status-queue")->accessibleName(), QStringLiteral("queue 1 running, 3 waiting"));
    test::picture(*window, QStringLiteral("window-engines"));
    window->openPage(QStringLiteral("home"));
    EXPECT_TRUE(waitFor([&] { return part(*window, "home-machine")->isVisible(); }));
    test::picture(*window, QStringLiteral("window-home"));
    window->resize(1024, 700);
    test::picture(*window, QStringLiteral("window-home-small"));
}

TEST_F(Window, KeysOpenPagesAndGoBackAndForward) {
    open();
    const QString first = window->currentPage();
    QTest::keyClick(window.get(), Qt::Key_2, Qt::ControlModifier);
    const QString second = window->currentPage();
    EXPECT_NE(second, first);
    window->openPage(QStringLiteral("settings"));
    QTest::keyClick(window.get(), Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(window->currentPage(), second);
    QTest::keyClick(window.get(), Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(window->currentPage(), first);
    QTest::keyClick(window.get(), Qt::Key_Right, Qt::AltModifier);
    EXPECT_EQ(window->currentPage(), second);
    QTest::keyClick(window.get(), Qt::Key_F1);
    auto* keys = part<QDialog>(*window, "keys");
    ASSERT_TRUE(keys);
    EXPECT_FALSE(keys->isModal());
    test::picture(*keys, QStringLiteral("keys"));
}

TEST_F(Window, APageThatIsNotThereIsSaidAndTheWindowStays) {
    open();
    context.navigator.navigate(QStringLiteral("nonsense"));
    EXPECT_EQ(window->currentPage(), QStringLiteral("home"));
    ASSERT_EQ(context.notices.size(), 1U);
    EXPECT_TRUE(context.notices[0].title.contains(QStringLiteral("nonsense")));
}

TEST_F(Window, RailFoldsAndRemembersIt) {
    open();
    auto* rail = part(*window, "nav-rail");
    const int wide = rail->width();
    QTest::mouseClick(part(*window, "rail-fold"), Qt::LeftButton);
    EXPECT_LT(rail->width(), wide);
    EXPECT_TRUE(context.settings.flag(QStringLiteral("window.rail_collapsed"), false));
    EXPECT_EQ(part(*window, "rail-home")->accessibleName(), QStringLiteral("Home"));   // words for who cannot see the icon
    test::picture(*window, QStringLiteral("window-folded"));
}

TEST_F(Window, PaletteFindsCommandsPagesAndRunsByKeyboard) {
    open();
    QTest::keyClick(window.get(), Qt::Key_K, Qt::ControlModifier);
    auto* palette = part(*window, "command-palette");
    auto* text = part<QLineEdit>(*palette, "palette-text");
    ASSERT_TRUE(palette->isVisible());
    ASSERT_TRUE(text->hasFocus());
    test::picture(*window, QStringLiteral("window-palette"));
    QTest::keyClicks(text, QStringLiteral("settings"));
    QTest::keyClick(text, Qt::Key_Return);
    EXPECT_FALSE(palette->isVisible());
    EXPECT_EQ(window->currentPage(), QStringLiteral("settings"));
    QTest::keyClick(window.get(), Qt::Key_K, Qt::ControlModifier);
    QTest::keyClicks(text, QStringLiteral("needle"));
    auto* list = part<QListView>(*palette, "palette-list");
    ASSERT_TRUE(waitFor([&] { return list->model()->index(list->model()->rowCount() - 1, 0).data().toString() == QStringLiteral("needle-run"); }));
    QTest::keyClick(text, Qt::Key_Up);   // from the first to the last
    QTest::keyClick(text, Qt::Key_Return);
    ASSERT_FALSE(context.visited.empty());
    EXPECT_EQ(context.visited.back().second, Json({{"run", "abcd"}}));
    QTest::keyClick(window.get(), Qt::Key_K, Qt::ControlModifier);
    QTest::keyClick(text, Qt::Key_Escape);
    EXPECT_FALSE(palette->isVisible());
}

TEST_F(Window, ALongNoticeIsShownToItsEnd) {
    open();
    context.notifier.error(QStringLiteral("The report was not written"),
                           Error(ErrorCode::kDiskFull, "cannot write /home/someone/with/a/long/way/to/reports/comparison.html: No space left on device", "free space on that file system or choose another folder"));
    auto* toast = part(*window, "toast");
    ASSERT_TRUE(QTest::qWaitFor([&] { return toast->isVisible() && toast->height() > 0; }));
    for (QLabel* label : toast->findChildren<QLabel*>())
        if (label->isVisible() && label->wordWrap()) {
            EXPECT_GE(label->height(), label->heightForWidth(label->width())) << label->text().toStdString();
        }
    EXPECT_TRUE(window->rect().contains(toast->geometry()));
}

TEST_F(Window, NoticesAreNeverModalAndStayBehindTheBell) {
    open();
    int undone = 0;
    context.notifier.notify({.title = QStringLiteral("3 runs deleted"), .actionText = QStringLiteral("Undo"), .action = [&] { ++undone; }});
    context.notifier.error(QStringLiteral("The run cannot be stopped"), Error(ErrorCode::kUnreachable, "no connection to the engine", "try again"));
    ASSERT_EQ(window->findChildren<QWidget*>(QStringLiteral("toast")).size(), 2);
    EXPECT_EQ(QApplication::activeModalWidget(), nullptr);
    test::picture(*window, QStringLiteral("window-toasts"));
    QTest::mouseClick(part(*window, "notice-action"), Qt::LeftButton);
    EXPECT_EQ(undone, 1);
    context.settle();
    EXPECT_EQ(window->findChildren<QWidget*>(QStringLiteral("toast")).size(), 1);
    for (int i = 0; i < 10; ++i) context.notifier.notify({.title = QString::number(i)});
    EXPECT_LE(window->findChildren<QWidget*>(QStringLiteral("toast")).size(), 3);
    auto* bell = part<QToolButton>(*window, "status-notices");
    EXPECT_EQ(bell->text(), QStringLiteral("12"));
    QTest::mouseClick(bell, Qt::LeftButton);
    EXPECT_TRUE(part(*window, "notice-list")->isVisible());
    EXPECT_EQ(bell->text(), QString());
    test::picture(*window, QStringLiteral("window-notices"));
}

TEST_F(Window, BannerSaysWhatIsWrongAndWhatToDoAndThePageStays) {
    open();
    auto* banner = part(*window, "link-banner");
    EXPECT_FALSE(banner->isVisible());
    context.engine->loseLink(Error(ErrorCode::kUnreachable, "connection reset"));
    EXPECT_TRUE(banner->isVisible());
    EXPECT_TRUE(made("home")->isVisible());
    test::picture(*window, QStringLiteral("window-stale"));
    context.engine->restoreLink();
    context.settle();
    EXPECT_FALSE(banner->isVisible());
    context.session.disconnectBecause(Error(ErrorCode::kVersionMismatch, "the client speaks protocol level 2, the engine needs at least 3", "update the client"));
    EXPECT_TRUE(part<QLabel>(*banner, "banner-title")->text().contains(QStringLiteral("another version")));
    EXPECT_TRUE(part<QLabel>(*banner, "banner-advice")->text().contains(QStringLiteral("update the client")));
    QTest::mouseClick(part(*banner, "banner-show-details"), Qt::LeftButton);
    EXPECT_TRUE(part<QLabel>(*banner, "banner-details")->text().contains(QStringLiteral("level 2")));
    test::picture(*window, QStringLiteral("window-version"));
    QTest::mouseClick(part(*banner, "banner-engines"), Qt::LeftButton);
    EXPECT_EQ(window->currentPage(), QStringLiteral("engines"));
    QTest::mouseClick(part(*banner, "banner-retry"), Qt::LeftButton);
    context.settle();
    EXPECT_TRUE(context.session.isLive());
    EXPECT_FALSE(banner->isVisible());
}

TEST_F(Window, TourComesOnceAndCanBeSkipped) {
    context.settings.set(QStringLiteral("tour.done"), nullptr);
    open();
    ASSERT_TRUE(waitFor([&] { return part(*window, "tour") && part(*window, "tour")->isVisible(); }));
    test::picture(*window, QStringLiteral("window-tour"));
    QTest::mouseClick(part(*window, "tour-next"), Qt::LeftButton);
    EXPECT_FALSE(context.settings.flag(QStringLiteral("tour.done"), false));
    QTest::mouseClick(part(*window, "tour-skip"), Qt::LeftButton);
    EXPECT_FALSE(part(*window, "tour")->isVisible());
    EXPECT_TRUE(context.settings.flag(QStringLiteral("tour.done"), false));
}

TEST_F(Window, AnotherLanguageIsSpokenAtOnceOnTheSamePage) {
    open();
    window->openPage(QStringLiteral("settings"));
    context.settings.set(QStringLiteral("language"), "pseudo");
    ASSERT_TRUE(waitFor([&] { return window->windowTitle().startsWith(QLatin1Char('[')); }));
    EXPECT_EQ(window->currentPage(), QStringLiteral("settings"));
    EXPECT_TRUE(part(*window, "rail-home")->accessibleName().startsWith(QStringLiteral("[Home")));
    test::picture(*window, QStringLiteral("window-pseudo-settings"));
    for (const char* page : {"home", "engines"}) {
        window->openPage(QLatin1String(page));
        context.settle();
        test::picture(*window, QStringLiteral("window-pseudo-") + QLatin1String(page));
    }
    QTest::keyClick(window.get(), Qt::Key_Left, Qt::AltModifier);   // the history survives
    EXPECT_EQ(window->currentPage(), QStringLiteral("home"));
    context.settings.set(QStringLiteral("language"), "en");
    ASSERT_TRUE(waitFor([&] { return window->windowTitle().startsWith(QStringLiteral("Home")); }));
}

TEST_F(Window, PageGeometryAndInspectorAreRemembered) {
    open();
    window->openPage(QStringLiteral("engines"));
    window->resize(1000, 720);
    window->close();
    EXPECT_EQ(context.settings.text(QStringLiteral("window.page")), QStringLiteral("engines"));
    window = std::make_unique<shell::MainWindow>(context.app);
    EXPECT_EQ(window->size(), QSize(1000, 720));
}

TEST_F(Window, DroppedFilesThatGoNowhereAreNamed) {
    open();
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("picture.exe")));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    QMimeData mime;
    mime.setUrls({QUrl::fromLocalFile(file.fileName())});
    QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    static_cast<QObject*>(window.get())->event(&drop);   // the application delivers drops only after a drag
    ASSERT_EQ(context.notices.size(), 1U);
    EXPECT_TRUE(context.notices[0].detail.contains(QStringLiteral("picture.exe")));
}

TEST_F(Window, StartsWithoutAnEngineAndWithEveryControlNamed) {
    open(false);
    EXPECT_EQ(test::unnamed(*window), QStringList());
    context.session.disconnectBecause(Error(ErrorCode::kUnreachable, "the engine program is not at bin/assay-engine", "install it"));
    EXPECT_TRUE(part(*window, "link-banner")->isVisible());
    EXPECT_EQ(test::unnamed(*window), QStringList());
    EXPECT_TRUE(window->isVisible());
}

}  // namespace
}  // namespace assay
