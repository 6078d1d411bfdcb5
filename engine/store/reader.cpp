#include "store_state.h"

#include "assay/core/ids.h"
#include "series_codec.h"

#include <algorithm>
#include <cmath>

namespace assay::store {
namespace {

Result<Json> documents(Connection& db, std::string_view sql, const std::string& run) {
    Json out = Json::array();
    ASSAY_TRY(auto query, db.prepare(sql));
    query.bind(run);
    while (true) {
        ASSAY_TRY(bool row, query.step());
        if (!row) return out;
        ASSAY_TRY(Json document, parseColumn(query.text(0)));
        out.push_back(std::move(document));
    }
}

}  // namespace

Result<int64_t> Reader::lastSeq() {
    // The counter, not MAX(seq): a replaced progress event must not make it go back.
    ASSAY_TRY(auto query, db_.prepare("SELECT seq FROM sqlite_sequence WHERE name='events'"));
    ASSAY_TRY(bool row, query.step());
    return row ? query.integer(0) : 0;
}

Result<RunRow> Reader::run(const std::string& id, bool withSpec) { return readRun(db_, id, withSpec); }

Result<std::string> Reader::resolveRun(const std::string& reference) {
    const Error none(ErrorCode::kNotFound, "there is no run \"" + reference.substr(0, 100) + "\"", "`assay runs list` shows the runs");
    if (reference.size() < 4 || reference.size() > 13) return fail(none);
    for (char c : reference)
        if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z')) return fail(none);
    const std::string end = reference + "~";  // behind every id that begins with it
    ASSAY_TRY(auto query, db_.prepare("SELECT id FROM runs WHERE id>=? AND id<? ORDER BY id LIMIT 2"));
    ASSAY_TRY(bool first, query.bind(reference).bind(end).step());
    if (!first) return fail(none);
    std::string id(query.text(0));
    ASSAY_TRY(bool second, query.step());
    if (second && id != reference)
        return fail(ErrorCode::kBadUsage, "more than one run begins with \"" + reference + "\": " + id + ", " + std::string(query.text(0)) + " …", "give more characters");
    return id;
}

Result<std::vector<RunRow>> Reader::runs(bool withSpec) {
    ASSAY_TRY(auto query, db_.prepare("SELECT " + runColumns(withSpec) + " FROM runs ORDER BY created_at, ordinal, id"));
    return rowsOf(query, withSpec);
}

Result<std::vector<RunRow>> Reader::children(const std::string& parent, bool withSpec) {
    ASSAY_TRY(auto query, db_.prepare("SELECT " + runColumns(withSpec) + " FROM runs WHERE parent=? ORDER BY ordinal"));
    query.bind(parent);
    return rowsOf(query, withSpec);
}

Result<int64_t> Reader::queuedRuns() {
    ASSAY_TRY(auto query, db_.prepare("SELECT COUNT(*) FROM runs WHERE status='queued' AND leaf<>0"));
    ASSAY_TRY(bool row, query.step());
    return row ? query.integer(0) : 0;
}

Result<std::optional<std::string>> Reader::runWithKey(const std::string& key) {
    if (key.empty()) return std::optional<std::string>();
    ASSAY_TRY(auto query, db_.prepare("SELECT id FROM runs WHERE idempotency_key=?"));
    ASSAY_TRY(bool row, query.bind(key).step());
    if (!row) return std::optional<std::string>();
    return std::optional<std::string>(std::string(query.text(0)));
}

Result<std::vector<EventRow>> Reader::events(int64_t after, size_t limit, size_t maxBytes) {
    {
        ASSAY_TRY(auto gone, db_.prepare("SELECT value FROM meta WHERE key='events_gone_to'"));
        ASSAY_TRY(bool row, gone.step());
        if (row && std::strtoll(std::string(gone.text(0)).c_str(), nullptr, 10) > after && after > 0)
            return fail(ErrorCode::kGone, "events after " + std::to_string(after) + " are no longer kept", "list the runs again and go on from as_of_seq");
    }
    ASSAY_TRY(int64_t last, lastSeq());
    if (after < 0 || after > last)
        return fail(ErrorCode::kGone, "there is no event " + std::to_string(after) + " in this store (the last is " + std::to_string(last) + ")",
                    "list the runs again and go on from as_of_seq");
    std::vector<EventRow> out;
    size_t bytes = 0;
    ASSAY_TRY(auto query, db_.prepare("SELECT seq,run,type,json FROM events WHERE seq>? ORDER BY seq LIMIT ?"));
    query.bind(after).bind(static_cast<int64_t>(limit));
    while (true) {
        ASSAY_TRY(bool row, query.step());
        if (!row) return out;
        EventRow event;
        event.seq = query.integer(0);
        event.run = query.text(1);
        event.type = query.text(2);
        const std::string_view body = query.text(3);
        event.json = "{\"seq\":" + std::to_string(event.seq) + "," + std::string(body.substr(1));
        bytes += event.json.size();
        if (!out.empty() && bytes > maxBytes) return out;
        out.push_back(std::move(event));
    }
}

Result<Json> Reader::keptEvents(const std::string& run, std::string_view type, int64_t limit, size_t maxBytes) {
    std::vector<Json> newest;
    size_t bytes = 0;
    // The words of the index, so that it is taken.
    ASSAY_TRY(auto query, db_.prepare("SELECT json FROM events WHERE run=? AND type=? AND type IN ('resumed','sample','warning') ORDER BY seq DESC LIMIT ?"));
    query.bind(run).bind(type).bind(limit);
    while (true) {
        ASSAY_TRY(bool row, query.step());
        if (!row) break;
        const std::string_view text = query.text(0);
        bytes += text.size();
        if (!newest.empty() && bytes > maxBytes) break;
        ASSAY_TRY(Json event, parseColumn(text));
        newest.push_back(std::move(event));
    }
    return Json(std::vector<Json>(std::make_move_iterator(newest.rbegin()), std::make_move_iterator(newest.rend())));
}

Result<std::vector<std::string>> Reader::metricNames(const std::string& run) {
    std::vector<std::string> out;
    ASSAY_TRY(auto query, db_.prepare("SELECT name FROM series WHERE run=? ORDER BY name"));
    query.bind(run);
    while (true) {
        ASSAY_TRY(bool row, query.step());
        if (!row) return out;
        out.emplace_back(query.text(0));
    }
}

Result<SeriesAnswer> Reader::series(const std::string& run, const std::string& name, int64_t maxPoints, int64_t fromStep, int64_t toStep) {
    ASSAY_TRY(auto find, db_.prepare("SELECT id FROM series WHERE run=? AND name=?"));
    ASSAY_TRY(bool row, find.bind(run).bind(name).step());
    if (!row) return fail(ErrorCode::kNotFound, "run " + run + " has no metric \"" + name.substr(0, 200) + "\"", "`assay runs show " + run + "` lists its metrics");
    SeriesAnswer answer;
    std::vector<Point> points;
    ASSAY_TRY(auto query, db_.prepare("SELECT d.data FROM blocks b JOIN block_data d ON d.id=b.id WHERE b.series=? AND b.step_max>=? AND b.step_min<=? ORDER BY b.id"));
    query.bind(find.integer(0)).bind(fromStep).bind(toStep);
    while (true) {
        ASSAY_TRY(bool more, query.step());
        if (!more) break;
        ASSAY_TRY_VOID(decodeBlock(query.blob(0), points));
    }
    std::erase_if(points, [&](const Point& p) { return p.step < fromStep || p.step > toStep; });
    keepLastPerStep(points);
    answer.total = static_cast<int64_t>(points.size());
    answer.nonFinite = std::count_if(points.begin(), points.end(), [](const Point& p) { return !std::isfinite(p.value); });
    if (maxPoints > 0 && answer.total > maxPoints) {
        answer.points = sampleM4(points, std::max<int64_t>(maxPoints, 4));
        answer.sampled = answer.points.size() < points.size();
    } else {
        answer.points = std::move(points);
    }
    return answer;
}

Result<std::optional<TailPosition>> Reader::tail(const std::string& run, int rank) { return readTail(db_, run, rank); }

Result<Json> Reader::checkpoints(const std::string& run) { return documents(db_, "SELECT json FROM checkpoints WHERE run=? ORDER BY step", run); }
Result<Json> Reader::artifacts(const std::string& run) { return documents(db_, "SELECT json FROM artifacts WHERE run=? ORDER BY id", run); }
Result<Json> Reader::setups(const std::string& run) { return documents(db_, "SELECT json FROM setups WHERE run=? ORDER BY id", run); }

}  // namespace assay::store
