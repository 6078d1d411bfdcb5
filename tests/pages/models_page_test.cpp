#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTreeView>

#include "make_pages.h"
#include "page_support.h"

namespace assay {
namespace {

using test::Context;
using test::part;

Json model(const char* name, const char* source, double parameters, double bytes, const char* dtype) {
    return {{"reference", std::string(source) == "run" ? "run:r1" : std::string("asset:x/") + name}, {"name", name}, {"path", std::string("/models/") + name}, {"source", source}, {"run", std::string(source) == "run" ? Json("r1") : Json()}, {"family", "llama"},
            {"parameters", parameters}, {"bytes", bytes}, {"dtype", dtype}, {"layers", 30}, {"hidden", 576}, {"heads", 9}, {"kv_heads", 3}, {"ffn", 1536}, {"context", 2048}, {"vocab", 49152}, {"tokenizer", std::string("/models/") + name},
            {"chat_template", true}, {"setups", Json::array({Json{{"name", "int8"}, {"scheme", "int8"}, {"bytes", bytes / 2}}})}, {"error", nullptr}};
}

struct ModelsPage : testing::Test {
    Context context;
    Json models = Json::array();
    std::unique_ptr<pages::Page> page;
    ModelsPage() {
        context.prepare = [this](client::FakeEngineClient& engine) {
            engine.on("runs.list", [](const Json&) { return Result<Json>(test::runList({})); });
            engine.on("engine.machine", [](const Json&) { return Result<Json>(Json{{"memory_total_bytes", 24e9}}); });
            engine.on("tools.call", [this](const Json& call) -> Result<Json> {
                if (call["tool"] == "models_list") return Json{{"models", models}};
                Json tensors = Json::array();
                for (int i = 0; i < 30; ++i) tensors.push_back({{"name", "model.layers." + std::to_string(i) + ".self_attn.q_proj.weight"}, {"shape", {576, 576}}, {"dtype", "fp16"}, {"bytes", 663552}});
                return Json{{"reference", call["params"]["model"]}, {"tensors", tensors}, {"chat_template_text", "{% for m in messages %}<b>{{ m.content }}</b>{% endfor %}"}};
            });
        };
        context.connect();
    }
    void show() {
        page.reset(pages::makeModelsPage(context.app, nullptr));
        page->resize(1104, 774);
        page->show();
        context.settle();
    }
};

TEST_F(ModelsPage, EmptyItTeaches) {
    show();
    EXPECT_TRUE(part(*page, "models-empty")->isVisible());
    EXPECT_EQ(test::unnamed(*page), QStringList());
    test::picture(*page, QStringLiteral("models-empty"));
}

TEST_F(ModelsPage, ListsModelsAndActsOnTheSelectedOne) {
    Json broken = model("<i>broken</i>", "folder", 0, 12e6, "fp16");
    broken["error"] = {{"code", "invalid_file"}, {"message", "the header is cut off"}, {"hint", "copy it again"}};
    models = Json::array({model("smollm2-135m", "asset", 134.5e6, 91.7e6, "Q4_1"), model("llama-70b", "asset", 70e9, 140e9, "bf16"), model("kjv-gpt", "run", 1.2e6, 4.9e6, "fp32"), broken});
    show();
    auto* table = part<QTreeView>(*page, "models-table");
    ASSERT_EQ(table->model()->rowCount(), 4);
    EXPECT_EQ(table->model()->index(0, 1).data().toString(), QStringLiteral("fits"));
    EXPECT_EQ(table->model()->index(1, 1).data().toString(), QStringLiteral("too big"));
    EXPECT_EQ(table->model()->index(3, 1).data().toString(), QStringLiteral("unusable"));
    table->setCurrentIndex(table->model()->index(2, 0));
    auto* tensors = part<QTreeView>(*page, "model-tensors");
    ASSERT_TRUE(QTest::qWaitFor([&] {
        context.settle();
        return tensors->model()->rowCount() == 30;
    }));
    EXPECT_EQ(part<QPlainTextEdit>(*page, "model-template")->toPlainText(), QStringLiteral("{% for m in messages %}<b>{{ m.content }}</b>{% endfor %}"));
    EXPECT_EQ(test::unnamed(*page), QStringList());
    test::picture(*page, QStringLiteral("models"));
    page->resize(848, 674);
    context.settle();
    EXPECT_EQ(table->horizontalScrollBar()->maximum(), 0) << "columns that the details hold give way";
    test::picture(*page, QStringLiteral("models-small"));
    QTest::mouseClick(part(*page, "model-quantize"), Qt::LeftButton);
    QTest::mouseClick(part(*page, "model-run"), Qt::LeftButton);
    ASSERT_EQ(context.visited.size(), 2U);
    EXPECT_EQ(context.visited[0].second, Json({{"model", "run:r1"}, {"template", "measure"}}));
    EXPECT_EQ(context.visited[1].second, Json({{"run", "r1"}}));
    QTest::mouseClick(part(*page, "model-copy"), Qt::LeftButton);
    EXPECT_EQ(QApplication::clipboard()->text(), QStringLiteral("run:r1"));
    table->setCurrentIndex(table->model()->index(3, 0));
    context.settle();
    EXPECT_TRUE(part(*page, "model-broken")->isVisible());
    EXPECT_FALSE(part(*page, "model-try")->isEnabled());
    test::picture(*page, QStringLiteral("models-broken"));
}

}  // namespace
}  // namespace assay
