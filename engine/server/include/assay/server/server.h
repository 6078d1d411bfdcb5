#pragma once
// The engine's endpoint: JSON-RPC over one loopback WebSocket port, sessions, event streams (PROTOCOL.md). Lives on the
// thread with the Qt event loop; whatever touches the store for long runs on threads of its own.

#include <assay/runtime/runtime.h>
#include <assay/store/store.h>

#include <functional>
#include <memory>
#include <string>

namespace assay::server {

struct ServerOptions {
    int port = 0;                 // 0: any free one
    double idleExitSeconds = 0;   // > 0: onIdle after so long without clients, when nothing runs
    std::string version;          // of the program
    // Times that tests shorten.
    double toolSeconds = 0, probeSeconds = 2;  // 0: the usual limit of a tool
    std::string toolProgram;                   // empty: `assay` beside the engine, or $ASSAY_TOOL_PROGRAM
    double handshakeSeconds = 5, slowConsumerSeconds = 30, pingSeconds = 10;
};

class Server {
public:
    // Listens and writes <store>/engine.json. kBusy when the port is taken.
    static Result<std::unique_ptr<Server>> start(store::Store& store, runtime::Runtime& runtime, const ServerOptions& options);
    ~Server();  // closes all connections and removes engine.json

    std::string url() const;
    std::string readyText() const;  // {url, pid, version, engine_id, store_epoch} as one line
    int sessions() const;
    std::function<void()> onShutdown;  // engine.shutdown was called, or the engine idled long enough; on the Qt thread

private:
    struct State;
    explicit Server(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace assay::server
