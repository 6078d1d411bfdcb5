#include <fmt/format.h>

#include "command.h"
#include "registry.h"
#include "run/job.h"
#include "run/spec_builder.h"
#include "text/format.h"
#include "text/numbers.h"
#include "text/table.h"

namespace assay::cli {
namespace {

struct Options {
    std::string model, text, mode = "full", base, scheme = "fp32";
    int64_t maxTokens = 0, window = 512;
    JobOptions job;
};

std::string forPeople(const Json& r) {
    const auto value = [&](const char* key) { return r.contains(key) ? formatValue(r[key]) : std::string("-"); };
    std::vector<std::pair<std::string, std::string>> rows = {
        {"perplexity", value("perplexity") + " ± " + value("perplexity_se")},
        {"nll", value("nll") + " nats over " + value("tokens") + " scored tokens"},
        {"bits per byte", value("bits_per_byte")},
        {"mode", value("mode") + ", windows of " + value("window")},
    };
    if (auto kl = r.find("kl_divergence"); kl != r.end() && kl->is_object()) {
        const auto part = [&](const char* key) { return kl->contains(key) ? formatValue((*kl)[key]) : std::string("-"); };
        rows.push_back({"against base", "perplexity × " + value("perplexity_ratio") + " ± " + value("perplexity_ratio_se")});
        rows.push_back({"same top token", r.contains("same_top1") && r["same_top1"].is_number() ? formatPercent(r["same_top1"].get<double>()) : "-"});
        rows.push_back({"KL divergence", fmt::format("mean {} ± {}, median {}, P99 {}, P99.9 {}, max {}", part("mean"), part("se"), part("median"), part("p99"), part("p999"), part("max"))});
    }
    return keyValues(rows);
}

Result<int> eval(Context& context, const Options& options) {
    ASSAY_TRY(const std::string model, modelArgument(context, options.model));
    config::Spec spec = modelSpec(config::Kind::kEvaluate, "eval", model);
    applyJobOptions(options.job, spec);
    config::AccuracySpec& accuracy = spec.accuracy.emplace();
    if (!options.base.empty()) {
        ASSAY_TRY(accuracy.base, modelArgument(context, options.base));
        accuracy.klDivergence = true;
    }
    accuracy.native = options.scheme == "native";
    config::PerplexitySpec& perplexity = accuracy.perplexity.emplace();
    ASSAY_TRY(perplexity.path, uploadArgument(context, options.text));
    perplexity.window = options.window;
    perplexity.mode = options.mode == "half" ? config::PerplexityMode::kHalf : config::PerplexityMode::kFull;
    perplexity.maxTokens = options.maxTokens;
    auto result = runJob(context, spec);
    if (!result) return fail(namedAsGiven(std::move(result).error(), perplexity.path, options.text));
    context.out.result(*result, [&] { return forPeople(*result); });
    return 0;
}

}  // namespace

void addEval(Commands& commands) {
    auto o = std::make_shared<Options>();
    CLI::App* app = commands.add("eval", "perplexity of a model on a text, and its distance from another model", [o](Context& c) { return eval(c, *o); });
    app->add_option("MODEL", o->model, "folder, .gguf, asset:NAME/FILE, run:ID or run:ID/SET-UP")->required();
    app->add_option("--text", o->text, "text file, read here")->required();
    app->add_option("--max-tokens", o->maxTokens, "keep the first so many ids of the text")->check(wholeNumber(1));
    app->add_option("--window", o->window, "tokens per window (default 512)")->check(wholeNumber(int64_t{2}, int64_t{1} << 24));
    app->add_option("--mode", o->mode, "full: every token but a window's first is scored; half: llama.cpp's second halves")->check(CLI::IsMember({"full", "half"}));
    app->add_option("--base", o->base, "the model to compare with: KL divergence, same top token, perplexity ratio");
    app->add_option("--scheme", o->scheme, "fp32: quantized weights are dequantized first; native: the scheme's own kernels")->check(CLI::IsMember({"fp32", "native"}));
    addJobOptions(app, o->job);
}

}  // namespace assay::cli
