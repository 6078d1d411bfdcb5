#pragma once
// What `engine.machine` says, asked every two seconds while somebody looks (a hidden window costs nothing).

#include <assay/core/json.h>

#include <QObject>
#include <QTimer>

namespace assay::presenters {

class EngineSession;

class MachineWatch final : public QObject {
    Q_OBJECT
public:
    static constexpr int kPeriodMs = 2000;
    explicit MachineWatch(EngineSession& session, QObject* parent = nullptr);
    void setActive(bool active);                  // shown and not minimised
    const Json& machine() const { return machine_; }   // null: not known (yet, or the link is down)
    bool isSupported() const { return supported_; }    // engines of level 1 have no such method

    // Null: not measured.
    double cpuFraction() const;
    QString memoryText() const, diskText() const, cpuText() const, queueText() const;

Q_SIGNALS:
    void changed();

private:
    void ask();
    EngineSession& session_;
    QTimer timer_;
    Json machine_;
    bool active_ = false, asking_ = false, supported_ = true;
};

}  // namespace assay::presenters
