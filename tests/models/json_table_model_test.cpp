#include <assay/models/json_table_model.h>

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QSignalSpy>

using namespace assay;
using namespace assay::models;

namespace {

QList<JsonTableModel::Column> tableColumns() {
    return {{QStringLiteral("name"), QStringLiteral("Name"), {}, [](const Json& row) { return QString::fromStdString(jsonStringOr(row, "name", "")); }, {}},
            {QStringLiteral("n"), QStringLiteral("N"), QStringLiteral("a number"), [](const Json& row) { return QString::number(jsonIntegerOr(row, "n", 0)); },
             [](const Json& row) { return jsonDoubleOr(row, "n", 0); }}};
}
Json row(const char* id, int n) { return {{"id", id}, {"name", std::string("row ") + id}, {"n", n}}; }

TEST(JsonTableModel, ShowsRows) {
    JsonTableModel model(tableColumns());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setRows({row("a", 1), row("b", 2)});
    ASSERT_EQ(model.rowCount(), 2);
    EXPECT_EQ(model.index(1, 0).data().toString(), QStringLiteral("row b"));
    EXPECT_EQ(model.index(1, 1).data(JsonTableModel::kNumberRole).toDouble(), 2);
    EXPECT_FALSE(model.index(1, 0).data(JsonTableModel::kNumberRole).isValid());
    EXPECT_EQ(model.index(0, 0).data(JsonTableModel::kToneRole).toInt(), -1);
    EXPECT_EQ(model.index(0, 1).data(Qt::AccessibleTextRole).toString(), QStringLiteral("N: 1"));
    EXPECT_TRUE(model.index(0, 1).data(Qt::TextAlignmentRole).value<Qt::Alignment>() & Qt::AlignRight);
    EXPECT_EQ(model.headerData(1, Qt::Horizontal, Qt::ToolTipRole).toString(), QStringLiteral("a number"));
}

TEST(JsonTableModel, ASelectionSurvivesWhenRowsComeAndGo) {
    JsonTableModel model(tableColumns());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setRows({row("a", 1), row("b", 2), row("c", 3)});
    const QPersistentModelIndex held(model.index(1, 0));
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset), changes(&model, &QAbstractItemModel::dataChanged);

    model.setRows({row("a", 1), row("b", 20), row("c", 3)});
    EXPECT_EQ(resets.count(), 0);
    ASSERT_EQ(changes.count(), 1);   // only the row that changed
    EXPECT_EQ(changes[0][0].toModelIndex().row(), 1);

    model.setRows({row("z", 0), row("a", 1), row("b", 2), row("d", 4), row("c", 3)});   // inserted around it
    EXPECT_EQ(resets.count(), 0);
    ASSERT_TRUE(held.isValid());
    EXPECT_EQ(held.row(), 2);
    EXPECT_EQ(held.data().toString(), QStringLiteral("row b"));

    model.setRows({row("c", 3), row("b", 2)});   // another order, fewer rows
    EXPECT_EQ(resets.count(), 0);
    ASSERT_TRUE(held.isValid());
    EXPECT_EQ(held.row(), 1);

    model.setRows({row("c", 3)});
    EXPECT_FALSE(held.isValid());
    model.setRows({});
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(JsonTableModel, RowsWithoutOrWithDoubleIdsAreANewTable) {
    JsonTableModel model(tableColumns());
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    model.setRows({Json{{"name", "x"}}, Json{{"name", "y"}}});
    model.setRows({Json{{"name", "y"}}});
    EXPECT_EQ(resets.count(), 2);
    model.setRows({row("a", 1), row("a", 2)});
    EXPECT_EQ(resets.count(), 3);
    EXPECT_EQ(model.rowCount(), 2);
}

}  // namespace
