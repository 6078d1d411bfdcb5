#pragma once
// State of RemoteEngineClient, shared by the files that implement it: the link (remote_link.cpp), calls
// (remote_calls.cpp) and the event stream (remote_events.cpp).

#include <assay/client/remote_client.h>
#include <assay/protocol/rpc.h>
#include <assay/protocol/version.h>

#include <QTimer>
#include <QWebSocket>
#include <map>
#include <random>

namespace assay::client {

struct RemoteEngineClient::Private {
    Private(RemoteEngineClient& owner, EndpointSource endpointSource, RemoteOptions remoteOptions);

    RemoteEngineClient& owner;
    EndpointSource source;
    RemoteOptions options;
    StateHandler stateHandler;
    LinkState state = LinkState::kConnecting;
    EngineIdentity identity;

    // link
    enum class Phase { kIdle, kConnecting, kWaitHello, kWaitAttached, kLive } phase = Phase::kIdle;
    std::unique_ptr<QWebSocket> socket;
    QTimer phaseTimer, retryTimer, pingTimer, callTimer;
    double lastHeard = 0;
    int attempts = 0;  // since the link was last live
    bool everLive = false;
    std::mt19937_64 random{std::random_device{}()};

    void start();
    void dropSocket();
    void onText(const QString& text);
    void onHello(const Json& params);
    void onAttached(const Json& params);
    void onClosed();
    void lost(Error reason, bool final);
    void setState(LinkState next, const std::optional<Error>& reason);
    void send(const std::string& text);

    // calls
    struct Pending {
        std::string method;
        ReplyHandler reply;
        double deadline = 0;
    };
    std::map<CallId, Pending> pending;
    CallId nextId = 1;
    void answer(CallId id, Result<Json> result);
    void failAll(const Error& reason);
    void expireCalls();
    void later(std::function<void()> work);  // from the event loop, and only while the client lives

    // events
    std::optional<Subscription> subscription;
    EventHandler eventHandler;
    int64_t seen = 0;          // largest seq handed out
    int64_t acknowledged = 0;  // resume from here
    std::string epoch;         // of the store the cursor belongs to
    void startStream();
    void onBatch(const Json& params);
    void onTrouble(const Json& params);
    void endStream(Error reason);
};

}  // namespace assay::client
