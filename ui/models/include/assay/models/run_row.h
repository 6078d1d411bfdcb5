#pragma once
// One row of `runs.list` (PROTOCOL.md), read once. Values are plain data.

#include <assay/core/json.h>

#include <QDateTime>
#include <QString>
#include <QStringList>
#include <QVariant>

namespace assay::models {

struct RunRow {
    QString id, name, kind, status, reason, parent, role, group, forkOf;
    QDateTime createdAt, startedAt, endedAt;  // UTC; invalid when there is none
    double runningSeconds = 0;
    int attempt = 0;
    QStringList tags;
    Json summary = Json::object();   // metric → value
    Json progress;                   // {phase, unit, done, total, rate, eta_seconds} or null
    Json raw;                        // the row as it came

    bool isActive() const;   // queued, starting, running, stopping
    bool canStop() const;
    bool canResume() const;  // interrupted, cancelled or failed, and not made of children
    double fraction() const; // 0-1 of the progress; NaN when unknown
    QVariant value(const QString& key) const;  // any column: a field, a summary metric; invalid when absent
};
RunRow runRowFromJson(const Json& row);

}  // namespace assay::models
