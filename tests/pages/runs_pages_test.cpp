#include <gtest/gtest.h>

#include <assay/widgets/bar_rows.h>
#include <assay/widgets/card.h>
#include <assay/widgets/plot.h>
#include <assay/widgets/table_view.h>

#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTest>
#include <cmath>

#include "make_pages.h"
#include "page_support.h"

namespace assay {
namespace {

using test::Context;
using test::part;

Json runRow(int i, const char* status) {
    const bool active = std::string_view(status) == "running";
    return {{"id", "run" + std::to_string(i)}, {"name", "smollm2-lora-r" + std::to_string(i)}, {"kind", i % 4 == 0 ? "pipeline" : "train"}, {"status", status},
            {"reason", std::string_view(status) == "failed" ? Json("out of memory") : Json()}, {"parent", nullptr}, {"role", ""}, {"group", nullptr}, {"created_at", "2026-11-30T12:00:00Z"},
            {"started_at", "2026-11-30T12:00:01Z"}, {"ended_at", nullptr}, {"running_seconds", 30.0 + 40 * i}, {"attempt", 1}, {"fork_of", nullptr}, {"tags", {"demo"}}, {"error", nullptr},
            {"summary", {{"eval/loss", 3.2 - 0.07 * i}, {"cost/usd", 0.004 * (i + 1)}}},
            {"progress", active ? Json{{"phase", "training"}, {"unit", "steps"}, {"done", 454}, {"total", 640}, {"eta_seconds", 74}} : Json()}};
}

Json document() {
    Json run = runRow(1, "running");
    run["spec"] = {{"assay", 1}, {"name", "smollm2-lora-r1"}, {"kind", "train"}, {"model", {{"from", "/models/SmolLM2-135M"}}}, {"method", {{"lora", {{"rank", 8}}}}},
                   {"data", {{"train", {{"path", "/data/chatterbot-corpus"}}}}}, {"train", {{"steps", 640}}}, {"cost", {{"price", {{"usd_per_hour", 0.08}}}}}};
    run["summary"] = {{"train/loss", 1.842}, {"eval/loss", 1.911}, {"system/tensor_bytes_peak", 2.61e9}, {"memory/weights_bytes", 538e6}, {"memory/gradients_bytes", 538e6},
                      {"memory/optimizer_bytes", 1076e6}, {"memory/activations_bytes", 377e6}, {"data/tokens", 412000}, {"data/loss_tokens", 157000}, {"data/dropped", 14}, {"train/skipped_steps", 0},
                      {"train/step_seconds", 0.398}};
    run["running_seconds"] = 181;
    run["metrics"] = {"train/loss", "eval/loss", "train/tokens_per_s", "train/grad_norm", "train/lr"};
    run["environment"] = {{"memory_bytes", 24e9}};
    run["checkpoints"] = Json::array({{{"step", 220}, {"path", "/s/checkpoints/step-220"}, {"bytes", 1.6e9}}});
    run["artifacts"] = Json::array();
    run["setups"] = Json::array();
    run["children"] = Json::array();
    run["after"] = Json::array();
    run["result"] = nullptr;
    run["folder"] = "/s/run1";
    run["resumed"] = Json::array({{{"step", 220}}});
    return run;
}

Json points(const std::string& name) {
    Json out = Json::array();
    const int every = name == "eval/loss" ? 40 : 1;
    for (int step = 0; step <= 454; step += every) {
        const double noise = std::sin(step * 1.7) * 0.04 + std::sin(step * 0.31) * 0.02;
        double value = 1.65 + 1.5 * std::exp(-step / 80.0) + noise * (every == 1);
        if (name == "train/tokens_per_s") value = 5600 * (1 - 0.6 * std::exp(-step / 50.0)) + 2000 * noise;
        if (name == "train/grad_norm") value = 0.7 + 0.5 * std::exp(-step / 60.0) + noise;
        if (name == "train/lr") value = 1e-3 * std::cos(step / 640.0);
        out.push_back({step, step * 0.398, step * 1024, value});
    }
    return out;
}

void prepare(client::FakeEngineClient& engine, int runs) {
    engine.on("runs.list", [runs](const Json& params) -> Result<Json> {
        static constexpr const char* kStatus[] = {"running", "queued", "done", "failed", "done", "interrupted", "done"};
        Json rows = Json::array();
        for (int i = 0; i < runs; ++i) rows.push_back(runRow(i, kStatus[i % 7]));
        if (jsonStringOr(params, "where", "").find("name = nothing") != std::string::npos) rows = Json::array();
        const auto total = rows.size();
        return Json{{"runs", std::move(rows)}, {"total", total}, {"as_of_seq", 0}};
    });
    engine.on("runs.get", [](const Json&) -> Result<Json> { return document(); });
    engine.on("metrics.query", [](const Json& params) -> Result<Json> {
        Json all = points(params["name"].get<std::string>());
        const auto total = all.size();
        return Json{{"name", params["name"]}, {"points", std::move(all)}, {"sampled", false}, {"total", total}};
    });
    engine.on("tools.call", [](const Json&) -> Result<Json> {
        return Json{{"memory", {{"peak_bytes", 2.52e9}}}, {"step_seconds", 0.412}, {"total_seconds", 264}, {"cost_usd", 0.0059}, {"energy_joules", nullptr}};
    });
    engine.on("runs.log", [](const Json&) -> Result<Json> { return Json{{"text", "loading\nstep 1\n"}, {"offset", 0}, {"next_offset", 15}, {"size", 15}}; });
    engine.on("runs.stop", [](const Json&) -> Result<Json> { return Json::object(); });
}

struct RunPages : testing::Test {
    Context context;
    std::unique_ptr<pages::Page> page;
    void make(pages::Page* (*maker)(presenters::AppContext&, QWidget*), int runs = 14) {
        context.prepare = [runs](client::FakeEngineClient& engine) { prepare(engine, runs); };
        page.reset(maker(context.app, nullptr));
        page->resize(1104, 748);   // 1280×800 without rail and status bar
        page->show();
        context.connect();
    }
    void settle() { context.settle(); }
    // What is published at most ten times a second comes in its time.
    template <class F>
    bool until(F&& so) {
        return QTest::qWaitFor([&] {
            context.settle();
            return so();
        });
    }
};

TEST_F(RunPages, AStoppedPipelineSaysWhatIsSavedAndWhyItsPerplexitiesDiffer) {
    context.prepare = [](client::FakeEngineClient& engine) {
        prepare(engine, 1);
        engine.on("runs.get", [](const Json&) -> Result<Json> {
            Json run = document();
            run["kind"] = "pipeline";
            run["status"] = "cancelled";
            run["reason"] = "stopped";
            run["summary"]["train/steps"] = 220;
            run["summary"]["data/eval_tokens"] = 67191;
            const auto stage = [](const char* kind, const char* status, Json summary) {
                Json row = runRow(2, status);
                row["id"] = row["name"] = kind;
                row["kind"] = kind;
                row["parent"] = "run1";
                row["summary"] = std::move(summary);
                return row;
            };
            run["children"] = {stage("train", "done", {{"eval/perplexity", 74.05}}), stage("evaluate", "done", {{"eval/perplexity", 76.33}}), stage("quantize", "cancelled", Json::object())};
            return run;
        });
    };
    page.reset(pages::makeRunPage(context.app, nullptr));
    page->resize(1104, 748);
    page->show();
    context.connect();
    page->open({{"run", "run1"}});
    ASSERT_TRUE(until([&] { return part(*page, "run-stages")->isVisible(); }));
    EXPECT_EQ(page->findChild<widgets::Badge*>(QStringLiteral("run-status"))->text(), QStringLiteral("stopped, saved at step 220"));
    EXPECT_TRUE(part(*page, "run-stages-note")->isVisible());
    auto* results = part<widgets::TableView>(*page, "run-results");
    QStringList names;
    for (int row = 0; row < results->model()->rowCount(); ++row) names << results->model()->index(row, 0).data().toString();
    EXPECT_TRUE(names.contains(QStringLiteral("Held-out tokens"))) << names.join(u'\n').toStdString();
    for (const QString& name : names) EXPECT_FALSE(name.contains(QLatin1Char('/'))) << name.toStdString();
}

TEST_F(RunPages, RunsTableFillsAndActs) {
    make(pages::makeRunsPage);
    settle();
    auto* table = part<widgets::TableView>(*page, "runs-table");
    ASSERT_EQ(table->model()->rowCount(), 14);
    EXPECT_FALSE(part<QPushButton>(*page, "runs-stop")->isEnabled());
    table->setCurrentIndex(table->model()->index(0, 0));
    EXPECT_TRUE(part<QPushButton>(*page, "runs-stop")->isEnabled());
    part<QPushButton>(*page, "runs-stop")->click();
    EXPECT_EQ(context.countOf("runs.stop"), 1);
    EXPECT_EQ(context.lastOf("runs.stop")["run"], "run0");
    test::picture(*page, "runs");
}

TEST_F(RunPages, FilterTellsWhatIsWrongAndEmptyTeaches) {
    make(pages::makeRunsPage);
    auto* filter = part<QLineEdit>(*page, "runs-filter");
    auto* message = part<widgets::PlainLabel>(*page, "runs-message");
    EXPECT_TRUE(message->isHidden());
    filter->setText(QStringLiteral("lr <"));
    QTest::keyClick(filter, Qt::Key_Return);
    EXPECT_FALSE(message->isHidden());
    EXPECT_TRUE(message->text().contains(QStringLiteral("value"))) << message->text().toStdString();
    filter->setText(QStringLiteral("name = nothing"));
    QTest::keyClick(filter, Qt::Key_Return);
    settle();
    EXPECT_TRUE(message->isHidden());
    auto* empty = part<widgets::EmptyState>(*page, "runs-empty");
    EXPECT_FALSE(empty->isHidden());
    empty->clicked();
    settle();
    EXPECT_TRUE(empty->isHidden());
    EXPECT_TRUE(filter->text().isEmpty());
}

TEST_F(RunPages, RunsStateIsKept) {
    make(pages::makeRunsPage);
    part<QLineEdit>(*page, "runs-filter")->setText(QStringLiteral("kind = train"));
    QTest::keyClick(part<QLineEdit>(*page, "runs-filter"), Qt::Key_Return);
    settle();
    const Json state = page->saveState();
    std::unique_ptr<pages::Page> other(pages::makeRunsPage(context.app, nullptr));
    other->restoreState(state);
    EXPECT_EQ(part<QLineEdit>(*other, "runs-filter")->text(), QStringLiteral("kind = train"));
    EXPECT_EQ(other->saveState()["columns"], state["columns"]);
    other->restoreState(Json{{"layout", 5}, {"columns", 7}});
}

TEST_F(RunPages, RunShowsItsOverview) {
    make(pages::makeRunPage);
    page->open({{"run", "run1"}});
    ASSERT_TRUE(until([&] { return part<widgets::TableView>(*page, "run-predictions")->model()->rowCount() == 4; }));
    EXPECT_EQ(part<widgets::BarRows>(*page, "run-predictions-bars")->rows().size(), 4U);
    EXPECT_EQ(part<widgets::Badge>(*page, "run-status")->text(), QStringLiteral("training"));
    EXPECT_FALSE(part<QPushButton>(*page, "run-stop")->isHidden());
    EXPECT_TRUE(part<QPushButton>(*page, "run-resume")->isHidden());
    EXPECT_FALSE(part<QWidget>(*page, "run-memory")->isHidden());
    test::picture(*page, "run");
    for (int tab = 1; tab < 7; ++tab) {
        page->open({{"run", "run1"}, {"tab", tab}});
        settle();
        test::picture(*page, ("run-tab-" + std::to_string(tab)).c_str());
    }
    EXPECT_GE(context.countOf("runs.log"), 1);
    EXPECT_EQ(part<widgets::TableView>(*page, "lineage-table")->model()->rowCount(), 1);
    context.engine->loseLink(Error(ErrorCode::kUnreachable, "gone"));
    EXPECT_FALSE(part<QWidget>(*page, "run-stale")->isHidden());
    EXPECT_FALSE(part<QPushButton>(*page, "run-stop")->isEnabled());
    EXPECT_FALSE(part<QPushButton>(*page, "run-stop")->toolTip().isEmpty());
}

}  // namespace
}  // namespace assay
