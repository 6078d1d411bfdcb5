// The event stream of RemoteEngineClient: one cursor, each event once, across reconnects.
#include <fmt/format.h>

#include <algorithm>

#include "remote_private.h"

namespace assay::client {

void RemoteEngineClient::subscribe(Subscription subscription, EventHandler handler) {
    d_->seen = d_->acknowledged = subscription.afterSeq;
    d_->epoch = d_->phase == Private::Phase::kLive ? d_->identity.storeEpoch : std::string();
    d_->subscription = std::move(subscription);
    d_->eventHandler = std::move(handler);
    if (d_->phase == Private::Phase::kLive) d_->startStream();
}

void RemoteEngineClient::unsubscribe() {
    d_->subscription.reset();
    d_->eventHandler = nullptr;
}

void RemoteEngineClient::acknowledge(int64_t seq) {
    if (!d_->subscription || seq <= d_->acknowledged) return;
    d_->acknowledged = seq;
    if (d_->phase == Private::Phase::kLive) d_->send(protocol::notificationText("events.ack", {{"seq", seq}}));
}

void RemoteEngineClient::Private::startStream() {
    if (!subscription) return;
    if (epoch.empty()) epoch = identity.storeEpoch;
    if (epoch != identity.storeEpoch)
        return endStream({ErrorCode::kGone, "the engine has another store than before", "list again"});
    // What was handed out but not yet acknowledged is not asked for again: `seen` drops it on arrival, so a batch that
    // was cut by the break is completed and nothing is delivered twice.
    Json params = {{"after_seq", acknowledged}};
    if (!subscription->runs.empty()) params["runs"] = subscription->runs;
    if (!subscription->topics.empty()) params["topics"] = subscription->topics;
    owner.call("events.subscribe", std::move(params), [this](Result<Json> reply) {
        if (reply || reply.error().code == ErrorCode::kUnreachable) return;  // a lost link subscribes anew by itself
        endStream(std::move(reply).error());
    }, 30);
}

void RemoteEngineClient::Private::onBatch(const Json& params) {
    if (!subscription || !eventHandler) return;
    EventBatch batch;
    batch.fromSeq = jsonIntegerOr(params, "from_seq", 0);
    batch.toSeq = jsonIntegerOr(params, "to_seq", 0);
    if (auto events = params.find("events"); events != params.end() && events->is_array())
        for (const Json& event : *events)
            if (event.is_object() && jsonIntegerOr(event, "seq", 0) > seen) batch.events.push_back(event);
    if (batch.toSeq <= seen) {
        // All of it is known: it still used up a credit.
        if (phase == Phase::kLive) send(protocol::notificationText("events.ack", {{"seq", batch.toSeq}}));
        return;
    }
    seen = batch.toSeq;
    EventHandler handler = eventHandler;  // the handler may subscribe anew
    handler(std::move(batch));
}

// Has no number of its own: handed out like an event, at the place the stream has reached.
void RemoteEngineClient::Private::onTrouble(const Json& params) {
    if (!subscription || !eventHandler) return;
    EventBatch batch;
    batch.fromSeq = batch.toSeq = seen;
    batch.events.push_back({{"seq", seen}, {"run", ""}, {"type", "trouble"}, {"trouble", params.contains("trouble") ? params["trouble"] : Json()}});
    EventHandler handler = eventHandler;  // the handler may subscribe anew
    handler(std::move(batch));
}

void RemoteEngineClient::Private::endStream(Error reason) {
    EventHandler handler = std::move(eventHandler);
    subscription.reset();
    eventHandler = nullptr;
    if (handler) handler(fail(std::move(reason)));
}

}  // namespace assay::client
