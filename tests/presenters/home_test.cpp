#include <assay/presenters/home_presenter.h>
#include <assay/presenters/installed_file.h>
#include <gtest/gtest.h>

#include <QFile>
#include <QSignalSpy>
#include <QTest>

#include "context.h"

namespace assay {
namespace {

using namespace presenters;
using test::Context;

struct Home : testing::Test {
    Context context;
    std::vector<Json> runs;
    Home() {
        context.prepare = [this](client::FakeEngineClient& engine) {
            engine.on("runs.list", [this](const Json& params) -> Result<Json> {
                Json list = Json::array();
                const bool active = params.contains("where");
                for (const Json& run : runs) {
                    const std::string status = run["status"];
                    if (!active || status == "running" || status == "queued") list.push_back(run);
                }
                const size_t total = list.size();
                return Json{{"runs", list}, {"total", total}, {"as_of_seq", 0}};
            });
            engine.on("engine.machine", [](const Json&) { return Result<Json>(Json{{"cores", 2}}); });
            engine.on("runs.submit", [](const Json&) { return Result<Json>(Json{{"run", "demo1"}, {"children", Json::array()}}); });
        };
        context.connect();
    }
    bool waitFor(const std::function<bool()>& so) {
        return QTest::qWaitFor([&] {
            context.settle();
            return so();
        });
    }
};

TEST_F(Home, AsksForNothingUntilItIsSeen) {
    HomePresenter home(context.app);
    const int before = context.countOf("runs.list");
    context.settle();
    EXPECT_EQ(context.countOf("runs.list"), before);
    EXPECT_FALSE(home.isFirstStart());   // not known yet: the welcome must not flash
    home.setVisible(true);
    ASSERT_TRUE(waitFor([&] { return home.isLoaded(); }));
    EXPECT_TRUE(home.isFirstStart());
    EXPECT_EQ(context.countOf("engine.machine"), 1);
}

TEST_F(Home, ShowsWhatRunsAndWhatRanAndFollowsIt) {
    runs = {test::runRow("a", "one", "running"), test::runRow("b", "two", "done")};
    HomePresenter home(context.app);
    home.setVisible(true);
    ASSERT_TRUE(waitFor([&] { return home.isLoaded(); }));
    ASSERT_EQ(home.active().size(), 1);
    EXPECT_EQ(home.active()[0].id, QStringLiteral("a"));
    EXPECT_EQ(home.recent().size(), 2);
    runs[0]["status"] = "done";
    context.engine->emitEvent({{"run", "a"}, {"type", "run"}, {"row", runs[0]}});
    ASSERT_TRUE(waitFor([&] { return home.active().isEmpty(); }));
    EXPECT_EQ(home.recent()[0].status, QStringLiteral("done"));
}

TEST_F(Home, ManyEventsAreOneQuestion) {
    HomePresenter home(context.app);
    home.setVisible(true);
    ASSERT_TRUE(waitFor([&] { return home.isLoaded(); }));
    const int before = context.countOf("runs.list");
    for (int i = 0; i < 50; ++i) context.engine->emitEvent({{"run", "a"}, {"type", "run"}, {"row", test::runRow("a", "one", "running")}});
    ASSERT_TRUE(waitFor([&] { return context.countOf("runs.list") > before; }));
    EXPECT_EQ(context.countOf("runs.list"), before + 2);   // the active ones, and the recent ones
}

TEST_F(Home, TheDemoIsTheQuickstartAndOpensItsRun) {
    HomePresenter home(context.app);
    home.setVisible(true);
    context.settle();
    home.runDemo();
    EXPECT_TRUE(home.isSubmitting());
    home.runDemo();   // a double click is one demo
    context.settle();
    EXPECT_EQ(context.countOf("runs.submit"), 1);
    const Json sent = context.lastOf("runs.submit");
    EXPECT_EQ(sent["spec"]["name"], "kjv-gpt");
    EXPECT_EQ(sent["idempotency_key"].get<std::string>().size(), 32U);
    QFile file(QStringLiteral(ASSAY_SOURCE_DIR "/experiments/quickstart/kjv-gpt.yaml"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(sent["yaml"].get<std::string>(), file.readAll().toStdString());
    ASSERT_EQ(context.visited.size(), 1U);
    EXPECT_EQ(context.visited[0].second, Json({{"run", "demo1"}}));
}

TEST_F(Home, ARefusedDemoSaysWhy) {
    context.engine->on("runs.submit", [](const Json&) { return Result<Json>(fail(ErrorCode::kDiskFull, "no room", "free some")); });
    HomePresenter home(context.app);
    home.runDemo();
    context.settle();
    EXPECT_FALSE(home.isSubmitting());
    ASSERT_EQ(context.notices.size(), 1U);
    EXPECT_EQ(context.notices[0].detail, QStringLiteral("no room\nfree some"));
    EXPECT_TRUE(context.visited.empty());
}

TEST(NextSteps, FollowFromWhatHappened) {
    const auto rows = [](std::initializer_list<const char*> statuses) {
        QList<models::RunRow> list;
        int i = 0;
        for (const char* status : statuses) list.append(models::runRowFromJson(test::runRow("r" + std::to_string(i++), "n", status)));
        return list;
    };
    const auto ids = [](const QList<NextStep>& steps) {
        QStringList list;
        for (const NextStep& step : steps) list.append(step.id);
        return list.join(QLatin1Char(' '));
    };
    EXPECT_EQ(ids(nextStepsFor({}, {})), QStringLiteral("data"));
    EXPECT_EQ(ids(nextStepsFor({}, rows({"done", "done"}))), QStringLiteral("compare experiment data"));
    EXPECT_EQ(ids(nextStepsFor({}, rows({"failed", "interrupted", "done"}))), QStringLiteral("failed resume compare"));
    EXPECT_EQ(ids(nextStepsFor(rows({"running"}), rows({"running"}))), QStringLiteral("data"));
    EXPECT_EQ(nextStepsFor({}, rows({"done", "running", "done"}))[0].argument, Json({{"runs", {"r0", "r2"}}}));
}

TEST(InstalledFile, IsFoundOrSaidToBeMissing) {
    EXPECT_TRUE(installedFile(QStringLiteral("experiments/quickstart/kjv-gpt.yaml")));
    const auto missing = installedFile(QStringLiteral("experiments/none.yaml"));
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace assay
