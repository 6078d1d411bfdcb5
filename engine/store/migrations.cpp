// The schema as numbered steps. A step never changes once it was released; a change of layout is a new step at the end.
// Each runs in one transaction with the new user_version, after a copy of the database was put beside it.
#include "store_state.h"

#include "assay/core/ids.h"

namespace assay::store {
namespace {

constexpr const char* kSteps[] = {
    // 1: first layout
    R"sql(
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE runs(
  id TEXT PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL,
  parent TEXT NOT NULL, role TEXT NOT NULL, grp TEXT NOT NULL, leaf INTEGER NOT NULL, ordinal INTEGER NOT NULL, after TEXT NOT NULL,
  created_at REAL NOT NULL, started_at REAL NOT NULL, ended_at REAL NOT NULL, running_seconds REAL NOT NULL,
  attempt INTEGER NOT NULL, pid INTEGER NOT NULL, start_ticks INTEGER NOT NULL, resume INTEGER NOT NULL,
  idempotency_key TEXT NOT NULL, fork_of TEXT NOT NULL, tags TEXT NOT NULL,
  summary TEXT NOT NULL, latest TEXT NOT NULL, progress TEXT NOT NULL, result TEXT NOT NULL, error TEXT NOT NULL, end_record TEXT NOT NULL,
  spec TEXT NOT NULL);
CREATE INDEX runs_by_creation ON runs(created_at, id);
CREATE INDEX runs_by_status ON runs(status) WHERE status IN ('queued','starting','running','stopping');
CREATE INDEX runs_by_parent ON runs(parent, ordinal);
CREATE UNIQUE INDEX runs_by_key ON runs(idempotency_key) WHERE idempotency_key <> '';
CREATE TABLE events(seq INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, type TEXT NOT NULL, json TEXT NOT NULL);
CREATE TABLE series(id INTEGER PRIMARY KEY, run TEXT NOT NULL, name TEXT NOT NULL, UNIQUE(run, name));
CREATE TABLE blocks(id INTEGER PRIMARY KEY, series INTEGER NOT NULL, sealed INTEGER NOT NULL, n INTEGER NOT NULL,
  step_min INTEGER NOT NULL, step_max INTEGER NOT NULL, non_finite INTEGER NOT NULL);
CREATE INDEX blocks_by_series ON blocks(series, id);
CREATE TABLE block_data(id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE tails(run TEXT NOT NULL, rank INTEGER NOT NULL, device INTEGER NOT NULL, inode INTEGER NOT NULL,
  offset INTEGER NOT NULL, lines INTEGER NOT NULL, bad_lines INTEGER NOT NULL, PRIMARY KEY(run, rank)) WITHOUT ROWID;
CREATE TABLE checkpoints(run TEXT NOT NULL, step INTEGER NOT NULL, json TEXT NOT NULL, PRIMARY KEY(run, step)) WITHOUT ROWID;
CREATE TABLE artifacts(id INTEGER PRIMARY KEY, run TEXT NOT NULL, name TEXT NOT NULL, json TEXT NOT NULL, UNIQUE(run, name));
CREATE TABLE setups(id INTEGER PRIMARY KEY, run TEXT NOT NULL, name TEXT NOT NULL, json TEXT NOT NULL, UNIQUE(run, name));
)sql",
    // 2: the step a session went on after
    "ALTER TABLE runs ADD COLUMN resumed_from INTEGER;",
    // 3: what a run's page shows of its events, found without reading all of them
    "CREATE INDEX events_to_keep ON events(run, type, seq) WHERE type IN ('resumed','sample');",
    // 4: warnings of a run stay with it too
    "DROP INDEX events_to_keep; CREATE INDEX events_to_keep ON events(run, type, seq) WHERE type IN ('resumed','sample','warning');",
};
static_assert(std::size(kSteps) == kSchemaVersion);

Result<int64_t> userVersion(Connection& db) {
    ASSAY_TRY(auto statement, db.prepare("PRAGMA user_version"));
    ASSAY_TRY(bool row, statement.step());
    return row ? statement.integer(0) : 0;
}

// A consistent copy beside the database; an older copy of the same version is replaced.
Result<void> backUp(Connection& db, const std::string& target) {
    const std::string staged = target + ".part";
    ASSAY_TRY_VOID(removeTree(staged));
    Connection copy;
    ASSAY_TRY_VOID(copy.open(staged, false));
    sqlite3_backup* backup = sqlite3_backup_init(copy.handle, "main", db.handle, "main");
    if (!backup) return fail(copy.error("cannot back up into"));
    sqlite3_backup_step(backup, -1);
    if (sqlite3_backup_finish(backup) != SQLITE_OK) return fail(copy.error("cannot back up into"));
    ASSAY_TRY_VOID(syncFile(staged));
    if (::rename(staged.c_str(), target.c_str()) != 0) return fail(systemError("cannot write", target, errno));
    return {};
}

}  // namespace

Result<void> refuseNewer(StoreState& state) {
    ASSAY_TRY(int64_t version, userVersion(state.writer));
    if (version > kSchemaVersion)
        return fail(ErrorCode::kVersionMismatch,
                    "the store " + state.folder + " was written by a newer Assay (schema " + std::to_string(version) + ", this one knows " +
                        std::to_string(kSchemaVersion) + ")",
                    "update Assay or choose another --store");
    return {};
}

Result<void> migrate(StoreState& state) {
    Connection& db = state.writer;
    ASSAY_TRY(int64_t version, userVersion(db));
    if (version > 0 && version < kSchemaVersion) {
        ASSAY_TRY_VOID(backUp(db, state.folder + "/assay.db.before-" + std::to_string(version + 1)));
    }
    for (int64_t step = version; step < kSchemaVersion; ++step) {
        const std::string script = "BEGIN IMMEDIATE;" + std::string(kSteps[step]) + "PRAGMA user_version=" + std::to_string(step + 1) + ";COMMIT;";
        if (auto done = db.exec(script.c_str()); !done) {
            if (!sqlite3_get_autocommit(db.handle)) (void)db.exec("ROLLBACK");
            return fail(std::move(done).error().with("migration to schema " + std::to_string(step + 1)));
        }
    }
    {
        ASSAY_TRY(auto make, db.prepare("INSERT OR IGNORE INTO meta(key, value) VALUES('store_epoch', ?)"));
        const std::string fresh = randomHex(16);
        ASSAY_TRY_VOID(make.bind(fresh).run());
    }
    ASSAY_TRY(auto query, db.prepare("SELECT value FROM meta WHERE key='store_epoch'"));
    ASSAY_TRY(bool row, query.step());
    if (!row) return fail(ErrorCode::kInvalidFile, "the store " + state.folder + " has no epoch");
    state.epoch = query.text(0);
    return {};
}

// The cursor of the oldest event that is still there; older cursors get kGone.
Result<void> pruneEvents(Connection& db) {
    ASSAY_TRY(auto span, db.prepare("SELECT COUNT(*) > ?1, MAX(seq) FROM events"));
    ASSAY_TRY(bool row, span.bind(kMaxEvents).step());
    if (!row || span.integer(0) == 0) return {};
    const int64_t keepFrom = span.integer(1) - kMaxEvents / 2;
    ASSAY_TRY(auto remove, db.prepare("DELETE FROM events WHERE seq <= ? AND type NOT IN ('resumed','sample','warning')"));
    ASSAY_TRY_VOID(remove.bind(keepFrom).run());
    ASSAY_TRY(auto note, db.prepare("INSERT INTO meta(key, value) VALUES('events_gone_to', ?1) ON CONFLICT(key) DO UPDATE SET value=excluded.value"));
    const std::string text = std::to_string(keepFrom);
    return note.bind(text).run();
}

}  // namespace assay::store
