// The first page's chart: the newest experiment that has something to compare.
#include <gtest/gtest.h>

#include <assay/presenters/latest_comparison.h>

#include <QSignalSpy>

#include "fake_engine.h"

namespace assay::presenters {
namespace {

Json measured(const char* name, double perplexity, double tokensPerS) {
    return {{"name", name}, {"scheme", name}, {"accuracy", {{"tokens", 4096}, {"perplexity", perplexity}, {"mode", "full"}, {"window", 512}, {"text_sha256", "aa"}, {"tokenizer_key", "tt"}}},
            {"speed", {{"decode_tokens_per_s", tokensPerS}, {"prefill", 128}, {"decode", 64}, {"batch", 1}, {"depth", 0}, {"threads", 2}}}};
}

Json finished(const char* id, Json setups) {
    return {{"id", id}, {"name", std::string("name of ") + id}, {"kind", "pipeline"}, {"status", "done"}, {"summary", Json::object()},
            {"spec", {{"kind", "pipeline"}, {"cost", {{"price", {{"usd_per_hour", 0.36}}}}}}}, {"setups", std::move(setups)}, {"children", Json::array()}};
}

models::RunRow row(const char* id, const char* status = "done", const char* kind = "pipeline") {
    models::RunRow out;
    out.id = QString::fromLatin1(id);
    out.status = QString::fromLatin1(status);
    out.kind = QString::fromLatin1(kind);
    return out;
}

struct Latest : testing::Test {
    FakeEngine engine;
    std::map<std::string, Json> stored{{"old", finished("old", Json::array({measured("fp32", 20, 10), measured("int8", 20.2, 20)}))},
                                       {"new", finished("new", Json::array({measured("fp32", 10, 10), measured("int4", 11, 40)}))},
                                       {"bare", finished("bare", Json::array({measured("fp32", 10, 10)}))}};
    std::unique_ptr<AppContext> context;
    std::unique_ptr<LatestComparison> latest;
    void SetUp() override {
        engine.client->on("runs.get", [this](const Json& params) -> Result<Json> { return stored.at(params["run"].get<std::string>()); });
        engine.connect();
        context = std::make_unique<AppContext>(engine.context());
        latest = std::make_unique<LatestComparison>(*context);
    }
    void set(QList<models::RunRow> rows) {
        latest->setRecent(rows);
        engine.settle();
    }
};

TEST_F(Latest, TakesTheNewestThatHasTwoPoints) {
    QSignalSpy changed(latest.get(), &LatestComparison::changed);
    set({row("r", "running"), row("f", "failed"), row("g", "done", "generate"), row("bare"), row("new"), row("old")});
    ASSERT_TRUE(latest->isThere());
    EXPECT_EQ(latest->run(), QStringLiteral("new"));
    EXPECT_EQ(changed.count(), 1);
    EXPECT_EQ(engine.callsOf("runs.get").size(), 2u);   // bare, then new; no other was asked for
    // 40 tokens/s for 10: a quarter of the cost; perplexity 11 for 10.
    EXPECT_TRUE(latest->headline().contains(QStringLiteral("int4"))) << latest->headline().toStdString();
    EXPECT_TRUE(latest->headline().contains(QStringLiteral("−75.0"))) << latest->headline().toStdString();
    EXPECT_TRUE(latest->headline().contains(QStringLiteral("+10.0"))) << latest->headline().toStdString();
}

TEST_F(Latest, AsksAgainOnlyForWhatIsNewer) {
    set({row("old")});
    EXPECT_EQ(latest->run(), QStringLiteral("old"));
    set({row("old")});
    EXPECT_EQ(engine.callsOf("runs.get").size(), 1u);
    set({row("bare"), row("old")});
    set({row("bare"), row("old")});
    EXPECT_EQ(engine.callsOf("runs.get").size(), 2u);   // bare is known to hold nothing
    set({row("new"), row("bare"), row("old")});
    EXPECT_EQ(latest->run(), QStringLiteral("new"));
}

TEST_F(Latest, NothingMeasuredShowsNothing) {
    set({row("bare")});
    EXPECT_FALSE(latest->isThere());
    EXPECT_TRUE(latest->headline().isEmpty());
}

}  // namespace
}  // namespace assay::presenters
