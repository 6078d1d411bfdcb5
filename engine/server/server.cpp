#include "assay/server/server.h"

#include "plans.h"
#include "session.h"

#include "assay/core/clock.h"
#include "assay/core/durable.h"
#include "assay/core/ids.h"
#include "assay/core/log.h"
#include "assay/core/process.h"
#include "assay/protocol/handshake.h"

#include <QWebSocketCorsAuthenticator>
#include <QWebSocketHandshakeOptions>
#include <QWebSocketServer>
#include <unistd.h>

namespace assay::server {

struct Server::State {
    store::Store& store;
    runtime::Runtime& runtime;
    ServerOptions options;
    protocol::Dispatcher methods;
    ApiContext api;
    QThreadPool pool;
    std::unique_ptr<ToolRunner> tools;
    std::unique_ptr<Plans> plans;
    std::unique_ptr<SessionShared> shared;
    QObject home;  // answers and commits arrive here, on the Qt thread
    std::unique_ptr<QWebSocketServer> socket;
    std::map<uint64_t, std::unique_ptr<Session>> sessions;
    uint64_t nextNumber = 1;
    QTimer idleTimer;
    double idleSince = 0;
    QTimer storeTimer;  // is the store still there; while it cannot write: does it again?
    std::atomic<bool> changePosted{false};
    std::atomic<int> sessionCount{0};
    protocol::Endpoint endpoint;
    Server* owner = nullptr;

    State(store::Store& s, runtime::Runtime& r, const ServerOptions& o)
        : store(s), runtime(r), options(o), api{s, r, {}, o.version, monotonicSeconds(), {}, {}, {}} {}

    void accept() {
        while (socket->hasPendingConnections()) {
            std::unique_ptr<QWebSocket> client(socket->nextPendingConnection());
            client->setParent(nullptr);
            const uint64_t number = nextNumber++;
            auto session = std::make_unique<Session>(*shared, std::move(client), number);
            session->setParent(&home);
            QObject::connect(session.get(), &Session::finished, &home, [this, number] { drop(number); }, Qt::QueuedConnection);
            sessionCount = static_cast<int>(sessions.size()) + 1;
            sessions.emplace(number, std::move(session)).first->second->begin();
        }
    }
    void drop(uint64_t number) {
        sessions.erase(number);
        sessionCount = static_cast<int>(sessions.size());
        idleSince = monotonicSeconds();
    }
    void storeChanged() {
        changePosted = false;
        for (auto& [number, session] : sessions) session->storeChanged();
    }
    void troubleChanged() {
        for (auto& [number, session] : sessions) session->troubleChanged();
    }
    void watchStore() {
        const bool gone = store.isGone();
        // Whoever comes next finds no engine.json here and starts an engine of its own.
        if (gone && sessions.empty()) return leave();
        if (gone || store.trouble()) pool.start([this] { (void)store.probe(); });
    }
    void leave() {
        if (owner && owner->onShutdown) owner->onShutdown();
    }
    void checkIdle() {
        const double now = monotonicSeconds();
        if (!sessions.empty() || !runtime.idle() || !plans->idle()) idleSince = now;
        else if (now - idleSince >= options.idleExitSeconds) leave();
    }
};

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) { state_->owner = this; }

