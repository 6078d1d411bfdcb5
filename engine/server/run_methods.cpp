// runs.*
#include "api.h"
#include "plans.h"

#include "assay/config/suggest.h"
#include "assay/core/clock.h"
#include "assay/core/json.h"

#include <limits>

namespace assay::server {
namespace {

using protocol::Cost;
using store::RunRow;

constexpr size_t kMaxColumns = 200;
constexpr int64_t kMaxSamples = 200, kMaxResumes = 1000;
constexpr size_t kMaxSampleBytes = size_t{512} << 10;

// [{step, at}] of every session that went on; what other ranks say of it does not count.
Result<Json> resumesOf(store::Reader& reader, const std::string& run) {
    ASSAY_TRY(Json events, reader.keptEvents(run, "resumed", kMaxResumes, kMaxSampleBytes));
    Json out = Json::array();
    for (const Json& event : events) {
        if (jsonIntegerOr(event, "rank", 0) != 0) continue;
        const double at = jsonDoubleOr(event, "time", 0);
        out.push_back({{"step", jsonIntegerOr(event, "step", 0)}, {"at", at > 0 ? Json(isoTime(at)) : Json()}});
    }
    return out;
}

// Length as text, never less than it is: writing every row out to measure it costs as much as sending it.
size_t roughBytes(const Json& value) {
    constexpr size_t kNumber = 25;
    switch (value.type()) {
        case Json::value_t::object: {
            size_t sum = 2;
            for (const auto& [key, member] : value.items()) sum += key.size() * 2 + 4 + roughBytes(member);
            return sum;
        }
        case Json::value_t::array: {
            size_t sum = 2;
            for (const Json& member : value) sum += 1 + roughBytes(member);
            return sum;
        }
        case Json::value_t::string: {
            const auto& text = value.get_ref<const std::string&>();
            size_t sum = 2 + text.size();
            for (char c : text)
                if (static_cast<unsigned char>(c) < 0x20) sum += 5;
                else if (c == '"' || c == '\\') ++sum;
            return sum;
        }
        default: return kNumber;
    }
}

// One for each key that no run has, with the nearest that one does have.
Json warningsOf(const store::UnknownKeys& unknown) {
    Json out = Json::array();
    for (const std::string& key : unknown.keys) {
        const std::string meant = config::didYouMean(key, unknown.known);
        out.push_back("no run has the key \"" + key.substr(0, 100) + "\"" + (meant.empty() ? "" : "; " + meant));
    }
    return out;
}

Result<Json> list(ApiContext& context, const Json& params) {
    ASSAY_TRY(auto where, textParamOr(params, "where", ""));
    ASSAY_TRY(auto sort, textParamOr(params, "sort", ""));
    ASSAY_TRY(int64_t limit, numberParamOr(params, "limit", 0, 100'000, 1000));
    ASSAY_TRY(int64_t offset, numberParamOr(params, "offset", 0, std::numeric_limits<int64_t>::max(), 0));
    ASSAY_TRY(bool parentsOnly, flagParamOr(params, "parents_only", false));
    ASSAY_TRY(auto columns, textsParam(params, "columns"));
    if (columns.size() > kMaxColumns) return fail(ErrorCode::kBadUsage, "parameter \"columns\": more than " + std::to_string(kMaxColumns));
    ASSAY_TRY(auto page, context.store.select({where, sort, parentsOnly, offset, limit, columns}));
    Json out = Json::array();
    size_t bytes = 0;
    for (size_t i = 0; i < page.rows.size(); ++i) {
        Json row = store::runRowToJson(std::move(page.rows[i]));
        if (!page.values.empty()) row["values"] = std::move(page.values[i]);
        bytes += roughBytes(row);
        if (bytes > kMaxAnswerBytes && !out.empty()) break;
        out.push_back(std::move(row));
    }
    return Json{{"runs", std::move(out)}, {"total", page.total}, {"as_of_seq", page.asOfSeq}, {"warnings", warningsOf(page.unknown)}};
}

Result<Json> groups(ApiContext& context, const Json& params) {
    ASSAY_TRY(auto key, textParam(params, "key"));
    ASSAY_TRY(auto where, textParamOr(params, "where", ""));
    ASSAY_TRY(bool parentsOnly, flagParamOr(params, "parents_only", false));
    ASSAY_TRY(auto found, context.store.groups(key, where, parentsOnly));
    Json out = Json::array();
    size_t bytes = 0;
    for (auto& [value, total] : found.groups) {
        bytes += roughBytes(value) + 32;
        if (bytes > kMaxAnswerBytes) break;
        out.push_back({{"value", std::move(value)}, {"total", total}});
    }
    return Json{{"groups", std::move(out)}, {"as_of_seq", found.asOfSeq}, {"warnings", warningsOf(found.unknown)}};
}

Result<Json> get(ApiContext& context, const Json& params) {
    ASSAY_TRY(auto id, runParam(context.store, params));
    Json ranks = Json::array();
    for (const runtime::RankState& r : context.runtime.ranks(id)) ranks.push_back({{"rank", r.rank}, {"pid", r.pid > 0 ? Json(r.pid) : Json()}, {"running", r.running}});
    Json out;
    ASSAY_TRY_VOID(context.store.read([&](store::Reader& reader) -> Result<void> {
        ASSAY_TRY(RunRow row, reader.run(id, true));
        out = store::runRowToJson(row);
        out["ranks"] = std::move(ranks);
        out["spec"] = *row.spec;
        ASSAY_TRY(out["setups"], reader.setups(id));
        ASSAY_TRY(out["checkpoints"], reader.checkpoints(id));
        ASSAY_TRY(out["artifacts"], reader.artifacts(id));
        ASSAY_TRY(out["metrics"], reader.metricNames(id));
        ASSAY_TRY(out["resumed"], resumesOf(reader, id));
        ASSAY_TRY(out["samples"], reader.keptEvents(id, "sample", kMaxSamples, kMaxSampleBytes));
        ASSAY_TRY(out["warnings"], reader.keptEvents(id, "warning", kMaxSamples, kMaxSampleBytes));
        out["result"] = row.result;
        out["after"] = row.after;
        out["folder"] = context.store.runFolder(id);
        // Everything below it, parents before children. Rows that would not fit a message are only counted.
        Json children = Json::array();
        int64_t count = 0;
        size_t bytes = 0;
        std::set<int> leaves;  // places of the runs that do work
        std::vector<RunRow> open{row};
        for (size_t at = 0; at < open.size(); ++at) {
            if (open[at].leaf) {
                leaves.insert(open[at].ordinal);
                continue;
            }
            ASSAY_TRY(auto below, reader.children(open[at].id));
            for (RunRow& child : below) {
                ++count;
                if (bytes < kMaxAnswerBytes / 2) {
                    Json item = store::runRowToJson(child);
                    item["result"] = child.result;
                    ASSAY_TRY(item["setups"], reader.setups(child.id));
                    ASSAY_TRY(const Json told, reader.keptEvents(child.id, "warning", kMaxSamples, kMaxSampleBytes / 8));
                    if (out["warnings"].size() < static_cast<size_t>(kMaxSamples))
                        for (const Json& warning : told) out["warnings"].push_back(warning);
                    bytes += dumpJson(item).size();
                    children.push_back(std::move(item));
                }
                open.push_back(std::move(child));
            }
        }
        out["children"] = std::move(children);
        out["children_total"] = count;
        ASSAY_TRY_VOID(addPlan(context.store, reader, row, leaves, out));
        ASSAY_TRY(out["as_of_seq"], reader.lastSeq());
        return {};
    }));
    auto environment = readJsonFile(context.store.runFolder(id) + "/environment.json");
    out["environment"] = environment ? std::move(*environment) : Json();
    return out;
}

Json submitted(const runtime::Submitted& made) { return {{"run", made.run}, {"children", made.children}}; }

Result<Json> submit(ApiContext& context, const Json& params) {
    auto spec = params.find("spec");
    if (spec == params.end() || !spec->is_object()) return fail(ErrorCode::kBadUsage, "parameter \"spec\": expected an object");
    ASSAY_TRY(auto yaml, textParamOr(params, "yaml", ""));
    ASSAY_TRY(auto key, textParam(params, "idempotency_key"));
    ASSAY_TRY(auto forkOf, textParamOr(params, "parent_of_fork", ""));
    ASSAY_TRY(bool hold, flagParamOr(params, "hold", false));
    ASSAY_TRY(auto made, context.runtime.submit(*spec, yaml, key, forkOf, hold));
    if (context.planRun) context.planRun(made.run);
    return submitted(made);
}

Result<Json> stop(ApiContext& context, const Json& params) {
    ASSAY_TRY(auto id, runParam(context.store, params));
    ASSAY_TRY(bool discard, flagParamOr(params, "discard", false));
    ASSAY_TRY_VOID(context.runtime.stop(id, discard));
    return Json{{"run", id}};
}

Result<Json> resume(ApiContext& context, const Json& params) {
    ASSAY_TRY(auto id, runParam(context.store, params));
    ASSAY_TRY(auto resumed, context.runtime.resume(id));
    return Json{{"run", resumed.run}, {"resumed_from_step", resumed.fromStep ? Json(*resumed.fromStep) : Json()}};
}

Result<Json> fork(ApiContext& context, const Json& params) {
    ASSAY_TRY(auto id, runParam(context.store, params));
    ASSAY_TRY(auto overrides, textsParam(params, "set"));
    ASSAY_TRY(auto made, context.runtime.fork(id, overrides));
    if (context.planRun) context.planRun(made.run);
    return submitted(made);
}

Result<Json> remove(ApiContext& context, const Json& params) {
    ASSAY_TRY(auto id, runParam(context.store, params));
    ASSAY_TRY_VOID(context.runtime.remove(id));
    return Json{{"run", id}};
}

Result<Json> log(ApiContext& context, const Json& params) {
    ASSAY_TRY(auto id, runParam(context.store, params));
    ASSAY_TRY(int64_t offset, numberParamOr(params, "offset", std::numeric_limits<int64_t>::min() / 2, std::numeric_limits<int64_t>::max(), 0));
    ASSAY_TRY(int64_t maxBytes, numberParamOr(params, "max_bytes", 0, std::numeric_limits<int64_t>::max(), 64 << 10));
    ASSAY_TRY(auto part, context.runtime.log(id, offset, std::min<int64_t>(maxBytes, 512 << 10)));
    return Json{{"text", part.text}, {"offset", part.offset}, {"next_offset", part.next}, {"size", part.size}};
}

}  // namespace

void addRunMethods(protocol::Dispatcher& table, ApiContext& context) {
    auto add = [&](const char* name, Result<Json> (*method)(ApiContext&, const Json&)) {
        table.add(name, Cost::kSlow, [&context, method](const Json& params, uint64_t) { return method(context, params); });
    };
    add("runs.list", list);
    add("runs.groups", groups);
    add("runs.get", get);
    add("runs.submit", submit);
    add("runs.stop", stop);
    add("runs.resume", resume);
    add("runs.fork", fork);
    add("runs.remove", remove);
    add("runs.log", log);
}

}  // namespace assay::server
