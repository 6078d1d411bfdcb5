#pragma once
#include <assay/presenters/engine_session.h>

#include <QPointer>
#include <map>

namespace assay::presenters {

struct Pending {
    client::EngineClient::CallId id = 0;
    QMetaObject::Connection gone;
    QPointer<QObject> context;
    EngineSession::Reply reply;
};

struct EngineSession::Private {
    ClientFactory factory;
    std::unique_ptr<client::EngineClient> client;
    EngineTarget target;
    Link link = Link::kConnecting;
    std::optional<Error> error, trouble;
    QDateTime staleSince;
    std::string epoch;   // of the store whose rows are on screen
    std::map<int64_t, Pending> pending;
    int64_t lastHandle = 0;

    void retire();
    void failPending(const Error& reason);
    void setTrouble(EngineSession& session, std::optional<Error> now);
    void askAgainLater(EngineSession& session);
    void onState(EngineSession& session, client::LinkState state, const std::optional<Error>& reason);
    void startStream(EngineSession& session);
    void deliver(EngineSession& session, const client::EventBatch& batch);
};

}  // namespace assay::presenters
