#pragma once
// One window's link to one engine: connects, follows, reconnects, and hands replies and events to presenters on the GUI
// thread. Everything that may block (starting an engine, ssh, JSON of a megabyte) happens on the client's own thread.

#include <assay/client/engine_client.h>

#include <QDateTime>
#include <QObject>
#include <QString>
#include <functional>
#include <memory>

namespace assay::presenters {

struct EngineTarget {
    enum class Kind { kLocal, kUrl, kSsh } kind = Kind::kLocal;
    QString address;   // ws://…, ssh://host; local: the store folder (empty: the default store)
    QString name() const;   // "this machine", "gpu-box"
    bool operator==(const EngineTarget&) const = default;
};
Result<EngineTarget> parseTarget(const QString& text);   // "", "local", ws://, wss://, ssh://
QString targetText(const EngineTarget& target);

enum class Link {
    kConnecting,
    kLive,
    kReconnecting,   // was live; what is shown is stale since staleSince()
    kClosed,         // refused: error() says why; connectTo again
};

using ClientFactory = std::function<std::unique_ptr<client::EngineClient>(const EngineTarget&)>;
// A RemoteEngineClient on a thread of its own behind the same interface.
ClientFactory threadedClientFactory(const std::string& clientVersion);
int runningClientThreads();   // not ended yet: at the end of the program they are waited for a moment, then left

class EngineSession final : public QObject {
    Q_OBJECT
public:
    using Reply = std::function<void(Result<Json>)>;

    explicit EngineSession(ClientFactory factory, QObject* parent = nullptr);
    ~EngineSession() override;

    void connectTo(const EngineTarget& target);   // drops the old link; pending calls fail
    void disconnectBecause(const Error& reason);  // kClosed with that reason; connectTo or retry connect again
    void retry();                                 // skips the rest of the back-off, or connects anew
    const EngineTarget& target() const;
    Link link() const;
    bool isLive() const { return link() == Link::kLive; }
    const std::optional<Error>& error() const;
    const std::optional<Error>& trouble() const;  // why the engine, though it answers, cannot record: kDiskFull, kNotFound (its store is gone)
    QDateTime staleSince() const;                 // UTC; invalid while live
    client::EngineIdentity identity() const;

    // The reply comes on this thread, later, once; never after `context` is gone (then the engine is told to give up).
    // Returns a handle for cancel().
    int64_t call(const QString& method, Json params, QObject* context, Reply reply, double timeoutSeconds = 30);
    // `tools.call` (PROTOCOL.md): what is computed on the engine's machine without a run — inspecting data, planning,
    // listing files. Tools are processes: long ones can be cancelled, a crash is an error like any other.
    int64_t tool(const QString& name, Json params, QObject* context, Reply reply, double timeoutSeconds = 120);
    void cancel(int64_t handle);

Q_SIGNALS:
    void linkChanged();
    void troubleChanged();
    // The stream started anew (first connection, another engine, or a gap): what was listed must be listed again.
    void resynchronized();
    void runChanged(const QString& run, const assay::Json& row);
    void runRemoved(const QString& run);
    // Every event of every run, in order, run rows included (PROTOCOL.md, Events).
    void event(const QString& run, const QString& type, const assay::Json& event);

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace assay::presenters
