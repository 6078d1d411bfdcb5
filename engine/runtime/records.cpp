// What each type of record does to the store (EVENTS.md).
#include "runtime_state.h"

#include "assay/core/clock.h"

#include <algorithm>
#include <cmath>

namespace assay::runtime {
namespace {

constexpr size_t kMaxPointsInEvent = 64;  // rows that are sent along; more are asked for

Result<void> tell(RecordBatch& batch, const Json& record) {
    auto told = batch.writer.addEvent(batch.row.id, jsonStringOr(record, "type", ""), record);
    if (!told) return fail(std::move(told).error());
    return {};
}

Result<void> onHello(RecordBatch& batch, const Json& record) {
    // A worker that an engine started just before it died is found again by this record.
    if (jsonIntegerOr(record, "attempt", 0) != batch.row.attempt) return {};
    batch.active.sessionStart = jsonDoubleOr(record, "time", wallSeconds());
    if (batch.active.worker.pid < 0) {
        ASSAY_TRY(int64_t pid, jsonInteger(record, "pid"));
        ASSAY_TRY(int64_t ticks, jsonInteger(record, "start_ticks"));
        if (pid <= 1 || pid > 1 << 22) return fail(ErrorCode::kInvalidFile, "hello with the pid " + std::to_string(pid));
        batch.active.worker.pid = batch.row.pid = static_cast<int>(pid);
        batch.active.worker.startTicks = batch.row.startTicks = static_cast<uint64_t>(ticks);
    }
    batch.row.end = nullptr;
    batch.active.endSeenAt = 0;
    batch.rowChanged = true;
    if (auto next = nextStatus(batch.row.status, RunEvent::kHello)) {
        batch.row.status = *next;
        batch.row.reason.clear();
        batch.runChanged = true;
    }
    return {};
}

Result<void> onResumed(RecordBatch& batch, const Json& record) {
    ASSAY_TRY(int64_t step, jsonInteger(record, "step"));
    ASSAY_TRY_VOID(flushMetrics(batch));
    ASSAY_TRY(int64_t removed, batch.writer.cutMetrics(batch.row.id, batch.prefix, step));
    if (batch.rank == 0) {
        // The worker's word: the newest checkpoint may have been damaged.
        batch.row.resumedFrom = step;
        batch.runChanged = true;
    }
    Json event = record;
    event["superseded_points"] = removed;
    if (batch.rank > 0) event["rank"] = batch.rank;
    return tell(batch, event);
}

Result<void> onSetup(RecordBatch& batch, const Json& record) {
    Json part = Json::object();
    for (const auto& [key, value] : record.items())
        if (key != "type" && key != "time") part[key] = value;
    ASSAY_TRY(Json merged, batch.writer.mergeSetup(batch.row.id, part));
    merged["type"] = "setup";
    return tell(batch, merged);
}

Result<void> onSummary(RecordBatch& batch, const Json& record) {
    auto values = record.find("values");
    if (values == record.end() || !values->is_object()) return fail(ErrorCode::kInvalidFile, "summary without \"values\"");
    for (const auto& [key, value] : values->items()) batch.row.summary[key] = value;
    batch.runChanged = true;
    return {};
}

}  // namespace

Result<void> flushMetrics(RecordBatch& batch) {
    if (batch.metrics.empty()) return {};
    auto& rows = batch.metrics;
    ASSAY_TRY_VOID(batch.writer.appendMetrics(batch.row.id, batch.prefix, rows));
    Json latest = Json::object();
    for (const auto& row : rows)
        if (&row + 1 == rows.data() + rows.size() || rows.size() <= kMaxPointsInEvent)
            for (const auto& [name, value] : row.values) latest[batch.prefix + name] = jsonNumber(value);
    if (rows.size() > kMaxPointsInEvent) {
        // Names that are seldom written (eval/loss) are rarely in the last row: look back until every name was seen.
        std::map<std::string_view, double> seen;
        for (auto row = rows.rbegin(); row != rows.rend(); ++row)
            for (const auto& [name, value] : row->values) seen.try_emplace(name, value);
        for (const auto& [name, value] : seen) latest[batch.prefix + std::string(name)] = jsonNumber(value);
    }
    const auto& last = rows.back();
    Json event = {{"first_step", rows.front().step}, {"last_step", last.step},    {"rows", rows.size()},
                  {"step", last.step},               {"seconds", jsonNumber(last.seconds)}, {"tokens", last.tokens},
                  {"latest", latest}};
    if (batch.rank > 0) event["rank"] = batch.rank;
    if (rows.size() <= kMaxPointsInEvent) {
        Json points = Json::array();
        for (const auto& row : rows) {
            Json values = Json::object();
            for (const auto& [name, value] : row.values) values[batch.prefix + name] = jsonNumber(value);
            points.push_back(Json::array({row.step, jsonNumber(row.seconds), row.tokens, std::move(values)}));
        }
        event["points"] = std::move(points);
    }
    for (const auto& [name, value] : latest.items()) batch.row.latest[name] = value;
    if (batch.rank == 0 && std::isfinite(last.seconds)) batch.row.runningSeconds = std::max(batch.active.baseSeconds, last.seconds);
    batch.rowChanged = true;
    auto told = batch.writer.addEvent(batch.row.id, "metrics", event);
    if (!told) return fail(std::move(told).error());
    rows.clear();
    return {};
}

Result<void> applyRecord(RecordBatch& batch, const Json& record) {
    const std::string type = jsonStringOr(record, "type", "");
    if (type == "log" || type == "sample" || type == "warning") return tell(batch, record);
    if (type == "resumed") return onResumed(batch, record);
    if (batch.rank > 0) return {};  // one rank speaks for the run
    if (type == "hello") return onHello(batch, record);
    if (type == "phase" || type == "progress") {
        Json progress = batch.row.progress.is_object() ? batch.row.progress : Json::object();
        if (type == "phase") {
            progress = {{"phase", jsonStringOr(record, "name", "")}};
        } else {
            progress = Json::object();
            for (const auto& [key, value] : record.items())
                if (key != "type" && key != "time") progress[key] = value;
        }
        batch.row.progress = std::move(progress);
        batch.rowChanged = true;
        return tell(batch, record);
    }
    if (type == "checkpoint") {
        ASSAY_TRY_VOID(batch.writer.addCheckpoint(batch.row.id, record));
        return tell(batch, record);
    }
    if (type == "artifact") {
        ASSAY_TRY_VOID(batch.writer.addArtifact(batch.row.id, record));
        return tell(batch, record);
    }
    if (type == "setup") return onSetup(batch, record);
    if (type == "summary") return onSummary(batch, record);
    if (type == "result") {
        batch.row.result = record.contains("data") ? record["data"] : Json();
        batch.rowChanged = true;
        return tell(batch, record);
    }
    if (type == "end") {
        batch.row.end = record;
        batch.active.endSeenAt = monotonicSeconds();
        batch.rowChanged = true;
    }
    return {};  // types of later versions
}

}  // namespace assay::runtime
