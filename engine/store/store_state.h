#pragma once
#include "assay/store/store.h"
#include "run_index.h"
#include "sqlite.h"

#include "assay/core/durable.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <unordered_map>

namespace assay::store {

inline constexpr size_t kSealPoints = 1024;      // loose pieces of a series become one block at this many points
inline constexpr int kReaders = 3;
inline constexpr int64_t kMaxEvents = 1'000'000;  // then the older half goes

// What the writer remembers of a series so that an append needs no look-up; dropped when a transaction is rolled back.
struct SeriesTail {
    int64_t id = 0;
    int64_t loosePoints = 0;  // in pieces that are not sealed yet
};

struct StoreState {
    std::string folder, epoch;
    uint64_t device = 0, inode = 0;  // of the database file that is open
    FileLock lock;
    std::mutex writeMutex;
    Connection writer;
    bool writerDurable = false;
    std::unordered_map<std::string, SeriesTail> series;  // "run\nname"
    std::unordered_map<int64_t, std::string> seriesKeys;
    std::unordered_map<std::string, int64_t> progressSeq;  // run → its newest progress event
    bool eventsAdded = false;
    std::vector<std::string> touched;  // runs whose rows this transaction changed
    RunIndex index;
    int64_t eventsSincePrune = 0;

    std::mutex readMutex;
    std::condition_variable readerFree;
    std::vector<std::unique_ptr<Connection>> readers;  // the idle ones

    std::mutex hookMutex;
    std::function<void()> hook;
    std::mutex blobMutex;

    mutable std::mutex troubleMutex;
    std::optional<Error> trouble;
    std::function<void()> troubleHook;
};

Result<void> refuseNewer(StoreState& state);  // changes nothing
Result<void> migrate(StoreState& state);
Result<void> pruneEvents(Connection& db);

// Reading a run row: the columns in one place for writer and reader.
Result<RunRow> readRun(Connection& db, const std::string& id, bool withSpec);
std::string runColumns(bool withSpec);
Result<RunRow> rowFrom(const Statement& statement, bool withSpec);
Result<std::vector<RunRow>> rowsOf(Statement& query, bool withSpec);
Result<std::optional<TailPosition>> readTail(Connection& db, const std::string& run, int rank);
Result<Json> parseColumn(std::string_view text);

}  // namespace assay::store
