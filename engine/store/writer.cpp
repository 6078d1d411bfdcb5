// Events, tails, checkpoints, artefacts and set-ups.
#include "store_state.h"

#include "assay/core/clock.h"

namespace assay::store {

Result<int64_t> Writer::addEvent(const std::string& run, std::string_view type, const Json& fields) {
    if (type == "progress") {
        auto older = state_.progressSeq.find(run);
        if (older != state_.progressSeq.end()) {
            ASSAY_TRY(auto remove, db_.prepare("DELETE FROM events WHERE seq=?"));
            ASSAY_TRY_VOID(remove.bind(older->second).run());
        }
    }
    // seq is known only after the insert; it is added to the text when the event is read.
    Json event = Json::object();
    event["run"] = run;
    event["type"] = type;
    for (const auto& [key, value] : fields.items())
        if (key != "seq" && key != "run" && key != "type") event[key] = value;
    const std::string text = dumpJson(event);
    ASSAY_TRY(auto insert, db_.prepare("INSERT INTO events(run,type,json) VALUES(?,?,?)"));
    ASSAY_TRY_VOID(insert.bind(run).bind(type).bind(text).run());
    const int64_t seq = sqlite3_last_insert_rowid(db_.handle);
    if (type == "progress") state_.progressSeq[run] = seq;
    state_.eventsAdded = true;
    ++state_.eventsSincePrune;
    return seq;
}

Result<int64_t> Writer::addRunEvent(const RunRow& row) { return addEvent(row.id, "run", {{"row", runRowToJson(row)}}); }

Result<std::optional<TailPosition>> readTail(Connection& db, const std::string& run, int rank) {
    ASSAY_TRY(auto query, db.prepare("SELECT device,inode,offset,lines,bad_lines FROM tails WHERE run=? AND rank=?"));
    ASSAY_TRY(bool row, query.bind(run).bind(rank).step());
    if (!row) return std::optional<TailPosition>();
    TailPosition p;
    p.device = static_cast<uint64_t>(query.integer(0));
    p.inode = static_cast<uint64_t>(query.integer(1));
    p.offset = query.integer(2);
    p.lines = query.integer(3);
    p.badLines = query.integer(4);
    return std::optional<TailPosition>(p);
}

Result<std::optional<TailPosition>> Writer::tail(const std::string& run, int rank) { return readTail(db_, run, rank); }

Result<void> Writer::setTail(const std::string& run, int rank, const TailPosition& p) {
    ASSAY_TRY(auto put, db_.prepare("INSERT INTO tails(run,rank,device,inode,offset,lines,bad_lines) VALUES(?,?,?,?,?,?,?) ON CONFLICT(run,rank) DO UPDATE SET "
                                    "device=excluded.device,inode=excluded.inode,offset=excluded.offset,lines=excluded.lines,bad_lines=excluded.bad_lines"));
    put.bind(run).bind(rank).bind(static_cast<int64_t>(p.device)).bind(static_cast<int64_t>(p.inode)).bind(p.offset).bind(p.lines).bind(p.badLines);
    return put.run();
}

Result<void> Writer::addCheckpoint(const std::string& run, const Json& record) {
    ASSAY_TRY(int64_t step, jsonInteger(record, "step"));
    const std::string text = dumpJson(record);
    ASSAY_TRY(auto put, db_.prepare("INSERT INTO checkpoints(run,step,json) VALUES(?,?,?) ON CONFLICT(run,step) DO UPDATE SET json=excluded.json"));
    return put.bind(run).bind(step).bind(text).run();
}

Result<void> Writer::addArtifact(const std::string& run, const Json& record) {
    ASSAY_TRY(auto name, jsonString(record, "name"));
    const std::string text = dumpJson(record);
    ASSAY_TRY(auto put, db_.prepare("INSERT INTO artifacts(run,name,json) VALUES(?,?,?) ON CONFLICT(run,name) DO UPDATE SET json=excluded.json"));
    return put.bind(run).bind(name).bind(text).run();
}

Result<void> Writer::probe() {
    ASSAY_TRY(auto put, db_.prepare("INSERT INTO meta(key, value) VALUES('probe', ?1) ON CONFLICT(key) DO UPDATE SET value=excluded.value"));
    const std::string text = isoTime(wallSeconds());
    return put.bind(text).run();
}

namespace {

void mergeInto(Json& target, const Json& source) {
    for (const auto& [key, value] : source.items()) {
        if (value.is_object() && target.contains(key) && target[key].is_object()) mergeInto(target[key], value);
        else target[key] = value;
    }
}

}  // namespace

Result<Json> Writer::mergeSetup(const std::string& run, const Json& record) {
    ASSAY_TRY(auto name, jsonString(record, "name"));
    Json merged = Json::object();
    {
        ASSAY_TRY(auto query, db_.prepare("SELECT json FROM setups WHERE run=? AND name=?"));
        ASSAY_TRY(bool found, query.bind(run).bind(name).step());
        if (found) {
            ASSAY_TRY(merged, parseColumn(query.text(0)));
        }
    }
    mergeInto(merged, record);
    const std::string text = dumpJson(merged);
    ASSAY_TRY(auto put, db_.prepare("INSERT INTO setups(run,name,json) VALUES(?,?,?) ON CONFLICT(run,name) DO UPDATE SET json=excluded.json"));
    ASSAY_TRY_VOID(put.bind(run).bind(name).bind(text).run());
    return merged;
}

}  // namespace assay::store
