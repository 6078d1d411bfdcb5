#include "assay/client/fake_client.h"

#include <algorithm>

namespace assay::client {

EngineClient::CallId FakeEngineClient::call(std::string_view method, Json params, ReplyHandler reply, double) {
    const CallId id = nextId_++;
    calls_.emplace_back(method, params);
    Result<Json> result = fail(ErrorCode::kUnreachable, "no connection to the engine");
    if (state_ == LinkState::kLive) {
        auto found = methods_.find(method);
        result = found == methods_.end() ? fail(ErrorCode::kNotFound, "unknown method " + std::string(method)) : found->second(params);
    }
    due_.push_back({id, std::move(result), std::move(reply)});
    return id;
}

void FakeEngineClient::cancel(CallId id) {
    for (Due& due : due_)
        if (due.id == id) due.result = fail(ErrorCode::kCancelled, "cancelled");
}

void FakeEngineClient::subscribe(Subscription subscription, EventHandler handler) {
    sent_ = acknowledged_ = subscription.afterSeq;
    subscription_ = std::move(subscription);
    eventHandler_ = std::move(handler);
}

void FakeEngineClient::unsubscribe() {
    subscription_.reset();
    eventHandler_ = nullptr;
}

void FakeEngineClient::acknowledge(int64_t seq) { acknowledged_ = std::max(acknowledged_, seq); }

void FakeEngineClient::emitEvent(Json event) {
    event["seq"] = static_cast<int64_t>(events_.size()) + 1;
    events_.push_back(std::move(event));
}

void FakeEngineClient::loseLink(Error reason) {
    state_ = LinkState::kReconnecting;
    for (Due& due : due_) due.result = fail(ErrorCode::kUnreachable, reason.message, reason.hint);
    if (stateHandler_) stateHandler_(state_, reason);
}

void FakeEngineClient::restoreLink() {
    state_ = LinkState::kLive;
    if (stateHandler_) stateHandler_(state_, std::nullopt);
}

void FakeEngineClient::endStream(Error reason) {
    EventHandler handler = std::move(eventHandler_);
    unsubscribe();
    if (handler) handler(fail(std::move(reason)));
}

size_t FakeEngineClient::deliver() {
    size_t ran = 0;
    while (!due_.empty()) {
        Due due = std::move(due_.front());
        due_.pop_front();
        due.reply(std::move(due.result));
        ++ran;
    }
    if (state_ != LinkState::kLive || !subscription_ || sent_ >= static_cast<int64_t>(events_.size())) return ran;
    EventBatch batch;
    batch.fromSeq = sent_ + 1;
    batch.toSeq = static_cast<int64_t>(events_.size());
    for (int64_t seq = batch.fromSeq; seq <= batch.toSeq; ++seq) {
        const Json& event = events_[static_cast<size_t>(seq - 1)];
        const auto& runs = subscription_->runs;
        if (runs.empty() || std::find(runs.begin(), runs.end(), jsonStringOr(event, "run", "")) != runs.end()) batch.events.push_back(event);
    }
    sent_ = batch.toSeq;
    EventHandler handler = eventHandler_;
    handler(std::move(batch));
    return ran + 1;
}

}  // namespace assay::client
