#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "command.h"
#include "registry.h"
#include "run/follow.h"
#include "text/format.h"
#include "text/table.h"
#include "text/terminal.h"

namespace assay::cli {
namespace {

double figure(const Json& row, const char* section, const char* key) {
    auto part = row.find(section);
    return part != row.end() && part->is_object() ? jsonDoubleOr(*part, key, std::nan("")) : std::nan("");
}

// The first run, of this one and those below it, that trained.
double measuredStep(const Json& run) {
    const auto of = [](const Json& row) {
        const double seconds = figure(row, "summary", "train/running_seconds"), steps = figure(row, "summary", "train/steps");
        return steps > 0 && std::isfinite(seconds) ? seconds / steps : figure(row, "summary", "train/step_seconds");
    };
    if (auto children = run.find("children"); children != run.end() && children->is_array())
        for (const Json& child : *children)
            if (child.is_object() && jsonStringOr(child, "kind", "") == "train") return of(child);
    return of(run);
}

// The largest of this run and those below it: stages come one after the other.
double measuredPeak(const Json& run) {
    double most = std::nan("");
    const auto see = [&](const Json& row) {
        for (const char* key : {"system/gpu_bytes_peak", "system/tensor_bytes_peak"})
            if (const double bytes = figure(row, "summary", key); bytes > 0 && !(most >= bytes)) most = bytes;
    };
    see(run);
    if (auto children = run.find("children"); children != run.end() && children->is_array())
        for (const Json& child : *children)
            if (child.is_object()) see(child);
    return most;
}

std::string prediction(const Json& run) {
    if (auto error = run.find("plan_error"); error != run.end() && error->is_object()) return "\nno prediction: " + safeText(jsonStringOr(*error, "message", "")) + "\n";
    auto plan = run.find("plan");
    if (plan == run.end() || !plan->is_object()) return {};
    const bool ended = jsonStringOr(run, "status", "") == "done";
    Table table({{"figure"}, {"predicted", Table::Align::kRight}, {"measured", Table::Align::kRight}, {"difference", Table::Align::kRight}});
    const auto add = [&](const char* name, double predicted, double measured, const std::function<std::string(double)>& text) {
        if (!std::isfinite(predicted) && !std::isfinite(measured)) return;
        const bool both = std::isfinite(predicted) && std::isfinite(measured) && predicted > 0;
        table.row({name, std::isfinite(predicted) ? text(predicted) : "-", std::isfinite(measured) ? text(measured) : "-", both ? fmt::format("{:+.1f} %", 100 * (measured / predicted - 1)) : "-"});
    };
    const auto seconds = [](double value) { return value < 0.1 ? fmt::format("{:.3g} ms", 1000 * value) : formatSeconds(value); };
    const double none = std::nan("");
    add("peak memory of tensors", figure(*plan, "memory", "peak_bytes"), measuredPeak(run), formatBytes);
    add("step", jsonDoubleOr(*plan, "step_seconds", none), measuredStep(run), seconds);
    add("time", jsonDoubleOr(*plan, "total_seconds", none), ended ? jsonDoubleOr(run, "running_seconds", none) : none, seconds);
    add("energy (J)", jsonDoubleOr(*plan, "energy_joules", none), ended ? figure(run, "summary", "cost/energy_joules") : none, formatNumber);
    add("cost (USD)", jsonDoubleOr(*plan, "cost_usd", none), ended ? figure(run, "summary", "cost/usd") : none, formatNumber);
    return "\n" + table.text(tableWidth());
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
