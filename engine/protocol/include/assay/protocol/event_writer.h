#pragma once
// The worker's end of the event file. `metric` and `record` only append to a bounded queue (p99 < 20 µs); one thread
// writes lines with O_APPEND. When the disk is slower than the run, metric rows are dropped and counted (a "log" record
// says how many); all other records wait. A torn last line of an earlier session is closed by a newline on open.

#include <assay/core/json.h>
#include <assay/protocol/events.h>

#include <memory>
#include <string>

namespace assay::protocol {

class EventWriter {
public:
    // Opens (or continues) `path`; writes the hello record {run, rank, attempt, pid, start_ticks, time}.
    static Result<std::unique_ptr<EventWriter>> open(const std::string& path, const std::string& runId, int rank, int attempt);
    ~EventWriter();  // drains

    void metric(MetricRecord record);
    void record(std::string_view type, Json fields);  // adds "time" (Unix seconds)
    void log(std::string_view level, std::string_view text);  // a record, and a line on stderr: the run's log.txt
    Result<void> flush();  // returns when everything queued so far is in the file and fsynced; the first write error

private:
    struct State;
    explicit EventWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace assay::protocol
