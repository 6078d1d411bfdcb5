#include <assay/models/data_rows_model.h>
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>

namespace assay::models {
namespace {

Json page(qint64 first, qint64 count) {
    Json rows = Json::array();
    for (qint64 i = first; i < first + count; ++i) rows.push_back({{"row", i + 1}, {"line", i + 2}, {"usable", true}, {"reason", nullptr}, {"hint", ""}, {"cells", {{"a", "x" + std::to_string(i)}, {"b\n", "two\nlines"}}}});
    return rows;
}

TEST(DataRowsModel, AsksForAPageOnceAndShowsPlaceholders) {
    DataRowsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.reset({QStringLiteral("a"), QStringLiteral("b\n")}, {{QStringLiteral("a"), QStringLiteral("text")}}, 250);
    QSignalSpy asked(&model, &DataRowsModel::pageNeeded);
    EXPECT_EQ(model.rowCount(), 250);
    EXPECT_EQ(model.columnCount(), 4);
    EXPECT_EQ(model.index(120, 1).data().toString(), QStringLiteral("…"));
    model.index(199, 1).data();
    const auto pages = [&] {
        QList<qint64> list;
        for (const auto& call : asked) list << call[0].toLongLong();
        return list;
    };
    EXPECT_EQ(pages().count(1), 1);
    QSignalSpy changed(&model, &DataRowsModel::dataChanged);
    model.setPage(1, page(100, 100));
    ASSERT_EQ(changed.count(), 1);
    EXPECT_EQ(changed[0][0].toModelIndex().row(), 100);
    EXPECT_EQ(changed[0][1].toModelIndex().row(), 199);
    EXPECT_EQ(model.index(120, 0).data().toString(), QStringLiteral("121"));
    EXPECT_EQ(model.index(120, 1).data().toString(), QStringLiteral("x120"));
    EXPECT_EQ(model.index(120, 2).data().toString(), QStringLiteral("two lines"));   // one line a row
    EXPECT_EQ(model.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("a → text"));
    model.pageFailed(0);
    model.index(0, 1).data();
    EXPECT_GE(pages().count(0), 1);
}

TEST(DataRowsModel, KeepsTheNewestPagesOnly) {
    DataRowsModel model;
    const qint64 pages = DataRowsModel::kMostPages + 5;
    model.reset({QStringLiteral("a")}, {}, pages * DataRowsModel::kPageRows);
    for (qint64 i = 0; i < pages; ++i) model.setPage(i, page(i * 100, 100));
    QSignalSpy asked(&model, &DataRowsModel::pageNeeded);
    EXPECT_EQ(model.index(499, 1).data().toString(), QStringLiteral("…"));   // page 4 had to go
    EXPECT_EQ(asked.count(), 1);
    EXPECT_EQ(model.index(500, 1).data().toString(), QStringLiteral("x500"));
}

TEST(DataRowsModel, MissingCellsAndReasonsAreSaid) {
    DataRowsModel model;
    model.reset({QStringLiteral("a"), QStringLiteral("b")}, {}, 2);
    model.setPage(0, Json::array({Json{{"row", 1}, {"usable", false}, {"reason", "bad_json"}, {"hint", "each line must be one object"}, {"cells", Json::object()}},
                                  Json{{"row", 2}, {"usable", true}, {"reason", "something_new"}, {"cells", {{"a", ""}}}}}));
    EXPECT_EQ(model.index(0, 1).data().toString(), QStringLiteral("—"));
    EXPECT_EQ(model.index(1, 1).data().toString(), QString());   // there, and empty
    EXPECT_EQ(model.index(0, 3).data().toString(), QStringLiteral("Broken JSON"));
    EXPECT_EQ(model.index(0, 3).data(Qt::ToolTipRole).toString(), QStringLiteral("each line must be one object"));
    EXPECT_EQ(model.index(0, 3).data(DataRowsModel::kToneRole).toInt(), 4);
    EXPECT_EQ(model.index(1, 3).data(DataRowsModel::kToneRole).toInt(), 3);
    EXPECT_EQ(model.index(1, 3).data().toString(), QStringLiteral("something_new"));
    EXPECT_EQ(model.index(1, 2).data(DataRowsModel::kToneRole).toInt(), -1);
}

}  // namespace
}  // namespace assay::models
