#pragma once
// One connected client: handshake, requests, event stream.

#include "api.h"
#include "tools.h"

#include <QObject>
#include <QPointer>
#include <QThreadPool>
#include <QTimer>
#include <QWebSocket>

#include <atomic>
#include <deque>
#include <map>
#include <set>

namespace assay::server {

struct SessionShared {
    store::Store& store;
    protocol::Dispatcher& methods;
    QThreadPool& pool;
    ToolRunner& tools;
    std::string token, engineId, version;
    double handshakeSeconds, slowConsumerSeconds, pingSeconds;
};

class Session final : public QObject {
    Q_OBJECT
public:
    Session(SessionShared& shared, std::unique_ptr<QWebSocket> socket, uint64_t number);
    ~Session() override;
    void begin();         // greets the client, or refuses it
    void storeChanged();  // new events may be there
    void troubleChanged();
    void cancelTools();  // when the client goes, or the engine
    void close(int code, const std::string& reason);

Q_SIGNALS:
    void finished();

private:
    struct Pending {
        std::atomic<bool> cancelled{false};
        std::shared_ptr<std::atomic<bool>> toolCancelled;  // of tools.call
    };
    struct Batch {
        int64_t toSeq = 0;
        size_t bytes = 0;
    };

    bool accept();
    void onText(const QString& text);
    void onAttach(const protocol::RpcMessage& message);
    void onRequest(protocol::RpcMessage message);
    void onNotification(const protocol::RpcMessage& message);
    void callTool(const protocol::RpcMessage& message, const std::string& key);
    void answer(const Json& id, const Result<Json>& result);
    void send(const std::string& text);
    void watch();  // once a second: silent or slow clients

    Result<Json> subscribe(const Json& params);
    void pump();
    bool sendBatch();  // true: there may be more

    SessionShared& shared_;
    std::unique_ptr<QWebSocket> socket_;
    uint64_t number_;
    bool attached_ = false, closing_ = false;
    QTimer handshakeTimer_, watchTimer_, pumpTimer_;
    std::map<std::string, std::shared_ptr<Pending>> pending_;  // by id text

    bool subscribed_ = false;
    int64_t cursor_ = 0;
    std::set<std::string> runs_;  // empty: all
    int topics_ = 0;
    std::deque<Batch> unacknowledged_;
    double lastAck_ = 0, lastHeard_ = 0, lastPing_ = 0, lastBatch_ = 0;
};

}  // namespace assay::server
