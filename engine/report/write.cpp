#include <assay/core/durable.h>
#include <assay/core/hash.h>
#include <assay/report/present.h>

#include <filesystem>

namespace assay::report {
namespace {

Json optionalNumber(const std::optional<double>& value) { return value ? jsonNumber(*value) : Json(); }

// A run without what only the engine needs; children keep their place.
Json runRecord(const Json& run, int depth) {
    Json out = Json::object();
    if (!run.is_object()) return out;
    for (const char* key : {"id", "name", "kind", "status", "reason", "role", "group", "created_at", "running_seconds", "summary", "spec", "environment"})
        if (auto it = run.find(key); it != run.end() && !it->is_null()) out[key] = *it;
    if (auto it = run.find("children"); it != run.end() && it->is_array() && !it->empty() && depth < 8)
        for (const Json& child : *it) out["children"].push_back(runRecord(child, depth + 1));
    return out;
}

}  // namespace

Json jsonReport(const ReportInput& input) {
    Json out = comparisonToJson(input.comparison);
    out["series"] = Json::array();
    for (const Series& series : input.series)
        out["series"].push_back(Json{{"run", series.run}, {"run_name", series.runName}, {"name", series.name}, {"points", series.points}});
    out["predictions"] = Json::array();
    for (const PredictionLine& line : predictionLines(input)) {
        Json rows = Json::object();
        for (const Prediction& row : line.rows)
            rows[row.key] = Json{{"unit", row.unit}, {"predicted", optionalNumber(row.predicted)}, {"measured", optionalNumber(row.measured)}, {"error", optionalNumber(row.error())},
                                 {"bound", optionalNumber(row.bound)}, {"why", row.why ? Json(row.why->text()) : Json()}};
        out["predictions"].push_back(Json{{"run", line.run}, {"name", line.name}, {"figures", std::move(rows)}});
    }
    out["runs"] = Json::array();
    for (const Json& run : input.runs) out["runs"].push_back(runRecord(run, 0));
    if (!input.time.empty()) out["time"] = input.time;
    if (!input.version.empty()) out["assay_version"] = input.version;
    return out;
}

Result<Written> writeReport(const std::string& path, const ReportInput& input) {
    std::string ending = std::filesystem::path(path).extension().string();
    for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    std::string bytes;
    if (ending == ".html" || ending == ".htm") bytes = htmlReport(input);
    else if (ending == ".csv") bytes = csvReport(input);
    else if (ending == ".json") bytes = dumpJson(jsonReport(input), 1) + "\n";
    else if (ending == ".pdf") return fail(ErrorCode::kUnsupported, path + ": a PDF is drawn by the studio", "use assay report or the studio, or write .html and print it from a browser");
    else return fail(ErrorCode::kBadUsage, path + ": the ending names no report format", "use .html, .csv or .json");
    ASSAY_TRY_VOID(writeFileDurably(path, bytes));
    return Written{path, sha256Hex(bytes)};
}

}  // namespace assay::report
