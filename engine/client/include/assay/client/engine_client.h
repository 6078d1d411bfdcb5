#pragma once
// What a program sees of an engine: calls with replies, and one resumable stream of events. The remote client speaks
// PROTOCOL.md; the fake one serves tests. An object lives on one thread: its functions are called there and its handlers
// run there, never from inside the function that caused them to be called.

#include <assay/core/json.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::client {

enum class LinkState {
    kConnecting,    // never been live yet
    kLive,          // attached: calls are answered
    kReconnecting,  // lost; trying again with back-off
    kClosed,        // given up: wrong token, wrong version, or closed by us
};

struct EngineIdentity {
    std::string url, version, engineId, storeEpoch, session;
    int apiLevel = 0, apiCompatLevel = 0, negotiatedLevel = 0;
    std::vector<std::string> features;
};

struct Subscription {
    int64_t afterSeq = 0;             // events with a larger seq are delivered, each once
    std::vector<std::string> runs;    // empty: all
    std::vector<std::string> topics;  // state, metrics, logs, progress; empty: all
};

struct EventBatch {
    int64_t fromSeq = 0, toSeq = 0;
    Json events = Json::array();
};

class EngineClient {
public:
    using CallId = int64_t;
    using ReplyHandler = std::function<void(Result<Json>)>;
    // A batch, or the error that ended the subscription: kGone (the cursor is older than what is kept, or the store was
    // replaced: list again and subscribe anew).
    using EventHandler = std::function<void(Result<EventBatch>)>;
    // `reason` says why the link is not live.
    using StateHandler = std::function<void(LinkState, const std::optional<Error>& reason)>;

    virtual ~EngineClient() = default;

    // Every call gets exactly one reply. Without a live link it fails at once with kUnreachable; when the link drops, all
    // pending calls fail with kUnreachable and nothing is sent again: the caller decides, with an idempotency key.
    virtual CallId call(std::string_view method, Json params, ReplyHandler reply, double timeoutSeconds = 30) = 0;
    // Asks the engine to give up; the reply still comes (kCancelled, or the result when that was faster).
    virtual void cancel(CallId id) = 0;

    // One subscription at a time; a new one replaces the old. It survives reconnects from the last acknowledged seq.
    virtual void subscribe(Subscription subscription, EventHandler handler) = 0;
    virtual void unsubscribe() = 0;
    // Gives one credit back to the engine: the handler's batch has been taken in.
    virtual void acknowledge(int64_t seq) = 0;

    virtual LinkState state() const = 0;
    virtual const EngineIdentity& identity() const = 0;  // of the present or last live link
    virtual void setStateHandler(StateHandler handler) = 0;
};

}  // namespace assay::client
