#include <assay/config/config.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "collect.h"
#include "mark.h"

namespace assay::report {
namespace {

bool finite(const Value& v) { return v.value && std::isfinite(*v.value); }

size_t chooseBaseline(const std::vector<Setup>& setups, const std::string& wanted) {
    std::string id = wanted.starts_with("run:") ? wanted.substr(4) : wanted;
    auto first = [&](auto&& test) {
        return static_cast<size_t>(std::find_if(setups.begin(), setups.end(), test) - setups.begin());
    };
    if (wanted.empty()) {
        const size_t at = first(fullPrecision);
        return at < setups.size() ? at : 0;
    }
    for (size_t at : {first([&](const Setup& s) { return s.id == id || s.name == id; }),
                      first([&](const Setup& s) { return s.id.starts_with(id + "/") && fullPrecision(s); }),
                      first([&](const Setup& s) { return s.id.starts_with(id + "/") || std::find(s.runs.begin(), s.runs.end(), id) != s.runs.end(); }),
                      first([&](const Setup& s) { return s.setup == id; })})
        if (at < setups.size()) return at;
    return setups.size();
}

std::string experimentOf(const Setup& s) { return s.id.substr(0, s.id.size() - s.setup.size()); }

// Ratio to the baseline. The recorded one is paired (same windows, same base model) and is kept when its base is the
// baseline, that is, the full-precision set-up of the same experiment.
void setRatio(Setup& s, const Setup& base, bool isBase) {
    if (isBase) {
        s.perplexityRatio = finite(s.perplexity) ? Value{1.0, 0.0} : Value{};
        return;
    }
    if (!s.comparable) {
        s.perplexityRatio = {};
        return;
    }
    if (s.perplexityRatio.value && experimentOf(s) == experimentOf(base) && fullPrecision(base)) return;
    s.perplexityRatio = {};
    if (!finite(s.perplexity) || !finite(base.perplexity) || *base.perplexity.value <= 0 || *s.perplexity.value <= 0) return;
    const double ratio = *s.perplexity.value / *base.perplexity.value;
    s.perplexityRatio.value = ratio;
    if (s.perplexity.se && base.perplexity.se)
        s.perplexityRatio.se = ratio * std::hypot(*s.perplexity.se / *s.perplexity.value, *base.perplexity.se / *base.perplexity.value);
}

template <class T>
bool differs(const std::optional<T>& a, const std::optional<T>& b) { return a && b && *a != *b; }
bool differs(const std::string& a, const std::string& b) { return !a.empty() && !b.empty() && a != b; }

// What several set-ups share is said once: message → names, in order of appearance.
using Flags = std::vector<std::pair<Warning, std::vector<std::string>>>;

void addFlag(Flags& flags, Warning warning, const std::string& name) {
    auto same = std::find_if(flags.begin(), flags.end(), [&](const auto& flag) { return flag.first == warning; });
    if (same == flags.end()) same = flags.insert(flags.end(), {std::move(warning), {}});
    same->second.push_back(name);
}

// "kjv-gpt · fp16", "kjv-gpt · int8" → "kjv-gpt · fp16, int8"
std::string joinedNames(const std::vector<std::string>& names) {
    constexpr std::string_view kDot = " · ";
    std::string text, experiment;
    for (const std::string& name : names) {
        const size_t dot = name.rfind(kDot);
        const std::string before = dot == std::string::npos ? std::string() : name.substr(0, dot + kDot.size());
        const bool shared = !text.empty() && !before.empty() && before == experiment;
        text += (text.empty() ? "" : ", ") + (shared ? name.substr(before.size()) : name);
        experiment = before;
    }
    return text;
}

std::string written(const std::optional<int64_t>& value) { return std::to_string(value.value_or(0)); }

bool flag(Setup& s, const Setup& base, Flags& flags) {
    auto accuracy = [&](bool different, Warning warning) {
        if (!different) return;
        s.comparable = false;
        addFlag(flags, std::move(warning), s.name);
    };
    accuracy(differs(s.textSha256, base.textSha256), {L("accuracy is not comparable with the baseline: evaluated on another text"), {}, {}});
    accuracy(differs(s.window, base.window), {L("accuracy is not comparable with the baseline: window {} instead of {}"), {written(s.window), written(base.window)}, {}});
    accuracy(differs(s.mode, base.mode), {L("accuracy is not comparable with the baseline: mode {} instead of {}"), {s.mode, base.mode}, {}});
    const bool otherTokenizer = differs(s.tokenizerKey, base.tokenizerKey);
    accuracy(!otherTokenizer && differs(s.evalTokens, base.evalTokens),
             {L("accuracy is not comparable with the baseline: the held-out loss is that of {} tokens instead of {}"), {written(s.evalTokens), written(base.evalTokens)}, {}});
    auto told = [&](bool different, Warning warning) {
        if (different) addFlag(flags, std::move(warning), s.name);
    };
    told(otherTokenizer, {L("another tokenizer than the baseline's; compare by bits per byte only"), {}, {}});
    told(differs(s.threads, base.threads), {L("speed and cost were measured with {} threads, the baseline with {}"), {written(s.threads), written(base.threads)}, {}});
    told(differs(s.batch, base.batch), {L("speed and cost were measured with batch {}, the baseline with {}"), {written(s.batch), written(base.batch)}, {}});
    told(differs(s.prefill, base.prefill) || differs(s.decode, base.decode) || differs(s.depth, base.depth), {L("speed and cost were measured with other lengths than the baseline"), {}, {}});
    told(differs(s.machine, base.machine), {L("speed and cost were measured with another machine ({}) than the baseline ({})"), {s.machine, base.machine}, {}});
    return otherTokenizer;
}

// How far apart the largest and the smallest are: 0.5 is 50 % more; 0 when fewer than two were measured.
double spread(const std::vector<Setup>& setups, Value Setup::*v) {
    double low = 0, high = 0;
    size_t known = 0;
    for (const Setup& s : setups) {
        if (!finite(s.*v) || *(s.*v).value <= 0) continue;
        low = known ? std::min(low, *(s.*v).value) : *(s.*v).value;
        high = std::max(high, *(s.*v).value);
        ++known;
    }
    return known < 2 ? 0 : high / low - 1;
}

std::string chooseX(const std::vector<Setup>& setups) {
    auto any = [&](Value Setup::*v) { return std::any_of(setups.begin(), setups.end(), [&](const Setup& s) { return finite(s.*v); }); };
    if (any(&Setup::usdPer1mOutputTokens)) return "cost.usd_per_1m_output_tokens";
    // Trainings side by side: what they differ in most, memory or time.
    const double memory = spread(setups, &Setup::trainPeakBytes), time = spread(setups, &Setup::trainStepMs);
    if (memory > 0 && memory >= time) return "bytes.train_peak";
    std::vector<double> perRun;
    for (const Setup& s : setups)
        if (finite(s.usdPerRun)) perRun.push_back(*s.usdPerRun.value);
    // Set-ups of one experiment share its cost per run: then size says more.
    const bool distinct = !perRun.empty() && std::any_of(perRun.begin(), perRun.end(), [&](double v) { return v != perRun[0]; });
    if (distinct || (!perRun.empty() && !any(&Setup::weightBytes))) return "cost.usd_per_run";
    return "bytes.weights";
}

std::string chooseY(const std::vector<Setup>& setups, bool otherTokenizer) {
    if (otherTokenizer) return "accuracy.bits_per_byte";
    auto any = [&](Value Setup::*v) { return std::any_of(setups.begin(), setups.end(), [&](const Setup& s) { return finite(s.*v); }); };
    if (any(&Setup::perplexityRatio)) return "accuracy.perplexity_ratio";
    if (!any(&Setup::perplexity) && any(&Setup::evalLoss)) return "accuracy.eval_loss";
    return !any(&Setup::perplexity) && any(&Setup::bitsPerByte) ? "accuracy.bits_per_byte" : "accuracy.perplexity";
}

void markFrontier(Comparison& c) {
    const auto x = findMetric(c.x)->value, y = findMetric(c.y)->value;
    auto counts = [&](const Setup& s) { return s.comparable && finite(s.*x) && finite(s.*y); };
    for (Setup& s : c.setups) {
        s.onFrontier = counts(s) && std::none_of(c.setups.begin(), c.setups.end(), [&](const Setup& o) {
                           const double ox = (o.*x).value.value_or(0), oy = (o.*y).value.value_or(0), sx = *(s.*x).value, sy = *(s.*y).value;
                           return counts(o) && ox <= sx && oy <= sy && (ox < sx || oy < sy);
                       });
    }
}

void markTarget(Comparison& c) {
    const Metric* metric = findMetric(c.target->metric);
    const auto x = findMetric(c.x)->value;
    const Setup* best = nullptr;
    size_t met = 0;
    for (Setup& s : c.setups) {
        const Value& v = s.*metric->value;
        // Accuracy on another text says nothing about the target; sizes, speeds and costs stand on their own.
        const bool usable = s.comparable || !std::string_view(metric->name).starts_with("accuracy.");
        s.meetsTarget = usable && finite(v) && c.target->met(*v.value);
        if (!s.meetsTarget) continue;
        ++met;
        if (finite(s.*x) && (!best || *(s.*x).value < *(best->*x).value)) best = &s;
    }
    if (best) c.cheapest = best->id;
    else if (met) c.warnings.push_back({L("{} set-ups meet the target, but their {} was not measured"), {std::to_string(met), findMetric(c.x)->label}, {}});
    else c.warnings.push_back({L("no set-up meets the target {}"), {fmt::format("{} {} {}", c.target->metric, c.target->relation, c.target->value)}, {}});
}

// Two-sided 95 % of Student's t, for 1 to 30 degrees of freedom; above them the first terms of its expansion around the normal.
double studentT95(int64_t freedom) {
    constexpr double kTable[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
                                 2.120,  2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
    if (freedom <= 30) return kTable[freedom - 1];
    constexpr double kZ = 1.959964;
    return kZ + (kZ * kZ * kZ + kZ) / (4 * static_cast<double>(freedom));
}

void setDifferences(Setup& s, const Setup& base, bool otherTokenizer) {
    const auto& all = metrics();
    for (size_t i = 0; i < all.size(); ++i) {
        const std::string name = all[i].name;
        const bool perToken = name == "accuracy.eval_loss" || name == "accuracy.perplexity" || name == "accuracy.perplexity_ratio";
        if (name.starts_with("accuracy.") && (!s.comparable || (perToken && otherTokenizer))) continue;
        std::vector<Value> pairs;
        for (const auto& [seed, values] : s.bySeed)
            for (const auto& [other, theirs] : base.bySeed)
                if (seed == other && finite(values[i]) && finite(theirs[i])) pairs.push_back({*values[i].value - *theirs[i].value, {}});
        if (pairs.size() < 2) continue;
        const Value mean = meanOf(pairs);
        Difference d{.mean = *mean.value, .se = mean.se.value_or(0), .seeds = static_cast<int64_t>(pairs.size())};
        const double half = studentT95(d.seeds - 1) * d.se;
        d.low = d.mean - half;
        d.high = d.mean + half;
        d.separable = d.low > 0 || d.high < 0;
        s.differences[name] = d;
    }
}

void setDiffs(Comparison& c, const Setup& base) {
    for (Setup& s : c.setups) {
        s.configDiff = Json::object();
        if (s.id == base.id) continue;
        if (s.scheme != base.scheme) s.configDiff["quantize.scheme"] = Json::array({base.scheme, s.scheme});
        for (const auto& d : config::diffSpecs(base.spec, s.spec)) s.configDiff[d.key] = Json::array({d.left, d.right});
    }
}

}  // namespace

std::string Warning::text() const {
    std::string out = setups.empty() ? std::string() : setups + ": ";
    size_t from = 0;
    for (const std::string& argument : arguments) {
        const size_t at = form.find("{}", from);
        if (at == std::string::npos) break;
        out.append(form, from, at - from);
        out += argument;
        from = at + 2;
    }
    return out.append(form, from);
}

std::vector<std::string> texts(const std::vector<Warning>& warnings) {
    std::vector<std::string> out;
    for (const Warning& warning : warnings) out.push_back(warning.text());
    return out;
}

bool Target::met(double measured) const {
    if (relation == "<=") return measured <= value;
    if (relation == "<") return measured < value;
    if (relation == ">=") return measured >= value;
    return measured > value;
}

const Setup* Comparison::find(std::string_view id) const {
    for (const Setup& s : setups)
        if (s.id == id) return &s;
    return nullptr;
}

Result<Target> parseTarget(std::string_view text) {
    const char* hint = "write METRIC<=VALUE, for example 'perplexity_ratio<=1.05'";
    const size_t at = text.find_first_of("<>");
    auto trim = [](std::string_view t) {
        const size_t begin = t.find_first_not_of(" ");
        return begin == std::string_view::npos ? std::string_view{} : t.substr(begin, t.find_last_not_of(" ") - begin + 1);
    };
    if (at == std::string_view::npos || at == 0) return fail(ErrorCode::kBadUsage, fmt::format("target \"{}\" has no <=, <, >= or >", text.substr(0, 80)), hint);
    Target out;
    out.relation = text[at];
    std::string_view rest = text.substr(at + 1);
    if (rest.starts_with('=')) {
        out.relation += '=';
        rest.remove_prefix(1);
    }
    const std::string_view name = trim(text.substr(0, at)), digits = trim(rest);
    const Metric* metric = findMetric(name);
    if (!metric) {
        std::string known;
        for (const Metric& m : metrics()) known += (known.empty() ? "" : ", ") + std::string(m.name);
        return fail(ErrorCode::kBadUsage, fmt::format("target: unknown metric \"{}\"", name.substr(0, 80)), "known: " + known);
    }
    out.metric = metric->name;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), out.value);
    if (digits.empty() || code != std::errc() || end != digits.data() + digits.size() || !std::isfinite(out.value))
        return fail(ErrorCode::kBadUsage, fmt::format("target: \"{}\" is not a number", digits.substr(0, 80)), hint);
    return out;
}

