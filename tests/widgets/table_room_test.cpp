// How the columns of a table share the room there is.
#include <assay/models/json_table_model.h>
#include <assay/widgets/table_view.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QHeaderView>
#include <QScrollBar>

using namespace assay;
using namespace assay::widgets;

namespace {

QString textOf(const Json& row, const char* key) { return QString::fromStdString(jsonStringOr(row, key, "")); }

std::unique_ptr<models::JsonTableModel> someRows() {
    using Column = models::JsonTableModel::Column;
    std::vector<const char*> keys = {"name", "kind", "status", "remark"};
    QList<Column> columns{Column{.key = QStringLiteral("row"), .title = QStringLiteral("Row"), .text = [](const Json& row) { return textOf(row, "row"); }, .number = [](const Json&) { return 1.0; }}};
    for (const char* key : keys) columns.append(Column{.key = QString::fromLatin1(key), .title = QString::fromLatin1(key), .text = [key](const Json& row) { return textOf(row, key); }, .number = {}});
    auto model = std::make_unique<models::JsonTableModel>(columns);
    model->setRows({Json{{"row", "1"}, {"name", "a rather long name of a stage"}, {"kind", "prepare the data"}, {"status", "done"}, {"remark", ""}}});
    return model;
}

}  // namespace

TEST(TableRoom, AFirmColumnTakesWhatItNeedsAndNoMore) {
    const auto model = someRows();
    TableView view;
    view.resize(1200, 200);
    view.setFirmColumns([](int column) { return column == 0 ? 60 : column == 4 ? 150 : -1; });
    view.setModel(model.get());
    view.show();
    QApplication::processEvents();
    EXPECT_EQ(view.header()->sectionSize(0), 60);
    EXPECT_EQ(view.header()->sectionSize(4), 150);
    EXPECT_EQ(view.header()->length(), view.viewport()->width()) << "the others share the rest";
}

TEST(TableRoom, WhatIsExpendableGoesBeforeATableScrolls) {
    const auto model = someRows();
    TableView view;
    view.setExpendableColumns({4, 2});
    view.setModel(model.get());
    view.resize(900, 200);
    view.show();
    QApplication::processEvents();
    for (int column = 0; column < 5; ++column) EXPECT_FALSE(view.header()->isSectionHidden(column)) << column;
    view.resize(250, 200);
    QApplication::processEvents();
    EXPECT_TRUE(view.header()->isSectionHidden(4));
    EXPECT_TRUE(view.header()->isSectionHidden(2));
    EXPECT_EQ(view.horizontalScrollBar()->maximum(), 0);
    const Json columns = view.layout()["columns"];
    for (const Json& column : columns) EXPECT_FALSE(column["hidden"].get<bool>()) << column["key"] << ": the room hid it, not a person";
    view.resize(900, 200);
    QApplication::processEvents();
    for (int column = 0; column < 5; ++column) EXPECT_FALSE(view.header()->isSectionHidden(column)) << column;
}
