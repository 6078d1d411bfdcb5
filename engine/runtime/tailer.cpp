// From event files into the store. Everything that was read and the new offset are one transaction, so that a crash
// between two of them loses and doubles nothing.
#include "runtime_state.h"

#include "assay/core/clock.h"
#include "assay/core/log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <limits>

namespace assay::runtime {
namespace {

constexpr size_t kChunkBytes = size_t{2} << 20;
constexpr size_t kMaxLineBytes = size_t{16} << 20;
constexpr int kMaxRanks = 1024;

struct Fd {
    int fd;
    ~Fd() {
        if (fd >= 0) ::close(fd);
    }
};

Result<size_t> readAt(int fd, std::string& buffer, size_t keep, int64_t offset, size_t bytes, const std::string& path) {
    buffer.resize(keep + bytes);
    size_t got = 0;
    while (got < bytes) {
        ssize_t n = ::pread(fd, buffer.data() + keep + got, bytes - got, offset + static_cast<off_t>(got));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail(systemError("cannot read", path, errno));
        if (n == 0) break;
        got += static_cast<size_t>(n);
    }
    buffer.resize(keep + got);
    return got;
}

// The complete lines of `text` as one batch of records.
Result<void> applyLines(RuntimeState& state, RecordBatch& batch, std::string_view text, store::TailPosition& position, bool& skipping) {
    int64_t bad = 0;
    std::string firstBad;
    while (!text.empty()) {
        const size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end + 1);
        ++position.lines;
        if (skipping) {
            skipping = false;  // the end of a line whose beginning was thrown away
            continue;
        }
        if (line.empty() || line == "\r") continue;
        protocol::ParsedEvent event;
        Result<void> done = state.parser.parse(line, event);
        if (done && event.isMetric) batch.metrics.push_back(std::move(event.metric));
        if (done && !event.isMetric) {
            done = applyRecord(batch, event.record);
            if (!done && done.error().code != ErrorCode::kInvalidFile) return done;  // the store's trouble, not the line's
        }
        if (!done) {
            ++bad;
            if (firstBad.empty()) firstBad = "line " + std::to_string(position.lines) + ": " + done.error().message;
        }
    }
    ASSAY_TRY_VOID(flushMetrics(batch));
    if (bad > 0) {
        position.badLines += bad;
        auto told = batch.writer.addEvent(batch.row.id, "log", {{"level", "warning"},
                                                                {"text", "event file of rank " + std::to_string(batch.rank) + ": " + std::to_string(bad) +
                                                                             " unreadable lines were skipped (" + firstBad + ")"},
                                                                {"bad_lines", position.badLines}});
        if (!told) return fail(std::move(told).error());
    }
    return {};
}

Result<bool> tailFile(RuntimeState& state, ActiveRun& run, int rank, const std::string& path) {
    Fd file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (file.fd < 0) return errno == ENOENT ? Result<bool>(false) : Result<bool>(fail(systemError("cannot open", path, errno)));
    struct stat st {};
    if (::fstat(file.fd, &st) != 0) return fail(systemError("cannot read", path, errno));
    if (!S_ISREG(st.st_mode)) return fail(ErrorCode::kInvalidFile, path + " is not a regular file");

    store::TailPosition position;
    bool known = false;
    ASSAY_TRY_VOID(state.store.read([&](store::Reader& reader) -> Result<void> {
        ASSAY_TRY(auto tail, reader.tail(run.id, rank));
        known = tail.has_value();
        if (tail) position = *tail;
        return {};
    }));
    const auto device = static_cast<uint64_t>(st.st_dev), inode = static_cast<uint64_t>(st.st_ino);
    const bool replaced = known && (position.device != device || position.inode != inode || st.st_size < position.offset);
    if (!replaced && known && st.st_size == position.offset) return false;
    if (replaced) position = {};
    position.device = device;
    position.inode = inode;

    std::string& buffer = state.buffer;
    const int64_t start = position.offset;
    ASSAY_TRY(size_t got, readAt(file.fd, buffer, 0, start, kChunkBytes, path));
    size_t end = buffer.rfind('\n');
    while (end == std::string::npos && got == kChunkBytes && buffer.size() < kMaxLineBytes) {
        const size_t keep = buffer.size();
        ASSAY_TRY(got, readAt(file.fd, buffer, keep, start + static_cast<int64_t>(keep), kChunkBytes, path));
        end = buffer.rfind('\n');
    }
    bool skipping = run.skipping.contains(rank);
    std::string_view complete;
    bool tooLong = false;
    if (end != std::string::npos) {
        complete = std::string_view(buffer).substr(0, end + 1);
        position.offset = start + static_cast<int64_t>(end) + 1;
    } else if (buffer.size() >= kMaxLineBytes) {
        tooLong = !skipping;
        position.offset = start + static_cast<int64_t>(buffer.size());
    } else if (!replaced) {
        return false;  // an incomplete line is not there yet
    }

    auto work = [&](Writer& writer) -> Result<void> {
        ASSAY_TRY(RunRow row, writer.run(run.id));
        RecordBatch batch{writer, row, run, rank, rank == 0 ? std::string() : "rank" + std::to_string(rank) + "/", {}};
        if (replaced) {
            ASSAY_TRY(int64_t removed, writer.cutMetrics(row.id, batch.prefix, std::numeric_limits<int64_t>::min()));
            auto told = writer.addEvent(row.id, "log", {{"level", "warning"},
                                                        {"text", "event file of rank " + std::to_string(rank) + " was replaced or cut; it is read from the beginning, and " +
                                                                     std::to_string(removed) + " points of the earlier file are dropped"}});
            if (!told) return fail(std::move(told).error());
        }
        if (tooLong) {
            ++position.badLines;
            auto told = writer.addEvent(row.id, "log", {{"level", "warning"}, {"text", "event file of rank " + std::to_string(rank) + ": a line of more than 16 MiB was skipped"}});
            if (!told) return fail(std::move(told).error());
        }
        bool skip = skipping;
        ASSAY_TRY_VOID(applyLines(state, batch, complete, position, skip));
        if (batch.runChanged) {
            ASSAY_TRY_VOID(saveRun(writer, row));
            ASSAY_TRY_VOID(refreshParents(writer, row.parent));
        } else if (batch.rowChanged) {
            ASSAY_TRY_VOID(writer.updateRun(row));
        }
        return writer.setTail(run.id, rank, position);
    };
    ASSAY_TRY_VOID(state.store.write(store::Promise::kBatch, work));
    if (tooLong || (skipping && end == std::string::npos)) run.skipping[rank] = path;
    else run.skipping.erase(rank);
    return end != std::string::npos || tooLong;
}

}  // namespace

Result<bool> tailRun(RuntimeState& state, ActiveRun& run) {
    const std::string folder = state.store.runFolder(run.id);
    bool any = false;
    for (int rank = 0; rank < kMaxRanks; ++rank) {
        const std::string path = folder + "/events.rank" + std::to_string(rank) + ".jsonl";
        if (rank > 0) {
            struct stat st {};
            if (::stat(path.c_str(), &st) != 0) break;
        }
        ASSAY_TRY(bool read, tailFile(state, run, rank, path));
        any |= read;
    }
    return any;
}

}  // namespace assay::runtime
