#include "threaded_client.h"

#include <QMetaObject>

namespace assay::presenters {

using client::LinkState;

namespace {
int runningThreads = 0;   // GUI thread only
}

// Everything here runs on the client's thread.
struct ThreadedCore::Remote final : QObject {
    std::unique_ptr<client::RemoteEngineClient> client;
    std::map<CallId, CallId> ids;   // ours → the remote client's
};

template <class F>
void ThreadedCore::post(F&& work) {
    QMetaObject::invokeMethod(remote_, std::forward<F>(work), Qt::QueuedConnection);
}

ThreadedCore::ThreadedCore(client::EndpointSource source, client::RemoteOptions options)
    : remote_(new Remote) {
    thread_.setObjectName(QStringLiteral("engine-client"));
    remote_->moveToThread(&thread_);
    QObject::connect(&thread_, &QThread::finished, remote_, &QObject::deleteLater);
    thread_.start();
    ++runningThreads;
    post([this, remote = remote_, source = std::move(source), options] {
        remote->client = std::make_unique<client::RemoteEngineClient>(source, options);
        remote->client->setStateHandler([this, remote](LinkState state, const std::optional<Error>& reason) {
            auto identity = remote->client->identity();
            QMetaObject::invokeMethod(this, [this, state, reason, identity] { onState(state, reason, identity); }, Qt::QueuedConnection);
        });
        remote->client->open();
    });
}

void ThreadedCore::abandon() {
    pending_.clear();
    stateHandler_ = {};
    eventHandler_ = {};
    QObject::connect(&thread_, &QThread::finished, this, [this] {
        --runningThreads;
        delete this;
    });
    post([remote = remote_] { remote->client.reset(); });
    thread_.quit();
}

ThreadedCore::~ThreadedCore() { thread_.wait(); }

int ThreadedCore::running() { return runningThreads; }

void ThreadedCore::onState(LinkState state, std::optional<Error> reason, client::EngineIdentity identity) {
    state_ = state;
    identity_ = std::move(identity);
    if (stateHandler_) stateHandler_(state, reason);
}

client::EngineClient::CallId ThreadedCore::call(std::string_view method, Json params, client::EngineClient::ReplyHandler reply, double timeoutSeconds) {
    const CallId id = nextId_++;
    pending_.emplace(id, std::move(reply));
    post([this, remote = remote_, id, method = std::string(method), params = std::move(params), timeoutSeconds]() mutable {
        const CallId theirs = remote->client->call(
            method, std::move(params),
            [this, remote, id](Result<Json> result) {
                remote->ids.erase(id);
                QMetaObject::invokeMethod(
                    this,
                    [this, id, result = std::move(result)]() mutable {
                        auto node = pending_.extract(id);
                        if (!node.empty() && node.mapped()) node.mapped()(std::move(result));
                    },
                    Qt::QueuedConnection);
            },
            timeoutSeconds);
        remote->ids[id] = theirs;
    });
    return id;
}

void ThreadedCore::cancel(CallId id) {
    post([remote = remote_, id] {
        if (auto it = remote->ids.find(id); it != remote->ids.end()) remote->client->cancel(it->second);
    });
}

void ThreadedCore::subscribe(client::Subscription subscription, client::EngineClient::EventHandler handler) {
    eventHandler_ = std::move(handler);
    const uint64_t number = ++subscription_;
    post([this, remote = remote_, number, subscription = std::move(subscription)] {
        remote->client->subscribe(subscription, [this, number](Result<client::EventBatch> batch) {
            QMetaObject::invokeMethod(
                this,
                [this, number, batch = std::move(batch)]() mutable {
                    if (number == subscription_ && eventHandler_) eventHandler_(std::move(batch));
                },
                Qt::QueuedConnection);
        });
    });
}

void ThreadedCore::unsubscribe() {
    ++subscription_;
    eventHandler_ = {};
    post([remote = remote_] { remote->client->unsubscribe(); });
}

void ThreadedCore::acknowledge(int64_t seq) {
    post([remote = remote_, seq] { remote->client->acknowledge(seq); });
}

void ThreadedCore::reconnectNow() {
    post([remote = remote_] { remote->client->reconnectNow(); });
}

}  // namespace assay::presenters
