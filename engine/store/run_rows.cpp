// Run rows to and from SQL.
#include "store_state.h"

#include "assay/core/clock.h"

namespace assay::store {
namespace {

constexpr std::string_view kColumns =
    "id,name,kind,status,reason,parent,role,grp,leaf,ordinal,after,created_at,started_at,ended_at,running_seconds,attempt,pid,start_ticks,resume,"
    "idempotency_key,fork_of,tags,summary,latest,progress,result,error,end_record,resumed_from";

// The texts live as long as this object, because SQLite reads them when the statement runs.
struct Texts {
    std::string after, tags, summary, latest, progress, result, error, end;
    explicit Texts(const RunRow& row)
        : after(dumpJson(Json(row.after))), tags(dumpJson(row.tags)), summary(dumpJson(row.summary)), latest(dumpJson(row.latest)),
          progress(dumpJson(row.progress)), result(dumpJson(row.result)), error(dumpJson(row.error)), end(dumpJson(row.end)) {}
};

}  // namespace

std::string runColumns(bool withSpec) { return std::string(kColumns) + (withSpec ? ",spec" : ""); }

// Our own writing, so the quick parser does; the careful one is asked only to say what is wrong.
Result<Json> parseColumn(std::string_view text) {
    if (text == "null") return Json();
    if (text == "{}") return Json(Json::object());
    if (text == "[]") return Json(Json::array());
    Json out = Json::parse(text.data(), text.data() + text.size(), nullptr, false);
    if (out.is_discarded()) return parseJson(text, "database column");
    return out;
}

Result<RunRow> rowFrom(const Statement& s, bool withSpec) {
    RunRow row;
    int c = 0;
    row.id = s.text(c++);
    row.name = s.text(c++);
    row.kind = s.text(c++);
    auto status = statusFromName(s.text(c++));
    if (!status) return fail(ErrorCode::kInvalidFile, "run " + row.id + " has an unknown status in the database");
    row.status = *status;
    row.reason = s.text(c++);
    row.parent = s.text(c++);
    row.role = s.text(c++);
    row.group = s.text(c++);
    row.leaf = s.integer(c++) != 0;
    row.ordinal = static_cast<int>(s.integer(c++));
    ASSAY_TRY(Json after, parseColumn(s.text(c++)));
    for (const Json& id : after)
        if (id.is_string()) row.after.push_back(id.get<std::string>());
    row.createdAt = s.real(c++);
    row.startedAt = s.real(c++);
    row.endedAt = s.real(c++);
    row.runningSeconds = s.real(c++);
    row.attempt = static_cast<int>(s.integer(c++));
    row.pid = static_cast<int>(s.integer(c++));
    row.startTicks = static_cast<uint64_t>(s.integer(c++));
    row.resume = s.integer(c++) != 0;
    row.idempotencyKey = s.text(c++);
    row.forkOf = s.text(c++);
    for (Json* target : {&row.tags, &row.summary, &row.latest, &row.progress, &row.result, &row.error, &row.end}) {
        ASSAY_TRY(*target, parseColumn(s.text(c++)));
    }
    if (!s.isNull(c)) row.resumedFrom = s.integer(c);
    ++c;
    if (withSpec) {
        ASSAY_TRY(row.spec, parseColumn(s.text(c)));
    }
    return row;
}

Result<std::vector<RunRow>> rowsOf(Statement& query, bool withSpec) {
    std::vector<RunRow> out;
    while (true) {
        ASSAY_TRY(bool row, query.step());
        if (!row) return out;
        ASSAY_TRY(RunRow run, rowFrom(query, withSpec));
        out.push_back(std::move(run));
    }
}

Result<RunRow> readRun(Connection& db, const std::string& id, bool withSpec) {
    ASSAY_TRY(auto query, db.prepare("SELECT " + runColumns(withSpec) + " FROM runs WHERE id=?"));
    ASSAY_TRY(bool found, query.bind(id).step());
    if (!found) return fail(ErrorCode::kNotFound, "there is no run " + id, "`assay runs list` shows the runs");
    return rowFrom(query, withSpec);
}

Result<void> Writer::insertRun(const RunRow& row) {
    const Texts texts(row);
    const std::string spec = dumpJson(row.spec ? *row.spec : Json());
    std::string marks = "?";
    for (int i = 1; i < 30; ++i) marks += ",?";
    ASSAY_TRY(auto insert, db_.prepare("INSERT INTO runs(" + runColumns(true) + ") VALUES(" + marks + ")"));
    insert.bind(row.id).bind(row.name).bind(row.kind).bind(statusName(row.status)).bind(row.reason);
    insert.bind(row.parent).bind(row.role).bind(row.group).bind(row.leaf ? 1 : 0).bind(row.ordinal).bind(texts.after);
    insert.bind(row.createdAt).bind(row.startedAt).bind(row.endedAt).bind(row.runningSeconds);
    insert.bind(row.attempt).bind(row.pid).bind(static_cast<int64_t>(row.startTicks)).bind(row.resume ? 1 : 0);
    insert.bind(row.idempotencyKey).bind(row.forkOf).bind(texts.tags).bind(texts.summary).bind(texts.latest);
    insert.bind(texts.progress).bind(texts.result).bind(texts.error).bind(texts.end);
    if (row.resumedFrom) insert.bind(*row.resumedFrom);
    else insert.bindNull();
    insert.bind(spec);
    state_.touched.push_back(row.id);
    return insert.run();
}

Result<void> Writer::updateRun(const RunRow& row) {
    const Texts texts(row);
    ASSAY_TRY(auto update, db_.prepare("UPDATE runs SET name=?,status=?,reason=?,started_at=?,ended_at=?,running_seconds=?,attempt=?,pid=?,start_ticks=?,"
                                       "resume=?,tags=?,summary=?,latest=?,progress=?,result=?,error=?,end_record=?,resumed_from=? WHERE id=?"));
    update.bind(row.name).bind(statusName(row.status)).bind(row.reason).bind(row.startedAt).bind(row.endedAt).bind(row.runningSeconds);
    update.bind(row.attempt).bind(row.pid).bind(static_cast<int64_t>(row.startTicks)).bind(row.resume ? 1 : 0).bind(texts.tags);
    update.bind(texts.summary).bind(texts.latest).bind(texts.progress).bind(texts.result).bind(texts.error).bind(texts.end);
    if (row.resumedFrom) update.bind(*row.resumedFrom);
    else update.bindNull();
    update.bind(row.id);
    state_.touched.push_back(row.id);
    ASSAY_TRY_VOID(update.run());
    if (sqlite3_changes(db_.handle) != 1) return fail(ErrorCode::kNotFound, "there is no run " + row.id);
    return {};
}

Result<RunRow> Writer::run(const std::string& id, bool withSpec) { return readRun(db_, id, withSpec); }

Result<std::vector<RunRow>> Writer::children(const std::string& parent) {
    ASSAY_TRY(auto query, db_.prepare("SELECT " + runColumns(false) + " FROM runs WHERE parent=? ORDER BY ordinal"));
    query.bind(parent);
    return rowsOf(query, false);
}

Result<std::vector<RunRow>> Writer::unfinished() {
    ASSAY_TRY(auto query, db_.prepare("SELECT " + runColumns(false) +
                                      " FROM runs WHERE status IN ('queued','starting','running','stopping') ORDER BY created_at, ordinal, id"));
    return rowsOf(query, false);
}

Result<void> Writer::removeRun(const std::string& id) {
    for (std::string_view sql : {"DELETE FROM block_data WHERE id IN (SELECT b.id FROM blocks b JOIN series s ON b.series=s.id WHERE s.run=?)",
                                 "DELETE FROM blocks WHERE series IN (SELECT id FROM series WHERE run=?)", "DELETE FROM series WHERE run=?",
                                 "DELETE FROM tails WHERE run=?", "DELETE FROM checkpoints WHERE run=?", "DELETE FROM artifacts WHERE run=?",
                                 "DELETE FROM setups WHERE run=?", "DELETE FROM events WHERE run=?",
                                 "DELETE FROM runs WHERE id=?"}) {
        ASSAY_TRY(auto remove, db_.prepare(sql));
        ASSAY_TRY_VOID(remove.bind(id).run());
    }
    std::erase_if(state_.series, [&](const auto& entry) { return entry.first.starts_with(id + "\n"); });
    state_.progressSeq.erase(id);
    state_.touched.push_back(id);
    if (auto told = addEvent(id, "run", {{"removed", true}}); !told) return fail(std::move(told).error());
    return {};
}

}  // namespace assay::store
