#include "assay/store/store.h"

#include "store_state.h"

#include "assay/core/hash.h"
#include "assay/core/ids.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

namespace assay::store {
namespace {

// WAL needs shared memory between processes of one host; on these file systems it does not work.
bool isNetworkFileSystem(const std::string& folder) {
    struct statfs info {};
    if (::statfs(folder.c_str(), &info) != 0) return false;
    switch (static_cast<unsigned long>(info.f_type)) {
        case 0x6969:      // NFS
        case 0xFF534D42:  // CIFS
        case 0xFE534D42:  // SMB2
        case 0x517B:      // SMB
        case 0x5346414F:  // AFS
        case 0x0BD00BD0:  // Lustre
            return true;
        default: return false;
    }
}

Result<void> checkIntegrity(Connection& db, const std::string& folder) {
    ASSAY_TRY(auto check, db.prepare("PRAGMA quick_check(1)"));
    ASSAY_TRY(bool row, check.step());
    if (row && check.text(0) != "ok")
        return fail(ErrorCode::kInvalidFile, "the database of the store " + folder + " is damaged: " + std::string(check.text(0)),
                    "move assay.db away and put back the newest assay.db.before-* copy, or choose another --store; runs/ is not affected");
    return {};
}

}  // namespace

Store::Store(std::unique_ptr<StoreState> state) : state_(std::move(state)) {}

Store::~Store() {
    if (!state_) return;
    state_->readers.clear();  // the last connection to close is the writer's: it empties the log
}

Result<std::unique_ptr<Store>> Store::open(const std::string& folder) {
    auto state = std::make_unique<StoreState>();
    state->folder = folder;
    ASSAY_TRY_VOID(makeFolders(folder, 0700));
    ASSAY_TRY(state->lock, FileLock::acquire(folder + "/lock", "pid " + std::to_string(::getpid())));
    if (isNetworkFileSystem(folder))
        return fail(ErrorCode::kUnsupported, "the store " + folder + " lies on a network file system, where the database cannot work safely",
                    "choose a --store on a local disk");
    ASSAY_TRY_VOID(makeFolders(folder + "/runs"));
    ASSAY_TRY_VOID(makeFolders(folder + "/blobs"));

    const std::string file = folder + "/assay.db";
    // An unclean end leaves the log behind; only then is a full check worth its time.
    struct stat log {};
    const bool unclean = ::stat((file + "-wal").c_str(), &log) == 0 && log.st_size > 0;
    Connection& writer = state->writer;
    ASSAY_TRY_VOID(writer.open(file, false));
    ASSAY_TRY_VOID(writer.exec("PRAGMA foreign_keys=OFF"));
    // The version is looked at before anything is changed: a newer store stays byte for byte as it is.
    ASSAY_TRY_VOID(refuseNewer(*state));
    if (unclean) ASSAY_TRY_VOID(checkIntegrity(writer, folder));
    ASSAY_TRY_VOID(writer.exec("PRAGMA journal_mode=WAL"));
    ASSAY_TRY_VOID(writer.exec("PRAGMA synchronous=FULL"));
    ASSAY_TRY_VOID(writer.exec("PRAGMA cache_size=-16384"));
    state->writerDurable = true;
    ASSAY_TRY_VOID(migrate(*state));
    for (int i = 0; i < kReaders; ++i) {
        auto reader = std::make_unique<Connection>();
        ASSAY_TRY_VOID(reader->open(file, true));
        state->readers.push_back(std::move(reader));
    }
    return std::unique_ptr<Store>(new Store(std::move(state)));
}

const std::string& Store::folder() const { return state_->folder; }
const std::string& Store::epoch() const { return state_->epoch; }
std::string Store::runFolder(const std::string& id) const { return state_->folder + "/runs/" + id; }

void Store::onCommit(std::function<void()> hook) {
    std::lock_guard lock(state_->hookMutex);
    state_->hook = std::move(hook);
}

Result<void> Store::write(Promise promise, const std::function<Result<void>(Writer&)>& work) {
    StoreState& state = *state_;
    bool notify = false;
    {
        std::lock_guard lock(state.writeMutex);
        Connection& db = state.writer;
        const bool durable = promise == Promise::kDurable;
        if (durable != state.writerDurable) {
            ASSAY_TRY_VOID(db.exec(durable ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL"));
            state.writerDurable = durable;
        }
        ASSAY_TRY_VOID(db.exec("BEGIN IMMEDIATE"));
        state.eventsAdded = false;
        Writer writer(state, db);
        Result<void> done = work(writer);
        if (done && state.eventsSincePrune > kMaxEvents / 10) {
            state.eventsSincePrune = 0;
            done = pruneEvents(db);
        }
        if (done) done = db.exec("COMMIT");
        if (!done) {
            if (!sqlite3_get_autocommit(db.handle)) (void)db.exec("ROLLBACK");
            state.series.clear();
            state.progressSeq.clear();
            return done;
        }
        notify = state.eventsAdded;
    }
    if (notify) {
        std::lock_guard lock(state.hookMutex);
        if (state.hook) state.hook();
    }
    return {};
}

Result<void> Store::read(const std::function<Result<void>(Reader&)>& work) {
    StoreState& state = *state_;
    std::unique_ptr<Connection> connection;
    {
        std::unique_lock lock(state.readMutex);
        state.readerFree.wait(lock, [&] { return !state.readers.empty(); });
        connection = std::move(state.readers.back());
        state.readers.pop_back();
    }
    Result<void> done = connection->exec("BEGIN");
    if (done) {
        Reader reader(*connection);
        done = work(reader);
        if (!sqlite3_get_autocommit(connection->handle)) (void)connection->exec("ROLLBACK");
    }
    {
        std::lock_guard lock(state.readMutex);
        state.readers.push_back(std::move(connection));
    }
    state.readerFree.notify_one();
    return done;
}

}  // namespace assay::store
