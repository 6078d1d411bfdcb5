#pragma once
// Run documents as the engine returns them, with figures of the size of a small quickstart.
#include <assay/report/report.h>

#include <cmath>

namespace assay::report::sample {

inline Json setup(const std::string& name, double perplexity, double se, double decode, double bytes) {
    Json s{{"name", name}, {"scheme", name}};
    s["accuracy"] = Json{{"tokens", 40960}, {"perplexity", perplexity}, {"perplexity_se", se}, {"bits_per_byte", std::log2(perplexity) / 3}, {"mode", "full"},
                         {"window", 256}, {"text_sha256", "aa"}, {"tokenizer_key", "tt"}};
    s["speed"] = Json{{"decode_tokens_per_s", decode}, {"decode_tokens_per_s_se", decode / 100}, {"prefill_tokens_per_s", decode * 9}, {"batch", 1}, {"prefill", 128}, {"decode", 64},
                      {"depth", 0}, {"threads", 2}};
    s["bytes"] = Json{{"weights", bytes}, {"peak", bytes * 1.4}};
    return s;
}

inline Json environment(const std::string& model = "Example CPU @ 2.80GHz") {
    return Json{{"time", "2026-01-02T03:04:05Z"}, {"version", "0.1.0"}, {"cpu", {{"model", model}, {"features", {"avx2", "fma", "f16c"}}, {"cores", 2}, {"capability", "AVX2"}}},
                {"memory_bytes", 25769803776}, {"threads", 2}, {"rank", 0}, {"world", 1}, {"libtorch", "2.11.0"}, {"os", "Debian GNU/Linux 12"}, {"kernel", "6.1.0"}, {"load", {0.5, 0.4, 0.3}}};
}

inline Json stage(const std::string& id, const std::string& kind, double seconds, Json setups = Json::array()) {
    return Json{{"id", id}, {"name", "kjv-gpt/" + kind}, {"kind", kind}, {"status", "done"}, {"role", "stage"}, {"running_seconds", seconds}, {"created_at", "2026-01-02T03:04:05Z"},
                {"summary", Json::object()}, {"environment", environment()}, {"setups", std::move(setups)}, {"children", Json::array()}};
}

// fp32, fp16, int8, int4: accuracy comes from evaluate and quantize, speed from benchmark, as separate records.
inline Json pipeline(const std::string& id = "p1", const std::string& name = "kjv-gpt", double shift = 0) {
    struct Row {
        const char* name;
        double ratio, ratioSe, decode, bytes;
    };
    const Row rows[] = {{"fp32", 1, 0, 210, 16.9e6}, {"fp16", 1.00002, 0.00001, 240, 8.6e6}, {"int8", 1.0007, 0.0002, 330, 4.9e6}, {"int4-g32", 1.0312, 0.0021, 390, 3.1e6}};
    Json evaluated = Json::array(), quantized = Json::array(), timed = Json::array();
    for (const Row& r : rows) {
        Json full = setup(r.name, (21.5 + shift) * r.ratio, 0.31, r.decode, r.bytes);
        full["accuracy"]["perplexity_ratio"] = r.ratio;
        full["accuracy"]["perplexity_ratio_se"] = r.ratioSe;
        if (r.ratio > 1) full["accuracy"]["kl_divergence"] = Json{{"mean", (r.ratio - 1) * 0.4}, {"se", (r.ratio - 1) * 0.02}};
        if (r.ratio > 1) full["accuracy"]["same_top1"] = 1 - (r.ratio - 1) * 3;
        Json accuracy{{"name", r.name}, {"scheme", r.name}, {"accuracy", full["accuracy"]}};
        (r.ratio == 1 ? evaluated : quantized).push_back(std::move(accuracy));
        timed.push_back(Json{{"name", r.name}, {"scheme", r.name}, {"speed", full["speed"]}, {"bytes", full["bytes"]}});
    }
    Json train = stage(id + "-2", "train", 240);
    train["summary"] = Json{{"train/loss", 3.05}, {"eval/loss", 3.07}, {"train/tokens_per_s", 4900.0}, {"data/bigram_nll", 3.62}};
    Json run = stage(id, "pipeline", 330);
    run["role"] = "pipeline";
    run["name"] = name;
    run["spec"] = Json{{"name", name}, {"kind", "pipeline"}, {"seed", 1}, {"train", {{"steps", 300}, {"optimizer", {{"lr", 0.002}}}}}, {"cost", {{"price", {{"usd_per_hour", 0.08}}}}}};
    run["children"] = Json::array({stage(id + "-1", "prepare", 6), train, stage(id + "-3", "evaluate", 14, evaluated), stage(id + "-4", "quantize", 40, quantized), stage(id + "-5", "benchmark", 30, timed)});
    return run;
}

inline std::vector<Series> series(const std::string& run = "p1-2", const std::string& name = "kjv-gpt/train") {
    Json train = Json::array(), eval = Json::array(), speed = Json::array();
    for (int step = 1; step <= 300; ++step) {
        const double noise = 0.08 * std::sin(step * 1.7) * std::cos(step * 0.37);
        train.push_back({step, step * 0.8, step * 3072, 3.05 + 3.9 * std::exp(-step / 45.0) + noise});
        speed.push_back({step, step * 0.8, step * 3072, 4900 + 300 * std::sin(step * 0.9)});
        if (step % 50 == 0) eval.push_back({step, step * 0.8, step * 3072, 3.07 + 3.9 * std::exp(-step / 45.0)});
    }
    return {{run, name, "train/loss", train}, {run, name, "eval/loss", eval}, {run, name, "train/tokens_per_s", speed}};
}

}  // namespace assay::report::sample
