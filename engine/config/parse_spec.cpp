#include <algorithm>
#include <functional>

#include "section.h"

namespace assay::config {
namespace {

constexpr size_t kMaxSeeds = 1000, kMaxSweptKeys = 100, kMaxVariants = 100, kMaxVariantName = 80;

void parseCost(const Node& node, CostSpec& out, Context& context) {
    Section section(node, "cost", context);
    section.text("hardware", out.hardware);
    double value = 0;
    if (const Node* price = section.take("price")) {
        Section s(*price, "cost.price", context);
        if (s.number("usd_per_hour", value, {.low = 0})) out.usdPerHour = value;
    }
    if (const Node* electricity = section.take("electricity")) {
        Section s(*electricity, "cost.electricity", context);
        if (s.number("usd_per_kwh", value, {.low = 0})) out.usdPerKwh = value;
    }
}

using Wrong = std::function<void(const Node& at, const std::string& key, std::string message, std::string hint)>;

// grid: {key: [values]}
Json parseGrid(const Node& grid, const Wrong& wrong, Context& context) {
    Json values = Json::object();
    if (!grid.isMap() || grid.entries.empty()) {
        wrong(grid, "sweep.grid", "must be a map of key: [values], not " + (grid.isMap() ? "an empty map" : describe(grid)), "for example: {train.optimizer.lr: [1e-3, 3e-4]}");
        return values;
    }
    if (grid.entries.size() > kMaxSweptKeys) {
        wrong(grid, "sweep.grid", "names more than " + std::to_string(kMaxSweptKeys) + " keys", "sweep a few keys at a time");
        return values;
    }
    for (const Entry& entry : grid.entries) {
        const std::string key = "sweep.grid." + entry.key;
        context.remember(key, entry.mark, entry.value.source);
        if (!entry.value.isList() || entry.value.items.empty()) {
            wrong(entry.value, key, "must be a list of values, not " + (entry.value.isList() ? "an empty list" : describe(entry.value)), "for example: [1e-3, 3e-4]");
            continue;
        }
        values[entry.key] = jsonFromNode(entry.value, key, context);
    }
    return values;
}

// variants: {name: {key: value}}; a name becomes part of run names and of paths of keys.
Json parseVariants(const Node& variants, const Wrong& wrong, Context& context) {
    constexpr const char* kExample = "for example: {adamw: {}, lion: {train.optimizer.name: lion}}; the first is the baseline";
    Json out = Json::object();
    if (!variants.isMap() || variants.entries.empty()) {
        wrong(variants, "sweep.variants", "must be a map of name: {key: value}, not " + (variants.isMap() ? "an empty map" : describe(variants)), kExample);
        return out;
    }
    if (variants.entries.size() > kMaxVariants) {
        wrong(variants, "sweep.variants", "holds more than " + std::to_string(kMaxVariants) + " variants", "compare fewer at a time");
        return out;
    }
    for (const Entry& entry : variants.entries) {
        const std::string key = "sweep.variants." + entry.key;
        context.remember(key, entry.mark, entry.value.source);
        const bool letters = std::none_of(entry.key.begin(), entry.key.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F || c == '/' || c == '.'; });
        if (entry.key.empty() || entry.key.size() > kMaxVariantName || !letters) {
            wrong(entry.value, key, "is not a name: 1 to 80 bytes without dots, slashes and control characters", "");
            continue;
        }
        const bool nothing = entry.value.type == Node::Type::kNull;
        if (!nothing && !entry.value.isMap()) {
            wrong(entry.value, key, "must be a map of key: value, not " + describe(entry.value), "{} is the experiment as it stands; others are like {train.optimizer.name: lion}");
            continue;
        }
        if (entry.value.entries.size() > kMaxSweptKeys) {
            wrong(entry.value, key, "changes more than " + std::to_string(kMaxSweptKeys) + " keys", "write an experiment of its own");
            continue;
        }
        for (const Entry& changed : entry.value.entries) context.remember(key + "." + changed.key, changed.mark, changed.value.source);
        out[entry.key] = nothing ? Json::object() : jsonFromNode(entry.value, key, context);
    }
    return out;
}

void parseSweep(const Node& node, Json& out, Context& context) {
    Section section(node, "sweep", context);
    const Node* grid = section.take("grid");
    const Node* variants = section.take("variants");
    if (grid && variants) {
        section.missing("variants", "grid and variants are both given", "keep one of them; a variant may set several keys");
        return;
    }
    if (!grid && !variants) {
        if (!section.has("grid") && !section.has("variants"))
            section.missing("grid", "is missing", "for example: grid: {train.optimizer.lr: [1e-3, 3e-4]}, or variants: {adamw: {}, lion: {train.optimizer.name: lion}}");
        return;
    }
    const Wrong wrong = [&](const Node& at, const std::string& key, std::string message, std::string hint) {
        context.problem(at.mark, at.source, key, std::move(message), std::move(hint));
    };
    if (grid) out = Json{{"grid", parseGrid(*grid, wrong, context)}};
    else out = Json{{"variants", parseVariants(*variants, wrong, context)}};
}

void parseSeeds(Section& section, Spec& out, Context& context) {
    if (const Node* seed = section.take("seed")) readUnsigned(*seed, "seed", context, out.seed);
    const Node* seeds = section.take("seeds");
    if (!seeds) return;
    if (section.has("seed")) section.missing("seeds", "seed and seeds are both given", "keep one of them");
    if (!seeds->isList() || seeds->items.empty() || seeds->items.size() > kMaxSeeds) {
        context.problem(seeds->mark, seeds->source, "seeds", "must be a list of 1 to 1000 integers, not " +
                        (seeds->isList() ? std::to_string(seeds->items.size()) + " values" : describe(*seeds)), "for example: [1, 2, 3]");
        return;
    }
    for (size_t i = 0; i < seeds->items.size(); ++i) {
        uint64_t value = 0;
        const std::string key = "seeds." + std::to_string(i);
        if (!readUnsigned(seeds->items[i], key, context, value)) continue;
        if (std::find(out.seeds.begin(), out.seeds.end(), value) != out.seeds.end())
            context.problem(seeds->items[i].mark, seeds->items[i].source, key, "seed " + std::to_string(value) + " is listed twice",
                            "equal seeds give equal runs and no error bar");
        out.seeds.push_back(value);
    }
    if (!out.seeds.empty()) out.seed = out.seeds[0];
}

void parseStages(const Node& node, Spec& out, Context& context) {
    if (!node.isList() || node.items.empty()) {
        context.problem(node.mark, node.source, "stages", "must be a list of stages, not " + (node.isList() ? "an empty list" : describe(node)),
                        "for example: [prepare, train, evaluate]");
        return;
    }
    for (size_t i = 0; i < node.items.size(); ++i) {
        Kind stage = Kind::kPrepare;
        const std::string key = "stages." + std::to_string(i);
        context.remember(key, node.items[i].mark, node.items[i].source);
        if (!readChoice(node.items[i], key, context, stage, kStages)) continue;
        auto place = [](Kind kind) {
            return std::find_if(kStages.begin(), kStages.end(), [&](const auto& word) { return word.second == kind; });
        };
        if (!out.stages.empty() && place(stage) <= place(out.stages.back()))
            context.problem(node.items[i].mark, node.items[i].source, key, "stands out of order or twice",
                            "the order is prepare, train, generate, evaluate, quantize, benchmark");
        else
            out.stages.push_back(stage);
    }
}

}  // namespace

