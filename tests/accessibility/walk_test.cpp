// What holds for every page of the registry, whatever it shows.
#include <assay/presenters/engine_session.h>
#include <assay/shell/language.h>
#include <assay/widgets/card.h>
#include <gtest/gtest.h>

#include <QAbstractScrollArea>
#include <QAccessible>
#include <QApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QTextEdit>

#include "page_support.h"

namespace assay {
namespace {

using pages::Page;
using pages::PageEntry;

constexpr QSize kRoomAt1280{1280 - style::size::kRailWidth, 800 - style::size::kStatusBar};
constexpr QSize kRoomAt1024{1024 - style::size::kRailWidth, 700 - style::size::kStatusBar};

std::string nameOf(const QWidget* widget) { return std::string(widget->metaObject()->className()) + " \"" + widget->objectName().toStdString() + "\""; }

// One page as it is on screen, with runs in the engine's list.
struct Shown {
    test::Context context;
    std::unique_ptr<Page> page;

    explicit Shown(const PageEntry& entry, QSize size = kRoomAt1280) {
        context.prepare = [](client::FakeEngineClient& engine) {
            engine.on("runs.list", [](const Json&) { return Result<Json>(test::runList({test::runRow("r3", "kjv-gpt", "done"), test::runRow("r4", "a-run-with-a-longer-name-than-most", "failed"), test::runRow("r5", "kjv-gpt-2", "running")})); });
            engine.on("runs.get", [](const Json&) {
                Json row = test::runRow("r3", "kjv-gpt", "done");
                row["summary"] = {{"eval/loss", 3.25}, {"eval/perplexity", 25.8}, {"train/loss", 3.1}};
                return Result<Json>(std::move(row));
            });
            engine.on("engine.machine", [](const Json&) {
                return Result<Json>(Json{{"cpu_model", "Abacus 9000"}, {"cores", 2}, {"cpu_fraction", 0.61}, {"memory_total_bytes", 24e9}, {"memory_used_bytes", 9.8e9}, {"disk_total_bytes", 500e9},
                                         {"disk_free_bytes", 71e9}, {"store_bytes", 12e9}, {"gpus", Json::array()}, {"runs_running", 1}, {"runs_queued", 3}, {"trouble", nullptr}});
            });
        };
        context.connect();
        page.reset(entry.make(context.app, nullptr));
        page->resize(size);
        page->show();
        const std::string key = entry.key;
        page->open(key == "run" ? Json{{"run", "r3"}} : key == "compare" ? Json{{"runs", {"r3", "r5"}}} : Json::object());
        EXPECT_TRUE(QTest::qWaitForWindowActive(page.get()));
        context.settle();
    }

