#include <assay/report/prediction.h>

#include <assay/report/present.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "collect.h"
#include "mark.h"
#include "prediction_parts.h"
#include "units.h"

namespace assay::report {
namespace {

// What engine/plan promises of the peak (tests/plan); the uncertainty of times stands in the plan itself.
constexpr double kPeakBound = 0.05;

}  // namespace

std::optional<double> numberIn(const Json& object, const char* key) {
    const Json* value = member(object, key);
    if (!value || !value->is_number()) return {};
    const double number = value->get<double>();
    return std::isfinite(number) ? std::optional<double>(number) : std::nullopt;
}
std::optional<double> figureIn(const Json& run, const char* section, const char* key) {
    const Json* part = member(run, section);
    return part ? numberIn(*part, key) : std::nullopt;
}

void eachBelow(const Json& run, const std::function<void(const Json&)>& visit, int depth) {
    const Json* children = member(run, "children");
    if (!children || !children->is_array() || depth > 8) return;
    for (const Json& child : *children) {
        if (!child.is_object()) continue;
        visit(child);
        eachBelow(child, visit, depth + 1);
    }
}

const Json* trainingOf(const Json& run) {
    if (jsonStringOr(run, "kind", "") == "train" && !member(run, "children")) return &run;
    const Json* found = nullptr;
    int trains = 0;
    eachBelow(run, [&](const Json& child) {
        const Json* children = member(child, "children");
        const bool split = children && children->is_array() && !children->empty();
        if (jsonStringOr(child, "kind", "") != "train" || split) return;
        found = &child;
        ++trains;
    });
    if (trains == 0 && jsonStringOr(run, "kind", "") == "train") return &run;
    return trains == 1 ? found : nullptr;
}

const Json* trainMemoryIn(const Json& plan, const Json& run) {
    const Json* stages = member(plan, "stages");
    if (stages && stages->is_array()) {
        for (const Json& stage : *stages)
            if (jsonStringOr(stage, "kind", "") == "train") return member(stage, "memory");
        return nullptr;
    }
    return jsonStringOr(run, "kind", "") == "train" ? member(plan, "memory") : nullptr;
}

std::optional<double> plannedStatic(const Json& plan, const Json& run) {
    const Json* memory = trainMemoryIn(plan, run);
    if (!memory) return {};
    double sum = 0;
    for (const auto& [planned, measured] : kStaticParts) {
        const auto bytes = numberIn(*memory, planned);
        if (!bytes) return {};
        sum += *bytes;
    }
    return sum > 0 ? std::optional<double>(sum) : std::nullopt;
}

std::optional<double> Prediction::error() const {
    if (!predicted || !measured || !(*predicted > 0)) return {};
    return *measured / *predicted - 1;
}

bool Prediction::beyond() const {
    const auto off = error();
    return off && bound && std::abs(*off) > *bound;
}

RunFigures figuresOf(const Json& run) {
    RunFigures out;
    if (const Json* training = trainingOf(run)) {
        double sum = 0;
        bool all = true;
        for (const auto& [planned, measured] : kStaticParts) {
            const auto bytes = figureIn(*training, "summary", measured);
            all = all && bytes;
            sum += bytes.value_or(0);
        }
        if (all) out.staticBytes = sum;
        out.stepSeconds = figureIn(*training, "summary", "train/step_seconds");
        const auto seconds = figureIn(*training, "summary", "train/running_seconds"), steps = figureIn(*training, "summary", "train/steps");
        if (!out.stepSeconds && seconds && steps && *steps > 0) out.stepSeconds = *seconds / *steps;
    }
    const auto see = [&](const Json& one) {
        auto bytes = figureIn(one, "summary", "system/gpu_bytes_peak");  // of a run on a GPU its memory is what was planned
        if (!bytes) bytes = figureIn(one, "summary", "system/tensor_bytes_peak");
        if (bytes && *bytes > out.peakBytes.value_or(0)) out.peakBytes = bytes;
    };
    see(run);
    eachBelow(run, see);
    if (jsonStringOr(run, "status", "") != "done") return out;
    out.totalSeconds = numberIn(run, "running_seconds");
    out.usd = figureIn(run, "summary", "cost/usd");
    out.joules = figureIn(run, "summary", "cost/energy_joules");
    return out;
}

std::vector<Prediction> predictionsOf(const Json& run, const Json& plan, const RunFigures& measured) {
    std::vector<Prediction> rows;
    if (!plan.is_object()) return rows;
    const auto add = [&](const char* key, const char* label, const char* unit, std::optional<double> predicted, std::optional<double> value, std::optional<double> bound) {
        if (predicted || value) rows.push_back({key, label, unit, predicted, value, bound, {}});
    };
    const Json* memory = member(plan, "memory");
    const auto timeBound = numberIn(plan, "total_seconds_uncertainty");
    if (const auto planned = trainingOf(run) ? plannedStatic(plan, run) : std::nullopt) add("static", L("Static memory"), "bytes", planned, measured.staticBytes, 0);
    add("peak", L("Peak memory"), "bytes", memory ? numberIn(*memory, "peak_bytes") : std::nullopt, measured.peakBytes, kPeakBound);
    if (trainingOf(run)) add("step", L("Step time"), "s", numberIn(plan, "step_seconds"), measured.stepSeconds, numberIn(plan, "step_seconds_uncertainty"));
    add("time", L("Running time"), "s", numberIn(plan, "total_seconds"), measured.totalSeconds, timeBound);
    add("cost", L("Cost"), "USD", numberIn(plan, "cost_usd"), measured.usd, timeBound);
    add("energy", L("Energy"), "J", numberIn(plan, "energy_joules"), measured.joules, timeBound);
    for (Prediction& row : rows)
        if (row.beyond()) row.why = reasonOf(row, run, plan, rows);
    return rows;
}

std::vector<Prediction> predictionsOf(const Json& run) {
    const Json* plan = member(run, "plan");
    return plan ? predictionsOf(run, *plan, figuresOf(run)) : std::vector<Prediction>{};
}

std::vector<PredictionLine> predictionLines(const ReportInput& input, size_t most) {
    std::vector<PredictionLine> out;
    for (const Json& run : input.runs) {
        if (!run.is_object()) continue;
        const Json tree = nested(run);
        std::vector<Unit> units;
        collectUnits(tree, units);
        for (const Unit& unit : units) {
            if (out.size() == most) return out;
            std::vector<Prediction> rows = predictionsOf(*unit.root);
            if (!rows.empty()) out.push_back({jsonStringOr(*unit.root, "name", idOf(*unit.root)), idOf(*unit.root), std::move(rows)});
        }
    }
    return out;
}

std::string shownQuantity(const Prediction& row, double value) {
    const std::string_view unit = row.unit;
    if (unit == "bytes") return shown(*findMetric("bytes.peak"), value);
    if (unit == "USD") return shown(*findMetric("cost.usd_per_run"), value);
    if (unit == "J") return value < 3.6e4 ? figure(value, 3) + " J" : figure(value / 3.6e6, 3) + " kWh";
    return value < 1 ? figure(1000 * value, 3) + " ms" : duration(value);
}

std::string shownBound(const Prediction& row) {
    if (!row.bound) return "—";
    return *row.bound > 0 ? fmt::format("±{:.0f} %", 100 * *row.bound) : "exact";
}

std::string shownChange(double fraction) {
    const double percent = 100 * fraction;
    if (std::abs(percent) < 0.05) return percent == 0 ? "0 %" : percent < 0 ? "−0.0 %" : "+0.0 %";
    return fmt::format("{}{:.{}f} %", percent < 0 ? "−" : "+", std::abs(percent), std::abs(percent) < 1000 ? 1 : 0);
}

}  // namespace assay::report
