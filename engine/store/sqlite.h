#pragma once
// A thin layer over the SQLite C API: errors as Result, statements cached per connection and reset when done.

#include <assay/core/error.h>
#include <sqlite3.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace assay::store {

struct Connection;

class Statement {
public:
    Statement() = default;
    Statement(sqlite3_stmt* handle, Connection* db) : handle_(handle), db_(db) {}
    Statement(Statement&& other) noexcept { *this = std::move(other); }
    Statement& operator=(Statement&& other) noexcept {
        std::swap(handle_, other.handle_);
        std::swap(db_, other.db_);
        std::swap(next_, other.next_);
        return *this;
    }
    ~Statement() {
        if (handle_) {
            sqlite3_reset(handle_);
            sqlite3_clear_bindings(handle_);
        }
    }
    // Binds the next parameter. Text and blobs must live until the statement is done.
    Statement& bind(int64_t value) {
        sqlite3_bind_int64(handle_, ++next_, value);
        return *this;
    }
    Statement& bind(int value) { return bind(static_cast<int64_t>(value)); }
    Statement& bind(double value) {
        sqlite3_bind_double(handle_, ++next_, value);
        return *this;
    }
    Statement& bind(std::string_view text) {
        sqlite3_bind_text64(handle_, ++next_, text.empty() ? "" : text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
        return *this;
    }
    Statement& bindBlob(std::string_view bytes) {
        sqlite3_bind_blob64(handle_, ++next_, bytes.data(), bytes.size(), SQLITE_STATIC);
        return *this;
    }
    Statement& bindNull() {
        sqlite3_bind_null(handle_, ++next_);
        return *this;
    }
    Result<bool> step();  // true: a row is there
    Result<void> run();   // to the end
    int64_t integer(int column) const { return sqlite3_column_int64(handle_, column); }
    double real(int column) const { return sqlite3_column_double(handle_, column); }
    bool isNull(int column) const { return sqlite3_column_type(handle_, column) == SQLITE_NULL; }
    std::string_view text(int column) const {
        auto data = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column));
        return {data ? data : "", static_cast<size_t>(sqlite3_column_bytes(handle_, column))};
    }
    std::string_view blob(int column) const {
        auto data = static_cast<const char*>(sqlite3_column_blob(handle_, column));
        return {data ? data : "", static_cast<size_t>(sqlite3_column_bytes(handle_, column))};
    }

private:
    sqlite3_stmt* handle_ = nullptr;
    Connection* db_ = nullptr;
    int next_ = 0;
};

struct Connection {
    sqlite3* handle = nullptr;
    std::string path;
    std::map<std::string, sqlite3_stmt*, std::less<>> statements;

    Connection() = default;
    Connection(const Connection&) = delete;
    ~Connection();
    Result<void> open(const std::string& file, bool readOnly);
    Result<void> exec(const char* sql);
    // One statement of this SQL may be in use at a time.
    Result<Statement> prepare(std::string_view sql);
    Error error(std::string_view what) const;
};

}  // namespace assay::store
