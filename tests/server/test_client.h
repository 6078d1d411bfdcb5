#pragma once
// A WebSocket client for tests: waits by condition with the event loop of the test's thread.
#include <assay/core/durable.h>
#include <assay/core/json.h>
#include <assay/protocol/handshake.h>
#include <assay/protocol/rpc.h>
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QNetworkRequest>
#include <QWebSocket>
#include <QWebSocketHandshakeOptions>

namespace assay::test {

template <class F>
bool spinUntil(F condition, int milliseconds = 20'000) {
    QElapsedTimer timer;
    timer.start();
    while (!condition()) {
        if (timer.elapsed() > milliseconds) return false;
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents, 20);
    }
    return true;
}

struct Connect {
    QByteArray token, origin;
    QString subprotocol = QStringLiteral("assay.v1.json");
    bool attach = true, acknowledge = true;
    int apiLevel = protocol::kApiLevel;
};

class TestClient {
public:
    TestClient(const protocol::Endpoint& endpoint, Connect how = {}) : how_(how), socket_(QString::fromUtf8(how.origin)) {
        QNetworkRequest request(QUrl(QString::fromStdString(endpoint.url)));
        const QByteArray token = how.token.isEmpty() ? QByteArray::fromStdString(endpoint.token) : how.token;
        request.setRawHeader("Authorization", "Bearer " + token);
        QWebSocketHandshakeOptions options;
        if (!how.subprotocol.isEmpty()) options.setSubprotocols({how.subprotocol});
        QObject::connect(&socket_, &QWebSocket::textMessageReceived, &socket_, [this](const QString& text) { take(text.toStdString()); });
        QObject::connect(&socket_, &QWebSocket::disconnected, &socket_, [this] { closed = true; });
        QObject::connect(&socket_, QOverload<QAbstractSocket::SocketError>::of(&QWebSocket::error), &socket_, [this] { failed = true; });
        socket_.open(request, options);
    }
    bool ready() { return spinUntil([&] { return attached || closed || failed; }) && attached; }
    void send(const std::string& text) { socket_.sendTextMessage(QString::fromStdString(text)); }
    Result<Json> call(const std::string& method, const Json& params = Json::object()) {
        const int id = ++lastId_;
        send(protocol::requestText(id, method, params));
        if (!spinUntil([&] { return answers.contains(id) || closed; }) || !answers.contains(id)) return fail(ErrorCode::kUnreachable, "no answer");
        return answers[id];
    }
    void subscribe(int64_t after, const Json& more = Json::object()) {
        Json params = more;
        params["after_seq"] = after;
        auto done = call("events.subscribe", params);
        EXPECT_TRUE(done) << done.error().text();
    }
    void abort() { socket_.abort(); }
    int closeCode() const { return socket_.closeCode(); }

    bool attached = false, closed = false, failed = false;
    Json hello;
    std::map<int, Result<Json>> answers;
    std::vector<Json> events;
    std::vector<Json> troubles;  // of the store; null: over
    std::vector<std::string> oddities;  // answers without an id that we gave
    int64_t seen = 0;
    int batches = 0;

private:
    void take(const std::string& text) {
        auto message = protocol::parseMessage(text);
        ASSERT_TRUE(message) << text;
        using Kind = protocol::RpcMessage::Kind;
        if (message->kind == Kind::kNotification && message->method == "hello") {
            hello = message->params;
            if (how_.attach) send(protocol::notificationText("attach", protocol::attachToJson({"test", "1", how_.apiLevel})));
        } else if (message->kind == Kind::kNotification && message->method == "attached") {
            attached = true;
        } else if (message->kind == Kind::kNotification && message->method == "events.batch") {
            ++batches;
            EXPECT_EQ(message->params["from_seq"].get<int64_t>() > seen, true);
            for (const Json& event : message->params["events"]) events.push_back(event);
            seen = message->params["to_seq"];
            if (how_.acknowledge) send(protocol::notificationText("events.ack", {{"seq", seen}}));
        } else if (message->kind == Kind::kNotification && message->method == "engine.trouble") {
            troubles.push_back(message->params["trouble"]);
        } else if (message->id.is_number_integer()) {
            const int id = message->id;
            answers.emplace(id, message->kind == Kind::kResponse ? Result<Json>(message->result) : Result<Json>(fail(message->error)));
        } else {
            oddities.push_back(text);
        }
    }
    Connect how_;
    QWebSocket socket_;
    int lastId_ = 0;
};

}  // namespace assay::test
