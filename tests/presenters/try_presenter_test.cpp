#include <gtest/gtest.h>

#include <assay/config/config.h>
#include <assay/presenters/try_presenter.h>

#include <cmath>

#include "fake_engine.h"

namespace assay::presenters {
namespace {

struct Try : testing::Test {
    FakeEngine engine;
    AppContext context = engine.context();
    std::map<std::string, Json> runs;
    int submitted = 0;
    std::unique_ptr<TryPresenter> presenter;
    void SetUp() override {
        engine.client->on("tools.call", [](const Json& params) -> Result<Json> {
            if (params["tool"] == "models_list") return Json{{"models", Json::array({{{"reference", "asset:m/m.gguf"}, {"name", "m"}, {"error", nullptr}, {"setups", Json::array({{{"name", "int4"}, {"reference", "run:q/int4"}, {"bytes", 1e6}}})}}})}};
            // One token a word, with the space before it.
            const std::string text = params["params"]["text"].get<std::string>();
            if (text == " cold sea") return Json{{"ids", {7, 9}}, {"offsets", {{0, 5}, {5, 9}}}};
            return Json{{"ids", {7, 8}}, {"offsets", {{0, 5}, {5, 10}}}};
        });
        engine.client->on("runs.list", [](const Json&) -> Result<Json> {
            const auto row = [](const char* id, const char* model) { return Json{{"id", id}, {"kind", "generate"}, {"status", "done"}, {"tags", {"try-it", "try-aa"}}, {"created_at", "2026-01-02T03:04:05Z"}, {"values", {{"generate.prompt", "The"}, {"model.from", model}}}}; };
            return Json{{"runs", Json::array({row("h2", "run:q/int4"), row("h1", "asset:m/m.gguf")})}, {"total", 2}, {"as_of_seq", 0}};
        });
        engine.client->on("runs.submit", [this](const Json& params) -> Result<Json> {
            const std::string id = "g" + std::to_string(++submitted);
            runs[id] = {{"id", id}, {"status", "running"}, {"spec", params["spec"]}, {"result", nullptr}};
            return Json{{"run", id}, {"children", Json::array()}};
        });
        engine.client->on("runs.get", [this](const Json& params) -> Result<Json> { return runs.at(params["run"].get<std::string>()); });
        engine.client->on("runs.stop", [](const Json&) -> Result<Json> { return Json::object(); });
        engine.connect();
        presenter = std::make_unique<TryPresenter>(context);
        engine.settle();
    }
    void start(bool both) {
        TryPresenter::Form form;
        form.prompt = QStringLiteral("The");
        form.models[0] = QStringLiteral("asset:m/m.gguf");
        if (both) form.models[1] = QStringLiteral("run:q/int4");
        form.maxTokens = 2;
        presenter->setForm(form);
        presenter->run();
        engine.settle();
    }
    void finish(const std::string& id, const std::string& text, Json ids) {
        runs[id]["status"] = "done";
        runs[id]["result"] = {{"prompt_ids", {1, 2, 3}}, {"ids", std::move(ids)}, {"text", text}, {"top", {{7, 2.0}, {8, 1.0}}}, {"stop_reason", "length"}};
        engine.client->emitEvent({{"run", id}, {"type", "run"}, {"row", {{"id", id}, {"status", "done"}}}});
        engine.settle();
    }
};

TEST(TryFigures, FirstDifference) {
    EXPECT_EQ(firstDifference(QStringLiteral("abc"), QStringLiteral("abd")), 2);
    EXPECT_EQ(firstDifference(QStringLiteral("abc"), QStringLiteral("abc")), -1);
    EXPECT_EQ(firstDifference(QStringLiteral("ab"), QStringLiteral("abc")), 2);
    EXPECT_EQ(firstDifference(QStringLiteral("a\U0001F600"), QStringLiteral("a\U0001F601")), 1);   // not inside a pair
}

TEST_F(Try, SubmitsTaggedRunsOfBothModels) {
    EXPECT_FALSE(presenter->whyNotRun().isEmpty());
    start(true);
    const auto calls = engine.callsOf("runs.submit");
    ASSERT_EQ(calls.size(), 2u);
    const auto spec = config::specFromJson(calls[1]["spec"]);
    ASSERT_TRUE(spec);
    EXPECT_EQ(spec->kind, config::Kind::kGenerate);
    EXPECT_EQ(spec->model->from, "run:q/int4");
    EXPECT_EQ(spec->generate->prompt, "The");
    EXPECT_EQ(spec->generate->maxTokens, 2);
    EXPECT_EQ(spec->tags.front(), "try-it");
    EXPECT_EQ(calls[0]["spec"]["tags"], calls[1]["spec"]["tags"]);
    EXPECT_TRUE(presenter->isRunning());
    EXPECT_FALSE(presenter->whyNotRun().isEmpty());
    presenter->stop();
    engine.settle();
    EXPECT_EQ(engine.callsOf("runs.stop").size(), 2u);
}

TEST_F(Try, TextComesAsItIsMade) {
    start(false);
    engine.client->emitEvent({{"run", "g1"}, {"type", "sample"}, {"step", 1}, {"prompt", "The"}, {"text", " calm"}});
    engine.client->emitEvent({{"run", "g1"}, {"type", "progress"}, {"unit", "tokens"}, {"done", 1}, {"total", 2}, {"rate", 12.5}});
    engine.settle();
    EXPECT_EQ(presenter->sides()[0].text, QStringLiteral(" calm"));
    EXPECT_DOUBLE_EQ(presenter->sides()[0].tokensPerSecond, 12.5);
    finish("g1", " calm <b>sea</b>", {4, 5});
    const auto& side = presenter->sides()[0];
    EXPECT_FALSE(presenter->isRunning());
    EXPECT_EQ(side.text, QStringLiteral(" calm <b>sea</b>"));
    EXPECT_EQ(side.tokens, 2);
    EXPECT_EQ(side.promptTokens, 3);
    EXPECT_EQ(side.stopReason, QStringLiteral("token limit"));
    ASSERT_EQ(side.top.size(), 2u);
    EXPECT_NEAR(side.top[0].probability, 1 / (1 + std::exp(-1.0)), 1e-12);
    EXPECT_TRUE(presenter->comparisonText().isEmpty());
}

TEST_F(Try, ResultsTellPiecesAndSpeedAlsoLater) {
    start(false);
    runs["g1"]["status"] = "done";
    runs["g1"]["result"] = {{"prompt_ids", {1}}, {"ids", {4, 5, 6}}, {"text", " calm sea now"}, {"top", {{7, 2.0}, {8, 1.0}}}, {"top_texts", {" calm", "\n"}},
                            {"first_token_seconds", 1.5}, {"seconds", 2.0}, {"stop_reason", "length"}};
    engine.client->emitEvent({{"run", "g1"}, {"type", "run"}, {"row", {{"id", "g1"}, {"status", "done"}}}});
    engine.settle();
    const auto& side = presenter->sides()[0];
    ASSERT_EQ(side.top.size(), 2u);
    EXPECT_EQ(side.top[0].text, QStringLiteral(" calm"));
    EXPECT_EQ(side.top[1].text, QStringLiteral("\n"));
    EXPECT_DOUBLE_EQ(side.tokensPerSecond, 4);   // two tokens in the half second behind the first
}

TEST_F(Try, ChatIsAskedForAndARefusalIsShownAsItCame) {
    TryPresenter::Form form;
    form.prompt = QStringLiteral("Hello");
    form.models[0] = QStringLiteral("asset:m/m.gguf");
    form.chat = true;
    presenter->setForm(form);
    presenter->run();
    engine.settle();
    EXPECT_TRUE(config::specFromJson(engine.callsOf("runs.submit").back()["spec"])->generate->chat);
    runs["g1"]["status"] = "failed";
    runs["g1"]["error"] = {{"code", "unsupported"}, {"message", "the model has no chat template"}, {"hint", "try without"}};
    engine.client->emitEvent({{"run", "g1"}, {"type", "run"}, {"row", {{"id", "g1"}, {"status", "failed"}}}});
    engine.settle();
    ASSERT_TRUE(presenter->sides()[0].error);
    EXPECT_EQ(presenter->sides()[0].error->message, "the model has no chat template");
    const Json state = presenter->state();
    TryPresenter other(context);
    other.restore(state);
    EXPECT_TRUE(other.form().chat);
}

TEST_F(Try, SaysWhereTheOutputsPart) {
    start(true);
    finish("g1", " cold sea", {7, 9});
    finish("g2", " cold surf", {7, 8});
    EXPECT_EQ(presenter->firstDifferentToken(), 1);
    // Characters part inside " sea" / " surf"; the token begins at its space.
    EXPECT_EQ(presenter->sides()[0].differsAt, 5);
    EXPECT_EQ(presenter->sides()[1].differsAt, 5);
    EXPECT_TRUE(presenter->comparisonText().contains(QStringLiteral("1")));
}

TEST_F(Try, FailureIsTold) {
    start(false);
    runs["g1"]["status"] = "failed";
    runs["g1"]["error"] = {{"code", "unsupported"}, {"message", "no kernel"}, {"hint", "use another"}};
    engine.client->emitEvent({{"run", "g1"}, {"type", "run"}, {"row", {{"id", "g1"}, {"status", "failed"}}}});
    engine.settle();
    ASSERT_TRUE(presenter->sides()[0].error);
    EXPECT_EQ(presenter->sides()[0].error->message, "no kernel");
    EXPECT_FALSE(presenter->isRunning());
}

TEST_F(Try, HistoryGroupsBothSides) {
    ASSERT_EQ(presenter->history().size(), 1);
    EXPECT_EQ(presenter->history()[0].prompt, QStringLiteral("The"));
    config::Spec spec;
    spec.kind = config::Kind::kGenerate;
    spec.model.emplace().from = "asset:m/m.gguf";
    spec.generate.emplace().prompt = "The old";
    runs["h1"] = {{"id", "h1"}, {"status", "done"}, {"spec", config::specToJson(spec)}, {"result", {{"ids", {1}}, {"prompt_ids", {1}}, {"text", "x"}, {"stop_reason", "eos"}}}};
    spec.model->from = "run:q/int4";
    runs["h2"] = {{"id", "h2"}, {"status", "done"}, {"spec", config::specToJson(spec)}, {"result", {{"ids", {1}}, {"prompt_ids", {1}}, {"text", "x"}, {"stop_reason", "eos"}}}};
    presenter->openEntry(presenter->history()[0].key);
    engine.settle();
    ASSERT_EQ(presenter->sides().size(), 2u);
    EXPECT_EQ(presenter->sides()[0].model, QStringLiteral("asset:m/m.gguf"));
    EXPECT_EQ(presenter->form().models[1], QStringLiteral("run:q/int4"));
    EXPECT_EQ(presenter->form().prompt, QStringLiteral("The old"));
    EXPECT_EQ(presenter->comparisonText(), QStringLiteral("Both wrote the same text."));
}

TEST_F(Try, SameModelTwiceNeedsATemperature) {
    TryPresenter::Form form;
    form.prompt = QStringLiteral("The");
    form.models[0] = form.models[1] = QStringLiteral("asset:m/m.gguf");
    presenter->setForm(form);
    EXPECT_FALSE(presenter->whyNotRun().isEmpty());
    form.temperature = 0.8;
    presenter->setForm(form);
    EXPECT_TRUE(presenter->whyNotRun().isEmpty());
}

}  // namespace
}  // namespace assay::presenters
