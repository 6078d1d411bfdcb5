// What the server does to clients that are late, with times shortened; the server runs inside the test.
#include <assay/runtime/runtime.h>
#include <assay/server/server.h>
#include <assay/store/store.h>

#include <QTcpServer>
#include <filesystem>

#include "temp_folder.h"
#include "test_client.h"

using namespace assay;
using namespace assay::test;

namespace {

class ServerTimes : public ::testing::Test {
protected:
    void SetUp() override {
        static int argc = 1;
        static char name[] = "test_server";
        static char* argv[] = {name, nullptr};
        if (!QCoreApplication::instance()) new QCoreApplication(argc, argv);  // for the life of the program, as other tests do
        auto store = store::Store::open(folder_ / "store");
        ASSERT_TRUE(store) << store.error().text();
        store_ = std::move(*store);
        auto runtime = runtime::Runtime::start(*store_, runtime::makeLocalLauncher(std::string(ASSAY_BIN_DIR) + "/assay_fake_worker"));
        ASSERT_TRUE(runtime) << runtime.error().text();
        runtime_ = std::move(*runtime);
    }
    Result<void> serve(server::ServerOptions options) {
        options.version = "1.2.3";
        ASSAY_TRY(server_, server::Server::start(*store_, *runtime_, options));
        ASSAY_TRY(const Json json, readJsonFile(folder_ / "store/engine.json"));
        ASSAY_TRY(endpoint_, protocol::endpointFromJson(json));
        return {};
    }
    void addEvents(int count) {
        auto done = store_->write(store::Promise::kDurable, [&](store::Writer& w) -> Result<void> {
            for (int i = 0; i < count; ++i) ASSAY_TRY_VOID(w.addEvent("r", "log", {{"text", std::to_string(i)}}));
            return {};
        });
        ASSERT_TRUE(done) << done.error().text();
    }

    TempFolder folder_;
    std::unique_ptr<store::Store> store_;
    std::unique_ptr<runtime::Runtime> runtime_;
    std::unique_ptr<server::Server> server_;
    protocol::Endpoint endpoint_;
};

}  // namespace

TEST_F(ServerTimes, AClientThatDoesNotAttachIsClosed) {
    ASSERT_TRUE(serve({.handshakeSeconds = 0.2}));
    TestClient silent(endpoint_, {.attach = false}), normal(endpoint_);
    ASSERT_TRUE(normal.ready());
    ASSERT_TRUE(spinUntil([&] { return silent.closed; }));
    EXPECT_EQ(silent.closeCode(), protocol::kCloseHandshakeTimeout);
    EXPECT_TRUE(normal.call("engine.info")) << "who attached in time stays";
}

TEST_F(ServerTimes, AReaderThatOwesAcksIsClosed) {
    ASSERT_TRUE(serve({.slowConsumerSeconds = 0.3}));
    addEvents(5);
    TestClient slow(endpoint_, {.acknowledge = false}), prompt(endpoint_);
    ASSERT_TRUE(slow.ready() && prompt.ready());
    slow.subscribe(0);
    prompt.subscribe(0);
    ASSERT_TRUE(spinUntil([&] { return slow.closed; }));
    EXPECT_EQ(slow.closeCode(), protocol::kCloseSlowConsumer);
    EXPECT_GE(slow.batches, 1);
    EXPECT_FALSE(prompt.closed) << "who acknowledged owes nothing, however long nothing new comes";
    EXPECT_EQ(prompt.events.size(), 5u);
    EXPECT_TRUE(prompt.call("engine.info"));
}

TEST_F(ServerTimes, ACancelledRequestIsAnsweredOnceAndTheSessionLives) {
    ASSERT_TRUE(serve({}));
    TestClient client(endpoint_);
    ASSERT_TRUE(client.ready());
    // Many slow requests keep the pool busy, so that the cancellation of the last arrives before its turn.
    constexpr int kFirst = 1000, kMany = 200;
    for (int id = kFirst; id < kFirst + kMany; ++id) client.send(protocol::requestText(id, "runs.list", Json::object()));
    for (int id = kFirst; id < kFirst + kMany; ++id) client.send(protocol::notificationText("$/cancel", {{"id", id}}));
    client.send(protocol::notificationText("$/cancel", {{"id", "never asked"}}));
    client.send(protocol::notificationText("$/cancel", Json::object()));
    ASSERT_TRUE(spinUntil([&] { return client.answers.size() == kMany || client.closed; }));
    for (const auto& [id, answer] : client.answers)
        EXPECT_TRUE(answer || answer.error().code == ErrorCode::kCancelled) << id;
    EXPECT_TRUE(client.oddities.empty());
    EXPECT_TRUE(client.call("runs.list"));
    EXPECT_EQ(client.answers.size(), kMany + 1u);
}

TEST_F(ServerTimes, ATakenPortIsNamed) {
    QTcpServer other;
    ASSERT_TRUE(other.listen(QHostAddress::LocalHost, 0));
    auto served = serve({.port = other.serverPort()});
    ASSERT_FALSE(served);
    EXPECT_EQ(served.error().code, ErrorCode::kBusy);
    EXPECT_NE(served.error().message.find(std::to_string(other.serverPort())), std::string::npos) << served.error().message;
    EXPECT_FALSE(readFile(folder_ / "store/engine.json")) << "nothing says that an engine is there";
}

TEST_F(ServerTimes, ADeletedStoreIsSaidAndTheEngineLeavesWhenAlone) {
    ASSERT_TRUE(serve({.probeSeconds = 0.05}));
    bool left = false;
    server_->onShutdown = [&] { left = true; };
    {
        TestClient client(endpoint_);
        ASSERT_TRUE(client.ready());
        client.subscribe(0);
        EXPECT_TRUE(client.troubles.empty());
        std::filesystem::remove_all(folder_ / "store");
        ASSERT_TRUE(spinUntil([&] { return !client.troubles.empty(); }));
        EXPECT_EQ(client.troubles[0]["code"], "not_found");
        EXPECT_NE(client.troubles[0]["message"].get<std::string>().find(folder_ / "store"), std::string::npos);
        EXPECT_FALSE(left) << "somebody is connected";
    }
    ASSERT_TRUE(spinUntil([&] { return left; }));
    // Another engine is at home there by now.
    std::filesystem::create_directories(folder_ / "store");
    ASSERT_TRUE(writeFileDurably(folder_ / "store/engine.json", "of another engine", 0600));
    server_.reset();
    EXPECT_TRUE(std::filesystem::exists(folder_ / "store/engine.json"));
}
