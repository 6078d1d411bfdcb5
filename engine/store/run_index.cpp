#include "run_index.h"

#include "assay/core/clock.h"
#include "store_state.h"

#include <algorithm>

namespace assay::store {
namespace {

constexpr std::string_view kSelect =
    "SELECT id,name,kind,status,reason,parent,role,grp,fork_of,ordinal,created_at,started_at,ended_at,running_seconds,attempt,tags,summary,latest,spec FROM runs";
constexpr std::string_view kFixed[] = {"id",   "name",       "kind",       "status",   "reason",          "parent",  "role",
                                       "group", "fork_of", "created_at", "started_at", "ended_at", "running_seconds", "attempt", "tags"};
constexpr int kMaxDepth = 16;

Json time(double seconds) { return seconds > 0 ? Json(isoTime(seconds)) : Json(); }

template <class Columns>
Column& columnOf(Columns& columns, const std::string& key) {
    auto it = columns.find(key);
    if (it == columns.end()) it = columns.try_emplace(key).first;
    return it->second;
}

template <class Columns>
void putSettings(Columns& columns, size_t slot, const Json& object, std::string& path, int depth) {
    for (const auto& [key, value] : object.items()) {
        const size_t length = path.size();
        if (length > 0) path += '.';
        path += key;
        if (!value.is_object()) columnOf(columns, path).set(slot, value);
        else if (depth < kMaxDepth) putSettings(columns, slot, value, path, depth + 1);
        path.resize(length);
    }
}

}  // namespace

RunIndex::RunIndex() {
    for (std::string_view name : kFixed) fixed_.try_emplace(std::string(name));
}

void RunIndex::touch(std::vector<std::string> ids) {
    std::lock_guard lock(touchedMutex_);
    for (auto& id : ids) pending_.insert(std::move(id));
}

void RunIndex::settled() {
    std::lock_guard lock(touchedMutex_);
    dirty_.merge(pending_);
    pending_.clear();
}

Result<void> RunIndex::refresh(Connection& db) {
    bool all = false;
    std::set<std::string> ids;
    {
        std::lock_guard lock(touchedMutex_);
        all = all_;
        ids = std::move(dirty_);
        dirty_.clear();
        all_ = false;
        // What a writer is about to commit may be in this snapshot or not, so it stays named.
        ids.insert(pending_.begin(), pending_.end());
    }
    Result<void> done;
    if (all) done = readAll(db);
    else
        for (const std::string& id : ids)
            if (done = readOne(db, id); !done) break;
    if (!done) {
        std::lock_guard lock(touchedMutex_);
        all_ = true;
    }
    return done;
}

bool RunIndex::before(uint32_t a, uint32_t b) const {
    const Run &x = runs_[a], &y = runs_[b];
    return std::tie(x.createdAt, x.ordinal, x.id) < std::tie(y.createdAt, y.ordinal, y.id);
}

Result<void> RunIndex::readAll(Connection& db) {
    fixed_.clear();
    for (std::string_view name : kFixed) fixed_.try_emplace(std::string(name));
    figures_.clear();
    settings_.clear();
    runs_.clear();
    free_.clear();
    order_.clear();
    slots_.clear();
    rows_.clear();
    ASSAY_TRY(auto query, db.prepare(std::string(kSelect) + " ORDER BY created_at, ordinal, id"));
    while (true) {
        ASSAY_TRY(bool row, query.step());
        if (!row) return {};
        ASSAY_TRY_VOID(put(query, true));
    }
}

Result<void> RunIndex::readOne(Connection& db, const std::string& id) {
    rows_.erase(id);
    ASSAY_TRY(auto query, db.prepare(std::string(kSelect) + " WHERE id=?"));
    ASSAY_TRY(bool row, query.bind(id).step());
    if (row) return put(query, false);
    drop(id);
    return {};
}

Result<void> RunIndex::put(const Statement& s, bool fresh) {
    const std::string id(s.text(0));
    auto known = slots_.find(id);
    const bool added = known == slots_.end();
    uint32_t slot = 0;
    if (!added) {
        slot = known->second;
    } else if (!free_.empty()) {
        slot = free_.back();
        free_.pop_back();
    } else {
        slot = static_cast<uint32_t>(runs_.size());
        runs_.emplace_back();
    }
    if (added) {
        runs_[slot] = {id, !s.text(5).empty(), static_cast<int>(s.integer(9)), s.real(10)};
        slots_[id] = slot;
        // Runs mostly come in order.
        if (order_.empty() || before(order_.back(), slot)) order_.push_back(slot);
        else order_.insert(std::upper_bound(order_.begin(), order_.end(), slot, [&](uint32_t a, uint32_t b) { return before(a, b); }), slot);
        ASSAY_TRY(Json spec, parseColumn(s.text(18)));
        std::string path;
        if (spec.is_object()) putSettings(settings_, slot, spec, path, 0);
    }
    const char* texts[] = {"id", "name", "kind", "status", "reason", "parent", "role", "group", "fork_of"};
    for (int i = 0; i < 9; ++i) fixed_.find(texts[i])->second.set(slot, std::string(s.text(i)));
    fixed_.find("created_at")->second.set(slot, time(s.real(10)));
    fixed_.find("started_at")->second.set(slot, time(s.real(11)));
    fixed_.find("ended_at")->second.set(slot, time(s.real(12)));
    fixed_.find("running_seconds")->second.set(slot, s.real(13));
    fixed_.find("attempt")->second.set(slot, s.integer(14));
    ASSAY_TRY(Json tags, parseColumn(s.text(15)));
    fixed_.find("tags")->second.set(slot, tags);
    ASSAY_TRY(Json summary, parseColumn(s.text(16)));
    ASSAY_TRY(Json latest, parseColumn(s.text(17)));
    if (!fresh)
        for (auto& [key, column] : figures_) column.clear(slot);
    if (latest.is_object())
        for (const auto& [key, value] : latest.items()) columnOf(figures_, key).set(slot, value);
    if (summary.is_object())
        for (const auto& [key, value] : summary.items()) columnOf(figures_, key).set(slot, value);
    return {};
}

Result<RunRow> RunIndex::row(Connection& db, uint32_t slot) {
    const std::string& id = runs_[slot].id;
    if (auto kept = rows_.find(id); kept != rows_.end()) return kept->second;
    ASSAY_TRY(RunRow row, readRun(db, id, false));
    if (rows_.size() >= kKeptRows) rows_.clear();
    rows_.emplace(id, row);
    return row;
}

void RunIndex::drop(const std::string& id) {
    auto known = slots_.find(id);
    if (known == slots_.end()) return;
    const uint32_t slot = known->second;
    slots_.erase(known);
    for (Columns* columns : {&fixed_, &figures_, &settings_})
        for (auto& [key, column] : *columns) column.clear(slot);
    order_.erase(std::find(order_.begin(), order_.end(), slot));
    runs_[slot] = {};
    free_.push_back(slot);
}

KeyColumns RunIndex::find(std::string_view key) const {
    KeyColumns out;
    if (auto it = fixed_.find(key == "tag" ? "tags" : key); it != fixed_.end()) {
        out.first.push_back(&it->second);
        return out;
    }
    if (auto it = figures_.find(key); it != figures_.end() && it->second.used()) out.first.push_back(&it->second);
    if (auto it = settings_.find(key); it != settings_.end() && it->second.used()) out.first.push_back(&it->second);
    for (const auto& [path, column] : settings_)
        if (path.size() > key.size() && path.ends_with(key) && path[path.size() - key.size() - 1] == '.' && column.used()) out.endings.push_back(&column);
    return out;
}

std::vector<std::string> RunIndex::keys() const {
    std::set<std::string> out;
    for (const Columns* columns : {&fixed_, &figures_, &settings_}) {
        for (const auto& [key, column] : *columns) {
            if (columns != &fixed_ && !column.used()) continue;
            out.insert(key);
            if (columns == &settings_)
                if (auto dot = key.rfind('.'); dot != std::string::npos) out.insert(key.substr(dot + 1));
        }
    }
    return {out.begin(), out.end()};
}

}  // namespace assay::store
