#include <assay/models/run_table_model.h>

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

using namespace assay;
using namespace assay::models;

namespace {

RunRow run(int n, const char* status = "done", double lr = 0.001) {
    return runRowFromJson({{"id", "run" + std::to_string(n)}, {"name", "name " + std::to_string(n)}, {"kind", "train"}, {"status", status},
                           {"created_at", "2026-11-30T12:00:00Z"}, {"summary", {{"eval/loss", 3.0 + n}}}, {"tags", Json::array()}, {"values", {{"lr", lr}}}});
}
QList<RunRow> runs(int first, int count) {
    QList<RunRow> out;
    for (int i = 0; i < count; ++i) out.append(run(first + i));
    return out;
}
QList<RunTableModel::Column> columns() {
    return {{QStringLiteral("name"), QStringLiteral("Name")}, {QStringLiteral("status"), QStringLiteral("Status")}, {QStringLiteral("eval/loss"), QStringLiteral("Loss"), true},
            {QStringLiteral("lr"), QStringLiteral("lr"), true}, {QStringLiteral("progress"), QStringLiteral("Progress")}};
}

class RunTable : public testing::Test {
protected:
    void SetUp() override {
        model.setColumns(columns());
        QObject::connect(&model, &RunTableModel::pageNeeded, [this](int group, int first) { asked.append({group, first}); });
    }
    RunTableModel model;
    QList<std::pair<int, int>> asked;
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

TEST_F(RunTable, AsksOncePerPageAndOnlyForWhatIsLookedAt) {
    model.setGroups({{QString(), 30000}});
    asked.clear();   // the tester looks at the first row by itself
    model.updateGroups({{QString(), 30000}});
    asked.clear();
    EXPECT_EQ(model.rowCount(), 30000);
    EXPECT_EQ(model.index(5000, 0).data().toString(), QStringLiteral("…"));
    EXPECT_EQ(model.index(5001, 1).data().toString(), QString());
    ASSERT_EQ(asked.size(), 1);
    EXPECT_EQ(asked[0], std::make_pair(0, 5000));
    EXPECT_FALSE(model.run(model.index(5000, 0)));
    model.setPage(0, 5000, runs(5000, 200));
    EXPECT_EQ(model.index(5199, 0).data().toString(), QStringLiteral("name 5199"));
    EXPECT_EQ(model.index(5000, 0).data(RunTableModel::kIdRole).toString(), QStringLiteral("run5000"));
    EXPECT_EQ(asked.size(), 1);
    EXPECT_EQ(model.indexOf(QStringLiteral("run5123")).row(), 5123);
    EXPECT_FALSE(model.indexOf(QStringLiteral("run1")).isValid());
}

TEST_F(RunTable, ShortAnswersAreCompletedAndRowsBeyondTheEndDropped) {
    model.setGroups({{QString(), 250}});
    model.setPage(0, 0, runs(0, 120));
    model.setPage(0, 120, runs(120, 80));
    model.setPage(0, 200, runs(200, 90));   // 40 too many
    EXPECT_EQ(model.rowCount(), 250);
    asked.clear();
    for (int i = 0; i < 250; ++i) EXPECT_EQ(model.index(i, 0).data().toString(), QStringLiteral("name %1").arg(i));
    EXPECT_TRUE(asked.isEmpty());
    model.setPage(7, 0, runs(0, 1));
    model.setPage(0, 900, runs(0, 1));
    EXPECT_EQ(model.totalRuns(), 250);
}

TEST_F(RunTable, AThousandUpdatesAreOneSignal) {
    model.setGroups({{QString(), 1000}});
    for (int page = 0; page < 5; ++page) model.setPage(0, page * 200, runs(page * 200, 200));
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    for (int i = 0; i < 1000; ++i) model.updateRun(run(i, "running"));
    model.updateRun(run(5000, "running"));   // not held
    EXPECT_EQ(changes.count(), 0);
    ASSERT_TRUE(QTest::qWaitFor([&] { return changes.count() > 0; }));
    EXPECT_EQ(changes.count(), 1);
    EXPECT_EQ(changes[0][0].toModelIndex().row(), 0);
    EXPECT_EQ(changes[0][1].toModelIndex().row(), 999);
    EXPECT_EQ(model.index(3, 1).data().toString(), QStringLiteral("running"));
    EXPECT_TRUE(model.index(3, 1).data(RunTableModel::kActiveRole).toBool());
}

TEST_F(RunTable, RefreshKeepsRowsAndSelectionUntilThePageComes) {
    model.setGroups({{QString(), 300}});
    model.setPage(0, 0, runs(0, 200));
    model.setPage(0, 200, runs(200, 100));
    const QPersistentModelIndex held(model.index(10, 0));
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    asked.clear();
    model.updateGroups({{QString(), 301}});
    EXPECT_EQ(model.rowCount(), 301);
    EXPECT_EQ(resets.count(), 0);
    EXPECT_EQ(held.row(), 10);
    EXPECT_EQ(model.index(10, 0).data().toString(), QStringLiteral("name 10"));
    EXPECT_TRUE(asked.contains(std::make_pair(0, 0)));
    model.setPage(0, 0, runs(1, 200));
    EXPECT_EQ(model.index(10, 0).data().toString(), QStringLiteral("name 11"));
    model.updateGroups({{QString(), 5}});
    EXPECT_EQ(model.rowCount(), 5);
    EXPECT_FALSE(model.indexOf(QStringLiteral("run100")).isValid());
}

TEST_F(RunTable, RemovingMovesTheRowsUp) {
    model.setGroups({{QString(), 400}});
    model.setPage(0, 0, runs(0, 200));
    const QPersistentModelIndex held(model.index(150, 0));
    asked.clear();
    model.removeRun(QStringLiteral("run7"));
    model.removeRun(QStringLiteral("no such"));
    EXPECT_EQ(model.rowCount(), 399);
    EXPECT_EQ(held.row(), 149);
    EXPECT_EQ(model.index(7, 0).data().toString(), QStringLiteral("name 8"));
    EXPECT_EQ(model.indexOf(QStringLiteral("run150")).row(), 149);
    model.index(199, 0).data();   // came up from the second page, which is not here: asked for
    EXPECT_TRUE(asked.contains(std::make_pair(0, 0)));
}

TEST_F(RunTable, GroupsHaveTheirOwnPages) {
    model.setGroups({{QStringLiteral("0.001"), 3}, {QString(), 2}});
    EXPECT_TRUE(model.isGrouped());
    EXPECT_EQ(model.rowCount(), 2);
    const QModelIndex first = model.index(0, 0), second = model.index(1, 0);
    EXPECT_EQ(first.data().toString(), QStringLiteral("0.001 (3)"));
    EXPECT_EQ(second.data().toString(), QStringLiteral("none (2)"));
    EXPECT_TRUE(first.data(RunTableModel::kIsGroupRole).toBool());
    EXPECT_EQ(model.rowCount(first), 3);
    EXPECT_EQ(model.rowCount(model.index(0, 0, first)), 0);
    model.setPage(1, 0, runs(10, 2));
    EXPECT_EQ(model.index(1, 0, second).data().toString(), QStringLiteral("name 11"));
    EXPECT_EQ(model.indexOf(QStringLiteral("run11")).parent(), second);
    EXPECT_EQ(model.totalRuns(), 5);
    EXPECT_EQ(model.run(model.index(1, 2, second))->id, QStringLiteral("run11"));
    EXPECT_FALSE(model.run(first));
    model.removeRun(QStringLiteral("run10"));
    EXPECT_EQ(model.rowCount(second), 1);
    EXPECT_EQ(model.index(0, 0, second).data().toString(), QStringLiteral("name 11"));
    model.setGroups({{QString(), 1}});
    EXPECT_FALSE(model.isGrouped());
}

TEST_F(RunTable, DifferencesFromThePinnedRun) {
    model.setGroups({{QString(), 2}});
    model.setPage(0, 0, {run(1, "done", 0.001), run(2, "done", 0.002)});
    model.setPinned(QStringLiteral("run1"), {{"train", {{"optimizer", {{"lr", 0.001}}}}}}, {{"eval/loss", 4.0}});
    EXPECT_TRUE(model.index(0, 0).data(RunTableModel::kIsPinnedRole).toBool());
    EXPECT_FALSE(model.index(1, 0).data(RunTableModel::kIsPinnedRole).toBool());
    EXPECT_TRUE(model.index(1, 3).data(RunTableModel::kDiffersRole).toBool());    // lr
    EXPECT_FALSE(model.index(0, 3).data(RunTableModel::kDiffersRole).toBool());   // itself
    EXPECT_FALSE(model.index(1, 0).data(RunTableModel::kDiffersRole).toBool());   // every run has its own name
    EXPECT_TRUE(model.index(1, 3).data(Qt::ToolTipRole).toString().contains(QStringLiteral("Baseline: 0.001")));
    model.updateRun(run(2, "done", 0.001));
    model.setDifferencesOnly(true);
    EXPECT_EQ(model.index(1, 3).data().toString(), QStringLiteral("·"));
    EXPECT_EQ(model.index(1, 2).data().toString(), QStringLiteral("5"));          // 3 + 2, not the baseline's 4
    EXPECT_EQ(model.index(0, 3).data().toString(), QStringLiteral("0.001"));
    model.setPinned({}, {}, {});
    EXPECT_EQ(model.index(1, 3).data().toString(), QStringLiteral("0.001"));
}

TEST_F(RunTable, LiveRowsKeepTheSpecValuesOfThePage) {
    model.setGroups({{QString(), 1}});
    model.setPage(0, 0, {run(1)});
    Json live = run(1, "running").raw;
    live.erase("values");
    live["progress"] = {{"phase", "training"}, {"done", 1}, {"total", 4}};
    model.updateRun(runRowFromJson(live));
    EXPECT_EQ(model.index(0, 3).data().toString(), QStringLiteral("0.001"));
    EXPECT_DOUBLE_EQ(model.index(0, 4).data(RunTableModel::kFractionRole).toDouble(), 0.25);
    EXPECT_EQ(model.index(0, 4).data().toString(), QStringLiteral("training 1 / 4"));
}

TEST_F(RunTable, ColoursAreStable) {
    EXPECT_EQ(runColorIndex(QString()), static_cast<int>(2166136261u % 7));
    EXPECT_EQ(runColorIndex(QStringLiteral("a")), static_cast<int>(0xe40c292cu % 7));   // published FNV-1a of "a"
    QList<int> seen(7, 0);
    for (int i = 0; i < 700; ++i) ++seen[runColorIndex(QStringLiteral("run%1").arg(i))];
    for (const int count : seen) EXPECT_GT(count, 50);
}

}  // namespace
