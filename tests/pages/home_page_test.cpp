#include <gtest/gtest.h>

#include <QPushButton>
#include <QSignalSpy>

#include "make_pages.h"
#include "page_support.h"

namespace assay {
namespace {

using test::Context;
using test::part;

struct HomePage : testing::Test {
    Context context;
    std::vector<Json> runs;
    std::unique_ptr<pages::Page> page;
    HomePage() {
        context.prepare = [this](client::FakeEngineClient& engine) {
            engine.on("runs.list", [this](const Json& params) -> Result<Json> {
                Json list = Json::array();
                for (const Json& run : runs)
                    if (!params.contains("where") || run["status"] == "running" || run["status"] == "queued") list.push_back(run);
                const size_t total = list.size();
                return Json{{"runs", list}, {"total", total}, {"as_of_seq", 0}};
            });
            engine.on("engine.machine", [](const Json&) {
                return Result<Json>(Json{{"cpu_model", "Abacus 9000 8-Core Processor"}, {"cores", 8}, {"cpu_fraction", 0.61}, {"memory_total_bytes", 24e9}, {"memory_used_bytes", 9.8e9}, {"disk_total_bytes", 500e9},
                                         {"disk_free_bytes", 71e9}, {"store_bytes", 12e9}, {"gpus", Json::array()}, {"runs_running", 1}, {"runs_queued", 3}, {"trouble", nullptr}});
            });
            engine.on("runs.submit", [](const Json&) { return Result<Json>(Json{{"run", "demo1"}, {"children", Json::array()}}); });
            engine.on("runs.stop", [](const Json& params) { return Result<Json>(Json{{"run", params["run"]}}); });
        };
    }
    void show() {
        context.connect();
        page.reset(pages::makeHomePage(context.app, nullptr));
        page->resize(1104, 774);
        page->show();
        ASSERT_TRUE(QTest::qWaitFor([&] {
            context.settle();
            return part(*page, "home-welcome")->isVisibleTo(page.get()) || part(*page, "home-next")->isVisibleTo(page.get());
        }));
        ASSERT_TRUE(QTest::qWaitFor([&] {
            context.settle();
            return part(*page, "home-machine")->isVisibleTo(page.get());
        }));
    }
};

TEST_F(HomePage, FirstStartOffersTheDemoAndADataset) {
    show();
    EXPECT_TRUE(part(*page, "home-welcome")->isVisible());
    EXPECT_FALSE(part(*page, "home-recent")->isVisible());
    EXPECT_EQ(test::unnamed(*page), QStringList());
    test::picture(*page, QStringLiteral("home-first"));
    QTest::mouseClick(part(*page, "home-demo"), Qt::LeftButton);
    context.settle();
    EXPECT_EQ(context.countOf("runs.submit"), 1);
    ASSERT_EQ(context.visited.size(), 1U);
    EXPECT_EQ(context.visited[0].first, QStringLiteral("run"));
    QTest::mouseClick(part(*page, "home-open-dataset"), Qt::LeftButton);
    EXPECT_EQ(context.visited[1].first, QStringLiteral("data"));
}

TEST_F(HomePage, ShowsRunsThatCanBeOpenedAndStopped) {
    Json running = test::runRow("r1", "smollm2-lora-r8", "running");
    running["progress"] = {{"phase", "train"}, {"unit", "steps"}, {"done", 454}, {"total", 640}, {"rate", 2.5}, {"eta_seconds", 74}};
    runs = {running, test::runRow("r2", "waiting-for-its-turn", "queued"), test::runRow("r3", "kjv-gpt", "done"), test::runRow("r4", "<b>not markup</b> \u202Etxt", "failed")};
    show();
    EXPECT_FALSE(part(*page, "home-welcome")->isVisible());
    EXPECT_TRUE(part(*page, "home-active")->isVisible());
    EXPECT_TRUE(part(*page, "active-r1"));
    EXPECT_EQ(test::unnamed(*page), QStringList());
    test::picture(*page, QStringLiteral("home"));
    QTest::mouseClick(part(*part(*page, "active-r1"), "run-stop"), Qt::LeftButton);
    EXPECT_EQ(context.lastOf("runs.stop"), Json({{"run", "r1"}, {"discard", false}}));
    QTest::mouseClick(part(*page, "next-failed"), Qt::LeftButton);
    ASSERT_EQ(context.visited.size(), 1U);
    EXPECT_EQ(context.visited[0].second, Json({{"run", "r4"}}));
}

TEST_F(HomePage, AHiddenPageAsksForNothing) {
    show();
    page->hide();
    const int lists = context.countOf("runs.list"), machines = context.countOf("engine.machine");
    for (int i = 0; i < 5; ++i) context.engine->emitEvent({{"run", "a"}, {"type", "run"}, {"row", test::runRow("a", "n", "running")}});
    EXPECT_FALSE(QTest::qWaitFor([&] {
        context.settle();
        return context.countOf("runs.list") > lists || context.countOf("engine.machine") > machines;
    }, 2500));
}

}  // namespace
}  // namespace assay
