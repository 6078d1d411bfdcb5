#include <assay/presenters/models_presenter.h>
#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

#include "context.h"

namespace assay::presenters {
namespace {

Json model(const char* reference, double bytes) {
    return {{"reference", reference}, {"name", "m"}, {"path", "/m"}, {"source", "asset"}, {"run", nullptr}, {"family", "llama"}, {"parameters", 1000}, {"bytes", bytes}, {"dtype", "fp16"}, {"layers", 2}, {"hidden", 64},
            {"heads", 8}, {"kv_heads", 4}, {"context", 100}, {"tokenizer", "/m"}, {"chat_template", false}, {"setups", Json::array()}, {"error", nullptr}};
}

struct Models : testing::Test {
    test::Context context;
    std::map<std::string, int> asked;
    std::map<std::string, Json> params;
    Result<Json> list = Json{{"models", Json::array({model("asset:a", 100), model("/big", 1e6)})}};
    Models() {
        context.prepare = [this](client::FakeEngineClient& engine) {
            engine.on("runs.list", [](const Json&) { return Result<Json>(test::runList({})); });
            engine.on("engine.machine", [](const Json&) { return Result<Json>(Json{{"memory_total_bytes", 100000}}); });
            engine.on("tools.call", [this](const Json& call) -> Result<Json> {
                const std::string tool = call["tool"];
                ++asked[tool];
                params[tool] = call["params"];
                if (tool == "models_list") return list;
                return Json{{"reference", call["params"]["model"]}, {"tensors", Json::array({Json{{"name", "w"}, {"shape", {2, 3}}, {"dtype", "fp16"}, {"bytes", 12}}})}};
            });
        };
        context.connect();
    }
};

TEST(Resident, IsWeightsCacheAndATenth) {
    // 100 × 1.1, and 100 positions × 2 layers × 4 heads × 8 wide × keys and values × 2 bytes
    EXPECT_DOUBLE_EQ(residentBytes(model("a", 100)), 110 + 100 * 2 * 4 * 8 * 2 * 2);
    EXPECT_EQ(residentBytes(Json{{"bytes", 0}}), 0);
    EXPECT_DOUBLE_EQ(residentBytes(Json{{"bytes", 100}}), 110);   // a shape that is not known costs no cache
    EXPECT_EQ(fitOf(79, 100), Fit::kFits);
    EXPECT_EQ(fitOf(80, 100), Fit::kTight);
    EXPECT_EQ(fitOf(100, 100), Fit::kTight);
    EXPECT_EQ(fitOf(101, 100), Fit::kTooBig);
    EXPECT_EQ(fitOf(10, 0), Fit::kUnknown);
}

TEST_F(Models, AreListedWhenSeenAndJudgedByTheMemoryHere) {
    ModelsPresenter p(context.app);
    context.settle();
    EXPECT_EQ(asked["models_list"], 0);
    p.setVisible(true);
    context.settle();
    EXPECT_EQ(asked["models_list"], 1);
    ASSERT_EQ(p.models().size(), 2);
    EXPECT_EQ(jsonIntegerOr(p.models()[0], "fit", 0), static_cast<int>(Fit::kFits));
    EXPECT_EQ(jsonIntegerOr(p.models()[1], "fit", 0), static_cast<int>(Fit::kTooBig));
    p.setVisible(false);
    p.setVisible(true);
    context.settle();
    EXPECT_EQ(asked["models_list"], 1);   // nothing happened meanwhile
    context.engine->emitEvent({{"run", "r"}, {"type", "run"}, {"row", test::runRow("r", "n", "done")}});
    context.settle();
    p.setVisible(true);
    context.settle();
    EXPECT_EQ(asked["models_list"], 2);   // a run that is done may have left a model
}

TEST_F(Models, TheSelectedOneIsDescribedAndGoesWithTheActions) {
    ModelsPresenter p(context.app);
    p.setVisible(true);
    context.settle();
    p.select(QStringLiteral("/big"));
    p.select(QStringLiteral("asset:a"));
    EXPECT_TRUE(p.isDescribing());
    ASSERT_TRUE(QTest::qWaitFor([&] {
        context.settle();
        return p.details().is_object();
    }));
    EXPECT_EQ(asked["model_describe"], 1);   // passing over a row asks nothing
    EXPECT_EQ(params["model_describe"]["model"], "asset:a");
    p.newExperiment();
    p.quantize();
    p.tryIt();
    ASSERT_EQ(context.visited.size(), 3U);
    EXPECT_EQ(context.visited[0].second, Json({{"model", "asset:a"}}));
    EXPECT_EQ(context.visited[1].second, Json({{"model", "asset:a"}, {"template", "measure"}}));
    EXPECT_EQ(context.visited[2].first, QStringLiteral("try"));
    list = Json{{"models", Json::array()}};
    p.refresh();
    context.settle();
    EXPECT_TRUE(p.selected().isEmpty());   // it is gone
}

TEST_F(Models, FoldersAreRememberedPerEngine) {
    ModelsPresenter p(context.app);
    p.setVisible(true);
    p.addFolder(QStringLiteral("/models/"));
    p.addFolder(QStringLiteral("/models"));
    context.settle();
    EXPECT_EQ(p.folders(), QStringList{QStringLiteral("/models")});
    EXPECT_EQ(params["models_list"]["folders"], Json({"/models"}));
    context.connect({EngineTarget::Kind::kSsh, QStringLiteral("ssh://gpu-box")});
    EXPECT_TRUE(p.folders().isEmpty());
    context.settle();
    EXPECT_EQ(params["models_list"]["folders"], Json::array());
    context.connect({});
    p.removeFolder(QStringLiteral("/models"));
    EXPECT_TRUE(p.folders().isEmpty());
}

TEST_F(Models, AnErrorIsSaid) {
    list = fail(ErrorCode::kIo, "cannot read the folder", "check it");
    ModelsPresenter p(context.app);
    p.setVisible(true);
    context.settle();
    ASSERT_TRUE(p.error());
    EXPECT_FALSE(p.isLoaded());
}

}  // namespace
}  // namespace assay::presenters
