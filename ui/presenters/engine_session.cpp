#include <assay/presenters/engine_session.h>

#include <QPointer>
#include <QTimer>
#include <utility>

#include "session_private.h"
#include "threaded_client.h"

namespace assay::presenters {

using client::LinkState;

EngineSession::EngineSession(ClientFactory factory, QObject* parent) : QObject(parent), d_(std::make_unique<Private>()) {
    d_->factory = std::move(factory);
}

EngineSession::~EngineSession() = default;

void EngineSession::connectTo(const EngineTarget& target) {
    d_->failPending(Error(ErrorCode::kUnreachable, "the window was connected to another engine"));
    d_->target = target;
    d_->link = Link::kConnecting;
    d_->error.reset();
    d_->setTrouble(*this, {});
    d_->epoch.clear();
    d_->retire();
    d_->client = d_->factory(target);
    d_->client->setStateHandler([this, client = d_->client.get()](LinkState state, const std::optional<Error>& reason) {
        if (client == d_->client.get()) d_->onState(*this, state, reason);
    });
    Q_EMIT linkChanged();
    if (d_->client->state() == LinkState::kLive) d_->onState(*this, LinkState::kLive, {});
}

void EngineSession::disconnectBecause(const Error& reason) {
    d_->failPending(reason);
    d_->retire();
    d_->link = Link::kClosed;
    d_->error = reason;
    d_->setTrouble(*this, {});
    d_->staleSince = {};
    d_->epoch.clear();
    Q_EMIT linkChanged();
}

void EngineSession::retry() {
    if (d_->link == Link::kReconnecting)
        if (auto* threaded = dynamic_cast<ThreadedEngineClient*>(d_->client.get())) return threaded->reconnectNow();
    connectTo(d_->target);
}

const EngineTarget& EngineSession::target() const { return d_->target; }
Link EngineSession::link() const { return d_->link; }
const std::optional<Error>& EngineSession::error() const { return d_->error; }
const std::optional<Error>& EngineSession::trouble() const { return d_->trouble; }
QDateTime EngineSession::staleSince() const { return d_->staleSince; }
client::EngineIdentity EngineSession::identity() const { return d_->client ? d_->client->identity() : client::EngineIdentity{}; }

int64_t EngineSession::call(const QString& method, Json params, QObject* context, Reply reply, double timeoutSeconds) {
    const int64_t handle = ++d_->lastHandle;
    if (!d_->client) {
        QTimer::singleShot(0, context, [reply] { reply(fail(ErrorCode::kUnreachable, "no engine is connected", "choose one on the Engines page")); });
        return handle;
    }
    Pending& pending = d_->pending[handle];
    pending.context = context;
    pending.reply = std::move(reply);
    // A page that is closed while its question is open: the engine need not work on it any more.
    pending.gone = QObject::connect(context, &QObject::destroyed, this, [this, handle] { cancel(handle); });
    pending.id = d_->client->call(
        method.toStdString(), std::move(params),
        [this, self = QPointer<EngineSession>(this), handle](Result<Json> result) {
            if (!self) return;
            auto node = d_->pending.extract(handle);
            if (node.empty()) return;   // failed already, when the window went to another engine
            QObject::disconnect(node.mapped().gone);
            if (node.mapped().context) node.mapped().reply(std::move(result));
        },
        timeoutSeconds);
    return handle;
}

int64_t EngineSession::tool(const QString& name, Json params, QObject* context, Reply reply, double timeoutSeconds) {
    return call(QStringLiteral("tools.call"), {{"tool", name.toStdString()}, {"params", std::move(params)}}, context, std::move(reply), timeoutSeconds);
}

void EngineSession::cancel(int64_t handle) {
    if (auto it = d_->pending.find(handle); it != d_->pending.end() && d_->client) d_->client->cancel(it->second.id);
}

// A client may be replaced from inside one of its own handlers, so it goes when that has returned.
void EngineSession::Private::retire() {
    if (!client) return;
    client->setStateHandler({});
    client->unsubscribe();
    QTimer::singleShot(0, [old = std::shared_ptr<client::EngineClient>(std::move(client))] {});
}

void EngineSession::Private::failPending(const Error& reason) {
    for (auto& [handle, entry] : std::exchange(pending, {})) {
        QObject::disconnect(entry.gone);
        if (!entry.context) continue;
        QTimer::singleShot(0, entry.context, [reply = std::move(entry.reply), reason] { reply(fail(reason)); });
    }
}

void EngineSession::Private::onState(EngineSession& session, LinkState state, const std::optional<Error>& reason) {
    error = reason;
    switch (state) {
        case LinkState::kConnecting: link = Link::kConnecting; break;
        case LinkState::kLive: {
            const bool first = link != Link::kReconnecting || epoch != client->identity().storeEpoch;
            link = Link::kLive;
            staleSince = {};
            error.reset();
            epoch = client->identity().storeEpoch;
            setTrouble(session, {});   // the engine tells it again when it is still there
            Q_EMIT session.linkChanged();
            if (first) startStream(session);
            return;
        }
        case LinkState::kReconnecting:
            if (link != Link::kReconnecting) staleSince = QDateTime::currentDateTimeUtc();
            link = Link::kReconnecting;
            break;
        case LinkState::kClosed: link = Link::kClosed; break;
    }
    Q_EMIT session.linkChanged();
}

// From now on; lists are asked for after `resynchronized`, so that nothing falls between list and stream.
void EngineSession::Private::startStream(EngineSession& session) {
    client->call("runs.list", {{"limit", 1}}, [this, &session, now = client.get()](Result<Json> list) {
        if (now != client.get() || link != Link::kLive) return;
        if (!list) {   // the store is in trouble (a full disk): said, and asked again
            error = list.error();
            epoch.clear();
            Q_EMIT session.linkChanged();
            askAgainLater(session);
            return;
        }
        if (error) {
            error.reset();
            Q_EMIT session.linkChanged();
        }
        client::Subscription subscription;
        subscription.afterSeq = jsonIntegerOr(*list, "as_of_seq", 0);
        client->subscribe(subscription, [this, &session, now](Result<client::EventBatch> batch) {
            if (now != client.get()) return;
            if (!batch) {
                // Older than what the engine keeps, or another store: list again and follow from now.
                if (link == Link::kLive) startStream(session);
                else epoch.clear();   // the next connection begins anew
                return;
            }
            deliver(session, *batch);
        });
        Q_EMIT session.resynchronized();
    }, 30);
}

void EngineSession::Private::setTrouble(EngineSession& session, std::optional<Error> now) {
    if (now.has_value() == trouble.has_value() && (!now || (now->code == trouble->code && now->message == trouble->message))) return;
    trouble = std::move(now);
    Q_EMIT session.troubleChanged();
}

void EngineSession::Private::askAgainLater(EngineSession& session) {
    QTimer::singleShot(2000, &session, [this, &session, now = client.get()] {
        if (now == client.get() && link == Link::kLive) startStream(session);
    });
}

void EngineSession::Private::deliver(EngineSession& session, const client::EventBatch& batch) {
    QPointer<EngineSession> alive(&session);
    const auto* now = client.get();
    for (const Json& event : batch.events) {
        const QString run = QString::fromStdString(jsonStringOr(event, "run", ""));
        const QString type = QString::fromStdString(jsonStringOr(event, "type", ""));
        if (type == QLatin1String("run")) {
            if (jsonBoolOr(event, "removed", false))
                Q_EMIT session.runRemoved(run);
            else if (event.contains("row"))
                Q_EMIT session.runChanged(run, event["row"]);
        } else if (type == QLatin1String("trouble")) {
            auto told = event.find("trouble");
            if (told == event.end() || !told->is_object()) setTrouble(session, {});
            else setTrouble(session, Error(errorCodeFromName(jsonStringOr(*told, "code", "")), jsonStringOr(*told, "message", ""), jsonStringOr(*told, "hint", "")));
        }
        if (!alive || now != client.get()) return;
        Q_EMIT session.event(run, type, event);
        if (!alive || now != client.get()) return;
    }
    client->acknowledge(batch.toSeq);
}

}  // namespace assay::presenters
