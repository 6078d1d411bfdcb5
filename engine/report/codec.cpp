// ReportInput as JSON and back, whole: what a program that draws reports is handed.

#include <assay/report/report.h>

namespace assay::report {
namespace {

constexpr int kVersion = 1;

Json optional(const std::optional<double>& value) { return value ? jsonNumber(*value) : Json(nullptr); }
Json optional(const std::optional<int64_t>& value) { return value ? Json(*value) : Json(nullptr); }

Error wrong(const std::string& what) { return Error(ErrorCode::kInvalidFile, "report input: " + what, "it is written by assay report; make it again"); }

// Reading: every accessor checks, so that a damaged file is an error and no exception.
struct Reader {
    const Json& object;
    std::string problem;

    const Json* at(const char* key) {
        if (!object.is_object()) {
            problem = std::string(key) + " has no object around it";
            return nullptr;
        }
        const auto it = object.find(key);
        if (it == object.end()) {
            problem = std::string(key) + " is missing";
            return nullptr;
        }
        return &*it;
    }
    void text(const char* key, std::string& out) {
        const Json* value = at(key);
        if (value && value->is_string()) out = value->get<std::string>();
        else if (value) problem = std::string(key) + " is no text";
    }
    void flag(const char* key, bool& out) {
        const Json* value = at(key);
        if (value && value->is_boolean()) out = value->get<bool>();
        else if (value) problem = std::string(key) + " is neither true nor false";
    }
    void number(const char* key, std::optional<double>& out) {
        const Json* value = at(key);
        if (!value || value->is_null()) return;
        if (value->is_number() || value->is_string()) out = numberFromJson(*value);
        else problem = std::string(key) + " is no number";
    }
    void integer(const char* key, std::optional<int64_t>& out) {
        const Json* value = at(key);
        if (!value || value->is_null()) return;
        if (value->is_number_integer()) out = value->get<int64_t>();
        else problem = std::string(key) + " is no whole number";
    }
    void texts(const char* key, std::vector<std::string>& out) {
        const Json* value = at(key);
        if (value && !value->is_array()) problem = std::string(key) + " is no list";
        if (!value || !value->is_array()) return;
        for (const Json& item : *value) {
            if (item.is_string()) out.push_back(item.get<std::string>());
            else problem = std::string(key) + " holds something else than texts";
        }
    }
    const Json* list(const char* key) {
        const Json* value = at(key);
        if (value && !value->is_array()) problem = std::string(key) + " is no list";
        return value && value->is_array() ? value : nullptr;
    }
};

Json setupToJson(const Setup& s) {
    Json values = Json::object();
    for (const Metric& metric : metrics()) values[metric.name] = Json::array({optional((s.*metric.value).value), optional((s.*metric.value).se)});
    Json differences = Json::object();
    for (const auto& [name, d] : s.differences) differences[name] = Json::array({jsonNumber(d.mean), jsonNumber(d.se), jsonNumber(d.low), jsonNumber(d.high), d.seeds});
    return {{"id", s.id}, {"name", s.name}, {"differences", std::move(differences)}, {"setup", s.setup}, {"scheme", s.scheme}, {"runs", s.runs}, {"seeds", s.seeds}, {"trained", s.trained}, {"values", std::move(values)},
            {"text_sha256", s.textSha256}, {"mode", s.mode}, {"tokenizer_key", s.tokenizerKey}, {"machine", s.machine}, {"window", optional(s.window)}, {"tokens", optional(s.tokens)},
            {"threads", optional(s.threads)}, {"batch", optional(s.batch)}, {"prefill", optional(s.prefill)}, {"decode", optional(s.decode)}, {"depth", optional(s.depth)},
            {"spec", s.spec}, {"config_diff", s.configDiff}, {"comparable", s.comparable}, {"on_frontier", s.onFrontier}, {"meets_target", s.meetsTarget}};
}

Result<Setup> setupFromJson(const Json& json) {
    Setup s;
    Reader in{json, {}};
    in.text("id", s.id);
    in.text("name", s.name);
    in.text("setup", s.setup);
    in.text("scheme", s.scheme);
    in.texts("runs", s.runs);
    std::optional<int64_t> seeds;
    in.integer("seeds", seeds);
    s.seeds = seeds.value_or(1);
    in.flag("trained", s.trained);
    in.text("text_sha256", s.textSha256);
    in.text("mode", s.mode);
    in.text("tokenizer_key", s.tokenizerKey);
    in.text("machine", s.machine);
    in.integer("window", s.window);
    in.integer("tokens", s.tokens);
    in.integer("threads", s.threads);
    in.integer("batch", s.batch);
    in.integer("prefill", s.prefill);
    in.integer("decode", s.decode);
    in.integer("depth", s.depth);
    in.flag("comparable", s.comparable);
    in.flag("on_frontier", s.onFrontier);
    in.flag("meets_target", s.meetsTarget);
    if (const Json* spec = in.at("spec")) s.spec = *spec;
    if (const Json* diff = in.at("config_diff")) s.configDiff = *diff;
    if (!s.configDiff.is_object()) in.problem = "config_diff is no object";
    else
        for (const auto& [key, pair] : s.configDiff.items())
            if (!pair.is_array() || pair.size() != 2) in.problem = "config_diff: " + key + " is no pair";
    if (const Json* values = in.at("values")) {
        if (!values->is_object()) in.problem = "values is no object";
        else
            for (const Metric& metric : metrics()) {
                const auto pair = values->find(metric.name);
                if (pair == values->end()) continue;  // of an older version
                if (!pair->is_array() || pair->size() != 2) {
                    in.problem = std::string(metric.name) + " is no pair";
                    continue;
                }
                if (!(*pair)[0].is_null()) (s.*metric.value).value = numberFromJson((*pair)[0]);
                if (!(*pair)[1].is_null()) (s.*metric.value).se = numberFromJson((*pair)[1]);
            }
    }
    if (const Json* differences = in.at("differences")) {
        if (!differences->is_object()) in.problem = "differences is no object";
        else
            for (const auto& [name, one] : differences->items()) {
                if (!one.is_array() || one.size() != 5 || !one[4].is_number_integer()) {
                    in.problem = "differences: " + name + " is not five numbers";
                    continue;
                }
                Difference d{.mean = numberFromJson(one[0]), .se = numberFromJson(one[1]), .low = numberFromJson(one[2]), .high = numberFromJson(one[3]), .seeds = one[4].get<int64_t>()};
                d.separable = d.low > 0 || d.high < 0;
                s.differences[name] = d;
            }
    }
    if (!in.problem.empty()) return fail(wrong("set-up " + s.id + ": " + in.problem));
    return s;
}

}  // namespace

Json reportInputToJson(const ReportInput& input) {
    const Comparison& c = input.comparison;
    Json setups = Json::array(), series = Json::array();
    for (const Setup& s : c.setups) setups.push_back(setupToJson(s));
    for (const Series& s : input.series) series.push_back({{"run", s.run}, {"run_name", s.runName}, {"name", s.name}, {"points", s.points}});
    Json comparison{{"baseline", c.baseline}, {"x", c.x}, {"y", c.y}, {"setups", std::move(setups)}, {"warnings", texts(c.warnings)}, {"cheapest", c.cheapest}, {"usd_per_hour", optional(c.usdPerHour)}};
    comparison["target"] = c.target ? Json{{"metric", c.target->metric}, {"relation", c.target->relation}, {"value", jsonNumber(c.target->value)}} : Json(nullptr);
    return {{"report_input", kVersion}, {"title", input.title}, {"comparison", std::move(comparison)}, {"runs", input.runs}, {"series", std::move(series)}, {"version", input.version}, {"time", input.time}};
}

Result<ReportInput> reportInputFromJson(const Json& json) {
    ReportInput out;
    Reader in{json, {}};
    std::optional<int64_t> version;
    in.integer("report_input", version);
    if (in.problem.empty() && version != kVersion) return fail(ErrorCode::kVersionMismatch, "report input of another version", "assay and assay-studio must be of one version");
    in.text("title", out.title);
    in.text("version", out.version);
    in.text("time", out.time);
    if (const Json* runs = in.list("runs")) out.runs.assign(runs->begin(), runs->end());
    if (const Json* series = in.list("series"))
        for (const Json& one : *series) {
            Series s;
            Reader part{one, {}};
            part.text("run", s.run);
            part.text("run_name", s.runName);
            part.text("name", s.name);
            if (const Json* points = part.list("points")) s.points = *points;
            if (!part.problem.empty()) return fail(wrong("series: " + part.problem));
            out.series.push_back(std::move(s));
        }
    const Json* comparison = in.at("comparison");
    if (!in.problem.empty()) return fail(wrong(in.problem));
    Comparison& c = out.comparison;
    Reader part{*comparison, {}};
    part.text("baseline", c.baseline);
    part.text("x", c.x);
    part.text("y", c.y);
    part.text("cheapest", c.cheapest);
    std::vector<std::string> warnings;
    part.texts("warnings", warnings);
    for (std::string& text : warnings) c.warnings.push_back({"{}", {std::move(text)}, {}});
    part.number("usd_per_hour", c.usdPerHour);
    const Json* setups = part.list("setups");
    const Json* target = part.at("target");
    if (!part.problem.empty()) return fail(wrong(part.problem));
    for (const Json& one : *setups) {
        ASSAY_TRY(Setup setup, setupFromJson(one));
        c.setups.push_back(std::move(setup));
    }
    if (!target->is_null()) {
        Target t;
        std::optional<double> value;
        Reader fields{*target, {}};
        fields.text("metric", t.metric);
        fields.text("relation", t.relation);
        fields.number("value", value);
        if (!fields.problem.empty()) return fail(wrong("target: " + fields.problem));
        if (!findMetric(t.metric)) return fail(wrong("target: unknown metric " + t.metric));
        t.value = value.value_or(0);
        c.target = std::move(t);
    }
    // The axes are looked up by name when a report is drawn.
    if (!findMetric(c.x) || !findMetric(c.y)) return fail(wrong("unknown metric on an axis"));
    return out;
}

}  // namespace assay::report
