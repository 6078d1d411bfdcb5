// Handshake, wrong tokens and versions, calls, deadlines, cancelling and reconnecting.
#include <assay/client/blobs.h>
#include <assay/client/sync_client.h>
#include <assay/core/clock.h>
#include <assay/core/durable.h>
#include <assay/core/hash.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QByteArray>
#include <filesystem>
#include <thread>

#include "scripted_engine.h"

namespace assay::client {
namespace {

using test::ScriptedEngine;
using testing::HasSubstr;

RemoteOptions fast() {
    RemoteOptions options;
    options.clientVersion = "1.2.3";
    options.handshakeSeconds = 0.3;
    options.connectSeconds = 3;
    options.firstBackoff = 0.01;
    options.maxBackoff = 0.05;
    return options;
}

TEST(Link, AttachesAndAnswers) {
    ScriptedEngine engine;
    engine.onRequest = [](auto&, const std::string& method, const Json& params) -> Result<Json> {
        return Json{{"method", method}, {"params", params}};
    };
    auto client = SyncClient::connect(engine.source(), fast());
    ASSERT_TRUE(client) << client.error().text();
    EXPECT_EQ((*client)->identity().version, "9.9");
    EXPECT_EQ((*client)->identity().session, "session-1");
    auto reply = (*client)->call("runs.get", {{"run", "ähm"}});
    ASSERT_TRUE(reply) << reply.error().text();
    EXPECT_EQ(*reply, (Json{{"method", "runs.get"}, {"params", {{"run", "ähm"}}}}));
}

TEST(Link, CarriesErrorsOfTheEngine) {
    ScriptedEngine engine;
    engine.onRequest = [](auto&, auto&, auto&) -> Result<Json> { return fail(ErrorCode::kBusy, "it runs", "stop it first"); };
    auto client = SyncClient::connect(engine.source(), fast());
    ASSERT_TRUE(client);
    auto reply = (*client)->call("runs.remove", {{"run", "x"}});
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, ErrorCode::kBusy);
    EXPECT_EQ(reply.error().message, "it runs");
    EXPECT_EQ(reply.error().hint, "stop it first");
}

TEST(Link, SaysThatTheTokenIsWrong) {
    ScriptedEngine engine;
    engine.token = "another";
    auto client = SyncClient::connect(engine.source(), fast());
    ASSERT_FALSE(client);
    EXPECT_EQ(client.error().code, ErrorCode::kUnauthorized);
    EXPECT_THAT(client.error().text(), testing::Not(HasSubstr("secret")));
    EXPECT_EQ(engine.connections, 1);  // a refused token is not tried again
}

TEST(Link, ShowsBothVersionsOfANewerEngine) {
    ScriptedEngine engine;
    engine.hello.apiLevel = 12;
    engine.hello.apiCompatLevel = 7;
    auto client = SyncClient::connect(engine.source(), fast());
    ASSERT_FALSE(client);
    EXPECT_EQ(client.error().code, ErrorCode::kVersionMismatch);
    EXPECT_THAT(client.error().message, HasSubstr("version 9.9"));
    EXPECT_THAT(client.error().message, HasSubstr("level 12 down to 7"));
    EXPECT_THAT(client.error().message, HasSubstr("version 1.2.3"));
    EXPECT_THAT(client.error().hint, HasSubstr("update this program"));
}

TEST(Link, AcceptsANewerEngineThatStillUnderstandsUs) {
    ScriptedEngine engine;
    engine.hello.apiLevel = 12;
    EXPECT_TRUE(SyncClient::connect(engine.source(), fast()));
}

TEST(Link, RefusesAnotherProduct) {
    ScriptedEngine engine;
    engine.hello.product = "teapot";
    auto client = SyncClient::connect(engine.source(), fast());
    ASSERT_FALSE(client);
    EXPECT_THAT(client.error().message, HasSubstr("teapot"));
}

TEST(Link, AHelloThatCannotBeReadIsAVersionMismatch) {
    for (const char* params : {R"({})", R"({"product":"assay","version":"1","api_level":"x"})",
                               R"({"product":"assay","version":"1","api_level":0,"api_compat_level":0,"engine_id":"e","store_epoch":"s"})"}) {
        ScriptedEngine engine;
        engine.onConnect = [params](auto& socket) {
            ScriptedEngine::send(socket, std::string(R"({"jsonrpc":"2.0","method":"hello","params":)") + params + "}");
            return false;
        };
        auto client = SyncClient::connect(engine.source(), fast());
        ASSERT_FALSE(client) << params;
        EXPECT_EQ(client.error().code, ErrorCode::kVersionMismatch) << params;
        EXPECT_THAT(client.error().message, HasSubstr("breaks the handshake")) << params;
        EXPECT_EQ(engine.connections, 1) << params;
    }
}

TEST(Link, GivesUpOnAServerThatDoesNotGreet) {
    ScriptedEngine engine;
    engine.onConnect = [](auto&) { return false; };
    auto client = SyncClient::connect(engine.source(), fast());
    ASSERT_FALSE(client);
    EXPECT_EQ(client.error().code, ErrorCode::kUnreachable);
    EXPECT_THAT(client.error().message, HasSubstr("handshake"));
}

TEST(Link, NamesTheAddressWhenNothingListens) {
    Endpoint nowhere;
    {
        ScriptedEngine engine;
        nowhere = engine.endpoint();
    }
    auto client = SyncClient::connect([nowhere]() -> Result<Endpoint> { return nowhere; }, fast());
    ASSERT_FALSE(client);
    EXPECT_EQ(client.error().code, ErrorCode::kUnreachable);
    EXPECT_THAT(client.error().message, HasSubstr(nowhere.url));
}

TEST(Link, AnswersAreMatchedByIdNotByOrder) {
    ScriptedEngine engine;
    std::vector<std::string> seen;
    engine.onRequest = [&](ScriptedEngine::Socket& socket, const std::string& method, const Json&) -> Result<Json> {
        seen.push_back(method);
        if (seen.size() == 2)  // ids count from 1 in the order of the calls
            for (int id : {2, 1}) ScriptedEngine::send(socket, protocol::responseText(id, "answer to " + seen[static_cast<size_t>(id - 1)]));
        return test::sayNothing();
    };
    auto client = SyncClient::connect(engine.source(), fast());
    ASSERT_TRUE(client);
    Result<Json> first = Json();
    std::thread other([&] { first = (*client)->call("first", Json::object()); });
    const Result<Json> second = (*client)->call("second", Json::object());
    other.join();
    ASSERT_TRUE(first && second);
    EXPECT_EQ(*first, "answer to first");
    EXPECT_EQ(*second, "answer to second");
}

TEST(Link, ACallThatIsNotAnsweredEndsAtItsDeadlineAndIsCancelled) {
    ScriptedEngine engine;
    test::Signal signal;
    Json cancelled;
    engine.onRequest = [](auto&, auto&, auto&) -> Result<Json> { return test::sayNothing(); };
    engine.onNotification = [&](auto&, const std::string& method, const Json& params) {
        if (method == "$/cancel") signal.notify([&] { cancelled = params; });
    };
    auto client = SyncClient::connect(engine.source(), fast());
    ASSERT_TRUE(client);
    auto reply = (*client)->call("runs.list", Json::object(), 0.1);
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, ErrorCode::kUnreachable);
    EXPECT_THAT(reply.error().message, HasSubstr("runs.list"));
    EXPECT_TRUE(signal.wait([&] { return !cancelled.is_null(); }));
    EXPECT_EQ(cancelled, (Json{{"id", 1}}));
}

