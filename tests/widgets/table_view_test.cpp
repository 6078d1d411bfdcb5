#include <assay/models/json_table_model.h>
#include <assay/style/tokens.h>
#include <assay/widgets/table_view.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QMenu>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTest>

using namespace assay;
using namespace assay::widgets;

namespace {

std::unique_ptr<QStandardItemModel> makeModel(int rows) {
    auto model = std::make_unique<QStandardItemModel>(rows, 3);
    model->setHorizontalHeaderLabels({QStringLiteral("name"), QStringLiteral("loss"), QStringLiteral("note")});
    for (int row = 0; row < rows; ++row) {
        model->setData(model->index(row, 0), QStringLiteral("run-%1").arg(row));
        model->setData(model->index(row, 1), QStringLiteral("%1.5").arg(row));
        model->setData(model->index(row, 2), QStringLiteral("a\tb\nc"));
    }
    return model;
}

}  // namespace

TEST(TableView, CopiesVisibleColumnsInScreenOrderAsTsv) {
    const auto model = makeModel(3);
    TableView view;
    view.resize(600, 300);
    view.setModel(model.get());
    view.header()->moveSection(1, 0);
    view.selectionModel()->select(model->index(2, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    view.selectionModel()->select(model->index(0, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QTest::keySequence(&view, QKeySequence(QKeySequence::Copy));
    // Tabs and line breaks inside a cell would shift the cells behind it.
    EXPECT_EQ(QApplication::clipboard()->text(), QStringLiteral("loss\tname\tnote\n0.5\trun-0\ta b c\n2.5\trun-2\ta b c\n"));
    view.header()->setSectionHidden(2, true);
    view.copySelection();
    EXPECT_EQ(QApplication::clipboard()->text(), QStringLiteral("loss\tname\n0.5\trun-0\n2.5\trun-2\n"));
}

TEST(TableView, EnterAndDoubleClickOpen) {
    const auto model = makeModel(3);
    TableView view;
    view.resize(600, 300);
    view.setModel(model.get());
    QSignalSpy spy(&view, &TableView::opened);
    view.setCurrentIndex(model->index(1, 0));
    QTest::keyClick(&view, Qt::Key_Return);
    ASSERT_EQ(spy.count(), 1);
    EXPECT_EQ(spy[0][0].toModelIndex().row(), 1);
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Enter);
    ASSERT_EQ(spy.count(), 2);
    EXPECT_EQ(spy[1][0].toModelIndex().row(), 2);
}

TEST(TableView, LayoutSurvivesAndIgnoresColumnsThatAreGone) {
    const auto model = makeModel(2);
    TableView first;
    first.resize(600, 200);
    first.setModel(model.get());
    first.header()->moveSection(2, 0);
    first.header()->setSectionHidden(1, true);
    Json layout = first.layout();
    layout["columns"].push_back({{"key", "gone"}, {"hidden", false}});
    layout["sort"] = {{"key", "name"}, {"descending", true}};
    TableView second;
    second.resize(600, 200);
    QSignalSpy sorted(&second, &TableView::sortRequested);
    second.setModel(model.get());
    second.setLayoutState(layout);
    EXPECT_EQ(second.header()->visualIndex(2), 0);
    EXPECT_TRUE(second.header()->isSectionHidden(1));
    EXPECT_EQ(second.header()->sortIndicatorSection(), 0);
    EXPECT_EQ(second.header()->sortIndicatorOrder(), Qt::DescendingOrder);
    EXPECT_EQ(sorted.count(), 0);   // restoring is no wish of a person
    second.setLayoutState(Json::parse(R"({"columns": [{"key":"name","hidden":true},{"key":"loss","hidden":true},{"key":"note","hidden":true}]})"));
    EXPECT_LT(second.header()->hiddenSectionCount(), 3);   // never a table without a column
    second.setLayoutState(Json("nonsense"));
}

TEST(TableView, HeaderMenuHidesColumnsAndKeepsTheLast) {
    const auto model = makeModel(2);
    TableView view;
    view.resize(600, 200);
    view.setModel(model.get());
    Q_EMIT view.header()->customContextMenuRequested(QPoint(5, 5));
    auto* menu = view.findChild<QMenu*>(QStringLiteral("column-menu"));
    ASSERT_NE(menu, nullptr);
    ASSERT_GE(menu->actions().size(), 3);
    menu->actions()[2]->trigger();
    EXPECT_TRUE(view.header()->isSectionHidden(2));
    menu->close();
}

TEST(TableView, HeaderClickAsksForTheOrder) {
    const auto model = makeModel(2);
    TableView view;
    view.resize(600, 200);
    view.setModel(model.get());
    QSignalSpy spy(&view, &TableView::sortRequested);
    view.header()->setSortIndicator(1, Qt::DescendingOrder);
    ASSERT_EQ(spy.count(), 1);
    EXPECT_EQ(spy[0][0].toInt(), 1);
    EXPECT_EQ(spy[0][1].value<Qt::SortOrder>(), Qt::DescendingOrder);
}

TEST(TableView, ColumnsFillTheRoom) {
    const auto model = makeModel(2);
    TableView view;
    view.setModel(model.get());
    view.resize(700, 200);
    view.grab();
    int total = 0;
    for (int column = 0; column < 3; ++column) total += view.header()->sectionSize(column);
    EXPECT_EQ(total, view.viewport()->width());
}

TEST(TableView, HeightFollowsRowsUpToALimit) {
    const auto model = makeModel(2);
    TableView view;
    view.setModel(model.get());
    view.fitHeight(5);
    EXPECT_EQ(view.height(), 28 + 2 * style::size::kRowHeight);
    for (int i = 0; i < 20; ++i) model->appendRow(new QStandardItem(QStringLiteral("more")));
    EXPECT_EQ(view.maximumHeight(), 28 + 5 * style::size::kRowHeight);
}

TEST(TableView, BadgesAndMarkupArePainted) {
    models::JsonTableModel model({{.key = QStringLiteral("state"), .title = QStringLiteral("state"), .text = [](const Json& row) { return QString::fromStdString(row.value("state", "")); },
                                   .tone = [](const Json&) { return int(style::Tone::kBad); }}});
    model.setRows({{{"state", "<b>failed</b>"}}});
    TableView view;
    view.setModel(&model);
    view.setRoles(models::JsonTableModel::kToneRole, -1, -1);
    view.resize(300, 100);
    const QImage image = view.viewport()->grab().toImage();
    EXPECT_EQ(image.pixelColor(16, 15), style::tokens().badBackground);
}

TEST(TableView, ThirtyThousandRowsStaySwift) {
    const auto model = makeModel(30'000);
    TableView view;
    view.resize(800, 600);
    QElapsedTimer timer;
    timer.start();
    view.setModel(model.get());
    view.grab();
    view.scrollToBottom();
    view.grab();
    EXPECT_LT(timer.elapsed(), 1500);   // measured: well under a fifth of it
    RecordProperty("milliseconds", static_cast<int>(timer.elapsed()));
}

TEST(TableView, TitlesStandOverTheirNumbers) {
    QStandardItemModel model(1, 2);
    model.setHorizontalHeaderLabels({QStringLiteral("name"), QStringLiteral("IIII")});
    model.setData(model.index(0, 1), QStringLiteral("IIII"));
    const int alignment = Qt::AlignRight | Qt::AlignVCenter;
    model.setHeaderData(1, Qt::Horizontal, alignment, Qt::TextAlignmentRole);
    model.setData(model.index(0, 1), alignment, Qt::TextAlignmentRole);
    TableView view;
    view.resize(400, 120);
    view.setModel(&model);
    const QImage image = view.grab().toImage();
    auto lastInk = [&](int top, int bottom) {   // the rightmost dark pixel
        for (int x = view.viewport()->width() - 1; x > 200; --x)
            for (int y = top; y < bottom; ++y)
                if (image.pixelColor(x, y).alpha() > 200 && image.pixelColor(x, y).lightness() < 150) return x;
        return -1;
    };
    const int title = lastInk(6, 24), number = lastInk(34, 52);
    ASSERT_GT(title, 0);
    EXPECT_NEAR(title, number, 1);
    view.header()->setSortIndicator(1, Qt::DescendingOrder);   // the arrow does not push it away
    const QImage sorted = view.grab().toImage();
    EXPECT_NE(sorted, image);
    EXPECT_EQ(sorted.copy(title - 8, 6, 10, 18), image.copy(title - 8, 6, 10, 18));
}

TEST(TableView, WidthsFollowTextsThatComeAfterTheirRows) {
    QStandardItemModel model(3, 3);
    model.setHorizontalHeaderLabels({QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
    TableView view;
    view.resize(600, 200);
    view.setModel(&model);
    view.grab();
    const int before = view.header()->sectionSize(1);
    model.setData(model.index(0, 1), QStringLiteral("a text that needs far more room than its neighbours"));
    const int fitted = view.header()->sectionSize(1);
    EXPECT_GT(fitted, before + 50);
    model.setData(model.index(1, 2), QStringLiteral("a second text that would need just as much room as the first"));
    EXPECT_EQ(view.header()->sectionSize(1), fitted);   // live values do not move columns
}

TEST(TableView, WidthsStayWhenOnlyTheDataChangesAndGrowForWhatIsWider) {
    models::JsonTableModel model({{.key = QStringLiteral("name"), .title = QStringLiteral("Name"), .tip = {}, .text = [](const Json& row) { return QString::fromStdString(jsonStringOr(row, "name", "")); }, .number = {}},
                                  {.key = QStringLiteral("loss"), .title = QStringLiteral("Loss"), .tip = {}, .text = [](const Json& row) { return QString::fromStdString(jsonStringOr(row, "loss", "")); }, .number = {}}});
    const auto rows = [](const char* name, const char* loss) { return QList<Json>{Json{{"id", "1"}, {"name", name}, {"loss", loss}}}; };
    TableView view;
    view.resize(600, 200);
    view.setModel(&model);
    view.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&view));
    model.setRows(rows("a name of some length", "1.25"));
    const auto widths = [&] { return std::pair(view.header()->sectionSize(0), view.header()->sectionSize(1)); };
    const auto first = widths();
    EXPECT_EQ(first.first + first.second, view.viewport()->width());
    model.setRows(rows("short", "1.2"));
    EXPECT_EQ(widths(), first) << "narrower data move nothing";
    model.setRows({Json{{"id", "2"}, {"name", "b"}, {"loss", "2"}}, Json{{"id", "3"}, {"name", "c"}, {"loss", "3"}}});
    EXPECT_EQ(widths(), first) << "nor do more rows";
    model.setRows(rows("short", "a value that is a great deal wider than all before it"));
    EXPECT_GT(widths().second, first.second);
    EXPECT_EQ(widths().first + widths().second, view.viewport()->width());
    model.setRows({});
    QCoreApplication::processEvents();
    model.setRows(rows("a name of some length", "1.25"));
    EXPECT_EQ(widths(), first) << "after an empty table the next content is another one";
}
