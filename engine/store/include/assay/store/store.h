#pragma once
// The store: one folder, one owner process, one SQLite file (STORAGE.md). All functions may be called from any thread;
// writes are serialised on one connection and readers have their own. Nothing throws.

#include <assay/protocol/events.h>
#include <assay/store/filter.h>
#include <assay/store/types.h>

#include <functional>
#include <memory>
#include <span>
#include <string>

namespace assay::store {

inline constexpr int kSchemaVersion = 4;

struct Connection;
struct StoreState;

// Operations of one transaction. Valid only inside Store::write; any error rolls the whole transaction back.
class Writer {
public:
    Result<void> insertRun(const RunRow& row);  // spec must be set
    Result<void> updateRun(const RunRow& row);  // everything but id, kind, place in the tree, creation and spec
    Result<void> removeRun(const std::string& id);  // rows of that run only; its `run removed` event stays
    Result<RunRow> run(const std::string& id, bool withSpec = false);
    Result<std::vector<RunRow>> children(const std::string& parent);  // by ordinal, without specs
    Result<std::vector<RunRow>> unfinished();                         // queued and active ones in order of creation

    // Appends an event; `fields` is an object, seq, run and type are added in front. A progress event replaces the older one.
    Result<int64_t> addEvent(const std::string& run, std::string_view type, const Json& fields);
    Result<int64_t> addRunEvent(const RunRow& row);  // type "run" with the row as it is now

    Result<void> appendMetrics(const std::string& run, const std::string& prefix, std::span<const protocol::MetricRecord> rows);
    // A session went on after `step`: points of the prefix with a larger step are superseded and removed; returns how many.
    Result<int64_t> cutMetrics(const std::string& run, const std::string& prefix, int64_t step);

    Result<std::optional<TailPosition>> tail(const std::string& run, int rank);
    Result<void> setTail(const std::string& run, int rank, const TailPosition& position);
    Result<void> addCheckpoint(const std::string& run, const Json& record);
    Result<void> addArtifact(const std::string& run, const Json& record);
    Result<void> probe();  // a change of no meaning, to learn whether writing works
    Result<Json> mergeSetup(const std::string& run, const Json& record);  // the merged document of that name

private:
    friend class Store;
    Writer(StoreState& state, Connection& connection) : state_(state), db_(connection) {}
    Result<int64_t> seriesId(const std::string& run, const std::string& name);
    Result<void> appendPoints(int64_t series, std::span<const Point> points);
    Result<void> putBlock(int64_t series, bool sealed, std::span<const Point> points);
    StoreState& state_;
    Connection& db_;
};

// Reads of one snapshot. Valid only inside Store::read.
class Reader {
public:
    Result<int64_t> lastSeq();
    Result<RunRow> run(const std::string& id, bool withSpec = true);  // kNotFound
    // The one run whose id starts with `reference` (at least 4 characters) or is it; kNotFound, kBadUsage when ambiguous.
    Result<std::string> resolveRun(const std::string& reference);
    Result<std::vector<RunRow>> runs(bool withSpec = false);           // in order of creation
    Result<std::vector<RunRow>> children(const std::string& parent, bool withSpec = false);  // by ordinal
    Result<int64_t> queuedRuns();  // with a worker of their own to come
    Result<std::optional<std::string>> runWithKey(const std::string& idempotencyKey);

    // Events after a cursor in order, at most `limit` and `maxBytes` (at least one); kGone when the cursor is too old.
    Result<std::vector<EventRow>> events(int64_t after, size_t limit, size_t maxBytes);

    // The newest `limit` events of a kept type ("resumed", "sample" or "warning") in order, at most `maxBytes` (at least one).
    Result<Json> keptEvents(const std::string& run, std::string_view type, int64_t limit, size_t maxBytes);

    Result<std::vector<std::string>> metricNames(const std::string& run);
    // M4 on step when there are more than maxPoints (0: all): first, smallest, largest and last of each bucket, and every
    // non-finite point up to maxPoints / 4 of them.
    Result<SeriesAnswer> series(const std::string& run, const std::string& name, int64_t maxPoints, int64_t fromStep, int64_t toStep);

    Result<std::optional<TailPosition>> tail(const std::string& run, int rank);
    Result<Json> checkpoints(const std::string& run);
    Result<Json> artifacts(const std::string& run);
    Result<Json> setups(const std::string& run);

private:
    friend class Store;
    explicit Reader(Connection& connection) : db_(connection) {}
    Connection& db_;
};

// A list of runs (PROTOCOL.md, runs.list) and what it gave.
struct RunQuery {
    std::string where, sort;
    bool parentsOnly = false;
    int64_t offset = 0, limit = 1000;
    std::vector<std::string> columns;  // keys whose values are wanted with each row
};
struct UnknownKeys {
    std::vector<std::string> keys;   // asked for, and no run has them
    std::vector<std::string> known;  // only when there are unknown ones: what runs do have
};
struct RunPage {
    std::vector<RunRow> rows;  // without specs
    std::vector<Json> values;  // of `columns`, one for each row; empty when none were asked for
    int64_t total = 0, asOfSeq = 0;
    UnknownKeys unknown;
};
struct RunGroups {
    std::vector<std::pair<Json, int64_t>> groups;  // value and number of runs, largest first, at most 1,000
    int64_t asOfSeq = 0;
    UnknownKeys unknown;
};

enum class Promise { kBatch, kDurable };  // kDurable: synced before write() returns; kBatch may roll back at power loss

class Store {
public:
    // Takes the lock (kBusy names the holder), migrates an older store after a backup copy, refuses a newer one
    // (kVersionMismatch) untouched and a damaged one (kInvalidFile).
    static Result<std::unique_ptr<Store>> open(const std::string& folder);
    ~Store();

    const std::string& folder() const;
    const std::string& epoch() const;
    std::string runFolder(const std::string& id) const;

    Result<void> write(Promise promise, const std::function<Result<void>(Writer&)>& work);
    Result<void> read(const std::function<Result<void>(Reader&)>& work);

    // Filtered, sorted and grouped in memory, on columns that follow the database; the first look reads all runs.
    Result<RunPage> select(const RunQuery& query);
    Result<RunGroups> groups(const std::string& key, const std::string& where, bool parentsOnly);

    // What keeps the store from writing, until a write succeeds again: kDiskFull, or kNotFound when its folder was deleted
    // or moved. The hook is called at each change, on the writing thread, outside the write lock.
    std::optional<Error> trouble() const;
    void onTrouble(std::function<void()> hook);
    // Tries a write that changes nothing, to find out whether the trouble is over.
    Result<void> probe();
    bool isGone() const;  // the database in the folder is not the one that is open

    // Called after every commit that added events, on the writing thread, outside the write lock.
    void onCommit(std::function<void()> hook);

    // Upload by content: chunks at rising offsets, checked at the end. Returns true when complete.
    Result<bool> putBlob(const std::string& sha256, int64_t offset, int64_t total, std::string_view bytes);
    Result<std::string> blobPath(const std::string& sha256) const;  // kNotFound

private:
    explicit Store(std::unique_ptr<StoreState> state);
    Result<void> readWith(const std::function<Result<void>(Connection&)>& work);
    Result<void> writeOnce(Promise promise, const std::function<Result<void>(Writer&)>& work, bool& notify);
    void noteTrouble(const Result<void>& outcome);
    std::unique_ptr<StoreState> state_;
};

}  // namespace assay::store
