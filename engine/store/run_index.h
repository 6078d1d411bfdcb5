#pragma once
// What filters, sorts and groups of run lists look at: every key of every run as columns in memory. It follows the
// database: a writer names the runs it touches, the next look reads just those again. Not a cache of answers, and never
// the truth: it can be thrown away at any moment.

#include "assay/store/types.h"
#include "sqlite.h"

#include <array>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>

namespace assay::store {

enum class CellKind : uint8_t { kAbsent, kNull, kInteger, kReal, kSpecial /* the texts nan, inf, -inf */, kBool, kText, kList };

struct Cell {
    CellKind kind = CellKind::kAbsent;
    double number = 0;
    const std::string* text = nullptr;  // kText, kSpecial, kList (encoded), and integers that a double does not hold
    bool present() const { return kind != CellKind::kAbsent; }
    bool isNumber() const { return kind == CellKind::kInteger || kind == CellKind::kReal || kind == CellKind::kSpecial; }
};
std::string cellText(const Cell& cell);  // as filters compare it
Json cellToJson(const Cell& cell);
// The members of a list, one by one; a member's text lives in `storage` while it is looked at.
template <class F>
void forEachMember(const Cell& list, F&& visit);

// One key. Slots are in chunks, so that a key of a few runs costs little.
class Column {
public:
    void set(size_t slot, const Json& value);
    void clear(size_t slot);
    Cell at(size_t slot) const {
        const size_t chunk = slot / kChunk, place = slot % kChunk;
        if (chunk >= chunks_.size() || !chunks_[chunk]) return {};
        const Chunk& c = *chunks_[chunk];
        return {c.kinds[place], c.numbers[place], c.texts.empty() ? nullptr : &c.texts[place]};
    }
    bool used() const { return used_ > 0; }

private:
    static constexpr size_t kChunk = 256;
    struct Chunk {
        std::array<CellKind, kChunk> kinds{};
        std::array<double, kChunk> numbers{};
        std::vector<std::string> texts;  // empty, or one for each
    };
    std::vector<std::unique_ptr<Chunk>> chunks_;
    int64_t used_ = 0;
};

// The columns a key stands for. The first that a run has counts; of the endings, the only one it has.
struct KeyColumns {
    std::vector<const Column*> first, endings;
    bool known() const { return !first.empty() || !endings.empty(); }
    Cell at(size_t slot) const;
};

class RunIndex {
public:
    static constexpr size_t kKeptRows = 2000;  // a few megabytes
    RunIndex();
    // The writer's side. Runs named before the commit are read again by every look until `settled`, and once after it.
    void touch(std::vector<std::string> ids);
    void settled();

    std::mutex mutex;  // held over a look: taking the snapshot, refresh and everything below
    Result<void> refresh(Connection& db);

    KeyColumns find(std::string_view key) const;
    std::vector<std::string> keys() const;  // that some run has
    const std::vector<uint32_t>& order() const { return order_; }  // slots in order of creation
    const std::string& id(uint32_t slot) const { return runs_[slot].id; }
    bool isChild(uint32_t slot) const { return runs_[slot].child; }
    // The row as of the refresh. The rows of the last pages are kept: every commit empties the reader's page cache, and while
    // a run reports the same page is asked for again and again.
    Result<RunRow> row(Connection& db, uint32_t slot);

private:
    struct Run {
        std::string id;
        bool child = false;
        int ordinal = 0;
        double createdAt = 0;
    };
    using Columns = std::map<std::string, Column, std::less<>>;
    Result<void> readAll(Connection& db);
    Result<void> readOne(Connection& db, const std::string& id);
    Result<void> put(const Statement& row, bool fresh);
    void drop(const std::string& id);
    bool before(uint32_t a, uint32_t b) const;

    std::mutex touchedMutex_;
    bool all_ = true;
    std::set<std::string> dirty_, pending_;

    Columns fixed_, figures_, settings_;  // of the row, of its summary, of its spec
    std::vector<Run> runs_;
    std::vector<uint32_t> free_, order_;
    std::unordered_map<std::string, uint32_t> slots_;
    std::unordered_map<std::string, RunRow> rows_;
};

template <class F>
void forEachMember(const Cell& list, F&& visit) {
    std::string_view rest = *list.text;
    std::string storage;
    while (rest.size() >= 1 + sizeof(uint32_t) + sizeof(double)) {
        Cell member;
        uint32_t length = 0;
        member.kind = static_cast<CellKind>(rest[0]);
        std::copy_n(rest.data() + 1, sizeof length, reinterpret_cast<char*>(&length));
        std::copy_n(rest.data() + 1 + sizeof length, sizeof(double), reinterpret_cast<char*>(&member.number));
        rest.remove_prefix(1 + sizeof length + sizeof(double));
        storage.assign(rest.substr(0, length));
        rest.remove_prefix(length);
        member.text = &storage;
        visit(member);
    }
}

}  // namespace assay::store
