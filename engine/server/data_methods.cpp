// engine.*, metrics.*, blobs.*
#include "api.h"

#include "assay/core/clock.h"
#include "assay/protocol/version.h"

#include <QByteArray>
#include <unistd.h>

#include <limits>

namespace assay::server {
namespace {

using protocol::Cost;

Result<Json> info(ApiContext& context, const Json&) {
    return Json{{"version", context.version},       {"url", context.url},
                {"pid", ::getpid()},                {"store", context.store.folder()},
                {"runs_active", context.runtime.activeRuns()}, {"uptime_seconds", monotonicSeconds() - context.startedAt}};
}

Result<Json> shutdown(ApiContext& context, const Json&) {
    if (context.shutdown) context.shutdown();
    return Json::object();
}

Result<Json> names(ApiContext& context, const Json& params) {
    ASSAY_TRY(auto id, runParam(context.store, params));
    std::vector<std::string> out;
    ASSAY_TRY_VOID(context.store.read([&](store::Reader& reader) -> Result<void> {
        ASSAY_TRY(out, reader.metricNames(id));
        return {};
    }));
    return Json{{"names", out}};
}

Result<Json> query(ApiContext& context, const Json& params) {
    constexpr int64_t kFirst = std::numeric_limits<int64_t>::min(), kLast = std::numeric_limits<int64_t>::max();
    ASSAY_TRY(auto id, runParam(context.store, params));
    ASSAY_TRY(auto name, textParam(params, "name"));
    ASSAY_TRY(int64_t maxPoints, numberParamOr(params, "max_points", 1, 1'000'000, 0));
    ASSAY_TRY(int64_t from, numberParamOr(params, "from_step", kFirst, kLast, kFirst));
    ASSAY_TRY(int64_t to, numberParamOr(params, "to_step", kFirst, kLast, kLast));
    store::SeriesAnswer answer;
    ASSAY_TRY_VOID(context.store.read([&](store::Reader& reader) -> Result<void> {
        ASSAY_TRY(answer, reader.series(id, name, maxPoints, from, to));
        return {};
    }));
    Json points = Json::array();
    Json next;
    size_t bytes = 0;
    for (const store::Point& p : answer.points) {
        Json point = Json::array({p.step, jsonNumber(p.seconds), p.tokens, jsonNumber(p.value)});
        bytes += dumpJson(point).size() + 1;
        // What does not fit a message is asked for from here on.
        if (bytes > kMaxAnswerBytes && !points.empty()) {
            next = p.step;
            break;
        }
        points.push_back(std::move(point));
    }
    return Json{{"name", name}, {"points", std::move(points)}, {"sampled", answer.sampled}, {"total", answer.total}, {"non_finite", answer.nonFinite}, {"next_step", next}};
}

Result<Json> putBlob(ApiContext& context, const Json& params) {
    ASSAY_TRY(auto sha256, textParam(params, "sha256"));
    ASSAY_TRY(int64_t offset, numberParam(params, "offset", 0, std::numeric_limits<int64_t>::max()));
    ASSAY_TRY(int64_t total, numberParam(params, "total", 0, std::numeric_limits<int64_t>::max()));
    ASSAY_TRY(auto data, textParam(params, "data"));
    auto decoded = QByteArray::fromBase64Encoding(QByteArray::fromRawData(data.data(), static_cast<qsizetype>(data.size())), QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded) return fail(ErrorCode::kBadUsage, "parameter \"data\": not base64");
    if (static_cast<size_t>(decoded.decoded.size()) > protocol::kMaxBlobChunkBytes) return fail(ErrorCode::kBadUsage, "parameter \"data\": more than 1 MiB in one call");
    ASSAY_TRY(bool complete, context.store.putBlob(sha256, offset, total, {decoded.decoded.constData(), static_cast<size_t>(decoded.decoded.size())}));
    return Json{{"complete", complete}, {"reference", "blob:" + sha256}};
}

}  // namespace

void addDataMethods(protocol::Dispatcher& table, ApiContext& context) {
    auto add = [&](const char* name, Cost cost, Result<Json> (*method)(ApiContext&, const Json&)) {
        table.add(name, cost, [&context, method](const Json& params, uint64_t) { return method(context, params); });
    };
    add("engine.info", Cost::kQuick, info);
    add("engine.shutdown", Cost::kQuick, shutdown);
    add("metrics.names", Cost::kSlow, names);
    add("metrics.query", Cost::kSlow, query);
    add("blobs.put", Cost::kSlow, putBlob);
}

}  // namespace assay::server
