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

constexpr uint64_t kLeastRoom = uint64_t{4} << 20;

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
    struct stat opened {};
    if (::stat(file.c_str(), &opened) != 0) return fail(systemError("cannot look at", file, errno));
    state->device = opened.st_dev;
    state->inode = opened.st_ino;
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
    bool notify = false;
    Result<void> done = writeOnce(promise, work, notify);
    noteTrouble(done);
    if (notify) {
        std::lock_guard lock(state_->hookMutex);
        if (state_->hook) state_->hook();
    }
    return done;
}

Result<void> Store::writeOnce(Promise promise, const std::function<Result<void>(Writer&)>& work, bool& notify) {
    StoreState& state = *state_;
    std::lock_guard lock(state.writeMutex);
    Connection& db = state.writer;
    const bool durable = promise == Promise::kDurable;
    if (durable != state.writerDurable) {
        ASSAY_TRY_VOID(db.exec(durable ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL"));
        state.writerDurable = durable;
    }
    ASSAY_TRY_VOID(db.exec("BEGIN IMMEDIATE"));
    state.eventsAdded = false;
    state.touched.clear();
    Writer writer(state, db);
    Result<void> done = work(writer);
    if (done && state.eventsSincePrune > kMaxEvents / 10) {
        state.eventsSincePrune = 0;
        done = pruneEvents(db);
    }
    if (done) {
        state.index.touch(std::move(state.touched));
        done = db.exec("COMMIT");
        state.index.settled();
    }
    if (!done) {
        if (!sqlite3_get_autocommit(db.handle)) (void)db.exec("ROLLBACK");
        state.series.clear();
        state.progressSeq.clear();
        return done;
    }
    notify = state.eventsAdded;
    return {};
}

bool Store::isGone() const {
    struct stat now {};
    return ::stat((state_->folder + "/assay.db").c_str(), &now) != 0 || now.st_dev != state_->device || now.st_ino != state_->inode;
}

void Store::noteTrouble(const Result<void>& outcome) {
    StoreState& state = *state_;
    std::lock_guard lock(state.troubleMutex);
    if (outcome && !state.trouble) return;
    std::optional<Error> now;
    // Files that were deleted can still be written to: success alone does not end this trouble.
    if ((!outcome || state.trouble->code == ErrorCode::kNotFound) && isGone()) {
        now = Error(ErrorCode::kNotFound, "the store " + state.folder + " was deleted, moved or replaced while its engine runs: nothing can be recorded",
                    "put the folder back where it was, or stop this engine and start another one on an empty store");
    } else if (!outcome && outcome.error().code == ErrorCode::kDiskFull) {
        now = Error(ErrorCode::kDiskFull, "the disk of the store " + state.folder + " is full: nothing can be recorded",
                    "free some space; runs go on, and what they write is taken in as soon as there is room").with(outcome.error().message);
    } else if (!outcome) {
        return;  // what the work itself refused says nothing about the disk
    } else if (state.trouble->code == ErrorCode::kDiskFull && !requireFreeSpace(state.folder, kLeastRoom)) {
        return;  // a small write may still find a place where a larger one did not
    }
    if (now.has_value() == state.trouble.has_value() && (!now || now->code == state.trouble->code)) return;
    state.trouble = std::move(now);
    if (state.troubleHook) state.troubleHook();
}

std::optional<Error> Store::trouble() const {
    std::lock_guard lock(state_->troubleMutex);
    return state_->trouble;
}

void Store::onTrouble(std::function<void()> hook) {
    std::lock_guard lock(state_->troubleMutex);
    state_->troubleHook = std::move(hook);
}

Result<void> Store::probe() {
    if (isGone()) {
        const Result<void> gone = fail(ErrorCode::kNotFound, "the store " + state_->folder + " is not there any more");
        noteTrouble(gone);
        return gone;
    }
    // As much as the writes that may have failed, or the answer would change with every small one.
    if (auto room = requireFreeSpace(state_->folder, kLeastRoom); !room) {
        noteTrouble(room);
        return room;
    }
    return write(Promise::kDurable, [](Writer& writer) { return writer.probe(); });
}

Result<void> Store::read(const std::function<Result<void>(Reader&)>& work) {
    return readWith([&](Connection& connection) {
        Reader reader(connection);
        return work(reader);
    });
}

Result<void> Store::readWith(const std::function<Result<void>(Connection&)>& work) {
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
        done = work(*connection);
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