Result<Comparison> buildComparison(const std::vector<Json>& runs, const CompareOptions& options) {
    if (runs.empty()) return fail(ErrorCode::kBadUsage, "no run to compare", "name at least one run");
    Comparison c;
    if (!options.target.empty()) {
        ASSAY_TRY(Target target, parseTarget(options.target));
        c.target = std::move(target);
    }
    Collected collected = collectSetups(runs);
    c.setups = std::move(collected.setups);
    c.warnings = std::move(collected.warnings);
    c.usdPerHour = collected.usdPerHour;
    c.x = "cost.usd_per_1m_output_tokens";
    c.y = "accuracy.perplexity_ratio";
    if (c.setups.empty()) {
        if (!options.baseline.empty()) return fail(ErrorCode::kNotFound, "the runs hold no set-up " + options.baseline);
        c.warnings.push_back({L("the runs measured no set-up; evaluate, quantize or benchmark makes them"), {}, {}});
        return c;
    }
    const size_t at = options.baseline.empty() && collected.firstIsBaseline ? 0 : chooseBaseline(c.setups, options.baseline);
    if (at >= c.setups.size()) {
        std::string known;
        for (const Setup& s : c.setups) known += (known.empty() ? "" : ", ") + s.id;
        return fail(ErrorCode::kNotFound, "no set-up " + options.baseline + " to be the baseline", "there are: " + known.substr(0, 1000));
    }
    c.baseline = c.setups[at].id;
    const Setup base = c.setups[at];  // a copy: flags below change the list
    bool otherTokenizer = false;
    Flags flags;
    for (size_t i = 0; i < c.setups.size(); ++i)
        if (i != at) otherTokenizer = flag(c.setups[i], base, flags) || otherTokenizer;
    for (auto& [warning, names] : flags) c.warnings.push_back({std::move(warning.form), std::move(warning.arguments), joinedNames(names)});
    int64_t fewest = 3;  // seeds of a trained set-up
    for (size_t i = 0; i < c.setups.size(); ++i) {
        Setup& s = c.setups[i];
        setRatio(s, base, i == at);
        const bool other = i != at && differs(s.tokenizerKey, base.tokenizerKey);
        if (other) s.perplexityRatio = {};
        if (i != at) setDifferences(s, base, other);
        if (s.trained && s.seeds < 3) fewest = std::min(fewest, s.seeds);
    }
    if (fewest == 1) c.warnings.push_back({L("trained with one seed: the error bars do not cover the chance of training"), {}, {}});
    if (fewest == 2) c.warnings.push_back({L("trained with two seeds: the error bars do not cover the chance of training"), {}, {}});
    c.x = chooseX(c.setups);
    c.y = chooseY(c.setups, otherTokenizer);
    markFrontier(c);
    if (c.target) markTarget(c);
    setDiffs(c, base);
    return c;
}

