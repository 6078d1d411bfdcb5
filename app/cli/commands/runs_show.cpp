#include <assay/report/prediction.h>
#include <fmt/format.h>

#include "command.h"
#include "registry.h"
#include "run/follow.h"
#include "text/format.h"
#include "text/table.h"
#include "text/terminal.h"

namespace assay::cli {
namespace {

// What was predicted beside what was measured, and why where they differ by more than was stated.
std::string prediction(const Json& run) {
    if (auto error = run.find("plan_error"); error != run.end() && error->is_object()) return "\nno prediction: " + safeText(jsonStringOr(*error, "message", "")) + "\n";
    const std::vector<report::Prediction> rows = report::predictionsOf(run);
    if (rows.empty()) return {};
    Table table({{"figure"}, {"predicted", Table::Align::kRight}, {"measured", Table::Align::kRight}, {"difference", Table::Align::kRight}, {"stated", Table::Align::kRight}});
    std::string reasons;
    for (const report::Prediction& row : rows) {
        const auto text = [&](const std::optional<double>& value) { return value ? report::shownQuantity(row, *value) : std::string("-"); };
        table.row({row.label, text(row.predicted), text(row.measured), row.error() ? report::shownChange(*row.error()) : "-", report::shownBound(row)});
        if (row.why) reasons += fmt::format("  {}: {}\n", row.label, safeText(row.why->text()));
    }
    return "\n" + table.text(tableWidth()) + reasons;
}

// What the run noticed about itself, with what to do.
std::string warningsOf(const Json& run) {
    auto warnings = run.find("warnings");
    if (warnings == run.end() || !warnings->is_array() || warnings->empty()) return {};
    std::string text = "\nwarnings\n";
    for (const Json& warning : *warnings)
        if (warning.is_object()) text += "  " + safeText(jsonStringOr(warning, "text", "")) + "\n    " + safeText(jsonStringOr(warning, "hint", "")) + "\n";
    return text;
}

std::string forPeople(const Json& run) {
    const auto value = [&](const char* key) { return run.contains(key) ? formatValue(run[key]) : std::string("-"); };
    std::vector<std::pair<std::string, std::string>> rows = {
        {"run", value("id")}, {"name", value("name")}, {"kind", value("kind")}, {"status", value("status")}};
    if (value("reason") != "-" && !value("reason").empty()) rows.push_back({"reason", value("reason")});
    if (auto ranks = run.find("ranks"); ranks != run.end() && ranks->is_array() && !ranks->empty()) {
        std::string text;
        for (const Json& r : *ranks)
            text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", formatValue(r.value("rank", Json())), r.value("running", false) ? "process " + formatValue(r.value("pid", Json())) : "ended");
        rows.push_back({"ranks", text});
    }
    rows.push_back({"created", value("created_at")});
    rows.push_back({"time", run.contains("running_seconds") && run["running_seconds"].is_number() ? formatSeconds(run["running_seconds"].get<double>()) : "-"});
    if (auto error = run.find("error"); error != run.end() && error->is_object()) rows.push_back({"error", safeText(errorFromJson(*error).text())});
    std::string text = keyValues(rows);
    if (auto children = run.find("children"); children != run.end() && children->is_array() && !children->empty()) text += "\n" + stageTable(run);
    text += warningsOf(run);
    text += prediction(run);
    if (auto summary = run.find("summary"); summary != run.end() && summary->is_object() && !summary->empty()) {
        rows.clear();
        for (const auto& [key, figure] : summary->items()) rows.push_back({safeText(key), formatValue(figure)});
        text += "\n" + keyValues(rows);
    }
    if (auto setups = run.find("setups"); setups != run.end() && setups->is_array() && !setups->empty()) {
        Table table({{"set-up"}, {"perplexity", Table::Align::kRight}, {"decode tokens/s", Table::Align::kRight}, {"weights", Table::Align::kRight}});
        for (const Json& setup : *setups) {
            const auto figure = [&](const char* group, const char* key) {
                auto part = setup.find(group);
                return part != setup.end() && part->is_object() && part->contains(key) ? (*part)[key] : Json();
            };
            const Json bytes = figure("bytes", "weights");
            table.row({safeText(jsonStringOr(setup, "name", "")), formatValue(figure("accuracy", "perplexity")), formatValue(figure("speed", "decode_tokens_per_s")),
                       bytes.is_number() ? formatBytes(bytes.get<double>()) : "-"});
        }
        text += "\n" + table.text(tableWidth());
    }
    return text;
}

Result<int> show(Context& context, const std::string& id) {
    ASSAY_TRY(client::SyncClient* engine, context.engine());
    ASSAY_TRY(const Json run, engine->callAgain("runs.get", {{"run", id}}));
    context.out.result(run, [&] { return forPeople(run); });
    return 0;
}

}  // namespace

void addRunsShow(Commands& commands) {
    auto id = std::make_shared<std::string>();
    CLI::App* app = commands.add("runs show", "everything about one run", [id](Context& c) { return show(c, *id); });
    app->add_option("ID", *id, "run id, or the first letters of one")->required();
}

}  // namespace assay::cli
