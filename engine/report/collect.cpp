#include "collect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "mark.h"
#include "units.h"

namespace assay::report {
namespace {

std::optional<double> number(const Json* object, const char* key) {
    if (!object || !object->is_object()) return {};
    const Json* value = member(*object, key);
    if (!value) return {};
    if (value->is_number()) return value->get<double>();
    if (value->is_string() && (*value == "nan" || *value == "inf" || *value == "-inf")) return numberFromJson(*value);
    return {};
}
std::optional<int64_t> integer(const Json* object, const char* key) {
    auto value = number(object, key);
    if (!value || !(std::abs(*value) < 9e15)) return {};
    return static_cast<int64_t>(*value);
}
std::string text(const Json* object, const char* key) { return object ? jsonStringOr(*object, key, "") : ""; }

void mergeJson(Json& into, const Json& from) {  // key by key, later wins
    if (!into.is_object() || !from.is_object()) {
        into = from;
        return;
    }
    for (const auto& [key, value] : from.items()) {
        if (into.contains(key)) mergeJson(into[key], value);
        else into[key] = value;
    }
}

int64_t ranksOf(const Json& run) {
    if (const Json* environment = member(run, "environment"))
        if (auto world = integer(environment, "world"); world && *world > 0) return *world;
    return 1;
}

std::string machineOf(const Json& run) {
    const Json* environment = member(run, "environment");
    if (!environment) return "";
    const Json* cpu = member(*environment, "cpu");
    std::string out = text(cpu, "model");
    if (auto cores = integer(cpu, "cores")) out += fmt::format(", {} cores", *cores);
    if (const Json* gpus = member(*environment, "gpus"); gpus && gpus->is_array())
        for (const Json& gpu : *gpus) out += " + " + (gpu.is_string() ? gpu.get<std::string>() : jsonStringOr(gpu, "name", "GPU"));
    return out;
}

struct Price {
    std::optional<double> perHour;
    bool electricityMissing = false;  // priced, but its amount was not measured
};
// USD for an hour of one rank. Electricity needs a measured power: an assumed one would share a column with measured
// figures.
Price priceOf(const Unit& unit, const Json& summary) {
    const Json* spec = member(*unit.root, "spec");
    const Json* cost = spec ? member(*spec, "cost") : nullptr;
    Price out;
    out.perHour = number(cost ? member(*cost, "price") : nullptr, "usd_per_hour");
    auto perKwh = number(cost ? member(*cost, "electricity") : nullptr, "usd_per_kwh");
    if (out.perHour && perKwh) {
        if (auto watts = number(&summary, "system/power_watts"); watts && std::isfinite(*watts)) *out.perHour += *perKwh * *watts / 1000;
        else out.electricityMissing = true;
    }
    return out;
}

Value measured(const Json* object, const char* key, const char* seKey = nullptr) {
    Value out;
    out.value = number(object, key);
    if (seKey) out.se = number(object, seKey);
    return out;
}

// What makes two experiments differ: the spec without names, bookkeeping and what only one stage uses.
Json experimentSpec(const Json* spec) {
    if (!spec || !spec->is_object()) return Json::object();
    Json out = *spec;
    for (const char* key : {"assay", "name", "kind", "stages", "seed", "seeds", "sweep", "inputs", "tags"}) out.erase(key);
    return out;
}

// What the training says of a set-up that it made; `alone`: it made no other, so what its summary says is this one's.
void fillTraining(Setup& s, const Json& record, const Json& training, bool alone) {
    const Json* accuracy = member(record, "accuracy");
    s.evalLoss = measured(accuracy, "eval_loss");
    s.evalTokens = integer(accuracy, "eval_tokens");
    if (alone && !s.evalLoss.value) s.evalLoss = measured(&training, "eval/loss");
    if (alone && !s.evalTokens) s.evalTokens = integer(&training, "eval/tokens");
    if (auto seconds = number(&training, "train/step_seconds")) s.trainStepMs.value = *seconds * 1000;
    s.trainPeakBytes = measured(&training, "system/gpu_bytes_peak");
    if (!s.trainPeakBytes.value) s.trainPeakBytes = measured(&training, "system/tensor_bytes_peak");
}

void fill(Setup& s, const Json& record, const Unit& unit, const Json& summary, const Price& price, double rankHours) {
    const Json* accuracy = member(record, "accuracy");
    const Json* speed = member(record, "speed");
    const Json* bytes = member(record, "bytes");
    s.perplexity = measured(accuracy, "perplexity", "perplexity_se");
    s.perplexityRatio = measured(accuracy, "perplexity_ratio", "perplexity_ratio_se");
    s.bitsPerByte = measured(accuracy, "bits_per_byte", "bits_per_byte_se");
    s.klDivergence = measured(accuracy ? member(*accuracy, "kl_divergence") : nullptr, "mean", "se");
    s.sameTop1 = measured(accuracy, "same_top1");
    s.prefillTokensPerS = measured(speed, "prefill_tokens_per_s", "prefill_tokens_per_s_se");
    s.decodeTokensPerS = measured(speed, "decode_tokens_per_s", "decode_tokens_per_s_se");
    s.trainTokensPerS = measured(speed, "train_tokens_per_s");
    if (!s.trainTokensPerS.value) s.trainTokensPerS = measured(&summary, "train/tokens_per_s");
    s.ttftMs = measured(speed, "ttft_ms");
    s.tpotMs = measured(speed, "tpot_ms");
    s.weightBytes = measured(bytes, "weights");
    s.peakBytes = measured(bytes, "peak");
    s.textSha256 = text(accuracy, "text_sha256");
    s.mode = text(accuracy, "mode");
    s.tokenizerKey = text(accuracy, "tokenizer_key");
    s.window = integer(accuracy, "window");
    s.tokens = integer(accuracy, "tokens");
    s.threads = integer(speed, "threads");
    s.batch = integer(speed, "batch");
    s.prefill = integer(speed, "prefill");
    s.decode = integer(speed, "decode");
    s.depth = integer(speed, "depth");
    if (price.perHour) {
        s.usdPerRun.value = rankHours * *price.perHour;
        if (auto rate = s.decodeTokensPerS.value; rate && *rate > 0 && std::isfinite(*rate)) {
            s.usdPer1mOutputTokens.value = *price.perHour / (*rate * 3600) * 1e6;
            if (s.decodeTokensPerS.se) s.usdPer1mOutputTokens.se = *s.usdPer1mOutputTokens.value * *s.decodeTokensPerS.se / *rate;
        }
    }
    s.spec = experimentSpec(member(*unit.root, "spec"));
}

std::vector<Setup> setupsOf(const Unit& unit, Collected& out) {
    Json summary = Json::object();
    Json records = Json::object();  // by name, in order of first appearance
    std::map<std::string, std::vector<std::string>> runsOf;
    std::string machine, machineOfRun;
    double rankSeconds = 0;
    bool trained = false, timed = false;
    Json training = Json::object();   // the summary of the training, and the set-ups that it made
    std::set<std::string> made;
    for (const Json* run : unit.runs) {
        const std::string id = idOf(*run), status = jsonStringOr(*run, "status", "");
        if (!status.empty() && status != "done")
            out.warnings.push_back({L("run {} ({}) is {}: figures may be missing"), {id, jsonStringOr(*run, "name", ""), status}, {}});
        if (const Json* part = member(*run, "summary"); part && part->is_object()) mergeJson(summary, *part);
        // A run with stages spends no time of its own: its running time is that of the stages.
        if (run != unit.root || unit.runs.size() == 1) {
            if (auto seconds = number(run, "running_seconds"); seconds && std::isfinite(*seconds)) {
                rankSeconds += *seconds * static_cast<double>(ranksOf(*run));
                timed = true;
            }
        }
        const bool trains = jsonStringOr(*run, "kind", "") == "train";
        trained = trained || trains;
        if (const Json* part = member(*run, "summary"); trains && part && part->is_object()) training = *part;
        if (machineOfRun = machineOf(*run); !machineOfRun.empty()) machine = machineOfRun;
        const Json* setups = member(*run, "setups");
        if (!setups || !setups->is_array()) continue;
        for (const Json& record : *setups) {
            if (!record.is_object()) continue;
            const std::string name = jsonStringOr(record, "name", "");
            if (name.empty()) continue;
            if (trains) made.insert(name);
            if (records.contains(name)) mergeJson(records[name], record);
            else records[name] = record;
            auto& ids = runsOf[name];
            if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
        }
    }
    const Price price = priceOf(unit, summary);
    if (price.electricityMissing)
        out.warnings.push_back({L("electricity is priced but not in the cost, because the power was not measured"), {}, jsonStringOr(*unit.root, "name", idOf(*unit.root))});
    if (price.perHour && !out.usdPerHour) out.usdPerHour = price.perHour;
    else if (price.perHour && out.usdPerHour != price.perHour) out.usdPerHour = std::nan("");
    if (records.empty()) {  // a training run that measured no set-up: what its summary says
        auto perplexity = number(&summary, "eval/perplexity");
        if (!perplexity && !number(&summary, "train/tokens_per_s")) return {};
        Json record{{"name", "model"}};
        if (perplexity) record["accuracy"] = Json{{"perplexity", jsonNumber(*perplexity)}};
        records["model"] = record;
        runsOf["model"] = {idOf(*unit.root)};
        made.insert("model");
    }
    std::vector<Setup> setups;
    for (const auto& [name, record] : records.items()) {
        Setup s;
        s.id = idOf(*unit.root) + "/" + name;
        s.name = s.setup = name;
        s.scheme = jsonStringOr(record, "scheme", name);
        s.runs = runsOf[name];
        s.trained = trained;
        s.machine = machine;
        Price known = price;
        if (!timed) known.perHour = price.perHour;
        fill(s, record, unit, summary, known, rankSeconds / 3600);
        if (made.contains(name)) fillTraining(s, record, training, made.size() == 1);
        if (!timed) s.usdPerRun = {};
        if (!unit.group.empty())
            if (const Json* spec = member(*unit.root, "spec"))
                if (auto seed = integer(spec, "seed"); seed && *seed >= 0) {
                    std::vector<Value> values;
                    for (const Metric& metric : metrics()) values.push_back(s.*metric.value);
                    s.bySeed.emplace_back(static_cast<uint64_t>(*seed), std::move(values));
                }
        setups.push_back(std::move(s));
    }
    return setups;
}

// Seeds of one set-up become one: means with standard errors; what is not a number stays as the first says.
Setup aggregate(const std::vector<const Setup*>& seeds, const std::string& id) {
    Setup out = *seeds[0];
    out.id = id;
    out.bySeed.clear();
    out.seeds = static_cast<int64_t>(seeds.size());
    for (const Setup* s : seeds)
        for (const auto& one : s->bySeed) out.bySeed.push_back(one);
    for (const Metric& metric : metrics()) {
        std::vector<Value> values;
        for (const Setup* s : seeds) values.push_back(s->*metric.value);
        out.*metric.value = meanOf(values);
    }
    for (size_t i = 1; i < seeds.size(); ++i)
        for (const std::string& run : seeds[i]->runs)
            if (std::find(out.runs.begin(), out.runs.end(), run) == out.runs.end()) out.runs.push_back(run);
    return out;
}

}  // namespace

const Json* member(const Json& object, std::string_view key) {
    if (!object.is_object()) return nullptr;
    auto it = object.find(key);
    return it == object.end() || it->is_null() ? nullptr : &*it;
}

bool fullPrecision(const Setup& setup) { return setup.scheme == "fp32" || setup.setup == "fp32" || setup.setup.starts_with("dequantized"); }

Value meanOf(const std::vector<Value>& values) {
    double sum = 0;
    size_t n = 0;
    Value only;
    for (const Value& v : values)
        if (v.value) {
            sum += *v.value;
            ++n;
            only = v;
        }
    if (n == 0) return {};
    if (n == 1) return only;
    const double mean = sum / static_cast<double>(n);
    double squares = 0;
    for (const Value& v : values)
        if (v.value) squares += (*v.value - mean) * (*v.value - mean);
    return {mean, std::sqrt(squares / static_cast<double>(n - 1) / static_cast<double>(n))};
}

Collected collectSetups(const std::vector<Json>& runs) {
    Collected out;
    std::vector<Unit> units;
    std::vector<Json> trees;  // units point into them
    for (const Json& run : runs)
        if (run.is_object()) trees.push_back(nested(run));
    for (const Json& run : trees) collectUnits(run, units);
    // Members of one sweep are known by their names in it; with others beside them they need the whole name.
    const bool oneSweep = !units.empty() && !units[0].sweep.empty() && std::all_of(units.begin(), units.end(), [&](const Unit& unit) { return unit.sweep == units[0].sweep; });
    if (trees.size() == 1 && oneSweep)
        if (const Json* spec = member(trees[0], "spec"))
            if (const Json* sweep = member(*spec, "sweep")) out.firstIsBaseline = sweep->is_object() && sweep->contains("variants");
    struct Made {
        const Unit* unit;
        std::vector<Setup> setups;
    };
    std::vector<Made> made;
    for (const Unit& unit : units) {
        const std::string id = idOf(*unit.root);  // one run named twice counts once
        if (std::any_of(made.begin(), made.end(), [&](const Made& m) { return idOf(*m.unit->root) == id; })) continue;
        made.push_back({&unit, setupsOf(unit, out)});
    }
    std::vector<std::string> doneGroups;
    size_t experiments = 0;
    for (const Made& m : made) {
        if (!m.unit->group.empty()) {
            if (std::find(doneGroups.begin(), doneGroups.end(), m.unit->group) != doneGroups.end()) continue;
            doneGroups.push_back(m.unit->group);
        }
        ++experiments;
    }
    doneGroups.clear();
    const bool plain = oneSweep && std::all_of(made.begin(), made.end(), [](const Made& m) { return m.setups.size() <= 1; });
    for (const Made& m : made) {
        std::string label = oneSweep ? m.unit->member : jsonStringOr(*m.unit->root, "name", idOf(*m.unit->root));
        std::vector<Setup> ready;
        if (m.unit->group.empty()) {
            ready = m.setups;
        } else {
            if (std::find(doneGroups.begin(), doneGroups.end(), m.unit->group) != doneGroups.end()) continue;
            doneGroups.push_back(m.unit->group);
            if (const size_t slash = label.rfind("/seed-"); slash != std::string::npos && !oneSweep) label.resize(slash);
            std::vector<std::string> names;
            std::map<std::string, std::vector<const Setup*>> seeds;
            for (const Made& other : made)
                if (other.unit->group == m.unit->group)
                    for (const Setup& s : other.setups) {
                        if (!seeds.count(s.setup)) names.push_back(s.setup);
                        seeds[s.setup].push_back(&s);
                    }
            const std::string parent = m.unit->parent.empty() ? idOf(*m.unit->root) : m.unit->parent;
            for (const std::string& name : names) ready.push_back(aggregate(seeds[name], parent + "/" + name));
        }
        const bool shared = std::count_if(made.begin(), made.end(), [&](const Made& o) { return (o.unit->group.empty() || o.unit->group != m.unit->group) && jsonStringOr(*o.unit->root, "name", "") == label; }) > (m.unit->group.empty() ? 1 : 0);
        if (shared) label += " (" + idOf(*m.unit->root) + ")";
        for (Setup& s : ready) {
            if (experiments > 1) s.name = plain ? label : label + " · " + s.setup;
            out.setups.push_back(std::move(s));
        }
    }
    if (out.usdPerHour && !std::isfinite(*out.usdPerHour)) out.usdPerHour.reset();
    return out;
}

}  // namespace assay::report
