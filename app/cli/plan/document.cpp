#include "plan/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "plan/calibrate.h"
#include "plan/facts.h"
#include "text/format.h"
#include "text/table.h"

namespace assay::cli {
namespace {

std::string about(const Json& seconds, const Json& uncertainty) {
    if (!seconds.is_number()) return "not known";
    const double value = seconds.get<double>();
    return (value < 0.1 ? fmt::format("{:.2g} ms", 1000 * value) : formatSeconds(value)) + fmt::format(" ± {:.0f} %", 100 * (uncertainty.is_number() ? uncertainty.get<double>() : 0));
}

std::string money(const Json& usd) {
    if (!usd.is_number()) return "not known";
    const double value = usd.get<double>();
    return value >= 0.01 ? fmt::format("{:.2f} USD", value) : fmt::format("{:.2g} USD", value);
}

// One letter for each part, in proportion to the capacity; a part that is there shows at least once.
std::string memoryBar(const Json& document, int width) {
    const Json& m = document["memory"];
    const double peak = m["peak_bytes"].get<double>(), capacity = std::max(1.0, document["capacity_bytes"].get<double>()), whole = std::max(capacity, peak);
    std::string bar;
    const std::pair<const char*, char> parts[] = {{"weights_bytes", 'W'}, {"gradients_bytes", 'G'}, {"optimizer_bytes", 'O'}, {"activations_bytes", 'A'}, {"other_bytes", 'x'}};
    for (const auto& [key, letter] : parts) {
        const double bytes = m[key].get<double>();
        const int cells = static_cast<int>(std::lround(bytes / whole * width));
        bar.append(static_cast<size_t>(bytes > 0 ? std::max(cells, 1) : 0), letter);
    }
    if (static_cast<int>(bar.size()) < width) bar.append(static_cast<size_t>(width) - bar.size(), '.');
    return "[" + bar + "]";
}

}  // namespace

Result<Json> planDocument(const GlobalOptions& options, const PlanRequest& request) {
    Facts facts(options);
    plan::Input input;
    input.spec = request.spec;
    input.hardware = request.hardware;
    input.gpus = request.gpus;
    input.machine = planMachine(options, request.spec.threads);
    // Ranks share this machine's cores.
    const int64_t ranks = request.gpus > 0 ? request.gpus : request.spec.train ? request.spec.train->parallel.data : 1;
    plan::Machine each = input.machine;
    if (request.spec.threads == 0 && ranks > 1) each.threads = static_cast<int>(std::max<int64_t>(1, input.machine.threads / ranks));
    // Hardware of the catalogue has its vendor's figures, and an unknown one is refused at once.
    const std::string& hardware = request.hardware.empty() ? request.spec.cost.hardware : request.hardware;
    if (hardware.empty() || hardware == "auto" || hardware == "here") {
        const bool beside = !request.before.empty();
        input.calibration = calibrationOf(each, beside);
        input.calibrationWith = [each, beside](int threads) {
            plan::Machine other = each;
            other.threads = threads;
            return calibrationOf(other, beside);
        };
    }
    input.history = plan::readHistory(options.store, input.machine.cpuModel, input.machine.threads, 50, request.before);
    input.model = [&](const config::Spec& spec) { return facts.model(spec); };
    input.data = [&](const config::Spec& spec, const plan::ModelFacts& model) { return facts.data(spec, model); };
    ASSAY_TRY(const plan::Plan made, plan::makePlan(input));
    Json document = plan::planToJson(made);
    if (request.search) {
        ASSAY_TRY(document["candidates"], plan::searchLayouts(input));
    }
    return document;
}

std::string planText(const Json& d, int width) {
    const Json& m = d["memory"];
    const auto bytes = [](const Json& value) { return formatBytes(value.get<double>()); };
    const std::string fits = d["fits"] == "fits" ? "fits" : d["fits"] == "tight" ? "tight: more than 80 % of the memory" : "TOO BIG";
    std::string text = fmt::format("{}\n\n", safeText(formatValue(d["hardware_label"])));
    text += fmt::format("memory   {} of {} at the peak ({}, {}): {}\n", bytes(m["peak_bytes"]), bytes(d["capacity_bytes"]), safeText(formatValue(m.value("stage", Json("-")))), formatValue(m["moment"]), fits);
    text += "         " + memoryBar(d, std::clamp(width > 0 ? width - 12 : 60, 20, 60)) + "\n";
    text += fmt::format("         W weights {} · G gradients {} · O optimizer {} · A activations {} · x other {}\n", bytes(m["weights_bytes"]), bytes(m["gradients_bytes"]), bytes(m["optimizer_bytes"]),
                        bytes(m["activations_bytes"]), bytes(m["other_bytes"]));
    if (d["training"].is_object()) {
        const Json& t = d["training"];
        text += fmt::format("training {} parameters, {} steps of {} tokens{}, {} FLOP\n", formatInteger(t["parameters"].get<int64_t>()), formatInteger(t["steps"].get<int64_t>()),
                            formatInteger(t["tokens_per_step"].get<int64_t>()), t["epochs"].is_number() ? fmt::format(" ({} epochs)", formatNumber(t["epochs"].get<double>())) : "",
                            fmt::format("{:.3g}", t["total_flops"].get<double>()));
        text += "step     " + about(d["step_seconds"], d["step_seconds_uncertainty"]) + "\n";
    }
    text += "time     " + about(d["total_seconds"], d["total_seconds_uncertainty"]) + "\n";
    text += "energy   " + (d["energy_joules"].is_number() ? formatNumber(d["energy_joules"].get<double>() / 3.6e6) + " kWh" : std::string("not known")) + "\n";
    text += "cost     " + money(d["cost_usd"]) + "\n";
    if (const Json& s = d["cost_sensitivity"]; s.is_object())
        text += fmt::format("         {} to {} at a price 20 % lower or higher; {} if only 30 % of the paid hours are used\n", money(s["price_minus_20_percent"]), money(s["price_plus_20_percent"]),
                            money(s["utilisation"][0]["cost_usd"]));
    Table stages({{"stage"}, {"runs", Table::Align::kRight}, {"peak memory", Table::Align::kRight}, {"time each", Table::Align::kRight}});
    for (const Json& s : d["stages"])
        stages.row({safeText(formatValue(s["name"])), formatValue(s["runs"]), s["memory"]["peak_bytes"].get<double>() > 0 ? bytes(s["memory"]["peak_bytes"]) : "-", about(s["seconds"], s["seconds_uncertainty"])});
    text += "\n" + stages.text(width);
    if (d.contains("candidates")) {
        Table table({{"micro_batch", Table::Align::kRight}, {"accumulation", Table::Align::kRight}, {"peak memory", Table::Align::kRight}, {"step", Table::Align::kRight}, {"fits"}});
        for (const Json& c : d["candidates"])
            table.row({formatValue(c["micro_batch"]), formatValue(c["accumulation"]), bytes(c["peak_bytes"]), about(c["step_seconds"], d["step_seconds_uncertainty"]), formatValue(c["fits"])});
        text += "\n" + table.text(width);
    }
    Table elsewhere({{"elsewhere (estimates)"}, {"time", Table::Align::kRight}, {"cost", Table::Align::kRight}, {"fits"}});
    for (const Json& e : d["elsewhere"]) elsewhere.row({formatValue(e["label"]), about(e["total_seconds"], e["total_seconds_uncertainty"]), money(e["cost_usd"]), formatValue(e["fits"])});
    text += "\n" + elsewhere.text(width);
    for (const Json& w : d["warnings"]) {
        text += fmt::format("\n{}: {}: {}\n", w["blocks"].get<bool>() ? "problem" : "warning", safeText(formatValue(w["key"])), safeText(formatValue(w["message"])));
        if (w["hint"].is_string() && !w["hint"].get_ref<const std::string&>().empty()) text += "  hint: " + safeText(formatValue(w["hint"])) + "\n";
    }
    text += "\nassumptions\n";
    for (const Json& a : d["assumptions"]) text += "- " + safeText(formatValue(a)) + "\n";
    return text;
}

}  // namespace assay::cli
