// Calls of RemoteEngineClient: ids, deadlines, cancelling, and that every call gets exactly one reply.
#include <assay/core/clock.h>
#include <fmt/format.h>

#include "remote_private.h"

namespace assay::client {

RemoteEngineClient::RemoteEngineClient(EndpointSource source, RemoteOptions options, QObject* parent)
    : QObject(parent), d_(std::make_unique<Private>(*this, std::move(source), std::move(options))) {}

RemoteEngineClient::~RemoteEngineClient() {
    d_->stateHandler = nullptr;
    d_->eventHandler = nullptr;
    d_->dropSocket();
    d_->failAll({ErrorCode::kUnreachable, "the client was closed"});
}

void RemoteEngineClient::open() {
    if (d_->phase == Private::Phase::kIdle) d_->start();
}

void RemoteEngineClient::close() {
    d_->retryTimer.stop();
    d_->dropSocket();
    d_->failAll({ErrorCode::kUnreachable, "the client was closed"});
    d_->setState(LinkState::kClosed, std::nullopt);
}

void RemoteEngineClient::reconnectNow() {
    if (d_->phase != Private::Phase::kIdle) return;
    d_->retryTimer.stop();
    d_->start();
}

LinkState RemoteEngineClient::state() const { return d_->state; }
const EngineIdentity& RemoteEngineClient::identity() const { return d_->identity; }
void RemoteEngineClient::setStateHandler(StateHandler handler) { d_->stateHandler = std::move(handler); }

EngineClient::CallId RemoteEngineClient::call(std::string_view method, Json params, ReplyHandler reply, double timeoutSeconds) {
    const CallId id = d_->nextId++;
    std::optional<Error> refused;
    std::string text;
    if (d_->phase != Private::Phase::kLive) {
        refused = Error(ErrorCode::kUnreachable, fmt::format("no connection to the engine for {}", method));
    } else {
        text = protocol::requestText(id, method, params);
        if (text.size() > protocol::kMaxMessageBytes)
            refused = Error(ErrorCode::kBadUsage, fmt::format("the request {} is {} bytes, over the limit of {}", method, text.size(), protocol::kMaxMessageBytes));
    }
    if (refused) {
        d_->later([reply = std::move(reply), error = std::move(*refused)] { reply(fail(error)); });
        return id;
    }
    d_->pending.emplace(id, Private::Pending{std::string(method), std::move(reply), monotonicSeconds() + timeoutSeconds});
    d_->send(text);
    return id;
}

void RemoteEngineClient::cancel(CallId id) {
    if (d_->phase == Private::Phase::kLive && d_->pending.count(id)) d_->send(protocol::notificationText("$/cancel", {{"id", id}}));
}

void RemoteEngineClient::Private::answer(CallId id, Result<Json> result) {
    auto found = pending.find(id);
    if (found == pending.end()) return;  // answered by its deadline already
    ReplyHandler reply = std::move(found->second.reply);
    pending.erase(found);
    reply(std::move(result));
}

void RemoteEngineClient::Private::failAll(const Error& reason) {
    auto all = std::move(pending);
    pending.clear();
    for (auto& [id, call] : all) {
        Error error = reason;
        error.context.push_back(call.method);
        call.reply(fail(std::move(error)));
    }
}

void RemoteEngineClient::Private::expireCalls() {
    const double now = monotonicSeconds();
    std::vector<CallId> late;
    for (const auto& [id, call] : pending)
        if (call.deadline <= now) late.push_back(id);
    for (CallId id : late) {
        auto found = pending.find(id);
        if (found == pending.end()) continue;  // a reply handler of this round closed the link
        if (phase == Phase::kLive) send(protocol::notificationText("$/cancel", {{"id", id}}));
        Error error(ErrorCode::kUnreachable, fmt::format("the engine did not answer {} in time", found->second.method),
                    "it may be busy; try again");
        answer(id, fail(std::move(error)));
    }
}

void RemoteEngineClient::Private::later(std::function<void()> work) {
    QTimer::singleShot(0, &owner, std::move(work));
}

}  // namespace assay::client
