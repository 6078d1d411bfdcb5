// The event stream over breaks: every event once, in order, and nothing after the store was replaced.
#include <assay/client/fake_client.h>
#include <assay/client/sync_client.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "scripted_engine.h"

namespace assay::client {
namespace {

using test::ScriptedEngine;

RemoteOptions fastStream() {
    RemoteOptions options;
    options.firstBackoff = 0.01;
    options.maxBackoff = 0.05;
    return options;
}

Json batchOf(int64_t from, int64_t to) {
    Json events = Json::array();
    for (int64_t seq = from; seq <= to; ++seq) events.push_back({{"seq", seq}, {"run", "r"}, {"type", "log"}});
    return {{"from_seq", from}, {"to_seq", to}, {"events", events}};
}

// Sends events 1…100 in batches of 10 after the cursor, and breaks the link after every third batch.
struct BreakingEngine : ScriptedEngine {
    std::vector<int64_t> cursors, acks;
    BreakingEngine() {
        onRequest = [this](Socket& socket, const std::string& method, const Json& params) -> Result<Json> {
            if (method != "events.subscribe") return fail(ErrorCode::kNotFound, method);
            const int64_t after = params["after_seq"].get<int64_t>();
            cursors.push_back(after);
            // The events follow the answer; a queued call keeps that order.
            QMetaObject::invokeMethod(&socket, [&socket, after] {
                for (int64_t from = after + 1, sent = 0; from <= 100; from += 10, ++sent) {
                    if (sent == 3) {
                        socket.abort();
                        return;
                    }
                    send(socket, protocol::notificationText("events.batch", batchOf(from, std::min<int64_t>(from + 9, 100))));
                    socket.flush();
                }
            }, Qt::QueuedConnection);
            return Json{{"as_of_seq", 100}};
        };
        onNotification = [this](Socket&, const std::string& method, const Json& params) {
            if (method == "events.ack") acks.push_back(params["seq"].get<int64_t>());
        };
    }
};

TEST(Stream, EveryEventOnceAcrossBreaks) {
    BreakingEngine engine;
    auto client = SyncClient::connect(engine.source(), fastStream());
    ASSERT_TRUE(client);
    (*client)->subscribe({.afterSeq = 5, .runs = {"r"}, .topics = {"logs"}});
    std::vector<int64_t> seen;
    while (seen.empty() || seen.back() < 100) {
        auto batch = (*client)->nextBatch(10);
        ASSERT_TRUE(batch) << batch.error().text();
        ASSERT_TRUE(*batch) << "nothing came for 10 s after " << seen.size() << " events";
        for (const Json& event : (*batch)->events) seen.push_back(event["seq"].get<int64_t>());
    }
    std::vector<int64_t> wanted;
    for (int64_t seq = 6; seq <= 100; ++seq) wanted.push_back(seq);
    EXPECT_EQ(seen, wanted);
    engine.run([&] {
        ASSERT_GE(engine.cursors.size(), 2u) << "the link was never broken";
        EXPECT_EQ(engine.cursors.front(), 5);
        EXPECT_TRUE(std::is_sorted(engine.cursors.begin(), engine.cursors.end()));
    });
}

TEST(Stream, ARepeatedBatchIsDroppedButStillGivesItsCreditBack) {
    ScriptedEngine engine;
    test::Signal signal;
    std::vector<int64_t> acks;
    engine.onRequest = [](ScriptedEngine::Socket& socket, auto&, auto&) -> Result<Json> {
        QMetaObject::invokeMethod(&socket, [&socket] {
            for (int twice = 0; twice < 2; ++twice) ScriptedEngine::send(socket, protocol::notificationText("events.batch", batchOf(1, 3)));
            ScriptedEngine::send(socket, protocol::notificationText("events.batch", batchOf(2, 5)));  // overlaps by two
        }, Qt::QueuedConnection);
        return Json{{"as_of_seq", 5}};
    };
    engine.onNotification = [&](auto&, const std::string& method, const Json& params) {
        if (method == "events.ack") signal.notify([&] { acks.push_back(params["seq"].get<int64_t>()); });
    };
    auto client = SyncClient::connect(engine.source(), fastStream());
    ASSERT_TRUE(client);
    (*client)->subscribe({});
    std::vector<int64_t> seen;
    while (seen.size() < 5) {
        auto batch = (*client)->nextBatch(10);
        ASSERT_TRUE(batch && *batch);
        for (const Json& event : (*batch)->events) seen.push_back(event["seq"].get<int64_t>());
    }
    EXPECT_EQ(seen, (std::vector<int64_t>{1, 2, 3, 4, 5}));
    EXPECT_TRUE(signal.wait([&] { return acks.size() == 3; }));
    EXPECT_EQ(std::multiset<int64_t>(acks.begin(), acks.end()), (std::multiset<int64_t>{3, 3, 5}));
}

TEST(Stream, AReplacedStoreEndsTheStream) {
    ScriptedEngine engine;
    engine.onRequest = [](auto&, auto&, auto&) -> Result<Json> { return Json{{"as_of_seq", 0}}; };
    auto client = SyncClient::connect(engine.source(), fastStream());
    ASSERT_TRUE(client);
    (*client)->subscribe({});
    ASSERT_TRUE((*client)->call("engine.info", Json::object()));  // the subscription has been sent before
    engine.run([&] { engine.hello.storeEpoch = "epoch-2"; });
    engine.breakLinks();
    auto batch = (*client)->nextBatch(10);
    ASSERT_FALSE(batch);
    EXPECT_EQ(batch.error().code, ErrorCode::kGone);
}

TEST(Stream, ACursorThatIsTooOldEndsTheStream) {
    ScriptedEngine engine;
    engine.onRequest = [](auto&, auto&, auto&) -> Result<Json> { return fail(ErrorCode::kGone, "older than what is kept"); };
    auto client = SyncClient::connect(engine.source(), fastStream());
    ASSERT_TRUE(client);
    (*client)->subscribe({.afterSeq = 1});
    auto batch = (*client)->nextBatch(10);
    ASSERT_FALSE(batch);
    EXPECT_EQ(batch.error().code, ErrorCode::kGone);
}

TEST(Fake, RepliesAndEventsComeWhenTheTestSaysSo) {
    FakeEngineClient fake;
    fake.on("runs.get", [](const Json& params) -> Result<Json> { return Json{{"id", params["run"]}}; });
    std::vector<std::string> replies;
    fake.call("runs.get", {{"run", "a"}}, [&](Result<Json> reply) { replies.push_back((*reply)["id"].get<std::string>()); }, 1);
    EXPECT_TRUE(replies.empty());
    fake.deliver();
    EXPECT_EQ(replies, std::vector<std::string>{"a"});

    std::vector<int64_t> seen;
    fake.emitEvent({{"run", "a"}});
    fake.emitEvent({{"run", "b"}});
    fake.emitEvent({{"run", "a"}});
    fake.subscribe({.afterSeq = 1, .runs = {"a"}}, [&](Result<EventBatch> batch) {
        for (const Json& event : batch->events) seen.push_back(event["seq"].get<int64_t>());
        fake.acknowledge(batch->toSeq);
    });
    fake.deliver();
    EXPECT_EQ(seen, std::vector<int64_t>{3});
    EXPECT_EQ(fake.acknowledged(), 3);

    Error lost;
    fake.call("runs.get", {{"run", "a"}}, [&](Result<Json> reply) { lost = reply.error(); }, 1);
    fake.loseLink({ErrorCode::kUnreachable, "cable"});
    fake.deliver();
    EXPECT_EQ(lost.code, ErrorCode::kUnreachable);
}

}  // namespace
}  // namespace assay::client
