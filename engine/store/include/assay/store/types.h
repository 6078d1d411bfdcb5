#pragma once
// Rows of the store as plain values. Times are Unix seconds; 0 means "not yet".

#include <assay/core/json.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::store {

enum class RunStatus { kQueued, kStarting, kRunning, kStopping, kDone, kFailed, kCancelled, kInterrupted };
inline constexpr int kRunStatusCount = 8;
std::string_view statusName(RunStatus status);  // "queued", …
std::optional<RunStatus> statusFromName(std::string_view name);
inline bool isActive(RunStatus s) { return s == RunStatus::kStarting || s == RunStatus::kRunning || s == RunStatus::kStopping; }
inline bool isTerminal(RunStatus s) { return !isActive(s) && s != RunStatus::kQueued; }

struct RunRow {
    std::string id, name, kind;
    RunStatus status = RunStatus::kQueued;
    std::string reason;
    std::string parent, role, group;
    bool leaf = true;                // has a worker of its own; else its state follows from its children
    int ordinal = 0;                 // place among the runs of one submission
    std::vector<std::string> after;  // ids that must be done first
    double createdAt = 0, startedAt = 0, endedAt = 0, runningSeconds = 0;
    int attempt = 0;                 // 0: never started
    int pid = 0;
    uint64_t startTicks = 0;
    bool resume = false;             // the next start continues from a checkpoint
    std::optional<int64_t> resumedFrom;  // step that the running or last session went on after; of a parent: the largest below it
    std::string idempotencyKey, forkOf;
    Json tags = Json::array();
    Json summary = Json::object();   // summary records; wins over `latest`
    Json latest = Json::object();    // last value of each metric
    Json progress, result, error;    // null: none
    Json end;                        // the end record of the running session; null: not seen
    std::optional<Json> spec;        // loaded only on demand
};
// The row as it goes over the wire (PROTOCOL.md): summary = latest overlaid by summary.
Json runRowToJson(const RunRow& row);
Json runRowToJson(RunRow&& row);  // the same without copies
Json mergedSummary(const RunRow& row);

struct EventRow {
    int64_t seq = 0;
    std::string run, type;
    std::string json;  // object text with seq, run and type
};
enum class Topic { kState = 1, kMetrics = 2, kLogs = 4, kProgress = 8 };
inline constexpr int kAllTopics = 15;
Topic topicOf(std::string_view eventType);

struct Point {
    int64_t step = 0;
    double seconds = 0;  // kept to the microsecond
    int64_t tokens = 0;
    double value = 0;
    bool operator==(const Point&) const = default;
};
struct SeriesAnswer {
    std::vector<Point> points;  // by step, one per step
    bool sampled = false;
    int64_t total = 0;      // points in the range
    int64_t nonFinite = 0;  // of these, NaN or infinite
};

struct TailPosition {
    uint64_t device = 0, inode = 0;
    int64_t offset = 0;
    int64_t lines = 0, badLines = 0;
};

}  // namespace assay::store
