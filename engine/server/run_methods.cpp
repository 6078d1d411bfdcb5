// runs.*
#include "api.h"

#include "assay/core/json.h"

#include <limits>

namespace assay::server {
namespace {

using protocol::Cost;
using store::RunRow;

Result<Json> list(ApiContext& context, const Json& params) {
    ASSAY_TRY(auto where, textParamOr(params, "where", ""));
    ASSAY_TRY(auto sort, textParamOr(params, "sort", ""));
    ASSAY_TRY(int64_t limit, numberParamOr(params, "limit", 0, 100'000, 1000));
    ASSAY_TRY(int64_t offset, numberParamOr(params, "offset", 0, std::numeric_limits<int64_t>::max(), 0));
    ASSAY_TRY(bool parentsOnly, flagParamOr(params, "parents_only", false));
    ASSAY_TRY(store::Filter filter, store::Filter::parse(where));
    ASSAY_TRY(store::SortKey key, store::parseSort(sort));
    const bool withSpec = filter.needsSpec() || (!key.key.empty() && !store::isColumn(key.key));
    std::vector<RunRow> rows;
    int64_t seq = 0;
    ASSAY_TRY_VOID(context.store.read([&](store::Reader& reader) -> Result<void> {
        ASSAY_TRY(rows, reader.runs(withSpec));
        ASSAY_TRY(seq, reader.lastSeq());
        return {};
    }));
    std::erase_if(rows, [&](const RunRow& row) { return (parentsOnly && !row.parent.empty()) || !filter.matches(row); });
    store::sortRuns(rows, key);
    Json out = Json::array();
    size_t bytes = 0;
    for (size_t i = static_cast<size_t>(std::min<int64_t>(offset, static_cast<int64_t>(rows.size()))); i < rows.size() && static_cast<int64_t>(out.size()) < limit; ++i) {
        Json row = store::runRowToJson(rows[i]);
        bytes += dumpJson(row).size();
        if (bytes > kMaxAnswerBytes && !out.empty()) break;
        out.push_back(std::move(row));
    }
    return Json{{"runs", std::move(out)}, {"total", rows.size()}, {"as_of_seq", seq}};
}

Result<Json> get(ApiContext& context, const Json& params) {
    ASSAY_TRY(auto id, runParam(context.store, params));
    Json out;
    ASSAY_TRY_VOID(context.store.read([&](store::Reader& reader) -> Result<void> {
        ASSAY_TRY(RunRow row, reader.run(id, true));
        out = store::runRowToJson(row);
        out["spec"] = *row.spec;
        ASSAY_TRY(out["setups"], reader.setups(id));
        ASSAY_TRY(out["checkpoints"], reader.checkpoints(id));
        ASSAY_TRY(out["artifacts"], reader.artifacts(id));
        ASSAY_TRY(out["metrics"], reader.metricNames(id));
        out["result"] = row.result;
        out["after"] = row.after;
        out["folder"] = context.store.runFolder(id);
        // Everything below it, parents before children. Rows that would not fit a message are only counted.
        Json children = Json::array();
        int64_t count = 0;
        size_t bytes = 0;
        std::vector<RunRow> open{row};
        for (size_t at = 0; at < open.size(); ++at) {
            if (open[at].leaf) continue;
            ASSAY_TRY(auto below, reader.children(open[at].id));
            for (RunRow& child : below) {
                ++count;
                if (bytes < kMaxAnswerBytes / 2) {
                    Json item = store::runRowToJson(child);
                    item["result"] = child.result;
                    ASSAY_TRY(item["setups"], reader.setups(child.id));
                    bytes += dumpJson(item).size();
                    children.push_back(std::move(item));
                }
                open.push_back(std::move(child));
            }
        }
        out["children"] = std::move(children);
        out["children_total"] = count;
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
    add("runs.get", get);
    add("runs.submit", submit);
    add("runs.stop", stop);
    add("runs.resume", resume);
    add("runs.fork", fork);
    add("runs.remove", remove);
    add("runs.log", log);
}

}  // namespace assay::server
