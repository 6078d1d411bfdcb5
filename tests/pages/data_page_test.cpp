#include <gtest/gtest.h>

#include <QComboBox>
#include <QFileDialog>
#include <QHeaderView>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTreeView>

#include "make_pages.h"
#include "page_support.h"

namespace assay {
namespace {

using test::Context;
using test::part;

struct DataPage : testing::Test {
    Context context;
    std::unique_ptr<pages::Page> page;
    std::map<std::string, Json> params;
    Json problems = Json::array();
    std::string evil = "<b>not markup</b> \u202Etxt";
    DataPage() {
        context.prepare = [this](client::FakeEngineClient& engine) {
            engine.on("runs.list", [](const Json&) { return Result<Json>(test::runList({})); });
            engine.on("runs.submit", [](const Json&) { return Result<Json>(Json{{"run", "p1"}}); });
            engine.on("tools.call", [this](const Json& call) -> Result<Json> {
                const std::string tool = call["tool"];
                params[tool] = call["params"];
                if (tool == "data_inspect")
                    return Json{{"format", "csv"}, {"rows", 18402}, {"usable", 18136}, {"columns", {"id", "verse"}}, {"bytes", 11.4e6}, {"mapping", {{"text", "verse"}}}, {"mapping_reason", "a column named verse"}, {"problems", problems}, {"sample", Json::array()}};
                if (tool == "data_rows") {
                    Json rows = Json::array();
                    for (int i = 0; i < 100; ++i) rows.push_back({{"row", i + 1}, {"line", i + 2}, {"usable", i != 3}, {"reason", i == 3 ? Json("empty") : Json()}, {"hint", "h"}, {"cells", {{"id", std::to_string(i)}, {"verse", evil + std::to_string(i)}}}});
                    return Json{{"columns", {"id", "verse"}}, {"rows", rows}, {"total", 18402}, {"next_offset", 100}};
                }
                if (tool == "data_lengths")
                    return Json{{"rows", 18402}, {"tokens", 2410000}, {"loss_tokens", 920000}, {"shortest", 16}, {"longest", 3880}, {"median", 212.0}, {"edges", {0, 256, 512, 1024, 2048, 4096}}, {"counts", {9000, 6000, 2000, 1000, 136}}, {"over_length_rows", 14}, {"padding", {{"none", 0.41}, {"concat", 0.0}, {"best_fit", 0.016}}}};
                if (tool == "data_view") {
                    Json tokens = Json::array();
                    for (int i = 0; i < 60; ++i) tokens.push_back({{"id", i}, {"text", i % 13 == 0 ? "<|im_start|>" : " token"}, {"loss", i > 20}, {"special", i % 13 == 0}, {"border", i == 26}});
                    return Json{{"row", call["params"]["row"]}, {"rows", 88}, {"tokens", tokens}, {"total", 60}, {"loss_total", 39}, {"documents", {{{"line", 312}, {"from", 0}, {"to", 26}}, {{"line", 337}, {"from", 26}, {"to", 60}}}}};
                }
                if (tool == "models_list") return Json{{"models", Json::array()}};
                if (tool == "spec_check") return Json{{"ok", true}, {"problems", Json::array()}, {"resolved", {{"kind", "prepare"}}}};
                return fail(ErrorCode::kNotFound, "no such tool");
            });
        };
        context.connect();
        page.reset(pages::makeDataPage(context.app, nullptr));
        page->resize(1104, 774);
        page->show();
        context.settle();
    }
    void openFile() {
        page->open({{"path", "/d/dialogues.csv"}});
        for (int i = 0; i < 5; ++i) context.settle();
    }
};

TEST_F(DataPage, EmptyItTeachesAndOffersOneButton) {
    EXPECT_TRUE(part(*page, "data-empty")->isVisible());
    EXPECT_FALSE(part(*page, "data-recent")->isVisible());
    EXPECT_FALSE(part(*page, "data-found")->isVisible());   // this engine knows of none
    EXPECT_FALSE(part(*page, "data-prepare")->isVisible());
    EXPECT_EQ(test::unnamed(*page), QStringList());
    test::picture(*page, QStringLiteral("data-empty"));
}

TEST_F(DataPage, ShowsADatasetAndPreparesIt) {
    openFile();
    EXPECT_FALSE(part(*page, "data-empty")->isVisible());
    auto* rows = part<QTreeView>(*page, "data-rows");
    ASSERT_EQ(rows->model()->rowCount(), 18402);
    EXPECT_EQ(rows->model()->index(0, 2).data().toString(), QStringLiteral("<b>not markup</b> txt0"));   // the override that would turn it is gone
    EXPECT_LE(rows->header()->sectionSize(0), 90) << "a row number needs no more";
    EXPECT_GE(rows->header()->sectionSize(rows->model()->columnCount() - 1), 204) << "a remark is not cut";
    EXPECT_EQ(part<QComboBox>(*page, "data-column-text")->currentData().toString(), QStringLiteral("verse"));
    EXPECT_FALSE(part(*page, "data-column-prompt")->isVisible());
    EXPECT_FALSE(part(*page, "data-document")->isVisible());   // of text files only
    EXPECT_EQ(test::unnamed(*page), QStringList());
    test::picture(*page, QStringLiteral("data"));
    page->resize(848, 674);
    context.settle();
    test::picture(*page, QStringLiteral("data-small"));
    QTest::mouseClick(part(*page, "data-prepare"), Qt::LeftButton);
    context.settle();
    EXPECT_EQ(context.countOf("runs.submit"), 1);
    ASSERT_EQ(context.visited.size(), 1U) << (context.notices.empty() ? std::string("no notice") : context.notices[0].detail.toStdString());
    QTest::mouseClick(part(*page, "data-use"), Qt::LeftButton);
    EXPECT_EQ(context.visited[1].second["data"]["path"], "/d/dialogues.csv");
}

TEST_F(DataPage, AnotherColumnInspectsAnew) {
    openFile();
    auto* box = part<QComboBox>(*page, "data-column-text");
    box->setCurrentIndex(box->findData(QStringLiteral("id")));
    Q_EMIT box->activated(box->currentIndex());
    context.settle();
    EXPECT_EQ(params["data_inspect"]["columns"], Json({{"text", "id"}}));
    EXPECT_TRUE(part(*page, "data-guess")->isVisible());
    QTest::mouseClick(part(*page, "data-guess"), Qt::LeftButton);
    context.settle();
    EXPECT_FALSE(params["data_inspect"].contains("columns"));
}

TEST_F(DataPage, TheFormatBoxOffersEveryFormat) {
    openFile();
    auto* box = part<QComboBox>(*page, "data-format");
    QStringList formats;
    for (int i = 0; i < box->count(); ++i) formats << box->itemData(i).toString();
    EXPECT_EQ(formats.join(QLatin1Char(' ')), QStringLiteral("auto text jsonl csv parquet arrow hf"));
    box->setCurrentIndex(box->findData(QStringLiteral("parquet")));
    Q_EMIT box->activated(box->currentIndex());
    context.settle();
    EXPECT_EQ(params["data_inspect"]["format"], "parquet");
    // Of a file no Hugging Face folder is made: a folder is asked for, and until one is chosen nothing changes.
    box->setCurrentIndex(box->findData(QStringLiteral("hf")));
    Q_EMIT box->activated(box->currentIndex());
    context.settle();
    EXPECT_EQ(params["data_inspect"]["format"], "parquet");
    EXPECT_EQ(box->currentData().toString(), QStringLiteral("parquet"));
    auto* dialog = page->findChild<QFileDialog*>();
    ASSERT_TRUE(dialog);
    EXPECT_EQ(dialog->fileMode(), QFileDialog::Directory);
    Q_EMIT dialog->fileSelected(QStringLiteral("/d/saved"));
    context.settle();
    EXPECT_EQ(params["data_inspect"]["format"], "hf");
    EXPECT_EQ(params["data_inspect"]["paths"], Json({"/d/saved"}));
}

TEST_F(DataPage, StepsThroughSequencesAndProblems) {
    problems = Json::array({Json{{"row", 912}, {"line", 912}, {"reason", "empty"}, {"count", 37}, {"hint", "rows without text are left out"}, {"lines", {912, 4410, 9021}}},
                            Json{{"row", 3}, {"line", 3}, {"reason", "unknown_role"}, {"count", 4}, {"hint", "the role \"hummany\" is none that chat templates know"}, {"lines", {3}}}});
    openFile();
    QTest::mouseClick(part(*page, "data-view-next"), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] {
        context.settle();
        return params["data_view"]["row"] == 2;
    }));
    EXPECT_EQ(part<QSpinBox>(*page, "data-view-row")->value(), 2);
    auto* which = part(*page, "data-which");
    QTest::mouseClick(which->findChildren<QAbstractButton*>().last(), Qt::LeftButton);
    auto* table = part<QTreeView>(*page, "data-problems");
    ASSERT_TRUE(table->isVisible());
    ASSERT_EQ(table->model()->rowCount(), 2);
    EXPECT_EQ(table->model()->index(0, 1).data().toString(), QStringLiteral("37"));
    EXPECT_EQ(test::unnamed(*page), QStringList());
    test::picture(*page, QStringLiteral("data-problems"));
}

TEST_F(DataPage, ClosingThePageWhileItAsksIsFine) {
    page->open({{"path", "/d/dialogues.csv"}});
    page.reset();
    context.settle();
}

}  // namespace
}  // namespace assay
