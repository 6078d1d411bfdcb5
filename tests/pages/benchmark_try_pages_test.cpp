#include <gtest/gtest.h>

#include <assay/widgets/card.h>
#include <assay/widgets/controls.h>
#include <assay/widgets/plot.h>
#include <assay/widgets/table_view.h>

#include <QCheckBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>

#include "make_pages.h"
#include "page_support.h"

namespace assay {
namespace {

using test::Context;
using test::part;

Json result() {
    Json entries = Json::array();
    for (const int prefill : {128, 512})
        for (const auto& [scheme, rate, bytes] : {std::tuple{"dequantized Q4_1", 6.8, 538e6}, {"fp16", 12.8, 269e6}, {"int8", 19.4, 137e6}, {"int4-g32", 29.4, 84e6}}) {
            Json repeats = Json::array();
            for (int i = 0; i < 5; ++i) repeats.push_back({{"prefill_tokens_per_s", rate * 9}, {"decode_tokens_per_s", rate + (i - 2) * 0.4}, {"ttft_ms", 128000 / rate / 9 + i}, {"tpot_ms", 1000 / rate}});
            entries.push_back({{"scheme", scheme}, {"batch", 1}, {"prefill", prefill}, {"decode", 64}, {"depth", 0}, {"threads", 2}, {"prefill_tokens_per_s", rate * 9}, {"decode_tokens_per_s", rate}, {"ttft_ms", prefill * 1000 / rate / 9},
                               {"tpot_ms", 1000 / rate}, {"weight_bytes", bytes}, {"resident_weight_bytes", bytes}, {"peak_bytes", bytes * 1.2}, {"repeats", repeats}});
        }
    return entries;
}

struct OtherPages : testing::Test {
    Context context;
    std::unique_ptr<pages::Page> page;
    int submitted = 0;
    std::map<std::string, Json> runs;
    void make(pages::Page* (*maker)(presenters::AppContext&, QWidget*)) {
        context.prepare = [this](client::FakeEngineClient& engine) {
            engine.on("tools.call", [](const Json& params) -> Result<Json> {
                if (params["tool"] != "models_list") return fail(ErrorCode::kUnsupported, "not here");
                return Json{{"models", Json::array({{{"reference", "asset:llm/SmolLM2-135M.gguf"}, {"name", "SmolLM2-135M-Instruct.Q4_1"}, {"family", "llama"}, {"parameters", 135e6}, {"bytes", 9.1e7}, {"error", nullptr},
                                                     {"setups", Json::array({{{"name", "int4-g32"}, {"reference", "run:q/int4-g32"}, {"bytes", 8.4e7}}})}}})}};
            });
            engine.on("runs.list", [](const Json& params) -> Result<Json> {
                if (jsonStringOr(params, "where", "").find("generate") != std::string::npos) {
                    Json row = test::runRow("h1", "try m", "done");
                    row["tags"] = {"try-it", "try-1"};
                    row["values"] = {{"generate.prompt", "The sea was calm that morning"}, {"model.from", "asset:llm/SmolLM2-135M.gguf"}};
                    return test::runList({row});
                }
                Json a = test::runRow("b1", "bench SmolLM2-135M-Instruct.Q4_1", "done"), b = test::runRow("b0", "smollm2-quantize/benchmark", "failed");
                a["kind"] = b["kind"] = "benchmark";
                return test::runList({a, b});
            });
            engine.on("runs.get", [this](const Json& params) -> Result<Json> {
                const std::string id = params["run"].get<std::string>();
                if (runs.count(id)) return runs[id];
                Json run = test::runRow(id, "bench SmolLM2-135M-Instruct.Q4_1", "done");
                run["kind"] = "benchmark";
                run["result"] = result();
                return run;
            });
            engine.on("runs.submit", [this](const Json&) -> Result<Json> {
                const std::string id = "s" + std::to_string(++submitted);
                runs[id] = test::runRow(id, "new", "running");
                runs[id]["kind"] = "benchmark";
                runs[id]["progress"] = {{"phase", "benchmarking"}, {"unit", "runs"}, {"done", 6}, {"total", 24}, {"eta_seconds", 40}};
                runs[id]["result"] = nullptr;
                return Json{{"run", id}, {"children", Json::array()}};
            });
        };
        page.reset(maker(context.app, nullptr));
        page->resize(1104, 748);
        page->show();
        context.connect();
    }
};

TEST_F(OtherPages, BenchmarkShowsStartsAndFollows) {
    make(pages::makeBenchmarkPage);
    EXPECT_EQ(part<widgets::TableView>(*page, "bench-table")->model()->rowCount(), 8);
    EXPECT_EQ(part<widgets::TableView>(*page, "bench-runs")->model()->rowCount(), 2);
    EXPECT_FALSE(part<QPushButton>(*page, "bench-start")->isEnabled());
    page->open({{"model", "asset:llm/SmolLM2-135M.gguf"}});
    context.settle();
    EXPECT_TRUE(part<QPushButton>(*page, "bench-start")->isEnabled());
    part<QCheckBox>(*page, "bench-scheme-int8")->setChecked(true);
    EXPECT_EQ(part<QLineEdit>(*page, "bench-command")->text(), QStringLiteral("assay bench asset:llm/SmolLM2-135M.gguf --scheme int8"));
    test::picture(*page, QStringLiteral("benchmark"));
    part<widgets::SegmentedControl>(*page, "bench-measure")->setCurrent(4);
    part<widgets::SegmentedControl>(*page, "bench-measure")->currentChanged(4);
    page->resize(848, 648);
    context.settle();
    test::picture(*page, QStringLiteral("benchmark-small"));
    page->resize(1104, 748);
    part<QPushButton>(*page, "bench-start")->click();
    context.settle();
    EXPECT_EQ(submitted, 1);
    EXPECT_FALSE(part<QWidget>(*page, "bench-progress")->isHidden());
    EXPECT_FALSE(part<QPushButton>(*page, "bench-stop")->isHidden());
    test::picture(*page, QStringLiteral("benchmark-running"));
    EXPECT_EQ(test::unnamed(*page), QStringList());
}

TEST_F(OtherPages, TryShowsTwoOutputsAndWhereTheyPart) {
    make(pages::makeTryPage);
    test::picture(*page, QStringLiteral("try-empty"));
    EXPECT_EQ(part<QListWidget>(*page, "try-history")->count(), 1);
    EXPECT_TRUE(part<QCheckBox>(*page, "try-chat")->isEnabled());
    EXPECT_FALSE(part<QCheckBox>(*page, "try-chat")->toolTip().isEmpty());
    page->open({{"model", "run:q/int4-g32"}});
    part<QPlainTextEdit>(*page, "try-prompt")->setPlainText(QStringLiteral("The sea was calm that morning, and the old fisherman"));
    ASSERT_TRUE(part<QPushButton>(*page, "try-run")->isEnabled());
    part<QPushButton>(*page, "try-run")->click();
    context.settle();
    ASSERT_EQ(submitted, 2);   // the set-up beside what it was made from
    const auto finish = [&](const char* id, const char* text, Json ids) {
        runs[id]["status"] = "done";
        runs[id]["result"] = {{"prompt_ids", {1, 2, 3, 4}}, {"ids", std::move(ids)}, {"text", text}, {"stop_reason", "length"}, {"top", {{436, 18.2}, {281, 17.9}, {253, 16.0}, {338, 15.1}, {29, 14.9}, {11, 14.0}}}};
        context.engine->emitEvent({{"run", id}, {"type", "progress"}, {"unit", "tokens"}, {"done", 9}, {"total", 64}, {"rate", 14.25}});
        context.engine->emitEvent({{"run", id}, {"type", "run"}, {"row", {{"id", id}, {"status", "done"}}}});
        context.settle();
    };
    finish("s1", " was the only one who knew where the <b>fish</b> were. He had lived by the shore all his life.", {5, 6, 7, 8});
    finish("s2", " was the only one who had a boat. He took his nets and went out to the sea.", {5, 6, 7, 9});
    ASSERT_TRUE(QTest::qWaitFor([&] {
        context.settle();
        return part<QPlainTextEdit>(*page, "try-text-2")->extraSelections().size() == 1;
    }));
    // Text is shown as it is, never as markup.
    EXPECT_TRUE(part<QPlainTextEdit>(*page, "try-text-1")->toPlainText().contains(QStringLiteral("<b>fish</b>")));
    EXPECT_TRUE(part<QLabel>(*page, "try-compared")->text().contains(QStringLiteral("3")));
    EXPECT_EQ(part<widgets::TableView>(*page, "try-top-1")->model()->rowCount(), 6);
    test::picture(*page, QStringLiteral("try"));
    page->resize(848, 648);
    context.settle();
    test::picture(*page, QStringLiteral("try-small"));
    EXPECT_EQ(test::unnamed(*page), QStringList());
}

}  // namespace
}  // namespace assay