    // Enabled, visible, and Tab is meant to stop there.
    QList<QWidget*> stops() const {
        QList<QWidget*> out;
        for (QWidget* widget : page->findChildren<QWidget*>())
            if ((widget->focusPolicy() & Qt::TabFocus) == Qt::TabFocus && widget->isVisible() && widget->isEnabled() && !widget->focusProxy()) out.append(widget);
        return out;
    }
};

class EveryPage : public testing::TestWithParam<size_t> {
protected:
    void SetUp() override { shell::installLanguage(QStringLiteral("en")); }
    const PageEntry& entry() const { return pages::registry()[GetParam()]; }
};

TEST_P(EveryPage, WhatTakesTheFocusHasANameAndARole) {
    Shown shown(entry());
    for (QWidget* widget : shown.stops()) {
        EXPECT_FALSE(widget->objectName().isEmpty()) << nameOf(widget);
        QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(widget);
        ASSERT_NE(interface, nullptr) << nameOf(widget);
        EXPECT_FALSE(interface->text(QAccessible::Name).trimmed().isEmpty()) << nameOf(widget);
        EXPECT_NE(interface->role(), QAccessible::NoRole) << nameOf(widget);
        EXPECT_TRUE(interface->state().focusable) << nameOf(widget);
    }
}

TEST_P(EveryPage, TabReachesEverythingAlongThePage) {
    Shown shown(entry());
    const QList<QWidget*> stops = shown.stops();
    if (stops.isEmpty()) return;
    stops.first()->setFocus(Qt::TabFocusReason);
    QList<QWidget*> walked;
    for (qsizetype i = 0; i < 2 * stops.size() + 8; ++i) {
        QWidget* at = QApplication::focusWidget();
        ASSERT_NE(at, nullptr);
        if (walked.contains(at)) break;
        walked.append(at);
        // An editor in which Tab indents is left with Ctrl+Tab.
        QTest::keyClick(at, Qt::Key_Tab, qobject_cast<QPlainTextEdit*>(at) && !qobject_cast<QPlainTextEdit*>(at)->tabChangesFocus() ? Qt::ControlModifier : Qt::NoModifier);
    }
    std::string way;
    for (QWidget* widget : walked) way += "\n  " + nameOf(widget);
    for (QWidget* widget : stops) EXPECT_TRUE(walked.contains(widget) || !widget->isVisible()) << nameOf(widget) << " is not reached by" << way;
    for (QScrollArea* area : shown.page->findChildren<QScrollArea*>()) area->verticalScrollBar()->setValue(0);   // the walk has scrolled
    // Along the page: never to what lies above and not beside it, within a card and from one card to the next.
    const auto box = [&](QWidget* widget) { return QRect(widget->mapTo(shown.page.get(), QPoint()), widget->size()); };
    const auto cardOf = [](QWidget* widget) {
        QWidget* at = widget;
        while (at && !qobject_cast<widgets::Card*>(at)) at = at->parentWidget();
        return at;
    };
    for (qsizetype i = 1; i < walked.size(); ++i) {
        QWidget *before = walked[i - 1], *after = walked[i];
        if (!shown.page->isAncestorOf(before) || !shown.page->isAncestorOf(after) || after == stops.first()) continue;
        QWidget *beforeCard = cardOf(before), *afterCard = cardOf(after);
        const bool apart = beforeCard != afterCard && beforeCard && afterCard;
        const QRect from = box(apart ? beforeCard : before), to = box(apart ? afterCard : after);
        EXPECT_FALSE(to.bottom() < from.top() && to.left() < from.right() && !(beforeCard && !afterCard)) << "from " << nameOf(before) << " up to " << nameOf(after);
    }
}

TEST_P(EveryPage, TextIsNeverReadAsMarkup) {
    Shown shown(entry());
    for (const QLabel* label : shown.page->findChildren<QLabel*>()) EXPECT_TRUE(label->textFormat() == Qt::PlainText || label->text().isEmpty()) << nameOf(label) << ": " << label->text().toStdString();
    for (const QTextEdit* text : shown.page->findChildren<QTextEdit*>()) EXPECT_FALSE(text->acceptRichText()) << nameOf(text);
}

TEST_P(EveryPage, FitsASmallScreen) {
    Shown shown(entry(), kRoomAt1024);
    const QSize least = shown.page->minimumSizeHint().expandedTo(shown.page->minimumSize());
    EXPECT_LE(least.width(), kRoomAt1024.width());
    EXPECT_LE(least.height(), kRoomAt1024.height());
}

TEST_P(EveryPage, LongerWordsNeedNoSidewaysScrolling) {
    shell::installLanguage(QStringLiteral("pseudo"));
    Shown shown(entry());
    EXPECT_LE(shown.page->minimumSizeHint().width(), kRoomAt1280.width());
    for (QAbstractScrollArea* area : shown.page->findChildren<QAbstractScrollArea*>()) {
        if (!area->isVisible() || qobject_cast<QPlainTextEdit*>(area)) continue;   // lines of a file are as long as they are
        EXPECT_FALSE(area->horizontalScrollBar()->isVisible()) << nameOf(area) << ", " << area->horizontalScrollBar()->maximum() << " px too wide";
    }
    shown.page.reset();
    shell::installLanguage(QStringLiteral("en"));
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryPage, testing::Range(size_t{0}, pages::registry().size()),
                         [](const testing::TestParamInfo<size_t>& info) { return std::string(pages::registry()[info.param].key); });

}  // namespace
}  // namespace assay
