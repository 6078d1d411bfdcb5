#include <fmt/format.h>

#include "command.h"
#include "registry.h"
#include "text/format.h"
#include "text/numbers.h"
#include "text/table.h"

namespace assay::cli {
namespace {

struct Options {
    std::string id, name;
    int64_t maxPoints = 0;
};

// A long series comes in several answers, each saying from which step to ask on.
Result<Json> wholeSeries(client::SyncClient& engine, const Options& options) {
    Json series;
    Json params = {{"run", options.id}, {"name", options.name}};
    for (;;) {
        const int64_t have = series.is_null() ? 0 : static_cast<int64_t>(series["points"].size());
        if (options.maxPoints > 0) params["max_points"] = std::max<int64_t>(1, options.maxPoints - have);
        ASSAY_TRY(Json part, engine.callAgain("metrics.query", params));
        const Json next = part.contains("next_step") ? part["next_step"] : Json();
        part.erase("next_step");
        if (!part.contains("points") || !part["points"].is_array()) return fail(ErrorCode::kInternal, "the engine's answer has no points");
        if (series.is_null()) series = std::move(part);
        else for (Json& point : part["points"]) series["points"].push_back(std::move(point));
        if (!next.is_number_integer()) return series;
        params["from_step"] = next;
    }
}

Result<int> metrics(Context& context, const Options& options) {
    ASSAY_TRY(client::SyncClient* engine, context.engine());
    if (options.name.empty()) {
        ASSAY_TRY(const Json names, engine->callAgain("metrics.names", {{"run", options.id}}));
        context.out.result(names, [&] {
            std::string text;
            for (const Json& name : names.value("names", Json::array())) text += formatValue(name) + "\n";
            return text;
        });
        return 0;
    }
    ASSAY_TRY(const Json series, wholeSeries(*engine, options));
    context.out.result(series, [&] {
        Table table({{"step", Table::Align::kRight}, {"time", Table::Align::kRight}, {"tokens", Table::Align::kRight}, {safeText(options.name), Table::Align::kRight}});
        for (const Json& p : series.value("points", Json::array()))
            if (p.is_array() && p.size() == 4)
                table.row({formatValue(p[0]), p[1].is_number() ? formatSeconds(p[1].get<double>()) : "-", formatValue(p[2]), formatValue(p[3])});
        std::string text = table.text();
        if (jsonBoolOr(series, "sampled", false)) text += fmt::format("({} points in all)\n", formatInteger(jsonIntegerOr(series, "total", 0)));
        return text;
    });
    return 0;
}

}  // namespace

void addRunsMetrics(Commands& commands) {
    auto o = std::make_shared<Options>();
    CLI::App* app = commands.add("runs metrics", "one metric of a run over its steps", [o](Context& c) { return metrics(c, *o); });
    app->add_option("ID", o->id, "run id")->required();
    app->add_option("NAME", o->name, "metric, e.g. train/loss; without it: the names there are");
    app->add_option("--max-points", o->maxPoints, "thin out to about so many, keeping extremes")->check(wholeNumber(1));
}

}  // namespace assay::cli
