#include "assay/protocol/event_writer.h"

#include "assay/core/clock.h"
#include "assay/core/log.h"
#include "assay/core/process.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace assay::protocol {
namespace {

constexpr size_t kMaxQueuedMetrics = 1 << 16;
constexpr size_t kMaxQueuedRecords = 1 << 14;
constexpr auto kGather = std::chrono::milliseconds(10);   // metrics wait so long for company before they are written
constexpr auto kRetry = std::chrono::milliseconds(500);   // after a failed write

struct Item {
    bool isMetric = false;
    MetricRecord metric;
    std::string line;
};

std::string recordLine(std::string_view type, const Json& fields) {
    Json record = Json::object();
    record["type"] = type;
    for (const auto& [key, value] : fields.items())
        if (key != "type") record[key] = value;
    if (!record.contains("time")) record["time"] = wallSeconds();
    return dumpJson(record);
}

}  // namespace

struct EventWriter::State {
    std::string path;
    int fd = -1;
    std::mutex mutex;
    std::condition_variable wake, progress;
    std::vector<Item> queue;
    size_t queuedMetrics = 0, queuedRecords = 0;
    uint64_t synced = 0, syncWanted = 0;  // flush tickets
    uint64_t attempts = 0;  // write attempts, so that flush can tell a new failure from an old one
    uint64_t dropped = 0, droppedRecords = 0;
    bool stopping = false, failing = false, urgent = false;
    Error firstError;
    std::string carried;  // whole lines of records that could not be written yet
    std::thread thread;

    ~State() {
        if (thread.joinable()) {
            {
                std::lock_guard lock(mutex);
                stopping = true;
            }
            wake.notify_all();
            thread.join();
        }
        if (fd >= 0) ::close(fd);
    }

    // All of `bytes`, or none of it: a part that got through before an error is cut off again, so that the file ends with
    // a whole line.
    Result<void> append(std::string_view bytes) {
        off_t start = ::lseek(fd, 0, SEEK_END);
        size_t done = 0;
        while (done < bytes.size()) {
            ssize_t n = ::write(fd, bytes.data() + done, bytes.size() - done);
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) {
                int error = errno;
                if (done > 0 && start >= 0 && ::ftruncate(fd, start) != 0) {
                    // The torn line is closed by the next writer, or skipped by the reader.
                }
                return fail(systemError("cannot write", path, error));
            }
            done += static_cast<size_t>(n);
        }
        return {};
    }

    void push(std::unique_lock<std::mutex>& lock, Item item) {
        bool first = queue.empty();
        bool isMetric = item.isMetric;
        queue.push_back(std::move(item));
        ++(isMetric ? queuedMetrics : queuedRecords);
        if (!isMetric) urgent = true;
        lock.unlock();
        // A sleeping writer is woken once; while it gathers, metrics go without a system call.
        if (first || !isMetric) wake.notify_one();
    }

    void run() {
        std::vector<Item> batch;
        std::string buffer;
        std::unique_lock lock(mutex);
        while (true) {
            wake.wait(lock, [&] { return stopping || !queue.empty() || syncWanted > synced || !carried.empty(); });
            if (failing || syncWanted <= synced) wake.wait_for(lock, failing ? kRetry : kGather, [&] { return stopping || urgent; });
            urgent = false;
            const bool last = stopping;
            batch.clear();
            batch.swap(queue);
            queuedMetrics = queuedRecords = 0;
            const uint64_t wanted = syncWanted, lost = dropped, lostRecords = droppedRecords;
            dropped = droppedRecords = 0;
            lock.unlock();
            progress.notify_all();

            buffer = carried;
            std::string records = carried;  // what must survive a failed write
            uint64_t metrics = 0;
            for (Item& item : batch) {
                if (item.isMetric) {
                    buffer += metricLine(item.metric);
                    ++metrics;
                } else {
                    buffer += item.line;
                    records += item.line;
                    records += '\n';
                }
                buffer += '\n';
            }
            if (lost + lostRecords > 0)
                buffer += recordLine("log", {{"level", "warning"},
                                             {"text", std::to_string(lost) + " metric rows and " + std::to_string(lostRecords) +
                                                          " other records were not written: the disk was slower than the run or full"},
                                             {"dropped_metrics", lost},
                                             {"dropped_records", lostRecords}}) + "\n";
            Result<void> done = buffer.empty() ? Result<void>() : append(buffer);
            const bool sync = done && wanted > synced;
            if (sync && ::fdatasync(fd) != 0) done = fail(systemError("cannot sync", path, errno));

            lock.lock();
            ++attempts;
            if (done) {
                failing = false;
                carried.clear();
                if (sync) synced = wanted;
            } else {
                failing = true;
                if (firstError.message.empty()) firstError = done.error();
                dropped += lost + metrics;
                droppedRecords += lostRecords;
                carried = std::move(records);
            }
            progress.notify_all();
            if (last && queue.empty()) return;
        }
    }
};

