#include <gtest/gtest.h>

#include <assay/core/durable.h>
#include <assay/widgets/card.h>
#include <assay/widgets/controls.h>
#include <assay/widgets/plot.h>
#include <assay/widgets/table_view.h>

#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>

#include "make_pages.h"
#include "page_support.h"

namespace assay {
namespace {

using test::Context;
using test::part;

Json setup(const char* name, double ratio, double se, double decode, double bytes) {
    Json accuracy = {{"tokens", 4096}, {"perplexity", 6.45 * ratio}, {"perplexity_se", 0.1}, {"mode", "full"}, {"window", 512}, {"text_sha256", "aa"}, {"tokenizer_key", "tt"}, {"perplexity_ratio", ratio}, {"perplexity_ratio_se", se},
                     {"same_top1", 1 - 2 * (ratio - 1)}};
    return {{"name", name}, {"scheme", name}, {"accuracy", accuracy},
            {"speed", {{"decode_tokens_per_s", decode}, {"decode_tokens_per_s_se", decode / 40}, {"prefill_tokens_per_s", decode * 9}, {"prefill", 128}, {"decode", 64}, {"batch", 1}, {"depth", 0}, {"threads", 2}}},
            {"bytes", {{"weights", bytes}, {"peak", 1.3 * bytes}}}};
}

Json document(const std::string& id, const std::string& name, double slower) {
    return {{"id", id}, {"name", name}, {"kind", "pipeline"}, {"status", "done"}, {"role", "pipeline"}, {"running_seconds", 330}, {"created_at", "2026-01-02T03:04:05Z"}, {"summary", Json::object()},
            {"environment", {{"cpu", {{"model", "Example CPU @ 2.80GHz"}, {"cores", 2}}}}},
            {"spec", {{"name", name}, {"kind", "pipeline"}, {"model", {{"from", "asset:llm/m.gguf"}}}, {"train", {{"steps", 300}, {"optimizer", {{"lr", slower * 0.001}}}}}, {"benchmark", {{"repeats", 5}}},
                      {"accuracy", {{"perplexity", {{"path", "asset:kjv/kjv.txt"}}}}}, {"cost", {{"price", {{"usd_per_hour", 0.08}}}}}}},
            {"setups", Json::array({setup("fp32", 1, 0, 6.8 / slower, 538e6), setup("fp16", 1.0000, 0.0002, 12.8 / slower, 269e6), setup("int8", 1.0031, 0.0009, 19.4 / slower, 137e6), setup("int4-g128", 1.0271, 0.0031, 31 / slower, 77e6),
                                    setup("int4-g32", 1.0522, 0.004, 29.4 / slower, 84e6)})},
            {"children", Json::array({{{"id", id + "-t"}, {"name", name + "/train"}, {"kind", "train"}, {"status", "done"}, {"role", "stage"}, {"parent", id}, {"running_seconds", 240}, {"summary", Json::object()}, {"setups", Json::array()}, {"children", Json::array()}}})}};
}

struct ComparePages : testing::Test {
    Context context;
    std::unique_ptr<pages::Page> page;
    void SetUp() override {
        context.prepare = [](client::FakeEngineClient& engine) {
            engine.on("runs.get", [](const Json& params) -> Result<Json> {
                const std::string id = params["run"].get<std::string>();
                if (id == "gone") return fail(ErrorCode::kNotFound, "no such run");
                return document(id, id == "r1" ? "smollm2-quantize" : "smollm2-slow", id == "r1" ? 1 : 1.5);
            });
            engine.on("runs.list", [](const Json&) -> Result<Json> { return test::runList({test::runRow("r1", "smollm2-quantize", "done"), test::runRow("r2", "smollm2-slow", "done")}); });
            engine.on("metrics.query", [](const Json& params) -> Result<Json> {
                Json points = Json::array();
                for (int step = 1; step <= 300; ++step) points.push_back({step, step * 0.8, step * 1000, 3 + 5.0 / (1 + step * 0.05) + (params["run"] == "r1-t" ? 0.0 : 0.3)});
                return Json{{"name", params["name"]}, {"points", points}, {"total", 300}, {"sampled", false}};
            });
        };
        page.reset(pages::makeComparePage(context.app, nullptr));
        page->resize(1104, 748);
        page->show();
        context.connect();
    }
    void open(std::initializer_list<const char*> ids) {
        Json runs = Json::array();
        for (const char* id : ids) runs.push_back(id);
        page->open({{"runs", runs}});
        context.settle();
    }
    widgets::TableView* table() { return part<widgets::TableView>(*page, "compare-table"); }
};

TEST_F(ComparePages, EmptyTeachesAndListsRuns) {
    EXPECT_TRUE(part<widgets::EmptyState>(*page, "compare-empty")->isVisible());
    auto* recent = part<widgets::TableView>(*page, "compare-recent");
    ASSERT_EQ(recent->model()->rowCount(), 2);
    test::picture(*page, QStringLiteral("compare-empty"));
    EXPECT_FALSE(part<QPushButton>(*page, "compare-chosen")->isEnabled());
    recent->selectAll();
    part<QPushButton>(*page, "compare-chosen")->click();
    context.settle();
    EXPECT_EQ(table()->model()->rowCount(), 10);
}

TEST_F(ComparePages, TargetMovesTheAnswerAndSelectionIsShared) {
    open({"r1"});
    ASSERT_EQ(table()->model()->rowCount(), 5);
    auto* target = part<QLineEdit>(*page, "compare-target");
    target->setText(QStringLiteral("1.05"));
    QTest::keyClick(target, Qt::Key_Return);
    context.settle();
    EXPECT_EQ(part<QLabel>(*page, "answer-headline")->text(), QStringLiteral("int4-g128"));
    EXPECT_TRUE(part<QLabel>(*page, "answer-sensitivity")->text().contains(QStringLiteral("does not change")));
    // The answer is what is selected until someone selects another.
    EXPECT_EQ(table()->currentIndex().row(), 3);
    part<widgets::ScatterPlot>(*page, "compare-scatter")->selected(QStringLiteral("r1/int8"));
    EXPECT_EQ(table()->currentIndex().row(), 2);
    test::picture(*page, QStringLiteral("compare"));
    page->resize(848, 648);
    context.settle();
    test::picture(*page, QStringLiteral("compare-small"));
    target->setText(QStringLiteral("much"));
    QTest::keyClick(target, Qt::Key_Return);
    EXPECT_FALSE(part<QLabel>(*page, "compare-target-note")->text().isEmpty());
}

TEST_F(ComparePages, EveryViewShows) {
    open({"r1", "r2"});
    auto* views = part<widgets::SegmentedControl>(*page, "compare-views");
    for (int view = 0; view < 4; ++view) {
        views->currentChanged(view);
        QCoreApplication::processEvents();
        context.settle();
        if (view == 1) {
            ASSERT_TRUE(QTest::qWaitFor([&] {
                context.settle();
                return context.countOf("metrics.query") >= 2;
            }));
            context.settle();
        }
        test::picture(*page, QStringLiteral("compare-view-%1").arg(view));
    }
    EXPECT_GT(part<widgets::TableView>(*page, "compare-config")->model()->rowCount(), 0);
    views->currentChanged(2);
    part<widgets::ParallelPlot>(*page, "compare-parallel")->brushed({QStringLiteral("r1/int8"), QStringLiteral("r2/int8")});
    EXPECT_EQ(table()->model()->rowCount(), 2);
    views->currentChanged(0);
    EXPECT_EQ(table()->model()->rowCount(), 10);
}

TEST_F(ComparePages, BaselineIsChosenAndWarningsAreTold) {
    open({"r1", "r2", "gone"});
    EXPECT_FALSE(part<QWidget>(*page, "compare-problem")->isHidden());
    auto* baseline = part<QComboBox>(*page, "compare-baseline");
    ASSERT_EQ(baseline->count(), 10);
    baseline->setCurrentIndex(5);
    baseline->activated(5);
    context.settle();
    EXPECT_EQ(baseline->currentData().toString(), QStringLiteral("r2/fp32"));
    EXPECT_FALSE(part<QWidget>(*page, "compare-warning")->isHidden());   // trained with one seed
}

TEST_F(ComparePages, RunsAreTickedInAndOut) {
    open({"r1"});
    part<QPushButton>(*page, "compare-add")->click();
    context.settle();
    auto* list = part<QListWidget>(*page, "compare-picker-list");
    ASSERT_EQ(list->count(), 2);
    EXPECT_EQ(list->item(0)->checkState(), Qt::Checked);
    test::picture(*part<QWidget>(*page, "compare-picker"), QStringLiteral("compare-picker"));
    list->item(1)->setCheckState(Qt::Checked);
    context.settle();
    EXPECT_EQ(table()->model()->rowCount(), 10);
    part<QWidget>(*page, "compare-picker")->hide();
}

TEST_F(ComparePages, StateIsKeptAndNonsenseIsNot) {
    open({"r1"});
    part<widgets::SegmentedControl>(*page, "compare-views")->setCurrent(2);
    const Json state = page->saveState();
    std::unique_ptr<pages::Page> other(pages::makeComparePage(context.app, nullptr));
    other->restoreState(Json{{"view", "x"}, {"table", 5}, {"curves", 7}});
    other->restoreState(state);
    EXPECT_EQ(other->saveState()["view"], 2);
    context.settle();
    EXPECT_EQ(part<widgets::TableView>(*other, "compare-table")->model()->rowCount(), 5);   // the runs are remembered too
}

TEST_F(ComparePages, EveryControlHasAName) {
    open({"r1"});
    EXPECT_EQ(test::unnamed(*page), QStringList());
}

}  // namespace
}  // namespace assay
