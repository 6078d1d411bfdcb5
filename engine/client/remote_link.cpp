// Connecting, the handshake, keeping alive and reconnecting.
#include <assay/core/clock.h>
#include <fmt/format.h>

#include <QNetworkRequest>
#include <QWebSocketHandshakeOptions>
#include <algorithm>
#include <cmath>

#include "remote_private.h"

namespace assay::client {
namespace {

int milliseconds(double seconds) { return std::max(1, static_cast<int>(seconds * 1000)); }

// Qt reports a refused upgrade only as text: "… Unhandled http status code: 401 (Unauthorized)."
int httpStatusIn(const QString& text) {
    const QString marker = QStringLiteral("status code: ");
    const qsizetype at = text.indexOf(marker);
    return at < 0 ? 0 : text.mid(at + marker.size(), 3).toInt();
}

Error unauthorized(const std::string& url) {
    return {ErrorCode::kUnauthorized, fmt::format("the engine at {} does not accept the token", url),
            "set ASSAY_TOKEN to what `assay engine token` prints on the engine's machine"};
}

// The handshake never changes: who breaks it is no engine, or one this program cannot talk to.
Error notUnderstood(const std::string& url, const Error& error) {
    return {ErrorCode::kVersionMismatch, fmt::format("{} breaks the handshake: {}", url, error.message),
            "check that the address is that of an Assay engine of this program's version"};
}

}  // namespace

RemoteEngineClient::Private::Private(RemoteEngineClient& ownerClient, EndpointSource endpointSource, RemoteOptions remoteOptions)
    : owner(ownerClient), source(std::move(endpointSource)), options(std::move(remoteOptions)) {
    for (QTimer* timer : {&phaseTimer, &retryTimer, &pingTimer, &callTimer}) timer->setParent(&owner);  // they move threads with it
    phaseTimer.setSingleShot(true);
    retryTimer.setSingleShot(true);
    QObject::connect(&phaseTimer, &QTimer::timeout, &owner, [this] {
        const bool upgrade = phase == Phase::kConnecting;
        lost({ErrorCode::kUnreachable,
              fmt::format("{} {} within {:.0f} s", identity.url, upgrade ? "did not accept a connection" : "did not finish the handshake",
                          upgrade ? options.connectSeconds : options.handshakeSeconds),
              "check that it is an Assay engine and that it runs"},
             false);
    });
    QObject::connect(&retryTimer, &QTimer::timeout, &owner, [this] { start(); });
    QObject::connect(&pingTimer, &QTimer::timeout, &owner, [this] {
        if (phase != Phase::kLive) return;
        if (monotonicSeconds() - lastHeard > options.deadAfterSeconds)
            lost({ErrorCode::kUnreachable, fmt::format("nothing was heard from {} for {:.0f} s", identity.url, options.deadAfterSeconds)}, false);
        else
            socket->ping();
    });
    QObject::connect(&callTimer, &QTimer::timeout, &owner, [this] { expireCalls(); });
}

void RemoteEngineClient::Private::start() {
    dropSocket();
    auto endpoint = source();
    if (!endpoint) {
        // Another engine may be on its way; wrong files and refused tokens do not get better by waiting.
        const ErrorCode code = endpoint.error().code;
        const bool mayChange = code == ErrorCode::kUnreachable || code == ErrorCode::kNotFound;
        return lost(std::move(endpoint).error(), !mayChange);
    }
    identity.url = endpoint->url;
    phase = Phase::kConnecting;
    socket = std::make_unique<QWebSocket>();
    socket->setMaxAllowedIncomingMessageSize(protocol::kMaxMessageBytes);
    socket->setMaxAllowedIncomingFrameSize(protocol::kMaxMessageBytes);
    QWebSocket* const current = socket.get();
    QObject::connect(current, &QWebSocket::connected, &owner, [this, current] {
        if (current->subprotocol().toStdString() != protocol::kSubprotocol)
            return lost({ErrorCode::kVersionMismatch,
                         fmt::format("{} speaks '{}' where this program speaks '{}'", identity.url, current->subprotocol().toStdString(),
                                     protocol::kSubprotocol),
                         "bring program and engine to the same version"},
                        true);
        phase = Phase::kWaitHello;
        lastHeard = monotonicSeconds();
        phaseTimer.start(milliseconds(options.handshakeSeconds));
    });
    QObject::connect(current, &QWebSocket::textMessageReceived, &owner, [this](const QString& text) { onText(text); });
    QObject::connect(current, &QWebSocket::pong, &owner, [this] { lastHeard = monotonicSeconds(); });
    QObject::connect(current, &QWebSocket::disconnected, &owner, [this] { onClosed(); });
    QNetworkRequest request(QUrl(QString::fromStdString(endpoint->url)));
    if (!endpoint->token.empty()) request.setRawHeader("Authorization", "Bearer " + QByteArray::fromStdString(endpoint->token));
    QWebSocketHandshakeOptions handshake;
    handshake.setSubprotocols({QString::fromUtf8(protocol::kSubprotocol.data(), protocol::kSubprotocol.size())});
    phaseTimer.start(milliseconds(options.connectSeconds));
    current->open(request, handshake);
}

void RemoteEngineClient::Private::dropSocket() {
    phase = Phase::kIdle;
    phaseTimer.stop();
    pingTimer.stop();
    callTimer.stop();
    if (!socket) return;
    socket->disconnect(&owner);
    socket->abort();
    socket.release()->deleteLater();  // we may be inside one of its signals
}

void RemoteEngineClient::Private::onClosed() {
    const int code = socket->closeCode();
    const std::string words = socket->closeReason().toStdString();
    const QString detail = socket->errorString();
    switch (code) {
        case protocol::kCloseUnauthorized: return lost(unauthorized(identity.url), true);
        case protocol::kCloseVersion:
            return lost({ErrorCode::kVersionMismatch,
                         words.empty() ? fmt::format("the engine at {} (version {}, protocol level {}) refuses this program (protocol level {})",
                                                     identity.url, identity.version, identity.apiLevel, protocol::kApiLevel)
                                       : words,
                         "bring program and engine to the same version"},
                        true);
        case protocol::kCloseTooLarge:
            return lost({ErrorCode::kUnreachable, "the engine closed the connection: a message was too large"}, false);
        case protocol::kCloseSlowConsumer:
            return lost({ErrorCode::kUnreachable, "the engine closed the connection: events were not taken in fast enough"}, false);
        default: break;
    }
    if (const int status = httpStatusIn(detail); status == 401 || status == 403) return lost(unauthorized(identity.url), true);
    if (phase == Phase::kConnecting)
        return lost({ErrorCode::kUnreachable, fmt::format("cannot reach the engine at {}: {}", identity.url, detail.toStdString()),
                     "check the address, and that the engine runs: assay engine status"},
                    false);
    lost({ErrorCode::kUnreachable, fmt::format("the engine at {} closed the connection{}", identity.url, words.empty() ? "" : ": " + words),
          "if it stays so, look at engine.log in its store"},
         false);
}

void RemoteEngineClient::Private::lost(Error reason, bool final) {
    const bool wasLive = phase == Phase::kLive;
    dropSocket();
    failAll({ErrorCode::kUnreachable, reason.message, reason.hint});
    if (wasLive) attempts = 0;
    const bool again = !final && (everLive ? options.reconnect : options.retryFirst);
    if (!again) {
        setState(LinkState::kClosed, reason);
        return;
    }
    // Full back-off is 0.25, 0.5, 1 … 10 s; the jitter spreads clients that lost the same engine.
    const double full = std::min(options.maxBackoff, options.firstBackoff * std::pow(2.0, std::min(attempts, 20)));
    const double delay = full * std::uniform_real_distribution<>(0.5, 1.0)(random);
    ++attempts;
    retryTimer.start(milliseconds(delay));
    setState(everLive ? LinkState::kReconnecting : LinkState::kConnecting, reason);
}

void RemoteEngineClient::Private::onText(const QString& text) {
    lastHeard = monotonicSeconds();
    auto message = protocol::parseMessage(text.toStdString());
    if (!message)
        return lost({ErrorCode::kUnreachable, fmt::format("{} sent what is not the engine protocol: {}", identity.url, message.error().error.message)},
                    phase != Phase::kLive);
    using Kind = protocol::RpcMessage::Kind;
    if (message->kind == Kind::kNotification) {
        if (phase == Phase::kWaitHello && message->method == "hello") return onHello(message->params);
        if (phase == Phase::kWaitAttached && message->method == "attached") return onAttached(message->params);
        if (phase == Phase::kLive && message->method == "events.batch") return onBatch(message->params);
        if (phase == Phase::kLive && message->method == "engine.trouble") return onTrouble(message->params);
        return;  // unknown notifications are additions of a later version
    }
    if (phase != Phase::kLive || !message->id.is_number_integer()) return;
    const CallId id = message->id.get<CallId>();
    if (message->kind == Kind::kResponse) answer(id, std::move(message->result));
    if (message->kind == Kind::kErrorResponse) answer(id, fail(std::move(message->error)));
}

void RemoteEngineClient::Private::onHello(const Json& params) {
    auto hello = protocol::helloFromJson(params);
    if (!hello) return lost(notUnderstood(identity.url, hello.error()), true);
    if (hello->product != protocol::kProduct)
        return lost({ErrorCode::kUnreachable, fmt::format("{} is not an Assay engine but '{}'", identity.url, hello->product), "check the address"}, true);
    identity.version = hello->version;
    identity.apiLevel = hello->apiLevel;
    identity.apiCompatLevel = hello->apiCompatLevel;
    identity.engineId = hello->engineId;
    identity.storeEpoch = hello->storeEpoch;
    identity.features = hello->features;
    const bool engineTooOld = hello->apiLevel < protocol::kApiCompatLevel;
    if (engineTooOld || protocol::kApiLevel < hello->apiCompatLevel)
        return lost({ErrorCode::kVersionMismatch,
                     fmt::format("the engine at {} (version {}) speaks protocol level {} down to {}, this program (version {}) speaks level {} down to {}",
                                 identity.url, hello->version, hello->apiLevel, hello->apiCompatLevel, options.clientVersion,
                                 protocol::kApiLevel, protocol::kApiCompatLevel),
                     engineTooOld ? "update the engine on its machine" : "update this program"},
                    true);
    phase = Phase::kWaitAttached;
    send(protocol::notificationText("attach", protocol::attachToJson({options.clientName, options.clientVersion, protocol::kApiLevel})));
}

void RemoteEngineClient::Private::onAttached(const Json& params) {
    auto attached = protocol::attachedFromJson(params);
    if (!attached) return lost(notUnderstood(identity.url, attached.error()), true);
    identity.negotiatedLevel = attached->negotiatedLevel;
    identity.session = attached->session;
    phase = Phase::kLive;
    phaseTimer.stop();
    everLive = true;
    attempts = 0;
    pingTimer.start(milliseconds(options.pingSeconds));
    callTimer.start(50);
    setState(LinkState::kLive, std::nullopt);
    startStream();
}

void RemoteEngineClient::Private::setState(LinkState next, const std::optional<Error>& reason) {
    state = next;
    if (stateHandler) stateHandler(next, reason);
}

void RemoteEngineClient::Private::send(const std::string& text) { socket->sendTextMessage(QString::fromStdString(text)); }

}  // namespace assay::client
