#pragma once
// A RemoteEngineClient on a thread of its own behind EngineClient. Calls are posted to that thread, replies and events
// are posted back to the thread that made the object; the endpoint source (which may start an engine or ssh) blocks only there.

#include <assay/client/engine_client.h>
#include <assay/client/remote_client.h>

#include <QObject>
#include <QThread>
#include <map>

namespace assay::presenters {

// The part that outlives its owner when the thread is still blocked (an ssh that does not answer): `abandon` drops every
// handler at once, and the object goes when the thread has ended.
class ThreadedCore final : public QObject {
public:
    using CallId = client::EngineClient::CallId;
    ThreadedCore(client::EndpointSource source, client::RemoteOptions options);
    void abandon();
    static int running();   // threads that have not ended; for the end of the program

    CallId call(std::string_view method, Json params, client::EngineClient::ReplyHandler reply, double timeoutSeconds);
    void cancel(CallId id);
    void subscribe(client::Subscription subscription, client::EngineClient::EventHandler handler);
    void unsubscribe();
    void acknowledge(int64_t seq);
    client::LinkState state() const { return state_; }
    const client::EngineIdentity& identity() const { return identity_; }
    void setStateHandler(client::EngineClient::StateHandler handler) { stateHandler_ = std::move(handler); }
    void reconnectNow();

private:
    ~ThreadedCore() override;
    struct Remote;   // lives on thread_
    template <class F>
    void post(F&& work);
    void onState(client::LinkState state, std::optional<Error> reason, client::EngineIdentity identity);

    QThread thread_;
    Remote* remote_;
    client::LinkState state_ = client::LinkState::kConnecting;
    client::EngineIdentity identity_;
    client::EngineClient::StateHandler stateHandler_;
    client::EngineClient::EventHandler eventHandler_;
    uint64_t subscription_ = 0;   // number of the present one: batches of an older one are dropped
    std::map<CallId, client::EngineClient::ReplyHandler> pending_;
    CallId nextId_ = 1;
};

class ThreadedEngineClient final : public client::EngineClient {
public:
    ThreadedEngineClient(client::EndpointSource source, client::RemoteOptions options)
        : core_(new ThreadedCore(std::move(source), std::move(options))) {}
    ~ThreadedEngineClient() override { core_->abandon(); }

    CallId call(std::string_view method, Json params, ReplyHandler reply, double timeoutSeconds) override {
        return core_->call(method, std::move(params), std::move(reply), timeoutSeconds);
    }
    void cancel(CallId id) override { core_->cancel(id); }
    void subscribe(client::Subscription subscription, EventHandler handler) override { core_->subscribe(std::move(subscription), std::move(handler)); }
    void unsubscribe() override { core_->unsubscribe(); }
    void acknowledge(int64_t seq) override { core_->acknowledge(seq); }
    client::LinkState state() const override { return core_->state(); }
    const client::EngineIdentity& identity() const override { return core_->identity(); }
    void setStateHandler(StateHandler handler) override { core_->setStateHandler(std::move(handler)); }
    void reconnectNow() { core_->reconnectNow(); }

private:
    ThreadedCore* core_;
};

}  // namespace assay::presenters
