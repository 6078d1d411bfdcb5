// The session: link states, the start of the stream, gaps, replies and who is still there to hear them.
#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

#include "context.h"

namespace assay {
namespace {

using presenters::EngineTarget;
using presenters::Link;
using test::Context;

struct Session : testing::Test {
    Context context;
    QObject page;
    Session() {
        context.prepare = [](client::FakeEngineClient& engine) {
            engine.on("runs.list", [](const Json&) { return Result<Json>(test::runList({}, 0)); });
            engine.on("engine.info", [](const Json&) { return Result<Json>(Json{{"version", "9"}}); });
        };
    }
};

TEST_F(Session, GoesLiveAndResynchronizesOnce) {
    QSignalSpy again(&context.session, &presenters::EngineSession::resynchronized);
    context.connect();
    EXPECT_EQ(context.session.link(), Link::kLive);
    EXPECT_FALSE(context.session.staleSince().isValid());
    EXPECT_EQ(again.count(), 1);
}

TEST_F(Session, LostLinkIsStaleAndContinuesWithoutListingAnew) {
    QSignalSpy again(&context.session, &presenters::EngineSession::resynchronized);
    context.connect();
    const QDateTime before = QDateTime::currentDateTimeUtc();
    context.engine->loseLink(Error(ErrorCode::kUnreachable, "cable"));
    EXPECT_EQ(context.session.link(), Link::kReconnecting);
    ASSERT_TRUE(context.session.error());
    EXPECT_EQ(context.session.error()->message, "cable");
    EXPECT_GE(context.session.staleSince(), before.addMSecs(-1));
    const QDateTime since = context.session.staleSince();
    context.engine->loseLink(Error(ErrorCode::kUnreachable, "still no cable"));   // a failed attempt does not make it younger
    EXPECT_EQ(context.session.staleSince(), since);
    context.engine->restoreLink();
    context.settle();
    EXPECT_EQ(context.session.link(), Link::kLive);
    EXPECT_FALSE(context.session.error());
    EXPECT_EQ(again.count(), 1);   // same store: the stream goes on where it was
}

TEST_F(Session, EventsOfWhileItWasGoneArriveOnce) {
    context.connect();
    QSignalSpy changed(&context.session, &presenters::EngineSession::runChanged);
    context.engine->emitEvent({{"run", "a"}, {"type", "run"}, {"row", test::runRow("a", "one", "running")}});
    context.settle();
    EXPECT_EQ(context.engine->acknowledged(), 1);
    context.engine->loseLink(Error(ErrorCode::kUnreachable, "cable"));
    context.engine->emitEvent({{"run", "a"}, {"type", "run"}, {"row", test::runRow("a", "one", "done")}});
    context.settle();
    EXPECT_EQ(changed.count(), 1);
    context.engine->restoreLink();
    context.settle();
    ASSERT_EQ(changed.count(), 2);
    EXPECT_EQ(jsonStringOr(changed[1][1].value<Json>(), "status", ""), "done");
}

TEST_F(Session, GapListsAgainAndFollowsFromThere) {
    QSignalSpy again(&context.session, &presenters::EngineSession::resynchronized);
    context.connect();
    context.engine->endStream(Error(ErrorCode::kGone, "older than what is kept"));
    context.settle();
    EXPECT_EQ(again.count(), 2);
    QSignalSpy events(&context.session, &presenters::EngineSession::event);
    context.engine->emitEvent({{"run", "a"}, {"type", "log"}});
    context.settle();
    EXPECT_EQ(events.count(), 1);
}

TEST_F(Session, StreamThatEndedWhileTheLinkWasGoneBeginsAnewWithIt) {
    QSignalSpy again(&context.session, &presenters::EngineSession::resynchronized);
    context.connect();
    context.engine->loseLink(Error(ErrorCode::kUnreachable, "cable"));
    context.engine->endStream(Error(ErrorCode::kGone, "store was replaced"));
    context.settle();
    EXPECT_EQ(again.count(), 1);
    context.engine->restoreLink();
    context.settle();
    EXPECT_EQ(again.count(), 2);
}

TEST_F(Session, RemovedRunIsSaid) {
    context.connect();
    QSignalSpy removed(&context.session, &presenters::EngineSession::runRemoved);
    QSignalSpy changed(&context.session, &presenters::EngineSession::runChanged);
    context.engine->emitEvent({{"run", "a"}, {"type", "run"}, {"removed", true}});
    context.settle();
    EXPECT_EQ(removed.count(), 1);
    EXPECT_EQ(changed.count(), 0);
}

TEST_F(Session, ReplyComesOnceAndOnlyWhileItsContextLives) {
    context.connect();
    int replies = 0;
    context.session.call(QStringLiteral("engine.info"), Json::object(), &page, [&](Result<Json> reply) {
        ++replies;
        EXPECT_EQ(jsonStringOr(*reply, "version", ""), "9");
    });
    EXPECT_EQ(replies, 0);   // never from inside the call
    context.settle();
    EXPECT_EQ(replies, 1);
    auto gone = std::make_unique<QObject>();
    bool called = false;
    context.session.call(QStringLiteral("engine.info"), Json::object(), gone.get(), [&](Result<Json>) { called = true; });
    gone.reset();
    context.settle();
    EXPECT_FALSE(called);
}

TEST_F(Session, CancelAnswersWithCancelled) {
    context.connect();
    ErrorCode code = ErrorCode::kInternal;
    const auto handle = context.session.tool(QStringLiteral("plan"), Json::object(), &page, [&](Result<Json> reply) { code = reply.error().code; });
    EXPECT_EQ(context.lastOf("tools.call")["tool"], "plan");
    context.session.cancel(handle);
    context.settle();
    EXPECT_EQ(code, ErrorCode::kCancelled);
}

TEST_F(Session, AnotherEngineFailsWhatWasAskedOfTheOldOne) {
    context.connect();
    int replies = 0;
    ErrorCode code = ErrorCode::kInternal;
    context.session.call(QStringLiteral("engine.info"), Json::object(), &page, [&](Result<Json> reply) {
        ++replies;
        code = reply ? ErrorCode::kInternal : reply.error().code;
    });
    context.connect({EngineTarget::Kind::kUrl, QStringLiteral("ws://127.0.0.1:9")});
    EXPECT_EQ(context.connections, 2);
    EXPECT_EQ(replies, 1);
    EXPECT_EQ(code, ErrorCode::kUnreachable);
    EXPECT_EQ(context.session.target().address, QStringLiteral("ws://127.0.0.1:9"));
}

TEST_F(Session, WithoutAnEngineACallFailsLater) {
    bool called = false;
    context.session.call(QStringLiteral("engine.info"), Json::object(), &page, [&](Result<Json> reply) {
        called = true;
        EXPECT_EQ(reply.error().code, ErrorCode::kUnreachable);
    });
    EXPECT_FALSE(called);
    context.settle();
    EXPECT_TRUE(called);
}

TEST_F(Session, StoreInTroubleIsSaidAndAskedAgain) {
    bool broken = true;
    context.prepare = [&](client::FakeEngineClient& engine) {
        engine.on("runs.list", [&](const Json&) -> Result<Json> {
            if (broken) return fail(ErrorCode::kDiskFull, "no room");
            return test::runList({});
        });
    };
    QSignalSpy again(&context.session, &presenters::EngineSession::resynchronized);
    context.connect();
    EXPECT_EQ(context.session.link(), Link::kLive);
    ASSERT_TRUE(context.session.error());
    EXPECT_EQ(again.count(), 0);
    broken = false;
    ASSERT_TRUE(QTest::qWaitFor([&] {
        context.settle();
        return again.count() == 1;
    }));
    EXPECT_FALSE(context.session.error());
}

TEST_F(Session, TroubleOfTheEngineIsKnownUntilItIsOver) {
    context.connect();
    QSignalSpy told(&context.session, &presenters::EngineSession::troubleChanged);
    const Json gone = {{"code", "not_found"}, {"message", "the store was deleted"}, {"hint", "put it back"}};
    context.engine->emitEvent({{"run", ""}, {"type", "trouble"}, {"trouble", gone}});
    context.settle();
    ASSERT_TRUE(context.session.trouble());
    EXPECT_EQ(context.session.trouble()->code, ErrorCode::kNotFound);
    EXPECT_EQ(context.session.trouble()->hint, "put it back");
    EXPECT_EQ(context.session.link(), Link::kLive);
    context.engine->emitEvent({{"run", ""}, {"type", "trouble"}, {"trouble", gone}});
    context.settle();
    EXPECT_EQ(told.count(), 1);   // the same is no news
    context.engine->emitEvent({{"run", ""}, {"type", "trouble"}, {"trouble", nullptr}});
    context.settle();
    EXPECT_FALSE(context.session.trouble());
    context.engine->emitEvent({{"run", ""}, {"type", "trouble"}, {"trouble", gone}});
    context.settle();
    context.session.retry();   // while it is live: another engine may be started
    context.settle();
    EXPECT_EQ(context.connections, 2);
    EXPECT_FALSE(context.session.trouble());
    EXPECT_EQ(told.count(), 4);
}

// What a laptop's sleep looks like: the link is silent until its deadline, then comes back; what happened meanwhile is told once, in order.
TEST_F(Session, AfterASleepEverythingIsCaughtUp) {
    context.connect();
    QStringList heard;
    QObject::connect(&context.session, &presenters::EngineSession::event, &page, [&](const QString& run, const QString& type, const Json&) { heard << run + QLatin1Char(' ') + type; });
    context.engine->loseLink(Error(ErrorCode::kUnreachable, "nothing was heard for 30 s"));
    EXPECT_EQ(context.session.link(), Link::kReconnecting);
    EXPECT_TRUE(context.session.staleSince().isValid());
    for (int i = 0; i < 3; ++i) context.engine->emitEvent({{"run", "r" + std::to_string(i)}, {"type", "progress"}});
    context.settle();
    EXPECT_TRUE(heard.isEmpty());
    context.engine->restoreLink();
    context.settle();
    EXPECT_EQ(heard, (QStringList{QStringLiteral("r0 progress"), QStringLiteral("r1 progress"), QStringLiteral("r2 progress")}));
    EXPECT_FALSE(context.session.staleSince().isValid());
}

TEST_F(Session, DisconnectedOnPurposeSaysWhyAndCanComeBack) {
    context.connect();
    context.session.disconnectBecause(Error(ErrorCode::kCancelled, "stopped"));
    EXPECT_EQ(context.session.link(), Link::kClosed);
    EXPECT_EQ(context.session.error()->message, "stopped");
    context.session.retry();
    context.settle();
    EXPECT_EQ(context.session.link(), Link::kLive);
}

TEST(Targets, AreReadAndWrittenBack) {
    const auto text = [](const char* typed) { return presenters::targetText(*presenters::parseTarget(QLatin1String(typed))); };
    EXPECT_EQ(text(""), QStringLiteral("local"));
    EXPECT_EQ(text(" local "), QStringLiteral("local"));
    EXPECT_EQ(text("local:/data/store"), QStringLiteral("local:/data/store"));
    EXPECT_EQ(text("ssh://me@gpu-box:2222"), QStringLiteral("ssh://me@gpu-box:2222"));
    EXPECT_EQ(text("ws://127.0.0.1:8080"), QStringLiteral("ws://127.0.0.1:8080"));
    for (const char* wrong : {"ssh://-oProxyCommand=x", "gpu-box", "http://host", "ws://", "ssh://a b", "ws://user:pw@host:1"}) EXPECT_FALSE(presenters::parseTarget(QLatin1String(wrong))) << wrong;
    EXPECT_EQ(presenters::parseTarget(QStringLiteral("ssh://me@gpu-box"))->name(), QStringLiteral("gpu-box"));
}

}  // namespace
}  // namespace assay