EventWriter::EventWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
EventWriter::~EventWriter() = default;

Result<std::unique_ptr<EventWriter>> EventWriter::open(const std::string& path, const std::string& runId, int rank, int attempt) {
    auto state = std::make_unique<State>();
    state->path = path;
    state->fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (state->fd < 0) return fail(systemError("cannot open", path, errno));
    struct stat st {};
    if (::fstat(state->fd, &st) != 0) return fail(systemError("cannot read", path, errno));
    if (!S_ISREG(st.st_mode)) return fail(ErrorCode::kIo, path + " is not a regular file", "remove it");
    if (st.st_size > 0) {
        char end = 0;
        if (::pread(state->fd, &end, 1, st.st_size - 1) != 1) return fail(systemError("cannot read", path, errno));
        if (end != '\n') ASSAY_TRY_VOID(state->append("\n"));
    }
    const int pid = ::getpid();
    ASSAY_TRY_VOID(state->append(recordLine("hello", {{"schema", kEventSchema},
                                                      {"run", runId},
                                                      {"rank", rank},
                                                      {"attempt", attempt},
                                                      {"pid", pid},
                                                      {"start_ticks", processStartTicks(pid).value_or(0)}}) + "\n"));
    State* raw = state.get();
    state->queue.reserve(1024);
    state->thread = std::thread([raw] { raw->run(); });
    return std::unique_ptr<EventWriter>(new EventWriter(std::move(state)));
}

void EventWriter::metric(MetricRecord record) {
    std::unique_lock lock(state_->mutex);
    if (state_->queuedMetrics >= kMaxQueuedMetrics) {
        ++state_->dropped;
        return;
    }
    Item item;
    item.isMetric = true;
    item.metric = std::move(record);
    state_->push(lock, std::move(item));
}

void EventWriter::record(std::string_view type, Json fields) {
    Item item;
    item.line = recordLine(type, fields);
    std::unique_lock lock(state_->mutex);
    // Waiting for a disk that fails would hang the run; its flush reports the failure instead.
    state_->progress.wait(lock, [&] { return state_->queuedRecords < kMaxQueuedRecords || state_->failing; });
    if (state_->failing && state_->carried.size() > (size_t{4} << 20)) {
        ++state_->droppedRecords;
        return;
    }
    state_->push(lock, std::move(item));
}

void EventWriter::log(std::string_view level, std::string_view text) {
    record("log", {{"level", level}, {"text", text}});
    // The run's log.txt is what its worker writes to stderr.
    logLine(level == "error" ? LogLevel::kError : level == "warning" ? LogLevel::kWarning : LogLevel::kInfo, "run", text);
}

Result<void> EventWriter::flush() {
    State& state = *state_;
    std::unique_lock lock(state.mutex);
    const uint64_t ticket = ++state.syncWanted;
    const uint64_t before = state.attempts;
    state.urgent = true;
    state.wake.notify_one();
    // Two attempts: one may have been under way already when we asked.
    state.progress.wait(lock, [&] { return state.synced >= ticket || (state.failing && state.attempts >= before + 2); });
    if (state.synced >= ticket && state.firstError.message.empty()) return {};
    return fail(state.firstError);
}

}  // namespace assay::protocol