Spec parseSpec(const Node& root, Context& context) {
    Spec out;
    context.remember("", root.mark.line ? root.mark : Mark{}, root.source);
    Section section(root, "", context);
    int64_t version = 1;
    if (section.integer("assay", version, {1, kMost}) && version != 1)
        section.missing("assay", "schema version " + std::to_string(version) + " is newer than this program knows (1)", "update Assay");
    if (section.text("name", out.name)) {
        const bool control = std::any_of(out.name.begin(), out.name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; });
        if (out.name.empty() || out.name.size() > 200 || control)
            section.missing("name", "must be 1 to 200 bytes of text without control characters");
    }
    section.choice("kind", out.kind, kKinds);
    if (const Node* stages = section.take("stages")) parseStages(*stages, out, context);
    parseSeeds(section, out, context);
    section.autoInteger("threads", out.threads, {1, 4096});
    section.word("device", out.device, kDevices);
    section.texts("tags", out.tags);
    if (const Node* node = section.take("data")) parseData(*node, out.data.emplace(), context);
    if (const Node* node = section.take("model")) parseModel(*node, out.model.emplace(), context);
    if (const Node* node = section.take("method")) out.method = parseMethod(*node, context);
    if (const Node* node = section.take("train")) parseTrain(*node, out.train.emplace(), context);
    if (const Node* node = section.take("quantize")) parseQuantize(*node, out.quantize.emplace(), context);
    if (const Node* node = section.take("benchmark")) parseBenchmark(*node, out.benchmark.emplace(), context);
    if (const Node* node = section.take("accuracy")) parseAccuracy(*node, out.accuracy.emplace(), context);
    if (const Node* node = section.take("generate")) parseGenerate(*node, out.generate.emplace(), context);
    if (const Node* node = section.take("verify")) parseVerify(*node, out.verify.emplace(), context);
    if (const Node* node = section.take("cost")) parseCost(*node, out.cost, context);
    if (const Node* node = section.take("inputs")) {
        Section s(*node, "inputs", context);
        s.path("prepared", out.inputs.prepared);
        s.path("model", out.inputs.model);
        s.path("setups", out.inputs.setups);
    }
    if (const Node* node = section.take("sweep")) parseSweep(*node, out.sweep, context);
    section.take("extends");  // resolved before parsing; still a known word for hints
    return out;
}

std::string_view kindName(Kind kind) { return wordOf(kKinds, kind); }
std::string_view packingName(Packing packing) { return wordOf(kPackings, packing); }
std::string_view perplexityModeName(PerplexityMode mode) { return wordOf(kPerplexityModes, mode); }

}  // namespace assay::config
