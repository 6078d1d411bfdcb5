#pragma once
// A WebSocket server in this process that answers as a test tells it: what the engine does, right and wrong.

#include <assay/client/endpoint.h>
#include <assay/protocol/handshake.h>
#include <assay/protocol/rpc.h>
#include <assay/protocol/version.h>

#include <QCoreApplication>
#include <QThread>
#include <QWebSocket>
#include <QWebSocketServer>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace assay::test {

// One for all tests of the program: Qt wants it before any socket.
inline QCoreApplication& application() {
    static int argc = 1;
    static char name[] = "test";
    static char* argv[] = {name, nullptr};
    static QCoreApplication app(argc, argv);
    return app;
}

class ScriptedEngine {
public:
    using Socket = QWebSocket;
    // Both run on the server's thread. A request that `onRequest` does not know gets kNotFound.
    std::function<Result<Json>(Socket&, const std::string& method, const Json& params)> onRequest;
    std::function<void(Socket&, const std::string& method, const Json& params)> onNotification;
    std::function<void(Socket&)> onAttached;
    std::function<bool(Socket&)> onConnect = [](Socket&) { return true; };  // false: do not greet
    protocol::Hello hello{.version = "9.9", .engineId = "scripted", .storeEpoch = "epoch-1"};
    std::string token = "secret";
    std::atomic<int> connections{0};

    ScriptedEngine() {
        application();
        thread_.start();
        run([this] {
            server_ = new QWebSocketServer(QStringLiteral("test"), QWebSocketServer::NonSecureMode);
            server_->setSupportedSubprotocols({QStringLiteral("assay.v1.json")});
            QObject::connect(server_, &QWebSocketServer::newConnection, server_, [this] { accept(); });
            listen(0);
            port_ = server_->serverPort();
        });
    }
    ~ScriptedEngine() {
        run([this] {
            dropAll();
            delete server_;
        });
        thread_.quit();
        thread_.wait();
    }

    client::Endpoint endpoint() const {
        client::Endpoint e;
        e.url = "ws://127.0.0.1:" + std::to_string(port_);
        e.token = "secret";
        e.pid = 1;
        return e;
    }
    client::EndpointSource source() const {
        return [e = endpoint()]() -> Result<client::Endpoint> { return e; };
    }
    void breakLinks() { run([this] { dropAll(); }); }
    void run(std::function<void()> work) { QMetaObject::invokeMethod(&anchor(), std::move(work), Qt::BlockingQueuedConnection); }

    static void send(Socket& socket, const std::string& text) { socket.sendTextMessage(QString::fromStdString(text)); }

private:
    QObject& anchor() {
        if (!anchor_) {
            anchor_ = new QObject;
            anchor_->moveToThread(&thread_);
        }
        return *anchor_;
    }
    void listen(quint16 port) { server_->listen(QHostAddress::LocalHost, port); }
    void dropAll() {
        for (QWebSocket* socket : server_->findChildren<QWebSocket*>()) socket->abort();
    }
    void accept() {
        QWebSocket* socket = server_->nextPendingConnection();
        socket->setParent(server_);
        QObject::connect(socket, &QWebSocket::disconnected, socket, &QObject::deleteLater);
        ++connections;
        if (socket->request().rawHeader("Authorization") != QByteArray::fromStdString("Bearer " + token)) {
            socket->close(static_cast<QWebSocketProtocol::CloseCode>(protocol::kCloseUnauthorized));
            return;
        }
        if (!onConnect(*socket)) return;
        QObject::connect(socket, &QWebSocket::textMessageReceived, socket, [this, socket](const QString& text) { take(*socket, text.toStdString()); });
        send(*socket, protocol::notificationText("hello", protocol::helloToJson(hello)));
    }
    void take(Socket& socket, const std::string& text) {
        auto message = protocol::parseMessage(text);
        if (!message) return;
        if (message->kind == protocol::RpcMessage::Kind::kNotification) {
            if (message->method == "attach") {
                send(socket, protocol::notificationText("attached", protocol::attachedToJson({1, "session-1"})));
                if (onAttached) onAttached(socket);
            } else if (onNotification) {
                onNotification(socket, message->method, message->params);
            }
            return;
        }
        Result<Json> reply = onRequest ? onRequest(socket, message->method, message->params) : fail(ErrorCode::kNotFound, "no script");
        if (!reply && reply.error().message == "say nothing") return;
        send(socket, reply ? protocol::responseText(message->id, *reply) : protocol::errorText(message->id, reply.error()));
    }

    QThread thread_;
    QObject* anchor_ = nullptr;
    QWebSocketServer* server_ = nullptr;
    int port_ = 0;
};

inline tl::unexpected<Error> sayNothing() { return fail(ErrorCode::kInternal, "say nothing"); }

// Waits for a condition on other threads, signalled by `notify`.
class Signal {
public:
    void notify(const std::function<void()>& change) {
        std::lock_guard lock(mutex_);
        change();
        changed_.notify_all();
    }
    bool wait(const std::function<bool()>& condition) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, std::chrono::seconds(10), condition);
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
};

}  // namespace assay::test
