// What a comparison says, before any format.

#include <assay/report/present.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "collect.h"

namespace assay::report {
namespace {

std::string inSentence(const Metric& metric) {
    std::string text = metric.label;
    if (text.size() > 1 && text[1] >= 'a' && text[1] <= 'z') text[0] = static_cast<char>(text[0] | 0x20);
    return text;
}

std::string percent(double share) { return fmt::format("{}{:.{}f} %", share < -5e-5 ? "−" : share > 5e-5 ? "+" : "", std::abs(100 * share), std::abs(share) < 0.01 ? 2 : 1); }

std::string valueText(const std::string& key, const Json& value) {
    if (value.is_null()) return "—";
    if (value.is_number() && key.ends_with("_bytes")) return figure(value.get<double>() / 1e9, 3) + " GB";
    if (value.is_string()) return clean(value.get<std::string>(), 200);
    if (value.is_array()) {
        std::string out;
        for (const Json& item : value) out += (out.empty() ? "" : ", ") + (item.is_string() ? item.get<std::string>() : dumpJson(item));
        return clean(out, 300);
    }
    if (value.is_object()) {
        std::string out;
        for (const auto& [name, item] : value.items())
            if (!item.is_null() && out.size() < 600) out += (out.empty() ? "" : "; ") + name + " " + (item.is_string() ? item.get<std::string>() : dumpJson(item));
        return clean(out, 400);
    }
    return clean(dumpJson(value), 100);
}

// Runs in order, children after their parent, at most `left` of them.
template <class Visit>
void eachRun(const Json& run, int depth, size_t& left, Visit&& visit) {
    if (!run.is_object() || left == 0) return;
    --left;
    visit(run, depth);
    if (const Json* children = member(run, "children"); children && children->is_array() && depth < 8)
        for (const Json& child : *children) eachRun(child, depth + 1, left, visit);
}

}  // namespace

std::string titleOf(const ReportInput& input) {
    if (!input.title.empty()) return input.title;
    std::vector<std::string> names;
    for (const Json& run : input.runs) {
        const std::string name = jsonStringOr(run, "name", jsonStringOr(run, "id", ""));
        if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    std::string out;
    for (size_t i = 0; i < names.size() && i < 3; ++i) out += (i ? ", " : "") + (names[i].size() > 48 && names.size() > 1 ? names[i].substr(0, 48) + "…" : names[i]);
    if (names.size() > 3) out += fmt::format(" and {} more", names.size() - 3);
    return out.empty() ? "Comparison" : out;
}

Answer answerOf(const Comparison& c) {
    const Setup* base = c.baselineSetup();
    Answer out;
    if (!base) return out;
    const auto x = findMetric(c.x)->value, y = findMetric(c.y)->value;
    const Setup* best = c.find(c.cheapest);
    if (c.target) {
        const Metric& metric = *findMetric(c.target->metric);
        const std::string target = fmt::format("{} {} {}", inSentence(metric), relationSign(c.target->relation), exact(c.target->value));
        if (!best) {
            out.headline = "No set-up meets the target";
            out.why = target;
            return out;
        }
        out.why = "cheapest set-up with " + target;
    } else {
        for (const Setup& s : c.setups)
            if (s.onFrontier && (!best || *(s.*x).value < *(best->*x).value)) best = &s;
        if (!best) {
            out.headline = "No frontier";
            out.why = "Cost or accuracy was not measured.";
            return out;
        }
        out.why = "lowest " + inSentence(*findMetric(c.x)) + " on the frontier; no target was set";
    }
    auto fact = [&](const char* name, const std::string& value) { out.facts.push_back({name, value}); };
    auto ratio = [](const Value& a, const Value& b) -> std::optional<double> {
        if (!a.value || !b.value || !std::isfinite(*a.value) || !std::isfinite(*b.value) || *b.value == 0) return {};
        return *a.value / *b.value;
    };
    fact(c.x == "bytes.weights" ? "weights" : c.x == "bytes.train_peak" ? "training memory" : c.x == "speed.train_step_ms" ? "training step" : "cost", (best->*x).value ? shown(*findMetric(c.x), *(best->*x).value) : "not measured");
    if (best->id != base->id) {
        if (auto r = ratio(best->*x, base->*x)) fact("to the baseline", percent(*r - 1));
        if (auto r = ratio(best->*y, base->*y)) fact(c.y == "accuracy.bits_per_byte" ? "bits per byte" : c.y == "accuracy.eval_loss" ? "held-out loss" : "perplexity", percent(*r - 1));
        if (auto r = ratio(best->decodeTokensPerS, base->decodeTokensPerS)) fact("decode speed", figure(*r, 3) + "×");
        else if (auto step = ratio(base->trainStepMs, best->trainStepMs)) fact("training speed", figure(*step, 3) + "×");
        if (c.x != "bytes.weights")
            if (auto r = ratio(best->weightBytes, base->weightBytes)) fact("weights", percent(*r - 1));
    }
    out.headline = shortName(*best, 60);
    out.note = fmt::format("Baseline: {}.", shortName(*base, 60));
    if (c.usdPerHour) out.note += fmt::format(" Assumed price: ${} per hour.", exact(*c.usdPerHour));
    else if (!base->usdPer1mOutputTokens.value) out.note += " No price was given, so there is no cost in USD.";
    return out;
}

std::string jsonText(const Json& value) {
    if (value.is_null()) return "—";
    return value.is_string() ? value.get<std::string>() : dumpJson(value);
}

std::string change(const Value& value, const Value& base) {
    if (!value.value || !base.value || !std::isfinite(*value.value) || !std::isfinite(*base.value) || *base.value == 0) return "—";
    const double share = 100 * (*value.value / *base.value - 1);
    if (std::abs(share) < 0.05) return "0 %";
    return fmt::format("{}{:.{}f} %", share < 0 ? "−" : "+", std::abs(share), std::abs(share) < 1000 ? 1 : 0);
}

std::string times(const Value& value, const Value& base) {
    if (!value.value || !base.value || !std::isfinite(*value.value) || !std::isfinite(*base.value) || *base.value == 0) return "";
    return fmt::format("{}×", figure(*value.value / *base.value, 3));
}

bool measuredAnywhere(const Comparison& c, const Metric& metric) {
    return std::any_of(c.setups.begin(), c.setups.end(), [&](const Setup& s) { return (s.*metric.value).value.has_value(); });
}

TableColumns tableColumns(const Comparison& c) {
    TableColumns out;
    std::vector<const Metric*>& columns = out.shown;
    std::string& unmeasured = out.unmeasured;
    // What the chart shows first; the rest in order of interest, as far as the page is wide.
    std::vector<const Metric*> order{findMetric(c.x), findMetric(c.y)};
    for (const char* name : {"speed.decode_tokens_per_s", "bytes.weights", "accuracy.perplexity", "accuracy.kl_divergence", "accuracy.same_top1", "speed.prefill_tokens_per_s"})
        order.push_back(findMetric(name));
    for (const Metric& metric : metrics()) order.push_back(&metric);
    for (const Metric* one : order) {
        const Metric& metric = *one;
        if (std::find(columns.begin(), columns.end(), one) != columns.end()) continue;
        // Of one training among several set-ups there is nothing to compare.
        const bool training = metric.value == &Setup::evalLoss || metric.value == &Setup::trainStepMs || metric.value == &Setup::trainPeakBytes;
        if (training && c.setups.size() > 1 && std::count_if(c.setups.begin(), c.setups.end(), [&](const Setup& s) { return (s.*metric.value).value.has_value(); }) < 2) continue;
        if (measuredAnywhere(c, metric)) columns.push_back(&metric);
        else if (unmeasured.find(metric.label) == std::string::npos) unmeasured += (unmeasured.empty() ? "" : ", ") + std::string(metric.label);
    }
    return out;
}

std::vector<std::string> badgesOf(const Comparison& c, const Setup& s) {
    std::vector<std::string> out;
    if (s.id == c.cheapest) out.push_back("cheapest at target");
    if (s.id == c.baseline) out.push_back("baseline");
    if (!s.comparable) out.push_back("not comparable");
    else if (s.onFrontier) out.push_back("frontier");
    if (s.seeds > 1) out.push_back(fmt::format("{} seeds", s.seeds));
    return out;
}

std::string measuredHow(const Comparison& c) {
    const Setup* base = c.baselineSetup();
    if (!base) return {};
    std::string note = "± is one standard error.";
    if (std::any_of(c.setups.begin(), c.setups.end(), [](const Setup& s) { return !s.differences.empty(); }))
        note += " Below a figure: its difference to the baseline, paired by seed; not separable: the 95 % interval (Student's t) spans 0.";
    if (base->tokens) note += fmt::format(" Accuracy: {} scored tokens, window {}, mode {}.", exact(static_cast<double>(*base->tokens)), base->window.value_or(0), clean(base->mode, 20));
    if (base->batch && base->prefill && base->decode)
        note += fmt::format(" Speed: batch {}, {} prompt and {} generated tokens{}{}.", *base->batch, *base->prefill, *base->decode, base->depth && *base->depth ? fmt::format(" after {} in the cache", *base->depth) : "",
                            base->threads ? fmt::format(", {} threads", *base->threads) : "");
    if (const std::string unmeasured = tableColumns(c).unmeasured; !unmeasured.empty()) note += " Not measured in any set-up: " + unmeasured + ".";
    return note;
}

std::vector<RunLine> runLines(const ReportInput& input, size_t most) {
    std::vector<RunLine> out;
    for (const Json& run : input.runs)
        eachRun(run, 0, most, [&](const Json& one, int depth) {
            const double seconds = jsonDoubleOr(one, "running_seconds", std::nan(""));
            std::string created;
            if (const Json* at = member(one, "created_at")) created = at->is_string() ? at->get<std::string>() : dumpJson(*at);
            out.push_back({depth, jsonStringOr(one, "name", ""), jsonStringOr(one, "id", ""), jsonStringOr(one, "kind", ""), jsonStringOr(one, "status", ""),
                           std::isnan(seconds) ? "not measured" : duration(seconds), created});
        });
    return out;
}

std::vector<EnvironmentBlock> environmentsOf(const ReportInput& input, size_t most) {
    std::vector<std::pair<Json, std::string>> found;
    for (const Json& run : input.runs)
        eachRun(run, 0, most, [&](const Json& one, int) {
            const Json* environment = member(one, "environment");
            if (!environment || !environment->is_object()) return;
            const std::string name = jsonStringOr(one, "name", "");
            Json key = *environment;  // what changes from run to run on one machine is left out
            for (const char* part : {"time", "load", "rank", "libtorch_config", "parallel"}) key.erase(part);
            for (auto& [other, names] : found)
                if (other == key) {
                    if (names.size() < 300) names += ", " + name;
                    return;
                }
            found.emplace_back(std::move(key), name);
        });
    std::vector<EnvironmentBlock> out;
    for (const auto& [environment, names] : found) {
        EnvironmentBlock block{names, {}};
        for (const auto& [key, value] : environment.items()) {
            if (value.is_object() && key == "cpu") {
                for (const auto& [name, part] : value.items()) block.facts.push_back({"cpu " + clean(name, 60), valueText(name, part)});
                continue;
            }
            std::string name = key;
            for (char& ch : name)
                if (ch == '_') ch = ' ';
            if (name.ends_with(" bytes")) name.resize(name.size() - 6);
            const std::string text = valueText(key, value);
            if (!text.empty()) block.facts.push_back({clean(name, 60), text});
        }
        out.push_back(std::move(block));
    }
    return out;
}

std::vector<Fact> definitionsOf(const Comparison& c) {
    std::vector<Fact> out;
    for (const Metric& metric : metrics())
        if (measuredAnywhere(c, metric)) out.push_back({metric.label, metric.definition});
    out.push_back({"Error bars and ±", "± is one standard error; bars in the chart span 95 % (1.96 standard errors). With seeds, mean and standard error over the seeds. One seed has no error bar for "
                                       "the chance of training."});
    out.push_back({"Frontier", "Set-ups that no other comparable one beats in cost and accuracy at once."});
    out.push_back({"Not measured", "No figure exists. It is never the same as 0."});
    return out;
}

}  // namespace assay::report
