#pragma once
// Records of a run's event file (engine/runtime/EVENTS.md): what a worker writes and the engine tails into SQLite.

#include <assay/core/json.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::protocol {

inline constexpr int kEventSchema = 1;

struct MetricRecord {
    int64_t step = 0;
    double seconds = 0;  // running time of the run, pauses excluded
    int64_t tokens = 0;  // trained tokens so far
    std::vector<std::pair<std::string, double>> values;  // may be non-finite
};

// One line without the newline. Types: hello, metric, phase, progress, log, checkpoint, artifact, sample, setup, summary,
// result, end. Metric records go through metricLine, which is fast; all others are JSON objects with "type" first.
std::string metricLine(const MetricRecord& record);

struct ParsedEvent {
    bool isMetric = false;
    MetricRecord metric;  // when isMetric
    Json record;          // otherwise; record["type"] is a string
};
// Parses one complete line; kInvalidFile for anything else (the tailer counts and reports it, and goes on).
class EventParser {
public:
    EventParser();
    ~EventParser();
    Result<void> parse(std::string_view line, ParsedEvent& out);

private:
    struct State;
    State* state_;
};

// The whole lines of the last 4 MiB of an event file, in order: enough for what a session wrote last, whatever the file's size.
// `cut`: there is more in front of them. A file that is not there has none.
void eachLastLine(const std::string& path, const std::function<void(const std::string& line, bool cut)>& take);

}  // namespace assay::protocol
