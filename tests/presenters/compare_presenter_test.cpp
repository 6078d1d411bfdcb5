#include <gtest/gtest.h>

#include <assay/presenters/compare_presenter.h>

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <cmath>
#include <utility>

#include "fake_engine.h"

namespace assay::presenters {
namespace {

Json setup(const char* name, double ratio, double se, double decode, double bytes) {
    Json accuracy = {{"tokens", 4096}, {"perplexity", 20 * ratio}, {"perplexity_se", 0.3}, {"mode", "full"}, {"window", 512}, {"text_sha256", "aa"}, {"tokenizer_key", "tt"},
                     {"perplexity_ratio", ratio}, {"perplexity_ratio_se", se}, {"same_top1", 1 - 2 * (ratio - 1)}};
    return {{"name", name}, {"scheme", name}, {"accuracy", accuracy}, {"speed", {{"decode_tokens_per_s", decode}, {"prefill", 128}, {"decode", 64}, {"batch", 1}, {"depth", 0}, {"threads", 2}}}, {"bytes", {{"weights", bytes}}}};
}

// USD per hour 0.36: a token a second costs 100 USD per 1M tokens.
Json run(const std::string& id, const std::string& name, double usdPerHour = 0.36, double faster = 1) {
    return {{"id", id}, {"name", name}, {"kind", "pipeline"}, {"status", "done"}, {"role", "pipeline"}, {"running_seconds", 100}, {"created_at", "2026-01-02T03:04:05Z"}, {"summary", Json::object()},
            {"environment", {{"cpu", {{"model", "Example CPU"}, {"cores", 2}}}}}, {"spec", {{"name", name}, {"kind", "pipeline"}, {"train", {{"steps", 300}}}, {"cost", {{"price", {{"usd_per_hour", usdPerHour}}}}}}},
            {"setups", Json::array({setup("fp32", 1, 0, 10 * faster, 400e6), setup("int8", 1.001, 0.002, 20 * faster, 100e6), setup("int4", 1.04, 0.003, 40 * faster, 50e6)})},
            {"children", Json::array({{{"id", id + "-t"}, {"name", name + "/train"}, {"kind", "train"}, {"status", "done"}, {"role", "stage"}, {"parent", id}, {"running_seconds", 50}, {"summary", Json::object()}, {"setups", Json::array()}, {"children", Json::array()}}})}};
}

struct Compare : testing::Test {
    FakeEngine engine;
    std::map<std::string, Json> stored{{"r1", run("r1", "alpha")}, {"r2", run("r2", "beta", 0.36, 2)}};
    std::unique_ptr<ComparePresenter> presenter;
    void SetUp() override {
        engine.client->on("runs.get", [this](const Json& params) -> Result<Json> {
            auto it = stored.find(params["run"].get<std::string>());
            if (it == stored.end()) return fail(ErrorCode::kNotFound, "no such run");
            return it->second;
        });
        engine.client->on("runs.list", [](const Json&) -> Result<Json> { return Json{{"runs", Json::array({{{"id", "r1"}, {"name", "alpha"}, {"status", "done"}}, {{"id", "r9"}, {"name", "new"}, {"status", "done"}}})}, {"total", 2}, {"as_of_seq", 0}}; });
        engine.connect();
        make();
    }
    void make() {
        auto context = std::make_unique<AppContext>(engine.context());
        contexts.push_back(std::move(context));
        presenter = std::make_unique<ComparePresenter>(*contexts.back());
    }
    std::vector<std::unique_ptr<AppContext>> contexts;
    const Json& row(const char* id) {
        for (const Json& one : presenter->rows())
            if (one["id"] == id) return one;
        static const Json kNone = Json::object();
        return kNone;
    }
};

// An error that four decimals would write as zero gets as many as it needs.
TEST_F(Compare, ASmallErrorShowsADigit) {
    stored["r1"]["setups"][1] = setup("int8", 1.00004, 0.00003, 20, 100e6);
    stored["r1"]["setups"][2] = setup("int4", 1.0000002, 0.0000004, 40, 50e6);
    presenter->open({QStringLiteral("run:r1/int8")});
    engine.settle();
    EXPECT_EQ(row("r1/int8")["accuracy"], "1.00004 ± 0.00003");
    EXPECT_EQ(row("r1/int4")["accuracy"], "1.0000002 ± 0.0000004");
}

TEST_F(Compare, RowsSayWhatEachSetUpSavesAndLoses) {
    presenter->open({QStringLiteral("run:r1/int8")});
    EXPECT_TRUE(presenter->isLoading());
    engine.settle();
    ASSERT_EQ(presenter->rows().size(), 3);
    EXPECT_EQ(presenter->runs(), QStringList{QStringLiteral("r1")});
    // 0.36 USD/h ÷ (10 tokens/s × 3600) × 1e6 = 10 USD.
    EXPECT_NEAR(row("r1/fp32")["cost_number"].get<double>(), 10, 1e-9);
    EXPECT_EQ(row("r1/fp32")["change"], "—");
    EXPECT_EQ(row("r1/fp32")["badge"], "baseline");
    EXPECT_EQ(row("r1/int8")["change"], "−50.0\u00a0%");
    EXPECT_EQ(row("r1/int8")["delta"], "not separable");    // 0.001 within 1.96 × 0.002
    EXPECT_EQ(row("r1/int4")["delta"], "+0.0400");          // 0.04 beyond 1.96 × 0.003
    EXPECT_EQ(row("r1/int4")["accuracy"], "1.0400 ± 0.0030");
    EXPECT_EQ(row("r1/int4")["top1"], "8.0\u00a0%");
    EXPECT_EQ(row("r1/int4")["mb"], "50");
    EXPECT_EQ(presenter->subtitle(), QStringLiteral("3 set-up(s) · alpha"));
}

TEST_F(Compare, TargetDecidesTheAnswer) {
    presenter->open({QStringLiteral("r1")});
    engine.settle();
    EXPECT_EQ(presenter->answerSetup(), QStringLiteral("r1/int4"));   // no target: the lowest cost on the frontier
    presenter->setTarget(QStringLiteral("perplexity_ratio<=1.02"));
    EXPECT_EQ(presenter->answerSetup(), QStringLiteral("r1/int8"));
    const auto answer = presenter->answer();
    EXPECT_EQ(answer.headline, QStringLiteral("int8"));
    EXPECT_EQ(answer.saves, QStringLiteral("50.0\u00a0%"));
    EXPECT_EQ(answer.speed, QStringLiteral("2.0×"));
    EXPECT_EQ(row("r1/int8")["badge"], "cheapest at target");
    ASSERT_FALSE(answer.differences.isEmpty());
    EXPECT_EQ(answer.differences.front()["key"], "quantize.scheme");
    EXPECT_TRUE(answer.sensitivity.contains(QStringLiteral("does not change"))) << answer.sensitivity.toStdString();
    EXPECT_TRUE(answer.measured.contains(QStringLiteral("(assumed)"))) << answer.measured.toStdString();
    presenter->setTarget(QStringLiteral("perplexity_ratio=nonsense"));
    EXPECT_FALSE(presenter->targetError().isEmpty());
    EXPECT_EQ(presenter->answerSetup(), QStringLiteral("r1/int8"));   // what was last right stays
    presenter->setTarget(QStringLiteral("perplexity_ratio<=0.5"));
    EXPECT_TRUE(presenter->answerSetup().isEmpty());
    EXPECT_EQ(presenter->answer().headline, QStringLiteral("No set-up meets the target"));
}

TEST_F(Compare, BaselineCanBeAnother) {
    presenter->open({QStringLiteral("r1"), QStringLiteral("r2")}, QStringLiteral("r2/fp32"));
    engine.settle();
    EXPECT_EQ(presenter->comparison().baseline, "r2/fp32");
    EXPECT_EQ(row("r1/fp32")["change"], "+100.0\u00a0%");
    presenter->removeRun(QStringLiteral("r2"));   // its baseline goes with it; the rest is still compared
    EXPECT_EQ(presenter->comparison().baseline, "r1/fp32");
    EXPECT_EQ(presenter->rows().size(), 3);
}

TEST_F(Compare, ColoursStayWhenRunsComeAndGo) {
    presenter->open({QStringLiteral("r1"), QStringLiteral("r2")});
    engine.settle();
    const int color = presenter->colorOf(QStringLiteral("r2/int4"));
    presenter->removeRun(QStringLiteral("r1"));
    EXPECT_EQ(presenter->colorOf(QStringLiteral("r2/int4")), color);
    presenter->addRuns({QStringLiteral("r1")});
    engine.settle();
    EXPECT_EQ(presenter->colorOf(QStringLiteral("r2/int4")), color);
    EXPECT_EQ(presenter->rows().size(), 6);
}

TEST_F(Compare, AChangedRunIsComparedAnew) {
    presenter->open({QStringLiteral("r1")});
    engine.settle();
    stored["r1"]["setups"].push_back(setup("int2", 1.4, 0.01, 80, 25e6));
    engine.client->emitEvent({{"run", "r1-t"}, {"type", "setup"}, {"name", "int2"}});
    EXPECT_TRUE(engine.until([&] { return presenter->rows().size() == 4; }));
}

TEST_F(Compare, ARunThatIsGoneLeaves) {
    presenter->open({QStringLiteral("r1"), QStringLiteral("gone")});
    engine.settle();
    EXPECT_EQ(presenter->runs(), QStringList{QStringLiteral("r1")});
    ASSERT_TRUE(presenter->error());
    EXPECT_EQ(presenter->rows().size(), 3);
    engine.client->emitEvent({{"run", "r1"}, {"type", "run"}, {"row", {{"id", "r1"}}}, {"removed", true}});
    EXPECT_TRUE(engine.until([&] { return presenter->isEmpty(); }));
}

// Rows below a run have no environment: those that measured something are asked for theirs, once.
TEST_F(Compare, OtherMachinesAreTold) {
    for (const char* id : {"r1", "r2"}) {
        Json& document = stored[id];
        Json child = {{"id", std::string(id) + "-b"}, {"name", "bench"}, {"kind", "benchmark"}, {"status", "done"}, {"role", "stage"}, {"parent", id}, {"setups", std::exchange(document["setups"], Json::array())}, {"summary", Json::object()}};
        document.erase("environment");
        stored[std::string(id) + "-b"] = child;
        stored[std::string(id) + "-b"]["environment"] = {{"cpu", {{"model", std::string("CPU of ") + id}, {"cores", 2}}}};
        document["children"] = Json::array({child});
    }
    presenter->open({QStringLiteral("r1"), QStringLiteral("r2")});
    engine.settle();
    ASSERT_EQ(presenter->rows().size(), 6);
    EXPECT_TRUE(presenter->warnings().join(QLatin1Char('\n')).contains(QStringLiteral("another machine (CPU of r2"))) << presenter->warnings().join(QLatin1Char('\n')).toStdString();
    EXPECT_TRUE(presenter->answer().measured.contains(QStringLiteral("CPU of r1")));
    const auto calls = engine.callsOf("runs.get").size();
    engine.client->emitEvent({{"run", "r1-b"}, {"type", "setup"}, {"name", "int8"}});
    EXPECT_TRUE(engine.until([&] { return engine.callsOf("runs.get").size() == calls + 1; }));
}

TEST_F(Compare, ManyRunsAreComparedOnAnotherThread) {
    QStringList ids;
    for (int i = 0; i < 20; ++i) {
        const std::string id = "m" + std::to_string(i);
        stored[id] = run(id, "many " + id);
        ids << QString::fromStdString(id);
    }
    presenter->open(ids);
    EXPECT_TRUE(engine.until([&] { return presenter->rows().size() == 60; }));
}

TEST_F(Compare, IsRemembered) {
    presenter->open({QStringLiteral("r1")});
    engine.settle();
    presenter->setTarget(QStringLiteral("perplexity_ratio<=1.02"));
    presenter->setAxes(QStringLiteral("bytes.weights"), QStringLiteral("accuracy.perplexity"));
    presenter.reset();
    make();
    engine.settle();
    EXPECT_EQ(presenter->runs(), QStringList{QStringLiteral("r1")});
    EXPECT_EQ(presenter->answerSetup(), QStringLiteral("r1/int8"));
    EXPECT_STREQ(presenter->xMetric().name, "bytes.weights");
    EXPECT_STREQ(presenter->yMetric().name, "accuracy.perplexity");
}

TEST_F(Compare, CandidatesLeaveOutWhatIsCompared) {
    presenter->open({QStringLiteral("r1")});
    engine.settle();
    presenter->askCandidates(QStringLiteral("n\"ew"));
    engine.settle();
    ASSERT_EQ(presenter->candidates().size(), 1);
    EXPECT_EQ(presenter->candidates().front().id, QStringLiteral("r9"));
    EXPECT_NE(engine.callsOf("runs.list").back()["where"].get<std::string>().find("name ~ \"new\""), std::string::npos);
}

TEST_F(Compare, ConfigRowsHoldEverySetUp) {
    stored["r2"]["spec"]["train"]["steps"] = 600;
    presenter->open({QStringLiteral("r1"), QStringLiteral("r2")});
    engine.settle();
    bool found = false;
    for (const Json& row : presenter->configRows())
        if (row["key"] == "train.steps") {
            found = true;
            EXPECT_EQ(row["values"][0], "300");
            EXPECT_EQ(row["values"][3], "600");
        }
    EXPECT_TRUE(found);
    ASSERT_EQ(presenter->curveRuns().size(), 2);
    EXPECT_EQ(presenter->curveRuns()[1].id, QStringLiteral("r2-t"));
    EXPECT_NEAR(presenter->curveRuns()[0].usdPerSecond, 0.0001, 1e-12);
}

TEST_F(Compare, ReportIsWrittenWithCurves) {
    engine.client->on("metrics.names", [](const Json&) -> Result<Json> { return Json{{"names", {"train/loss", "other"}}}; });
    engine.client->on("metrics.query", [](const Json& params) -> Result<Json> { return Json{{"name", params["name"]}, {"points", Json::array({{1, 1, 1, 3.5}, {2, 2, 2, 3.25}})}}; });
    presenter->open({QStringLiteral("r1")});
    engine.settle();
    QTemporaryDir folder;
    QSignalSpy done(presenter.get(), &ComparePresenter::exportDone), failed(presenter.get(), &ComparePresenter::exportFailed);
    presenter->exportReport(folder.filePath(QStringLiteral("r.json")));
    ASSERT_TRUE(engine.until([&] { return done.size() == 1; }));
    QFile file(folder.filePath(QStringLiteral("r.json")));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const auto json = parseJson(file.readAll().toStdString(), "report");
    ASSERT_TRUE(json);
    EXPECT_EQ((*json)["baseline"], "r1/fp32");
    EXPECT_EQ((*json)["series"].size(), 2u);   // the experiment and its training
    presenter->setPdfWriter([](const std::string&, const report::ReportInput&) -> Result<report::Written> { return fail(ErrorCode::kDiskFull, "the disk is full", "free some space"); });
    presenter->exportReport(folder.filePath(QStringLiteral("r.pdf")));
    ASSERT_TRUE(engine.until([&] { return failed.size() == 1; }));
    EXPECT_EQ(failed.front()[0].toString(), QStringLiteral("the disk is full"));
    EXPECT_FALSE(presenter->isExporting());
}

report::Setup priced(const char* id, double decode, double price, double electricity) {
    report::Setup s;
    s.id = s.name = s.setup = id;
    s.decodeTokensPerS.value = decode;
    s.usdPer1mOutputTokens.value = (price + electricity) / (decode * 3600) * 1e6;
    s.spec = {{"cost", {{"price", {{"usd_per_hour", price}}}}}};
    return s;
}

TEST(CompareFigures, OrderOfCostsUnderOtherPrices) {
    report::Comparison c;
    c.x = "cost.usd_per_1m_output_tokens";
    c.setups = {priced("a", 10, 0.36, 0), priced("b", 12, 0.36, 0), priced("c", 14, 0.36, 0)};
    auto same = sensitivityOf(c);
    ASSERT_TRUE(same.applies);
    EXPECT_FALSE(same.changes);
    EXPECT_EQ(same.order, (QStringList{QStringLiteral("c"), QStringLiteral("b"), QStringLiteral("a")}));
    const double nominal = 0.36 / (14 * 3600) * 1e6;
    EXPECT_NEAR(same.lowest, nominal * 0.8 / 0.9, 1e-9);
    EXPECT_NEAR(same.highest, nominal * 1.2 / 0.3, 1e-9);
    // Mostly electricity: an idle hour costs it nothing, so it wins when the hours are badly used.
    c.setups = {priced("own", 10, 0.01, 0.40), priced("rented", 12, 0.36, 0)};
    const auto other = sensitivityOf(c);
    EXPECT_EQ(other.order.front(), QStringLiteral("rented"));
    EXPECT_TRUE(other.changes);
    EXPECT_FALSE(other.changedAt.isEmpty());
    c.x = "bytes.weights";
    EXPECT_FALSE(sensitivityOf(c).applies);
}

TEST(CompareFigures, FrontierOfAnyAxes) {
    report::Comparison c;
    for (const auto& [id, speed, bytes] : {std::tuple{"slow-big", 1.0, 9.0}, {"fast-big", 9.0, 9.0}, {"slow-small", 1.0, 1.0}, {"mid", 5.0, 5.0}}) {
        report::Setup s;
        s.id = id;
        s.decodeTokensPerS.value = speed;
        s.weightBytes.value = bytes;
        c.setups.push_back(s);
    }
    std::vector<std::string> ids;
    for (const auto* s : frontierOf(c, *report::findMetric("bytes.weights"), *report::findMetric("speed.decode_tokens_per_s"))) ids.push_back(s->id);
    EXPECT_EQ(ids, (std::vector<std::string>{"slow-small", "mid", "fast-big"}));   // more tokens a second are better
}

}  // namespace
}  // namespace assay::presenters
