#pragma once
// An engine that is a table of functions: for tests of everything that stands on EngineClient. Replies and events are
// handed out by `deliver`, so a test decides when they come.

#include <assay/client/engine_client.h>

#include <deque>
#include <map>

namespace assay::client {

class FakeEngineClient final : public EngineClient {
public:
    using Method = std::function<Result<Json>(const Json& params)>;

    void on(std::string method, Method answer) { methods_[std::move(method)] = std::move(answer); }
    void emitEvent(Json event);            // gets the next seq; delivered when subscribed and seq > after_seq
    void loseLink(Error reason);           // pending calls fail with kUnreachable
    void restoreLink();                    // goes live; the stream continues after the last acknowledged seq
    void endStream(Error reason);
    size_t deliver();                      // runs what is due; returns how many handlers ran
    int64_t acknowledged() const { return acknowledged_; }
    const std::vector<std::pair<std::string, Json>>& calls() const { return calls_; }

    CallId call(std::string_view method, Json params, ReplyHandler reply, double timeoutSeconds) override;
    void cancel(CallId id) override;
    void subscribe(Subscription subscription, EventHandler handler) override;
    void unsubscribe() override;
    void acknowledge(int64_t seq) override;
    LinkState state() const override { return state_; }
    const EngineIdentity& identity() const override { return identity_; }
    void setStateHandler(StateHandler handler) override { stateHandler_ = std::move(handler); }

private:
    struct Due {
        CallId id = 0;
        Result<Json> result;
        ReplyHandler reply;
    };
    std::map<std::string, Method, std::less<>> methods_;
    std::vector<std::pair<std::string, Json>> calls_;
    std::deque<Due> due_;
    std::vector<Json> events_;  // index + 1 is the seq
    std::optional<Subscription> subscription_;
    EventHandler eventHandler_;
    StateHandler stateHandler_;
    EngineIdentity identity_{.url = "fake:", .version = "0", .engineId = "fake", .storeEpoch = "fake"};
    LinkState state_ = LinkState::kLive;
    int64_t sent_ = 0, acknowledged_ = 0;
    CallId nextId_ = 1;
};

}  // namespace assay::client
