#pragma once
// One question to the engine's tools at a time: a new one takes the place of the old one, which the engine is told to drop
// and whose answer is not heard any more.

#include <assay/presenters/engine_session.h>

#include <QTimer>

namespace assay::presenters {

class ToolQuestion final : public QObject {
    Q_OBJECT
public:
    explicit ToolQuestion(EngineSession& session, QObject* parent = nullptr);
    ~ToolQuestion() override;
    // `afterMs`: waits so long for a newer one first (typing, spinning).
    void ask(const QString& tool, Json params, EngineSession::Reply reply, int afterMs = 0);
    void drop();
    bool isAsking() const { return asking_; }

private:
    void send();
    EngineSession& session_;
    QTimer timer_;
    QString tool_;
    Json params_;
    EngineSession::Reply reply_;
    int64_t handle_ = 0;
    uint64_t generation_ = 0;
    bool asking_ = false;
};

}  // namespace assay::presenters
