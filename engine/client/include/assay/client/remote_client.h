#pragma once
#include <assay/client/endpoint.h>
#include <assay/client/engine_client.h>

#include <QObject>
#include <memory>

namespace assay::client {

// Times in seconds; the defaults are those of PROTOCOL.md, tests shorten them.
struct RemoteOptions {
    std::string clientName = "assay";
    std::string clientVersion;
    double connectSeconds = 15;     // TCP, TLS and upgrade
    double handshakeSeconds = 5;    // hello and attached
    double pingSeconds = 10;
    double deadAfterSeconds = 30;   // nothing heard
    double firstBackoff = 0.25, maxBackoff = 10;
    bool reconnect = true;          // after the link has been live; the first attempt is tried once, then kClosed
    bool retryFirst = false;        // keep trying the first connection too (a window that waits for its engine)
};

// The engine over a WebSocket. Needs an event loop on its thread.
class RemoteEngineClient final : public QObject, public EngineClient {
public:
    RemoteEngineClient(EndpointSource source, RemoteOptions options, QObject* parent = nullptr);
    ~RemoteEngineClient() override;

    void open();          // starts connecting; the state handler tells the outcome
    void close();         // pending calls fail; no handler is called after the destructor
    void reconnectNow();  // the person asks, or a tunnel came up: skips the rest of the back-off

    CallId call(std::string_view method, Json params, ReplyHandler reply, double timeoutSeconds) override;
    void cancel(CallId id) override;
    void subscribe(Subscription subscription, EventHandler handler) override;
    void unsubscribe() override;
    void acknowledge(int64_t seq) override;
    LinkState state() const override;
    const EngineIdentity& identity() const override;
    void setStateHandler(StateHandler handler) override;

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace assay::client
