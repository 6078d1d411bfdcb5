#include <assay/models/run_row.h>
#include <assay/models/json_values.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::models {
namespace {

QDateTime timeOf(const Json& row, const char* key) {
    const QString text = textAt(row, key);
    return text.isEmpty() ? QDateTime() : QDateTime::fromString(text, Qt::ISODateWithMs).toUTC();
}

QVariant variantOf(const Json& value) {
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number()) return value.get<double>();
    if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        if (text == "nan" || text == "inf" || text == "-inf") return numberFromJson(value);
        return QString::fromStdString(text);
    }
    if (value.is_null()) return {};
    return QString::fromStdString(dumpJson(value));
}

}  // namespace

RunRow runRowFromJson(const Json& row) {
    RunRow run;
    if (!row.is_object()) return run;
    run.id = textAt(row, "id");
    run.name = textAt(row, "name");
    run.kind = textAt(row, "kind");
    run.status = textAt(row, "status");
    run.reason = textAt(row, "reason");
    run.parent = textAt(row, "parent");
    run.role = textAt(row, "role");
    run.group = textAt(row, "group");
    run.forkOf = textAt(row, "fork_of");
    run.createdAt = timeOf(row, "created_at");
    run.startedAt = timeOf(row, "started_at");
    run.endedAt = timeOf(row, "ended_at");
    run.runningSeconds = jsonDoubleOr(row, "running_seconds", 0);
    run.attempt = static_cast<int>(jsonIntegerOr(row, "attempt", 0));
    if (auto it = row.find("tags"); it != row.end() && it->is_array())
        for (const Json& tag : *it)
            if (tag.is_string()) run.tags.append(QString::fromStdString(tag.get<std::string>()));
    if (auto it = row.find("summary"); it != row.end() && it->is_object()) run.summary = *it;
    if (auto it = row.find("progress"); it != row.end() && it->is_object()) run.progress = *it;
    run.raw = row;
    return run;
}

bool RunRow::isActive() const {
    return status == QLatin1String("queued") || status == QLatin1String("starting") || status == QLatin1String("running") || status == QLatin1String("stopping");
}

bool RunRow::canStop() const { return isActive(); }

bool RunRow::canResume() const {
    return status == QLatin1String("interrupted") || status == QLatin1String("cancelled") || status == QLatin1String("failed");
}

double RunRow::fraction() const {
    if (status == QLatin1String("done")) return 1;
    if (!progress.is_object()) return std::numeric_limits<double>::quiet_NaN();
    const double total = jsonDoubleOr(progress, "total", 0), done = jsonDoubleOr(progress, "done", 0);
    return total > 0 ? std::clamp(done / total, 0.0, 1.0) : std::numeric_limits<double>::quiet_NaN();
}

QVariant RunRow::value(const QString& key) const {
    if (key == QLatin1String("tags")) return tags.join(QStringLiteral(", "));
    const std::string name = key.toStdString();
    if (auto it = summary.find(name); it != summary.end()) return variantOf(*it);
    if (auto it = raw.find(name); it != raw.end()) return variantOf(*it);
    // Keys of the spec that the list was asked for (`columns` of runs.list).
    if (auto values = raw.find("values"); values != raw.end() && values->is_object())
        if (auto it = values->find(name); it != values->end()) return variantOf(*it);
    return {};
}

}  // namespace assay::models
