#include <assay/report/present.h>
#include <fmt/format.h>

#include <algorithm>

#include "command.h"
#include "registry.h"
#include "run/fetch.h"
#include "text/format.h"
#include "text/table.h"
#include "text/terminal.h"

namespace assay::cli {
namespace {

struct Options {
    std::vector<std::string> ids;
    report::CompareOptions compare;
};

std::string cell(const report::Value& value) {
    if (!value.value) return "-";
    return formatNumber(*value.value) + (value.se ? " ± " + formatNumber(*value.se) : "");
}
std::string bytesCell(const report::Value& value) { return value.value ? formatBytes(*value.value) : "-"; }

// "−0.012 ± 0.003", or that the seeds do not tell the two apart.
std::string differenceCell(const report::Setup& setup, const std::string& metric) {
    const auto found = setup.differences.find(metric);
    if (found == setup.differences.end()) return "-";
    const report::Difference& d = found->second;
    if (!d.separable) return d.mean == 0 && d.se == 0 ? "the same" : "not separable";
    return (d.mean > 0 ? "+" : "") + formatNumber(d.mean) + (d.se > 0 ? " ± " + formatNumber(d.se) : "");
}

std::string changeCell(const report::Value& value, const report::Value& base, const std::string& shown) {
    if (!value.value || !base.value || *base.value == 0 || &value == &base) return shown;
    return shown + " (" + report::change(value, base) + ")";
}

// Set-ups that were only trained: what their training cost and what it reached.
std::string trainings(const report::Comparison& comparison) {
    using enum Table::Align;
    Table table({{""}, {"set-up"}, {"held-out loss", kRight}, {"to the baseline", kRight}, {"memory", kRight}, {"step", kRight}, {"tokens/s", kRight}, {"bits/byte", kRight}, {"USD/run", kRight}});
    const report::Setup* base = comparison.baselineSetup();
    for (const report::Setup& s : comparison.setups) {
        std::string mark = s.id == comparison.baseline ? "base" : "";
        if (s.onFrontier) mark += mark.empty() ? "*" : " *";
        const auto changed = [&](report::Value report::Setup::*value, const std::string& text) { return base ? changeCell(s.*value, base->*value, text) : text; };
        table.row({mark, safeText(s.name), cell(s.evalLoss), s.id == comparison.baseline ? "" : differenceCell(s, comparison.y), changed(&report::Setup::trainPeakBytes, bytesCell(s.trainPeakBytes)),
                   changed(&report::Setup::trainStepMs, s.trainStepMs.value ? formatNumber(*s.trainStepMs.value) + " ms" : "-"), cell({s.trainTokensPerS.value, {}}), cell(s.bitsPerByte), cell({s.usdPerRun.value, {}})});
    }
    return table.text(tableWidth());
}

std::string forPeople(const report::Comparison& comparison) {
    using enum Table::Align;
    const auto measured = [&](report::Value report::Setup::*value) { return std::any_of(comparison.setups.begin(), comparison.setups.end(), [&](const report::Setup& s) { return (s.*value).value.has_value(); }); };
    const bool trained = measured(&report::Setup::trainStepMs) && !measured(&report::Setup::decodeTokensPerS) && !measured(&report::Setup::perplexity);
    Table table({{""}, {"set-up"}, {"USD/1M tokens", kRight}, {"perplexity", kRight}, {"ratio", kRight}, {"bits/byte", kRight}, {"prefill t/s", kRight},
                 {"decode t/s", kRight}, {"weights", kRight}, {"peak", kRight}});
    for (const report::Setup& s : comparison.setups) {
        std::string mark = s.id == comparison.baseline ? "base" : "";
        if (s.onFrontier) mark += mark.empty() ? "*" : " *";
        table.row({mark, safeText(s.name), cell(s.usdPer1mOutputTokens), cell(s.perplexity), cell(s.perplexityRatio), cell(s.bitsPerByte), cell(s.prefillTokensPerS),
                   cell(s.decodeTokensPerS), bytesCell(s.weightBytes), bytesCell(s.peakBytes)});
    }
    std::string text = (trained ? trainings(comparison) : table.text(tableWidth())) + fmt::format("* on the frontier of {} and {}; ± is one standard error\n", comparison.x, comparison.y);
    if (comparison.target)
        text += comparison.cheapest.empty() ? "no set-up meets the target\n" : "cheapest that meets the target: " + safeText(comparison.cheapest) + "\n";
    for (const report::Warning& warning : comparison.warnings) text += "warning: " + safeText(warning.text()) + "\n";
    return text;
}

Result<int> compare(Context& context, const Options& options) {
    if (!options.compare.target.empty()) ASSAY_TRY_VOID(report::parseTarget(options.compare.target));
    ASSAY_TRY(const std::vector<Json> runs, fetchRuns(context, options.ids));
    ASSAY_TRY(const report::Comparison comparison, report::buildComparison(runs, options.compare));
    context.out.result(report::comparisonToJson(comparison), [&] { return forPeople(comparison); });
    return 0;
}

}  // namespace

void addCompare(Commands& commands) {
    auto o = std::make_shared<Options>();
    CLI::App* app = commands.add("compare", "set-ups side by side: cost, accuracy, speed and bytes", [o](Context& c) { return compare(c, *o); });
    app->add_option("ID", o->ids, "runs, or run:ID/SET-UP")->required();
    app->add_option("--baseline", o->compare.baseline, "set-up, run or name that the others are compared with");
    app->add_option("--target", o->compare.target, "METRIC<=VALUE: the cheapest set-up that meets it is marked");
}

}  // namespace assay::cli
