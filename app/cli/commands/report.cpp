#include <assay/core/clock.h>
#include <assay/report/report.h>
#include <fmt/format.h>

#include <set>

#include "command.h"
#include "registry.h"
#include "run/fetch.h"
#include "run/job.h"
#include "text/format.h"

namespace assay::cli {
namespace {

constexpr int kCurvePoints = 1000;  // per curve: more than a page can show
constexpr const char* kCurves[] = {"train/loss", "eval/loss", "train/grad_norm", "train/lr", "train/tokens_per_s"};

struct Options {
    std::vector<std::string> ids;
    std::string out;
    report::CompareOptions compare;
};

Result<void> addSeries(client::SyncClient& engine, const Json& run, std::vector<report::Series>& series) {
    const std::string id = jsonStringOr(run, "id", "");
    ASSAY_TRY(const Json reply, engine.callAgain("metrics.names", {{"run", id}}));
    std::set<std::string> names;
    for (const Json& name : reply.value("names", Json::array()))
        if (name.is_string()) names.insert(name.get<std::string>());
    for (const char* name : kCurves) {
        if (!names.count(name)) continue;
        ASSAY_TRY(const Json curve, engine.callAgain("metrics.query", {{"run", id}, {"name", name}, {"max_points", kCurvePoints}}));
        series.push_back({id, jsonStringOr(run, "name", id), name, curve.value("points", Json::array())});
    }
    if (auto children = run.find("children"); children != run.end() && children->is_array())
        for (const Json& child : *children)
            if (child.is_object()) ASSAY_TRY_VOID(addSeries(engine, child, series));
    return {};
}

Result<int> makeReport(Context& context, const Options& options) {
    if (options.out.ends_with(".pdf"))  // before anything is fetched
        return fail(ErrorCode::kUnsupported, "a PDF is drawn by the studio", "give an .html file, which prints well, or .csv or .json");
    report::ReportInput input;
    ASSAY_TRY(input.runs, fetchRuns(context, options.ids));
    ASSAY_TRY(input.comparison, report::buildComparison(input.runs, options.compare));
    ASSAY_TRY(client::SyncClient* engine, context.engine());
    for (const Json& run : input.runs) ASSAY_TRY_VOID(addSeries(*engine, run, input.series));
    input.version = ASSAY_VERSION;
    input.time = isoTime(wallSeconds());
    ASSAY_TRY(const report::Written written, report::writeReport(outputFolder(options.out), input));
    context.out.result({{"path", written.path}, {"sha256", written.sha256}}, [&] { return safeText(written.path); });
    return 0;
}

}  // namespace

void addReport(Commands& commands) {
    auto o = std::make_shared<Options>();
    CLI::App* app = commands.add("report", "a comparison as a file that leaves the house", [o](Context& c) { return makeReport(c, *o); });
    app->add_option("ID", o->ids, "runs, or run:ID/SET-UP")->required();
    app->add_option("--out", o->out, "F.html, F.csv or F.json")->required();
    app->add_option("--baseline", o->compare.baseline, "set-up, run or name that the others are compared with");
    app->add_option("--target", o->compare.target, "METRIC<=VALUE");
}

}  // namespace assay::cli
