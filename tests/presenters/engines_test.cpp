#include <assay/presenters/engines_presenter.h>
#include <gtest/gtest.h>

#include <QTest>

#include "context.h"

namespace assay {
namespace {

using namespace presenters;
using test::Context;
using Outcome = EnginesPresenter::Test;

// A client that answers its test as the test wants.
struct Answer final : client::EngineClient {
    client::LinkState now = client::LinkState::kConnecting;
    client::EngineIdentity who{.url = "ws://x", .version = "1.2.3", .engineId = "e", .negotiatedLevel = 2};
    StateHandler handler;
    bool* gone = nullptr;
    ~Answer() override {
        if (gone) *gone = true;
    }
    CallId call(std::string_view, Json, ReplyHandler, double) override { return 1; }
    void cancel(CallId) override {}
    void subscribe(client::Subscription, EventHandler) override {}
    void unsubscribe() override {}
    void acknowledge(int64_t) override {}
    client::LinkState state() const override { return now; }
    const client::EngineIdentity& identity() const override { return who; }
    void setStateHandler(StateHandler to) override { handler = std::move(to); }
};

struct Engines : testing::Test {
    Context context;
    Answer* tester = nullptr;
    bool gone = false;
    std::unique_ptr<EnginesPresenter> engines;
    Engines() {
        context.prepare = [](client::FakeEngineClient& engine) {
            engine.on("runs.list", [](const Json&) { return Result<Json>(test::runList({})); });
            engine.on("engine.info", [](const Json&) { return Result<Json>(Json{{"version", "1.0"}, {"uptime_seconds", 60}}); });
            engine.on("engine.shutdown", [](const Json&) { return Result<Json>(Json::object()); });
        };
        context.connect();
        engines = std::make_unique<EnginesPresenter>(context.app, [this](const EngineTarget&) {
            auto made = std::make_unique<Answer>();
            tester = made.get();
            tester->gone = &gone;
            return made;
        });
        context.settle();
    }
    QStringList addresses() const {
        QStringList list;
        for (const auto& engine : engines->engines()) list.append(engine.address() + (engine.attached ? QStringLiteral("*") : QString()));
        return list;
    }
};

TEST_F(Engines, ThisMachineIsAlwaysThere) {
    EXPECT_EQ(addresses(), QStringList{QStringLiteral("local*")});
    EXPECT_EQ(engines->info()["version"], "1.0");
    EXPECT_TRUE(engines->canStopLocal());
}

TEST_F(Engines, AttachRemembersAndDetachComesBack) {
    engines->attach(QStringLiteral("ssh://gpu-box"));
    context.settle();
    EXPECT_EQ(addresses(), (QStringList{QStringLiteral("local"), QStringLiteral("ssh://gpu-box*")}));
    EXPECT_EQ(context.settings.text(QStringLiteral("engine.target")), QStringLiteral("ssh://gpu-box"));
    EXPECT_FALSE(engines->canStopLocal());
    engines->detach();
    context.settle();
    EXPECT_EQ(addresses(), (QStringList{QStringLiteral("local*"), QStringLiteral("ssh://gpu-box")}));
    engines->remove(QStringLiteral("ssh://gpu-box"));
    EXPECT_EQ(addresses(), QStringList{QStringLiteral("local*")});
    ASSERT_EQ(context.notices.size(), 1U);
    context.notices[0].action();
    EXPECT_EQ(addresses(), (QStringList{QStringLiteral("local*"), QStringLiteral("ssh://gpu-box")}));
}

TEST_F(Engines, AnAddressIsJudgedAsItIsTyped) {
    EXPECT_TRUE(engines->addressProblem(QStringLiteral("ssh://me@gpu-box:22")).isEmpty());
    EXPECT_TRUE(engines->addressProblem(QStringLiteral("wss://host:8443")).isEmpty());
    EXPECT_TRUE(engines->addressProblem(QStringLiteral("ssh://-oProxyCommand=reboot")).contains(QStringLiteral("not an ssh address")));
    EXPECT_TRUE(engines->addressProblem(QStringLiteral("gpu-box")).contains(QStringLiteral("ssh://host")));
    EXPECT_FALSE(engines->addressProblem(QStringLiteral("local")).isEmpty());
    EXPECT_FALSE(engines->addressProblem(QStringLiteral("  ")).isEmpty());
}

TEST_F(Engines, ATestSaysTheVersionOrTheExactWordsOfTheError) {
    engines->test(QStringLiteral("ssh://gpu-box"));
    EXPECT_EQ(engines->testState(), Outcome::kRunning);
    tester->now = client::LinkState::kLive;
    tester->handler(client::LinkState::kLive, {});
    EXPECT_EQ(engines->testState(), Outcome::kGood);
    EXPECT_TRUE(engines->testText().contains(QStringLiteral("1.2.3")));
    context.settle();
    EXPECT_TRUE(gone);   // the link of a test does not stay

    engines->test(QStringLiteral("ws://127.0.0.1:1"));
    tester->handler(client::LinkState::kClosed, Error(ErrorCode::kUnauthorized, "the engine refused the token", "see assay engine token"));
    EXPECT_EQ(engines->testState(), Outcome::kFailed);
    EXPECT_EQ(engines->testText(), QStringLiteral("the engine refused the token"));
    EXPECT_EQ(engines->testHint(), QStringLiteral("see assay engine token"));

    engines->test(QStringLiteral("ssh://-x"));
    EXPECT_EQ(engines->testState(), Outcome::kFailed);
    EXPECT_TRUE(engines->testText().contains(QStringLiteral("not an ssh address")));
}

TEST_F(Engines, ALaterTestReplacesAnEarlierOne) {
    engines->test(QStringLiteral("ssh://one"));
    engines->test(QStringLiteral("ssh://two"));
    EXPECT_TRUE(gone);
    EXPECT_EQ(engines->testedAddress(), QStringLiteral("ssh://two"));
    EXPECT_EQ(engines->testState(), Outcome::kRunning);
}

TEST_F(Engines, StoppedMeansStoppedUntilItIsStarted) {
    engines->stopLocal();
    context.settle();
    EXPECT_EQ(context.countOf("engine.shutdown"), 1);
    EXPECT_EQ(context.session.link(), Link::kClosed);
    EXPECT_EQ(context.connections, 1);
    EXPECT_TRUE(engines->info().is_null());
    engines->startLocal();
    context.settle();
    EXPECT_EQ(context.connections, 2);
    EXPECT_TRUE(context.session.isLive());
}

TEST_F(Engines, ADamagedListIsReadAsFarAsItGoes) {
    context.settings.set(QStringLiteral("engines.list"), Json::array({"ssh://good", 3, "-bad", nullptr, "local"}));
    EXPECT_EQ(addresses(), (QStringList{QStringLiteral("local*"), QStringLiteral("ssh://good")}));
}

}  // namespace
}  // namespace assay