TEST(Link, PendingCallsFailWhenTheLinkBreaks) {
    ScriptedEngine engine;
    engine.onRequest = [](ScriptedEngine::Socket& socket, auto&, auto&) -> Result<Json> {
        socket.abort();
        return test::sayNothing();
    };
    auto client = SyncClient::connect(engine.source(), fast());
    ASSERT_TRUE(client);
    auto reply = (*client)->call("runs.submit", Json::object());
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, ErrorCode::kUnreachable);
}

TEST(Link, ARetriedSubmitCarriesTheSameKey) {
    ScriptedEngine engine;
    std::vector<std::string> keys;
    engine.onRequest = [&](ScriptedEngine::Socket& socket, auto&, const Json& params) -> Result<Json> {
        keys.push_back(params.value("idempotency_key", ""));
        if (keys.size() < 3) {
            socket.abort();  // taken in, but the answer is lost
            return test::sayNothing();
        }
        return Json{{"run", "r1"}};
    };
    auto client = SyncClient::connect(engine.source(), fast());
    ASSERT_TRUE(client);
    auto reply = (*client)->callAgain("runs.submit", {{"idempotency_key", "k"}}, 10);
    ASSERT_TRUE(reply) << reply.error().text();
    EXPECT_EQ(keys, std::vector<std::string>(3, "k"));
    EXPECT_EQ(engine.connections, 3);
}

TEST(Link, ADeadPeerIsNoticedWithoutAnyMessage) {
    ScriptedEngine engine;
    RemoteOptions options = fast();
    options.pingSeconds = 0.02;
    options.deadAfterSeconds = -1;  // whatever was heard is too long ago
    auto client = SyncClient::connect(engine.source(), options);
    ASSERT_TRUE(client);
    engine.onRequest = [](auto&, auto&, auto&) -> Result<Json> { return test::sayNothing(); };
    auto reply = (*client)->call("engine.info", Json::object(), 10);
    ASSERT_FALSE(reply);
    EXPECT_THAT(reply.error().message, HasSubstr("nothing was heard"));
}

TEST(Link, ARequestOverTheLimitIsRefusedHere) {
    ScriptedEngine engine;
    auto client = SyncClient::connect(engine.source(), fast());
    ASSERT_TRUE(client);
    auto reply = (*client)->call("runs.submit", {{"yaml", std::string(5 << 20, 'x')}});
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, ErrorCode::kBadUsage);
    EXPECT_TRUE((*client)->live());
}

TEST(Link, UploadsInPiecesThatRebuildTheFile) {
    ScriptedEngine engine;
    std::string received;
    std::string text(2'000'000, '\0');
    for (size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>(i * 2654435761u >> 13);
    engine.onRequest = [&](auto&, auto&, const Json& params) -> Result<Json> {
        const std::string data = params["data"].get<std::string>();
        EXPECT_LE(data.size(), size_t{1} << 20);
        EXPECT_EQ(params["offset"].get<size_t>(), received.size());
        received += QByteArray::fromBase64(QByteArray::fromStdString(data)).toStdString();
        return Json{{"complete", received.size() == params["total"].get<size_t>()}, {"reference", "blob:" + params["sha256"].get<std::string>()}};
    };
    const std::string path = std::filesystem::temp_directory_path() / ("assay-upload-" + std::to_string(::getpid()));
    ASSERT_TRUE(writeFileDurably(path, text));
    auto client = SyncClient::connect(engine.source(), fast());
    ASSERT_TRUE(client);
    auto reference = uploadFile(**client, path);
    std::filesystem::remove(path);
    ASSERT_TRUE(reference) << reference.error().text();
    EXPECT_EQ(*reference, "blob:" + sha256Hex(text));
    EXPECT_EQ(received, text);
}

}  // namespace
}  // namespace assay::client
