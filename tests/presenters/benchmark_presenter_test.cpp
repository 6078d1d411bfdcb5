#include <gtest/gtest.h>

#include <assay/config/config.h>
#include <assay/presenters/benchmark_presenter.h>

#include <cmath>

#include "fake_engine.h"

namespace assay::presenters {
namespace {

Json repeat(double decode, double ttft) { return {{"prefill_tokens_per_s", 90}, {"decode_tokens_per_s", decode}, {"ttft_ms", ttft}, {"tpot_ms", 1000 / decode}}; }
Json entry(const char* scheme, int prefill, double decode, const std::vector<double>& rates) {
    Json repeats = Json::array();
    for (const double rate : rates) repeats.push_back(repeat(rate, 100));
    return {{"scheme", scheme}, {"batch", 1}, {"prefill", prefill}, {"decode", 64}, {"depth", 0}, {"threads", 2}, {"prefill_tokens_per_s", 90}, {"decode_tokens_per_s", decode}, {"ttft_ms", 100}, {"tpot_ms", 1000 / decode},
            {"weight_bytes", 5e7}, {"resident_weight_bytes", 5e7}, {"peak_bytes", 6e7}, {"repeats", repeats}};
}
Json row(const char* id, const char* status) { return {{"id", id}, {"name", "bench m"}, {"kind", "benchmark"}, {"status", status}, {"created_at", "2026-01-02T03:04:05Z"}, {"summary", Json::object()}}; }

struct Benchmark : testing::Test {
    FakeEngine engine;
    AppContext context = engine.context();
    std::string status = "done";
    Json result = Json::array({entry("int8", 128, 20, {18, 20, 22}), entry("int4-g32", 128, 40, {40, 40, 40}), entry("int8", 512, 19, {19, 19, 19}), entry("int4-g32", 512, 38, {38, 38, 38})});
    std::unique_ptr<BenchmarkPresenter> presenter;
    void SetUp() override {
        engine.client->on("tools.call", [](const Json&) -> Result<Json> {
            return Json{{"models", Json::array({{{"reference", "asset:m/m.gguf"}, {"name", "m"}, {"family", "llama"}, {"parameters", 135e6}, {"bytes", 9e7}, {"error", nullptr}, {"setups", Json::array({{{"name", "int8"}, {"bytes", 5e7}, {"reference", "run:r/int8"}}})}},
                                                {{"reference", "bad"}, {"name", "bad"}, {"error", {{"code", "invalid_file"}}}}})}};
        });
        engine.client->on("runs.list", [this](const Json&) -> Result<Json> { return Json{{"runs", Json::array({row("b1", status.c_str())})}, {"total", 1}, {"as_of_seq", 0}}; });
        engine.client->on("runs.get", [this](const Json& params) -> Result<Json> {
            Json run = row(params["run"].get<std::string>().c_str(), status.c_str());
            run["result"] = status == "done" ? result : Json();
            return run;
        });
        engine.client->on("runs.submit", [](const Json&) -> Result<Json> { return Json{{"run", "b2"}, {"children", Json::array()}}; });
        engine.connect();
        presenter = std::make_unique<BenchmarkPresenter>(context);
        engine.settle();
    }
};

TEST(BenchmarkFigures, PercentilesAndTheirLeastCounts) {
    EXPECT_EQ(fewestForPercentile(50), 7);
    EXPECT_EQ(fewestForPercentile(90), 44);
    EXPECT_EQ(fewestForPercentile(95), 90);
    EXPECT_EQ(fewestForPercentile(99), 459);
    EXPECT_EQ(fewestForPercentile(99.9), 4603);
    EXPECT_DOUBLE_EQ(percentileOf({4, 1, 3, 2}, 50), 2.5);
    EXPECT_DOUBLE_EQ(percentileOf({1, 2, 3, 4, 5}, 90), 4.6);
    EXPECT_TRUE(std::isnan(percentileOf({}, 50)));
    EXPECT_DOUBLE_EQ(spreadOf({18, 20, 22}), 2);
    EXPECT_TRUE(std::isnan(spreadOf({1})));
}

TEST(BenchmarkFigures, NumbersAsTyped) {
    EXPECT_EQ(*parseNumbers(QStringLiteral("128, 512;128 1024"), 1), (std::vector<int64_t>{128, 512, 1024}));
    EXPECT_FALSE(parseNumbers(QStringLiteral("0"), 1));
    EXPECT_FALSE(parseNumbers(QStringLiteral("1e3"), 1));
    EXPECT_TRUE(parseNumbers(QString(), 1)->empty());
}

TEST_F(Benchmark, ModelsAndTheirSetUpsCanBeChosen) {
    ASSERT_EQ(presenter->models().choices().size(), 2);
    EXPECT_EQ(presenter->models().choices()[1].name, QStringLiteral("m · int8"));
    EXPECT_EQ(presenter->models().choices()[1].base, QStringLiteral("asset:m/m.gguf"));
}

TEST_F(Benchmark, SubmitsWhatTheCommandWould) {
    EXPECT_FALSE(presenter->whyNotStart().isEmpty());
    BenchmarkPresenter::Form form;
    form.model = QStringLiteral("/models/a b.gguf");
    form.schemes = {QStringLiteral("int8"), QStringLiteral("int4-g32")};
    form.prefill = QStringLiteral("128 512");
    form.repeats = 3;
    presenter->setForm(form);
    EXPECT_TRUE(presenter->whyNotStart().isEmpty());
    EXPECT_EQ(presenter->measurements(), 12);   // 2 schemes × 2 lengths × 3
    EXPECT_EQ(presenter->command(), QStringLiteral("assay bench '/models/a b.gguf' --scheme int8 --scheme int4-g32 --prefill 128 --prefill 512 --repeats 3"));
    presenter->start();
    engine.settle();
    const Json sent = engine.callsOf("runs.submit").at(0);
    const auto spec = config::specFromJson(sent["spec"]);
    ASSERT_TRUE(spec);
    EXPECT_EQ(spec->kind, config::Kind::kBenchmark);
    EXPECT_EQ(spec->benchmark->prefill, (std::vector<int64_t>{128, 512}));
    EXPECT_EQ(spec->benchmark->schemes.size(), 2u);
    EXPECT_EQ(presenter->shown(), QStringLiteral("b2"));
    form.prefill = QStringLiteral("many");
    presenter->setForm(form);
    EXPECT_TRUE(presenter->whyNotStart().contains(QStringLiteral("many")));
    EXPECT_EQ(presenter->measurements(), 0);
}

TEST_F(Benchmark, NewestRunIsShownAsGrid) {
    EXPECT_EQ(presenter->shown(), QStringLiteral("b1"));
    ASSERT_EQ(presenter->rows().size(), 4);
    EXPECT_EQ(presenter->rows()[0]["decode_tokens_per_s_text"], "20 ± 2");
    EXPECT_EQ(presenter->rows()[1]["decode_tokens_per_s_text"], "40");   // no spread to speak of
    EXPECT_FALSE(presenter->hasPercentiles());
    const auto grid = presenter->grid(QStringLiteral("decode_tokens_per_s"));
    EXPECT_EQ(grid.series, (QStringList{QStringLiteral("int8"), QStringLiteral("int4-g32")}));
    ASSERT_EQ(grid.groups.size(), 2u);
    EXPECT_EQ(grid.groups[0].name, QStringLiteral("128 prompt tokens"));
    EXPECT_EQ(grid.groups[0].values, (std::vector<double>{20, 40}));
    EXPECT_EQ(grid.groups[0].errors, (std::vector<double>{2, 0}));
    EXPECT_TRUE(presenter->note().contains(QStringLiteral("44")));
}

TEST_F(Benchmark, TailsAreShownWhenThereAreEnoughRepeats) {
    std::vector<double> rates(44, 20.0);
    result = Json::array({entry("int8", 128, 20, rates)});
    presenter->show(QStringLiteral("b3"));
    engine.settle();
    EXPECT_TRUE(presenter->hasPercentiles());
    EXPECT_EQ(presenter->rows()[0]["ttft_ms_tail"], "P90 100");
}

TEST_F(Benchmark, FollowsItsRun) {
    status = "running";
    presenter->show(QStringLiteral("b4"));
    engine.settle();
    EXPECT_TRUE(presenter->rows().isEmpty());
    engine.client->emitEvent({{"run", "b4"}, {"type", "progress"}, {"phase", "benchmarking"}, {"unit", "runs"}, {"done", 5}, {"total", 20}});
    engine.settle();
    EXPECT_DOUBLE_EQ(presenter->fraction(), 0.25);
    status = "done";
    engine.client->emitEvent({{"run", "b4"}, {"type", "run"}, {"row", row("b4", "done")}});
    engine.settle();
    EXPECT_EQ(presenter->rows().size(), 4);
}

TEST_F(Benchmark, FormIsKept) {
    BenchmarkPresenter::Form form;
    form.model = QStringLiteral("asset:m/m.gguf");
    form.batch = QStringLiteral("1 8");
    form.decode = 32;
    presenter->setForm(form);
    BenchmarkPresenter other(context);
    other.restore(presenter->state());
    EXPECT_EQ(other.form(), form);
    other.restore(Json{{"decode", "x"}, {"schemes", 5}});
    EXPECT_EQ(other.form().decode, 64);
}

}  // namespace
}  // namespace assay::presenters
