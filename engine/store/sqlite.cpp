#include "sqlite.h"

#include <cerrno>

namespace assay::store {

Result<bool> Statement::step() {
    int code = sqlite3_step(handle_);
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    return fail(db_->error("cannot use"));
}

Result<void> Statement::run() {
    while (true) {
        ASSAY_TRY(bool more, step());
        if (!more) return {};
    }
}

Connection::~Connection() {
    for (auto& [sql, statement] : statements) sqlite3_finalize(statement);
    if (handle) sqlite3_close(handle);
}

Error Connection::error(std::string_view what) const {
    const int code = handle ? sqlite3_errcode(handle) : SQLITE_NOMEM;
    const int system = handle ? sqlite3_system_errno(handle) : 0;
    const std::string text = std::string(what) + " " + path + ": " + (handle ? sqlite3_errmsg(handle) : "out of memory");
    switch (code & 0xff) {
        case SQLITE_FULL: return {ErrorCode::kDiskFull, text, "free some space on that disk"};
        case SQLITE_BUSY:
        case SQLITE_LOCKED: return {ErrorCode::kBusy, text, "another program has the database open; close it"};
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
            return {ErrorCode::kInvalidFile, text,
                    "the database is damaged: move it away and put back the newest copy beside it (assay.db.before-*), or start with another --store; "
                    "event files and results in runs/ are not affected"};
        case SQLITE_NOMEM: return {ErrorCode::kOutOfMemory, text};
        case SQLITE_IOERR:
            if (system == ENOSPC || system == EDQUOT) return {ErrorCode::kDiskFull, text, "free some space on that disk"};
            return {ErrorCode::kIo, text, "check the disk"};
        case SQLITE_READONLY:
        case SQLITE_CANTOPEN:
        case SQLITE_PERM:
            if (system == ENOSPC || system == EDQUOT) return {ErrorCode::kDiskFull, text, "free some space on that disk"};
            return {ErrorCode::kIo, text, "check that the folder exists and may be written"};
        default: return {ErrorCode::kInternal, text};
    }
}

Result<void> Connection::open(const std::string& file, bool readOnly) {
    path = file;
    const int flags = (readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(file.c_str(), &handle, flags, nullptr) != SQLITE_OK) return fail(error("cannot open"));
    sqlite3_extended_result_codes(handle, 1);
    sqlite3_busy_timeout(handle, 5000);
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 256 << 20);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    ASSAY_TRY_VOID(exec("PRAGMA mmap_size=0"));
    ASSAY_TRY_VOID(exec("PRAGMA cell_size_check=ON"));
    // Only the writer's connection moves the log into the database.
    if (readOnly) return exec("PRAGMA wal_autocheckpoint=0");
    return {};
}

Result<void> Connection::exec(const char* sql) {
    if (sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) != SQLITE_OK) return fail(error("cannot use"));
    return {};
}

Result<Statement> Connection::prepare(std::string_view sql) {
    auto it = statements.find(sql);
    if (it == statements.end()) {
        sqlite3_stmt* statement = nullptr;
        if (sqlite3_prepare_v3(handle, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT, &statement, nullptr) != SQLITE_OK)
            return fail(error("cannot use"));
        it = statements.emplace(std::string(sql), statement).first;
    }
    return Statement(it->second, this);
}

}  // namespace assay::store
