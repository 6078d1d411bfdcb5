#include "assay/store/types.h"

#include "assay/core/clock.h"

namespace assay::store {
namespace {

constexpr std::string_view kStatusNames[kRunStatusCount] = {"queued", "starting", "running", "stopping", "done", "failed", "cancelled", "interrupted"};

Json timeOrNull(double seconds) { return seconds > 0 ? Json(isoTime(seconds)) : Json(); }
Json textOrNull(const std::string& text) { return text.empty() ? Json() : Json(text); }

}  // namespace

std::string_view statusName(RunStatus status) { return kStatusNames[static_cast<int>(status)]; }

std::optional<RunStatus> statusFromName(std::string_view name) {
    for (int i = 0; i < kRunStatusCount; ++i)
        if (kStatusNames[i] == name) return static_cast<RunStatus>(i);
    return {};
}

Json mergedSummary(const RunRow& row) {
    Json out = row.latest.is_object() ? row.latest : Json::object();
    if (row.summary.is_object())
        for (const auto& [key, value] : row.summary.items()) out[key] = value;
    return out;
}

namespace {

Json wire(const RunRow& row, Json summary, Json tags, Json progress, Json error) {
    Json out = Json::object();
    out["id"] = row.id;
    out["name"] = row.name;
    out["kind"] = row.kind;
    out["status"] = statusName(row.status);
    out["reason"] = textOrNull(row.reason);
    out["parent"] = textOrNull(row.parent);
    out["role"] = row.role;
    out["group"] = textOrNull(row.group);
    out["created_at"] = timeOrNull(row.createdAt);
    out["started_at"] = timeOrNull(row.startedAt);
    out["ended_at"] = timeOrNull(row.endedAt);
    out["running_seconds"] = row.runningSeconds;
    out["attempt"] = row.attempt;
    out["resumed_from_step"] = row.resumedFrom ? Json(*row.resumedFrom) : Json();
    out["fork_of"] = textOrNull(row.forkOf);
    out["summary"] = std::move(summary);
    out["tags"] = std::move(tags);
    out["progress"] = std::move(progress);
    out["error"] = std::move(error);
    return out;
}

}  // namespace

Json runRowToJson(const RunRow& row) { return wire(row, mergedSummary(row), row.tags, row.progress, row.error); }

Json runRowToJson(RunRow&& row) {
    Json summary = row.latest.is_object() ? std::move(row.latest) : Json::object();
    if (row.summary.is_object())
        for (auto& [key, value] : row.summary.items()) summary[key] = std::move(value);
    return wire(row, std::move(summary), std::move(row.tags), std::move(row.progress), std::move(row.error));
}

Topic topicOf(std::string_view type) {
    if (type == "metrics") return Topic::kMetrics;
    if (type == "log") return Topic::kLogs;
    if (type == "progress") return Topic::kProgress;
    return Topic::kState;
}

}  // namespace assay::store
