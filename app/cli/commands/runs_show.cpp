#include <fmt/format.h>

#include "command.h"
#include "registry.h"
#include "run/follow.h"
#include "text/format.h"
#include "text/table.h"
#include "text/terminal.h"

namespace assay::cli {
namespace {

std::string forPeople(const Json& run) {
    const auto value = [&](const char* key) { return run.contains(key) ? formatValue(run[key]) : std::string("-"); };
    std::vector<std::pair<std::string, std::string>> rows = {
        {"run", value("id")}, {"name", value("name")}, {"kind", value("kind")}, {"status", value("status")}};
    if (value("reason") != "-" && !value("reason").empty()) rows.push_back({"reason", value("reason")});
    rows.push_back({"created", value("created_at")});
    rows.push_back({"time", run.contains("running_seconds") && run["running_seconds"].is_number() ? formatSeconds(run["running_seconds"].get<double>()) : "-"});
    if (auto error = run.find("error"); error != run.end() && error->is_object()) rows.push_back({"error", safeText(errorFromJson(*error).text())});
    std::string text = keyValues(rows);
    if (auto children = run.find("children"); children != run.end() && children->is_array() && !children->empty()) text += "\n" + stageTable(run);
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