Result<std::unique_ptr<Server>> Server::start(store::Store& store, runtime::Runtime& runtime, const ServerOptions& options) {
    auto state = std::make_unique<State>(store, runtime, options);
    State* raw = state.get();
    state->pool.setMaxThreadCount(2);
    addRunMethods(state->methods, state->api);
    addDataMethods(state->methods, state->api);
    addMachineMethods(state->methods, state->api);
    ToolOptions tools;
    tools.program = options.toolProgram.empty() ? defaultToolProgram() : options.toolProgram;
    tools.store = store.folder();
    if (options.toolSeconds > 0) tools.seconds = options.toolSeconds;
    state->tools = std::make_unique<ToolRunner>(tools);
    state->plans = std::make_unique<Plans>(store, tools);
    state->api.planRun = [raw](const std::string& run) { raw->plans->start(run); };
    state->api.shutdown = [raw] { QMetaObject::invokeMethod(&raw->home, [raw] { QTimer::singleShot(50, &raw->home, [raw] { raw->leave(); }); }, Qt::QueuedConnection); };

    state->socket = std::make_unique<QWebSocketServer>(QStringLiteral("assay-engine"), QWebSocketServer::NonSecureMode);
    QWebSocketServer& socket = *state->socket;
    socket.setSupportedSubprotocols({QString::fromLatin1(protocol::kSubprotocol.data(), static_cast<qsizetype>(protocol::kSubprotocol.size()))});
    socket.setHandshakeTimeout(std::chrono::milliseconds(static_cast<int>(options.handshakeSeconds * 1000)));
    socket.setMaxPendingConnections(64);
    // A browser names the page it acts for; no page has business here.
    QObject::connect(&socket, &QWebSocketServer::originAuthenticationRequired, &state->home, [](QWebSocketCorsAuthenticator* who) { who->setAllowed(who->origin().isEmpty()); });
    QObject::connect(&socket, &QWebSocketServer::newConnection, &state->home, [raw] { raw->accept(); });
    if (!socket.listen(QHostAddress::LocalHost, static_cast<quint16>(options.port)))
        return fail(ErrorCode::kBusy, "cannot listen on port " + std::to_string(options.port) + ": " + socket.errorString().toStdString(),
                    "choose another --port, or none for any free one");

    protocol::Endpoint& endpoint = state->endpoint;
    endpoint.url = "ws://127.0.0.1:" + std::to_string(socket.serverPort());
    endpoint.token = randomHex(32);
    endpoint.pid = ::getpid();
    endpoint.startTicks = processStartTicks(endpoint.pid).value_or(0);
    endpoint.version = options.version;
    endpoint.engineId = randomHex(8);
    endpoint.storeEpoch = store.epoch();
    state->api.url = endpoint.url;
    state->shared = std::make_unique<SessionShared>(SessionShared{store, state->methods, state->pool, *state->tools, endpoint.token, endpoint.engineId, options.version, options.handshakeSeconds,
                                                                  options.slowConsumerSeconds, options.pingSeconds});
    ASSAY_TRY_VOID(writeFileDurably(store.folder() + "/" + std::string(protocol::kEndpointFile), dumpJson(protocol::endpointToJson(endpoint)) + "\n", 0600));

    // Commits come from other threads and often: one wake-up of the Qt thread at a time.
    store.onCommit([raw] {
        if (raw->sessionCount == 0 || raw->changePosted.exchange(true)) return;
        QMetaObject::invokeMethod(&raw->home, [raw] { raw->storeChanged(); }, Qt::QueuedConnection);
    });
    QObject::connect(&state->storeTimer, &QTimer::timeout, &state->home, [raw] { raw->watchStore(); });
    state->storeTimer.start(static_cast<int>(options.probeSeconds * 1000));
    store.onTrouble([raw] { QMetaObject::invokeMethod(&raw->home, [raw] { raw->troubleChanged(); }, Qt::QueuedConnection); });
    // The first list reads all runs; better now than when somebody waits for it.
    state->pool.start([raw] { (void)raw->store.select({.where = {}, .sort = {}, .limit = 0, .columns = {}}); });
    state->pool.start([raw] { raw->plans->takeUp(); });
    state->idleSince = monotonicSeconds();
    if (options.idleExitSeconds > 0) {
        QObject::connect(&state->idleTimer, &QTimer::timeout, &state->home, [raw] { raw->checkIdle(); });
        state->idleTimer.start(static_cast<int>(std::min(1.0, options.idleExitSeconds / 4) * 1000));
    }
    logInfo("server", "listening on " + endpoint.url);
    return std::unique_ptr<Server>(new Server(std::move(state)));
}

Server::~Server() {
    State& state = *state_;
    state.store.onCommit({});
    state.store.onTrouble({});
    state.storeTimer.stop();
    const std::string file = state.store.folder() + "/" + std::string(protocol::kEndpointFile);
    if (!state.store.isGone()) ::unlink(file.c_str());  // else it is not ours: another engine may have written it
    state.socket->close();
    for (auto& [number, session] : state.sessions) session->close(QWebSocketProtocol::CloseCodeGoingAway, "the engine ends");
    state.pool.waitForDone();
    state.tools.reset();  // the sessions have cancelled theirs
    state.plans.reset();
    state.sessions.clear();
}

std::string Server::url() const { return state_->endpoint.url; }
std::string Server::readyText() const {
    Json json = protocol::endpointToJson(state_->endpoint);
    json.erase("token");
    json.erase("start_ticks");
    return dumpJson(json);
}
int Server::sessions() const { return static_cast<int>(state_->sessions.size()); }

}  // namespace assay::server