Json comparisonToJson(const Comparison& c) {
    auto value = [](const std::optional<double>& v) { return v ? jsonNumber(*v) : Json(nullptr); };
    Json setups = Json::array();
    for (const Setup& s : c.setups) {
        Json out{{"id", s.id}, {"name", s.name}, {"scheme", s.scheme}, {"runs", s.runs}, {"seeds", s.seeds}, {"comparable", s.comparable}};
        for (const Metric& metric : metrics()) {
            const std::string_view full = metric.name;
            const std::string group(full.substr(0, full.find('.'))), key(full.substr(full.find('.') + 1));
            const Value& v = s.*metric.value;
            out[group][key] = value(v.value);
            // The contract names these two; others have one where it is known.
            if (v.se || key == "perplexity" || key == "perplexity_ratio") out[group][key + "_se"] = value(v.se);
        }
        Json differences = Json::object();
        for (const auto& [name, d] : s.differences)
            differences[name] = Json{{"mean", jsonNumber(d.mean)}, {"se", jsonNumber(d.se)}, {"low", jsonNumber(d.low)}, {"high", jsonNumber(d.high)}, {"seeds", d.seeds}, {"separable", d.separable}};
        out["differences"] = std::move(differences);
        out["machine"] = s.machine.empty() ? Json(nullptr) : Json(s.machine);
        out["config_diff"] = s.configDiff;
        out["on_frontier"] = s.onFrontier;
        setups.push_back(std::move(out));
    }
    Json out{{"baseline", c.baseline.empty() ? Json(nullptr) : Json(c.baseline)}, {"x", c.x}, {"y", c.y}, {"setups", std::move(setups)}, {"warnings", texts(c.warnings)}};
    out["cheapest_meeting_target"] = c.cheapest.empty() ? Json(nullptr) : Json(c.cheapest);
    if (c.target) out["target"] = Json{{"metric", c.target->metric}, {"relation", c.target->relation}, {"value", c.target->value}};
    return out;
}

}  // namespace assay::report
