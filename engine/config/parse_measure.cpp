// quantize, benchmark, accuracy and generate: everything that measures a finished model.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>

#include "section.h"

namespace assay::config {
namespace {

// fp32, int8, int4-g32, int4-g128-hqq, w8a8-smooth: a known number format, then options joined by "-". Which
// combinations exist is the business of the quantization registry.
bool schemeName(const std::string& name) {
    if (name.empty() || name.size() > 64 || name.back() == '-') return false;
    if (name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-._") != std::string::npos) return false;
    const std::string head = name.substr(0, name.find('-'));
    for (const char* format : {"fp32", "fp16", "bf16", "fp8", "fp4", "nf4", "ternary", "int2", "int3", "int4", "int5", "int6", "int8"})
        if (head == format) return true;
    const size_t a = head.find('a');  // w8a8, w4a16
    auto bits = [](std::string_view digits) { return digits == "4" || digits == "8" || digits == "16"; };
    return head[0] == 'w' && a != std::string::npos && bits(std::string_view(head).substr(1, a - 1)) && bits(std::string_view(head).substr(a + 1));
}

void checkPattern(const Node& node, const std::string& key, const std::string& pattern, Context& context) {
    int code = 0;
    PCRE2_SIZE offset = 0;
    pcre2_code* compiled = pattern.size() > 1024 ? nullptr
                                                 : pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                                                                 PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C, &code, &offset, nullptr);
    if (compiled) return pcre2_code_free(compiled);
    std::string why = "is longer than 1024 bytes";
    if (pattern.size() <= 1024) {
        PCRE2_UCHAR text[128];
        pcre2_get_error_message(code, text, sizeof text);
        why = "is not a regular expression: " + std::string(reinterpret_cast<char*>(text)) + " at character " + std::to_string(offset + 1);
    }
    context.problem(node.mark, node.source, key, std::move(why), "write a layer name, or a PCRE2 regular expression");
}

Json parseArrivals(const Node& node, Context& context) {
    Section section(node, "benchmark.serve.arrivals", context);
    Json out = Json::object();
    double rate = 0;
    constexpr Range<double> kRate{.low = 0, .openLow = true};
    for (const char* key : {"poisson", "constant"})
        if (section.number(key, rate, kRate)) out[key] = rate;
    if (const Node* gamma = section.take("gamma")) {
        double variation = 2;
        Section g(*gamma, section.at("gamma"), context);
        if (!g.number("rate", rate, kRate) && !g.has("rate")) g.missing("rate", "is missing", "requests per second");
        g.number("cv", variation, kRate);
        out["gamma"] = Json{{"rate", rate}, {"cv", variation}};
    }
    int64_t clients = 0;
    if (section.integer("closed", clients, {1, 1'000'000})) out["closed"] = clients;
    std::string trace;
    if (section.path("trace", trace)) out["trace"] = trace;
    section.finish();
    if (out.size() != 1)
        context.problem(node.mark, node.source, section.path(), "must hold exactly one of poisson, constant, gamma, closed and trace",
                        "for example: {poisson: 4} for 4 requests per second");
    return out;
}

Json parseServe(const Node& node, Context& context) {
    Section section(node, "benchmark.serve", context);
    Json out = Json::object();
    int64_t requests = 100, page = 16;
    section.integer("requests", requests, {1, 10'000'000});
    out["requests"] = requests;
    if (const Node* arrivals = section.take("arrivals")) out["arrivals"] = parseArrivals(*arrivals, context);
    if (const Node* lengths = section.take("lengths")) {
        Section s(*lengths, section.at("lengths"), context);
        Json values = Json::object();
        for (const char* key : {"prompt", "output"}) {
            const Node* value = s.take(key);
            if (!value) continue;
            int64_t tokens = 0;
            std::string path;
            if (value->isScalar() && classifyPlain(value->text) != Plain::kText) {
                if (readInteger(*value, s.at(key), context, tokens, {1, 1 << 24})) values[key] = tokens;
            } else if (readPath(*value, s.at(key), context, path)) {
                values[key] = path;
            }
        }
        out["lengths"] = std::move(values);
    }
    if (const Node* slo = section.take("slo")) {
        Section s(*slo, section.at("slo"), context);
        Json values = Json::object();
        double milliseconds = 0;
        for (const char* key : {"ttft_ms", "tpot_ms", "e2e_ms"})
            if (s.number(key, milliseconds, {.low = 0, .openLow = true})) values[key] = milliseconds;
        out["slo"] = std::move(values);
    }
    std::string batching = "continuous";
    section.word("batching", batching, {"continuous", "static"});
    section.integer("page", page, {1, 65536});
    out["batching"] = batching;
    out["page"] = page;
    return out;
}

}  // namespace

void parseSchemes(const Node& node, const std::string& key, Context& context, std::vector<SchemeSpec>& out) {
    auto one = [&](const Node& item, const std::string& name) {
        SchemeSpec scheme;
        const Node* nameNode = &item;
        if (item.isMap()) {
            const Entry* entry = item.find("name");
            if (!entry) {
                context.problem(item.mark, item.source, name + ".name", "is missing", "for example: {name: w8a8-smooth, alpha: 0.5}");
                return;
            }
            nameNode = &entry->value;
            for (const Entry& option : item.entries)
                if (option.key != "name") scheme.options[option.key] = jsonFromNode(option.value, name + "." + option.key, context);
        }
        if (!readText(*nameNode, name, context, scheme.name)) return;
        if (!schemeName(scheme.name)) {
            const std::string near = didYouMean(scheme.name, {"fp32", "fp16", "bf16", "int8", "int4-g32", "int4-g128", "w8a8-smooth"});
            context.problem(nameNode->mark, nameNode->source, name, describe(*nameNode) + " is not a scheme name",
                            near.empty() ? "for example: fp16, int8, int4-g32" : near);
            return;
        }
        for (const SchemeSpec& other : out)
            if (other.name == scheme.name) {
                context.problem(nameNode->mark, nameNode->source, name, scheme.name + " is listed twice", "keep one; a set-up is called by its scheme");
                return;
            }
        out.push_back(std::move(scheme));
    };
    if (!node.isList()) return one(node, key);
    for (size_t i = 0; i < node.items.size(); ++i) one(node.items[i], key + "." + std::to_string(i));
}

void parseQuantize(const Node& node, QuantizeSpec& out, Context& context) {
    Section section(node, "quantize", context);
    if (const Node* schemes = section.take("schemes")) {
        parseSchemes(*schemes, "quantize.schemes", context, out.schemes);
        if (schemes->isList() && schemes->items.empty())
            context.problem(schemes->mark, schemes->source, "quantize.schemes", "the list is empty", "for example: [fp16, int8, int4-g32]");
    } else if (!section.has("schemes")) {
        section.missing("schemes", "is missing", "for example: [fp16, int8, int4-g32]");
    }
    if (const Node* keep = section.take("keep")) {
        if (keep->isMap()) {
            Section s(*keep, "quantize.keep", context);
            double share = 0;
            if (s.number("auto", share, {.low = 0, .high = 1, .openLow = true})) out.keepAuto = share;
            else if (!s.has("auto")) s.missing("auto", "is missing", "the share of weights to keep, for example {auto: 0.001}");
        } else {
            auto one = [&](const Node& item, const std::string& key) {
                std::string pattern;
                if (!readText(item, key, context, pattern)) return;
                checkPattern(item, key, pattern, context);
                out.keep.push_back(std::move(pattern));
            };
            if (!keep->isList()) one(*keep, "quantize.keep");
            for (size_t i = 0; i < keep->items.size(); ++i) one(keep->items[i], "quantize.keep." + std::to_string(i));
        }
    }
    section.path("calibration", out.calibration);
    section.path("out", out.out);
    if (const Node* cache = section.take("kv_cache")) {
        auto one = [&](const Node& item, const std::string& key) {
            std::string word;
            if (readWord(item, key, context, word, kKvCache)) out.kvCache.push_back(word);
        };
        if (!cache->isList()) one(*cache, "quantize.kv_cache");
        for (size_t i = 0; i < cache->items.size(); ++i) one(cache->items[i], "quantize.kv_cache." + std::to_string(i));
    }
}

void parseBenchmark(const Node& node, BenchmarkSpec& out, Context& context) {
    Section section(node, "benchmark", context);
    section.integers("prefill", out.prefill, {1, 1 << 24});
    section.integer("decode", out.decode, {0, 1 << 24});
    section.integers("batch", out.batch, {1, 65536});
    section.integers("depth", out.depth, {0, 1 << 24});
    section.integer("repeats", out.repeats, {1, 10000});
    if (const Node* schemes = section.take("schemes")) parseSchemes(*schemes, "benchmark.schemes", context, out.schemes);
    if (const Node* serve = section.take("serve")) out.serve = parseServe(*serve, context);
}

void parseAccuracy(const Node& node, AccuracySpec& out, Context& context) {
    Section section(node, "accuracy", context);
    if (const Node* part = section.take("perplexity")) {
        PerplexitySpec& p = out.perplexity.emplace();
        Section s(*part, "accuracy.perplexity", context);
        s.path("path", p.path);
        s.integer("window", p.window, {2, 1 << 24});
        s.choice("mode", p.mode, kPerplexityModes);
        s.integer("max_tokens", p.maxTokens, {0, kMost});
    }
    section.boolean("kl_divergence", out.klDivergence);
    section.path("base", out.base);
    section.boolean("native", out.native);
    std::vector<std::string> tasks;
    if (section.texts("tasks", tasks, true)) out.tasks = tasks;
    if (const Node* part = section.take("classification")) {
        Section s(*part, "accuracy.classification", context);
        std::string path, label = "label";
        if (!s.path("path", path) && !s.has("path")) s.missing("path", "is missing", "name the labelled file");
        s.text("label", label);
        out.classification = Json{{"path", path}, {"label", label}};
    }
}

void parseGenerate(const Node& node, GenerateSpec& out, Context& context) {
    Section section(node, "generate", context);
    if (!section.text("prompt", out.prompt) && !section.has("prompt")) section.missing("prompt", "is missing", "the text to continue");
    section.boolean("parse_special", out.parseSpecial);
    section.boolean("chat", out.chat);
    section.boolean("ignore_eos", out.ignoreEos);
    section.integer("max_tokens", out.maxTokens, {0, 1 << 24});
    section.number("temperature", out.temperature, {.low = 0});
    section.integer("top", out.top, {0, 1 << 20});
}

void parseVerify(const Node& node, VerifySpec& out, Context& context) {
    Section section(node, "verify", context);
    if (!section.path("run", out.run) && !section.has("run")) section.missing("run", "is missing", "name a train run, for example run:01jd2x7q4c9rt");
    section.integer("steps", out.steps, {0, kMost});
}

}  // namespace assay::config
