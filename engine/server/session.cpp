#include "session.h"

#include "assay/core/clock.h"
#include "assay/core/log.h"
#include "assay/protocol/handshake.h"

#include <QWebSocketProtocol>

namespace assay::server {
namespace {

constexpr size_t kMaxPending = 256;
constexpr int64_t kMaxUnsent = int64_t{32} << 20;  // answers that nobody reads
constexpr double kDeadAfterPings = 3;

QString toQt(const std::string& text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

}  // namespace

Session::Session(SessionShared& shared, std::unique_ptr<QWebSocket> socket, uint64_t number) : shared_(shared), socket_(std::move(socket)), number_(number) {
    lastHeard_ = lastPing_ = monotonicSeconds();
    connect(socket_.get(), &QWebSocket::disconnected, this, [this] { Q_EMIT finished(); });
    connect(socket_.get(), &QWebSocket::textMessageReceived, this, &Session::onText);
    connect(socket_.get(), &QWebSocket::binaryMessageReceived, this, [this] { close(protocol::kCloseMalformed, "binary messages are not part of the protocol"); });
    connect(socket_.get(), &QWebSocket::pong, this, [this] { lastHeard_ = monotonicSeconds(); });
    connect(socket_.get(), &QWebSocket::bytesWritten, this, [this] {
        if (subscribed_) pump();
    });
    handshakeTimer_.setSingleShot(true);
    connect(&handshakeTimer_, &QTimer::timeout, this, [this] { close(protocol::kCloseHandshakeTimeout, "no attach message in time"); });
    pumpTimer_.setSingleShot(true);
    connect(&pumpTimer_, &QTimer::timeout, this, &Session::pump);
    connect(&watchTimer_, &QTimer::timeout, this, &Session::watch);
}

void Session::begin() {
    if (!accept()) return;
    handshakeTimer_.start(static_cast<int>(shared_.handshakeSeconds * 1000));
    watchTimer_.start(std::min(1000, static_cast<int>(std::min(shared_.pingSeconds, shared_.slowConsumerSeconds) * 250)));
    protocol::Hello hello;
    hello.version = shared_.version;
    hello.engineId = shared_.engineId;
    hello.storeEpoch = shared_.store.epoch();
    hello.features = {"blobs", "events", "filters", "groups", "machine", "tools"};
    send(protocol::notificationText("hello", protocol::helloToJson(hello)));
}

Session::~Session() {
    socket_->disconnect(this);
    for (auto& [id, pending] : pending_) pending->cancelled = true;
    cancelTools();
}

void Session::cancelTools() {
    for (auto& [id, pending] : pending_)
        if (pending->toolCancelled) *pending->toolCancelled = true;
}

// Who may talk to us at all. The token never stands in the URL, and is compared in constant time.
bool Session::accept() {
    const QNetworkRequest request = socket_->request();
    const QString host = socket_->requestUrl().host();
    const QByteArray authorization = request.rawHeader("Authorization");
    const std::string expected = "Bearer " + shared_.token;
    if (!protocol::sameSecret({authorization.constData(), static_cast<size_t>(authorization.size())}, expected)) {
        close(protocol::kCloseUnauthorized, "token missing or wrong");
        return false;
    }
    // A name that an attacker made point to 127.0.0.1 is not ours.
    if (host != QLatin1String("127.0.0.1") && host != QLatin1String("localhost") && host != QLatin1String("::1")) {
        close(protocol::kCloseUnauthorized, "unexpected host name");
        return false;
    }
    if (socket_->subprotocol() != QLatin1String(protocol::kSubprotocol.data(), static_cast<qsizetype>(protocol::kSubprotocol.size()))) {
        close(protocol::kCloseVersion, "the engine speaks the sub-protocol " + std::string(protocol::kSubprotocol));
        return false;
    }
    return true;
}

void Session::close(int code, const std::string& reason) {
    if (closing_) return;
    closing_ = true;
    subscribed_ = false;
    cancelTools();
    handshakeTimer_.stop();
    watchTimer_.stop();
    pumpTimer_.stop();
    logInfo("server", "session " + std::to_string(number_) + " closed: " + std::to_string(code) + " " + reason);
    socket_->close(static_cast<QWebSocketProtocol::CloseCode>(code), toQt(reason.substr(0, 120)));
    // A peer that does not answer the close would hold the connection for ever.
    QTimer::singleShot(2000, this, [this] { socket_->abort(); });
}

void Session::send(const std::string& text) {
    if (closing_) return;
    socket_->sendTextMessage(toQt(text));
    if (socket_->bytesToWrite() > kMaxUnsent) {
        close(protocol::kCloseSlowConsumer, "answers are not read");
        socket_->abort();
    }
}

void Session::onText(const QString& text) {
    if (closing_) return;
    lastHeard_ = monotonicSeconds();
    const QByteArray utf8 = text.toUtf8();
    if (static_cast<size_t>(utf8.size()) > protocol::kMaxMessageBytes) return close(protocol::kCloseTooLarge, "message of more than 4 MiB");
    auto message = protocol::parseMessage({utf8.constData(), static_cast<size_t>(utf8.size())});
    if (!attached_) {
        if (!message || message->kind != protocol::RpcMessage::Kind::kNotification || message->method != "attach")
            return close(protocol::kCloseMalformed, "the first message must be attach");
        return onAttach(*message);
    }
    if (!message) return send(protocol::errorText(message.error()));
    switch (message->kind) {
        case protocol::RpcMessage::Kind::kRequest: return onRequest(std::move(*message));
        case protocol::RpcMessage::Kind::kNotification: return onNotification(*message);
        default: return;  // the engine asks nothing of clients
    }
}

void Session::onAttach(const protocol::RpcMessage& message) {
    auto attach = protocol::attachFromJson(message.params);
    if (!attach) return close(protocol::kCloseMalformed, attach.error().message);
    auto level = protocol::negotiate(protocol::kApiLevel, protocol::kApiCompatLevel, attach->apiLevel);
    if (!level) return close(protocol::kCloseVersion, level.error().text());
    attached_ = true;
    handshakeTimer_.stop();
    send(protocol::notificationText("attached", protocol::attachedToJson({*level, std::to_string(number_)})));
}

void Session::answer(const Json& id, const Result<Json>& result) {
    pending_.erase(dumpJson(id));
    if (result) {
        std::string text = protocol::responseText(id, *result);
        if (text.size() <= protocol::kMaxMessageBytes) return send(text);
        return send(protocol::errorText(id, Error(ErrorCode::kUnsupported, "the answer of " + std::to_string(text.size()) + " bytes does not fit a message", "ask for less: a smaller limit or range")));
    }
    send(protocol::errorText(id, result.error()));
}

void Session::onRequest(protocol::RpcMessage message) {
    const std::string key = dumpJson(message.id);
    if (pending_.contains(key))
        return send(protocol::errorText({protocol::kRpcInvalidRequest, message.id, Error(ErrorCode::kBadUsage, "a request with this id is not answered yet")}));
    if (message.method == "events.subscribe") return answer(message.id, subscribe(message.params));
    if (message.method == "tools.call") return callTool(message, key);
    const auto* method = shared_.methods.find(message.method);
    if (!method) return send(protocol::errorText({protocol::kRpcMethodNotFound, message.id, protocol::unknownMethod(message.method)}));
    auto call = [handler = method->handler, number = number_](const Json& params) -> Result<Json> {
        try {
            return handler(params, number);
        } catch (const std::exception& e) {
            logError("server", std::string("method failed: ") + e.what());
            return fail(ErrorCode::kInternal, "the engine could not answer", "see the engine's log");
        }
    };
    if (method->cost == protocol::Cost::kQuick) return answer(message.id, call(message.params));
    if (pending_.size() >= kMaxPending) return answer(message.id, fail(ErrorCode::kBusy, "more than 256 requests are waiting", "wait for answers"));
    auto pending = std::make_shared<Pending>();
    pending_.emplace(key, pending);
    // The session may be gone when the answer is ready; the pool is drained before the server goes.
    QPointer<Session> self(this);
    QObject* home = parent();
    shared_.pool.start([self, home, pending, call, message = std::move(message)] {
        Result<Json> result = pending->cancelled ? Result<Json>(fail(ErrorCode::kCancelled, "cancelled before it began")) : call(message.params);
        const bool reads = message.method == "runs.list" || message.method == "runs.groups" || message.method == "runs.get" || message.method == "runs.log" || message.method.starts_with("metrics.");
        if (pending->cancelled && reads) result = fail(ErrorCode::kCancelled, "cancelled");
        QMetaObject::invokeMethod(home, [self, id = message.id, result = std::move(result)] {
            if (self) self->answer(id, result);
        }, Qt::QueuedConnection);
    });
}

// Not on the pool of the other methods: a tool may take minutes.
void Session::callTool(const protocol::RpcMessage& message, const std::string& key) {
    auto name = textParam(message.params, "tool");
    if (!name) return answer(message.id, fail(name.error()));
    if (!isTool(*name)) return answer(message.id, fail(unknownTool(*name)));
    auto params = message.params.find("params");
    if (params != message.params.end() && !params->is_object() && !params->is_null())
        return answer(message.id, fail(ErrorCode::kBadUsage, "parameter \"params\": expected an object", "see engine/protocol/PROTOCOL.md"));
    if (pending_.size() >= kMaxPending) return answer(message.id, fail(ErrorCode::kBusy, "more than 256 requests are waiting", "wait for answers"));
    auto pending = std::make_shared<Pending>();
    pending->toolCancelled = std::make_shared<std::atomic<bool>>(false);
    pending_.emplace(key, pending);
    QPointer<Session> self(this);
    QObject* home = parent();
    const bool given = params != message.params.end() && params->is_object();
    shared_.tools.start(*name, given ? *params : Json::object(), pending->toolCancelled, [self, home, pending, key, id = message.id](Result<Json> result) {
        QMetaObject::invokeMethod(home, [self, pending, key, id, result = std::move(result)] {
            if (!self) return;
            // A cancelled call was answered at once; its id may name another request by now.
            if (auto it = self->pending_.find(key); it != self->pending_.end() && it->second == pending) self->answer(id, result);
        }, Qt::QueuedConnection);
    });
}

void Session::onNotification(const protocol::RpcMessage& message) {
    if (message.method == "$/cancel") {
        auto id = message.params.find("id");
        if (id == message.params.end()) return;
        auto it = pending_.find(dumpJson(*id));
        if (it == pending_.end()) return;
        it->second->cancelled = true;
        if (!it->second->toolCancelled) return;
        *it->second->toolCancelled = true;
        answer(*id, fail(ErrorCode::kCancelled, "cancelled"));
        return;
    }
    if (message.method == "events.ack") {
        auto seq = jsonInteger(message.params, "seq");
        if (!seq) return;
        lastAck_ = monotonicSeconds();
        while (!unacknowledged_.empty() && unacknowledged_.front().toSeq <= *seq) unacknowledged_.pop_front();
        pump();
    }
}

void Session::watch() {
    const double now = monotonicSeconds();
    if (!unacknowledged_.empty() && now - lastAck_ > shared_.slowConsumerSeconds) {
        close(protocol::kCloseSlowConsumer, "events were not acknowledged for " + std::to_string(static_cast<int>(shared_.slowConsumerSeconds)) + " s");
        return;
    }
    if (now - lastHeard_ > kDeadAfterPings * shared_.pingSeconds) {
        logInfo("server", "session " + std::to_string(number_) + " does not answer pings");
        closing_ = true;
        socket_->abort();
        return;
    }
    if (now - lastPing_ > shared_.pingSeconds) {
        lastPing_ = now;
        socket_->ping();
    }
}

}  // namespace assay::server
