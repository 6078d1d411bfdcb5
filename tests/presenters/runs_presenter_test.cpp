#include <assay/presenters/runs_presenter.h>

#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QSignalSpy>

#include "fake_engine.h"

using namespace assay;
using namespace assay::presenters;
using models::RunRow;
using models::RunTableModel;

namespace {

class Runs : public testing::Test {
protected:
    void SetUp() override {
        for (int i = 0; i < 450; ++i) add(i, "done");
        engine.client->on("runs.list", [this](const Json& params) -> Result<Json> {
            ++lists;
            if (failList) return fail(ErrorCode::kBadUsage, "filter: expected a value at character 5", "write for example: lr < 1e-3");
            const auto offset = static_cast<size_t>(jsonIntegerOr(params, "offset", 0)), limit = static_cast<size_t>(jsonIntegerOr(params, "limit", 1000));
            Json out = Json::array();
            for (size_t i = offset; i < rows.size() && out.size() < std::min(limit, most); ++i) out.push_back(rows[i]);
            return Json{{"runs", std::move(out)}, {"total", rows.size()}, {"as_of_seq", 0}};
        });
        engine.client->on("runs.groups", [](const Json&) -> Result<Json> {
            return Json{{"groups", Json::array({{{"value", 0.001}, {"total", 3}}, {{"value", "a b"}, {"total", 2}}, {{"value", nullptr}, {"total", 1}}})}, {"as_of_seq", 0}};
        });
        for (const char* method : {"runs.stop", "runs.resume", "runs.remove"}) engine.client->on(method, [](const Json& params) -> Result<Json> { return Json{{"run", params["run"]}}; });
        engine.client->on("runs.get", [](const Json& params) -> Result<Json> {
            return Json{{"id", params["run"]}, {"name", "base"}, {"spec", {{"train", {{"steps", 5}}}}}, {"summary", {{"eval/loss", 3.0}}}};
        });
        presenter = std::make_unique<RunsPresenter>(context);
    }
    void add(int i, const char* status) {
        rows.push_back({{"id", "run" + std::to_string(i)}, {"name", "name " + std::to_string(i)}, {"kind", "train"}, {"status", status}, {"summary", {{"eval/loss", 3.5}, {"own/metric", 1}}}, {"tags", Json::array()}});
    }
    RunRow row(int i) { return models::runRowFromJson(rows[static_cast<size_t>(i)]); }
    std::string lastWhere() {
        for (auto it = engine.client->calls().rbegin(); it != engine.client->calls().rend(); ++it)
            if (it->first == "runs.list" && jsonIntegerOr(it->second, "limit", 0) > 1) return jsonStringOr(it->second, "where", "");
        return "none";
    }
    FakeEngine engine;
    AppContext context = engine.context();
    std::vector<Json> rows;
    size_t most = 1000;
    bool failList = false;
    int lists = 0;
    std::unique_ptr<RunsPresenter> presenter;
};

TEST_F(Runs, ListsWhenConnectedAndPagesAsTheViewLooks) {
    EXPECT_TRUE(presenter->isStale());
    engine.connect();
    EXPECT_FALSE(presenter->isStale());
    EXPECT_EQ(presenter->total(), 450);
    EXPECT_EQ(presenter->allRuns(), 450);
    EXPECT_EQ(presenter->model().index(10, 0).data().toString(), QStringLiteral("name 10"));
    EXPECT_EQ(presenter->model().index(440, 0).data().toString(), QStringLiteral("…"));
    engine.settle();
    EXPECT_EQ(presenter->model().index(440, 0).data().toString(), QStringLiteral("name 440"));
    EXPECT_EQ(lastWhere(), "tag != try-it");
}

TEST_F(Runs, AnAnswerCutByItsSizeIsCompleted) {
    most = 70;
    engine.connect();
    EXPECT_EQ(presenter->model().index(199, 0).data().toString(), QStringLiteral("name 199"));
}

TEST_F(Runs, FiltersAreJoined) {
    engine.connect();
    presenter->setFilter(QStringLiteral("lr < 1e-3 or tag = demo"));
    presenter->setQuick(RunsPresenter::Quick::kFailed);
    presenter->setKind(QStringLiteral("train"));
    engine.settle();
    EXPECT_EQ(lastWhere(), "(lr < 1e-3 or tag = demo) and (status = failed or status = interrupted) and kind = train and tag != try-it");
    presenter->setShowTries(true);
    presenter->setSort(QStringLiteral("eval/loss"), false);
    engine.settle();
    EXPECT_EQ(lastWhere(), "(lr < 1e-3 or tag = demo) and (status = failed or status = interrupted) and kind = train");
    EXPECT_TRUE(presenter->isFiltered());
    presenter->clearFilters();
    EXPECT_FALSE(presenter->isFiltered());
}

TEST_F(Runs, AWrongFilterIsToldAndNotAsked) {
    engine.connect();
    const int before = lists;
    presenter->setFilter(QStringLiteral("lr <"));
    engine.settle();
    EXPECT_EQ(lists, before);
    EXPECT_FALSE(presenter->filterError().isEmpty());
    EXPECT_EQ(presenter->filterErrorPosition(), 4);
    EXPECT_EQ(presenter->total(), 450);   // the last answer stays
    failList = true;
    presenter->setFilter(QStringLiteral("lr < 2"));
    engine.settle();
    ASSERT_TRUE(presenter->error());
    EXPECT_EQ(presenter->error()->code, ErrorCode::kBadUsage);
}

TEST_F(Runs, GroupsAskTheirOwnPages) {
    engine.connect();
    presenter->setGroupKey(QStringLiteral("lr"));
    engine.settle();
    ASSERT_TRUE(presenter->model().isGrouped());
    EXPECT_EQ(presenter->total(), 6);
    presenter->model().index(0, 0, presenter->model().index(1, 0)).data();
    EXPECT_EQ(lastWhere(), "tag != try-it and lr = \"a b\"");
    presenter->model().index(0, 0, presenter->model().index(2, 0)).data();
    EXPECT_EQ(lastWhere(), "tag != try-it and lr = null");
    presenter->model().index(0, 0, presenter->model().index(0, 0)).data();
    EXPECT_EQ(lastWhere(), "tag != try-it and lr = 0.001");
}

TEST_F(Runs, LiveRowsAreShownAndNewOnesListed) {
    engine.connect();
    Json changed = rows[3];
    changed["summary"]["eval/loss"] = 1.25;
    engine.client->emitEvent({{"run", "run3"}, {"type", "run"}, {"row", changed}});
    ASSERT_TRUE(engine.until([&] { return presenter->model().run(presenter->model().index(3, 0))->summary["eval/loss"] == 1.25; }));
    const int before = lists;
    add(450, "queued");
    engine.client->emitEvent({{"run", "run450"}, {"type", "run"}, {"row", rows.back()}});
    ASSERT_TRUE(engine.until([&] { return presenter->total() == 451; }));
    EXPECT_LE(lists - before, 4);
}

TEST_F(Runs, ProgressMovesInTheRow) {
    rows[0]["status"] = "running";
    engine.connect();
    engine.client->emitEvent({{"run", "run0"}, {"type", "progress"}, {"phase", "training"}, {"unit", "steps"}, {"done", 30}, {"total", 120}, {"eta_seconds", 90}});
    const int column = static_cast<int>(presenter->columns().indexOf(QStringLiteral("progress")));
    ASSERT_TRUE(engine.until([&] { return presenter->model().index(0, column).data().toString() == QStringLiteral("training 30 / 120 steps · 1:30 left"); }));
    EXPECT_DOUBLE_EQ(presenter->model().index(0, column).data(RunTableModel::kFractionRole).toDouble(), 0.25);
}

TEST_F(Runs, DeletingCanBeUndoneUntilItIsDone) {
    engine.connect();
    presenter->remove({row(1), row(2)});
    EXPECT_FALSE(presenter->model().indexOf(QStringLiteral("run1")).isValid());
    engine.settle();
    EXPECT_NE(lastWhere().find("id != run1 and id != run2"), std::string::npos);
    EXPECT_TRUE(engine.callsOf("runs.remove").empty());
    ASSERT_EQ(engine.notices.size(), 1);
    engine.notices[0].action();
    engine.settle();
    EXPECT_TRUE(presenter->model().indexOf(QStringLiteral("run1")).isValid());
    EXPECT_TRUE(engine.callsOf("runs.remove").empty());

    presenter->setUndoMs(30);
    presenter->remove({row(1)});
    ASSERT_TRUE(engine.until([&] { return engine.callsOf("runs.remove").size() == 1; }));
    EXPECT_EQ(engine.callsOf("runs.remove")[0]["run"], "run1");
    presenter->setUndoMs(60000);
    presenter->remove({row(5)});
    presenter.reset();   // the page goes: what was deleted is deleted
    EXPECT_EQ(engine.callsOf("runs.remove").size(), 2U);
}

TEST_F(Runs, BulkActionsTakeOnlyWhatCanAndTellOnce) {
    rows[0]["status"] = "running";
    rows[1]["status"] = "failed";
    engine.connect();
    EXPECT_TRUE(presenter->whyNotStop({row(0), row(2)}).isEmpty());
    EXPECT_FALSE(presenter->whyNotStop({row(2)}).isEmpty());
    EXPECT_FALSE(presenter->whyNotRemove({row(0)}).isEmpty());
    models::RunRow one = row(0);
    one.kind = QStringLiteral("train");
    EXPECT_FALSE(presenter->whyNotCompare({one}).isEmpty());
    one.kind = QStringLiteral("pipeline");   // its set-ups are compared
    EXPECT_TRUE(presenter->whyNotCompare({one}).isEmpty());
    presenter->stop({row(0), row(1), row(2)}, false);
    presenter->resume({row(0), row(1), row(2)});
    ASSERT_EQ(engine.callsOf("runs.stop").size(), 1U);
    EXPECT_EQ(engine.callsOf("runs.stop")[0]["discard"], false);
    ASSERT_EQ(engine.callsOf("runs.resume").size(), 1U);
    EXPECT_EQ(engine.callsOf("runs.resume")[0]["run"], "run1");
    engine.settle();
    EXPECT_TRUE(engine.notices.isEmpty());
    engine.client->on("runs.stop", [](const Json&) -> Result<Json> { return fail(ErrorCode::kBusy, "it is ending"); });
    rows[3]["status"] = "queued";
    presenter->stop({row(0), row(3)}, true);
    engine.settle();
    ASSERT_EQ(engine.notices.size(), 1);
    EXPECT_TRUE(engine.notices[0].title.contains(QStringLiteral("2 of 2")));
    presenter->compare({row(0), row(1)});
    EXPECT_EQ(engine.visited.last().first, QStringLiteral("compare"));
    EXPECT_EQ(engine.visited.last().second["runs"], Json::array({"run0", "run1"}));
    engine.client->loseLink(Error(ErrorCode::kUnreachable, "gone"));
    EXPECT_FALSE(presenter->whyNotStop({row(0)}).isEmpty());
    EXPECT_TRUE(presenter->isStale());
    EXPECT_EQ(presenter->total(), 450);
}

TEST_F(Runs, PinnedBaselineAndStateAreKept) {
    engine.connect();
    presenter->setColumns({QStringLiteral("name"), QStringLiteral("train.steps"), QStringLiteral("eval/loss")});
    presenter->pin(QStringLiteral("run1"));
    engine.settle();
    EXPECT_EQ(presenter->pinnedName(), QStringLiteral("base"));
    bool asked = false;
    for (const Json& call : engine.callsOf("runs.list"))
        if (call.contains("columns") && call["columns"] == Json::array({"train.steps", "eval/loss"})) asked = true;
    EXPECT_TRUE(asked);
    EXPECT_TRUE(presenter->model().index(0, 2).data(RunTableModel::kDiffersRole).toBool());
    presenter->setSort(QStringLiteral("eval/loss"), false);
    presenter->setFilter(QStringLiteral("kind = train"));
    const Json state = presenter->state();
    RunsPresenter other(context);
    other.restore(state);
    EXPECT_EQ(other.state(), state);
    EXPECT_EQ(other.pinned(), QStringLiteral("run1"));
    other.restore(Json{{"columns", "x"}, {"quick", 99}, {"filter", 3}});
    engine.settle();
}

TEST_F(Runs, CompletionKnowsFieldsResultsAndSettings) {
    engine.connect();
    auto complete = [&](const QString& text) { return presenter->completions(filterPlaceAt(text, static_cast<int>(text.size()))); };
    EXPECT_TRUE(complete(QStringLiteral("own/")).contains(QStringLiteral("own/metric")));   // seen in the rows
    EXPECT_TRUE(complete(QStringLiteral("train.optimizer.l")).contains(QStringLiteral("train.optimizer.lr")));
    EXPECT_EQ(complete(QStringLiteral("status = que")), QStringList{QStringLiteral("queued")});
    EXPECT_EQ(complete(QStringLiteral("status = done o")), QStringList{QStringLiteral("or")});
}

// TARGETS.md: 30,000 runs, filter and sort to screen under 50 ms beyond the engine's answer.
TEST_F(Runs, ThirtyThousandRunsAreOnScreenSoon) {
    engine.connect();
    for (int i = 450; i < 30000; ++i) add(i, "done");
    double worst = 0;
    for (int round = 0; round < 5; ++round) {
        double engineMs = 0;
        auto answer = Json{{"runs", Json::array()}, {"total", rows.size()}};
        Json page = Json::array();
        for (int i = 0; i < 200; ++i) page.push_back(rows[static_cast<size_t>(round * 200 + i)]);
        answer["runs"] = page;
        engine.client->on("runs.list", [&](const Json&) -> Result<Json> {
            QElapsedTimer timer;
            timer.start();
            Json copy = answer;
            engineMs += static_cast<double>(timer.nsecsElapsed()) / 1e6;
            return copy;
        });
        QElapsedTimer timer;
        timer.start();
        presenter->setFilter(QStringLiteral("eval/loss < %1").arg(10 + round));
        presenter->setSort(QStringLiteral("eval/loss"), round % 2 == 0);
        engine.settle();
        for (int r = 0; r < 40; ++r)
            for (int c = 0; c < presenter->model().columnCount(); ++c) ASSERT_TRUE(presenter->model().index(r, c).data().isValid());
        worst = std::max(worst, static_cast<double>(timer.nsecsElapsed()) / 1e6 - engineMs);
        EXPECT_EQ(presenter->model().rowCount(), 30000);
    }
    std::printf("30,000 runs: filter and sort to 40 rows shown, worst of 5: %.1f ms beyond the engine\n", worst);
    EXPECT_LT(worst, 50 * 3);   // the measured bound is printed; a loaded machine gets room
}

}  // namespace
