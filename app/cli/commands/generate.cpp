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
    std::string model;
    config::GenerateSpec generate;
    uint64_t seed = 1234;
    JobOptions job;
};

std::string forPeople(const Json& r, const std::string& prompt) {
    std::string text = safeText(prompt + jsonStringOr(r, "text", ""), true) + "\n";
    if (auto top = r.find("top"); top != r.end() && top->is_array() && !top->empty()) {
        Table table({{"id", Table::Align::kRight}, {"logit", Table::Align::kRight}});
        for (const Json& pair : *top)
            if (pair.is_array() && pair.size() == 2) table.row({formatValue(pair[0]), formatValue(pair[1])});
        text += "\n" + table.text();
    }
    return text;
}

Result<int> generate(Context& context, const Options& options) {
    ASSAY_TRY(const std::string model, modelArgument(context, options.model));
    config::Spec spec = modelSpec(config::Kind::kGenerate, "generate", model);
    applyJobOptions(options.job, spec);
    spec.seed = options.seed;
    spec.generate = options.generate;
    ASSAY_TRY(const Json result, runJob(context, spec));
    context.out.result(result, [&] { return forPeople(result, options.generate.chat ? "" : options.generate.prompt); });
    return 0;
}

}  // namespace

void addGenerate(Commands& commands) {
    auto o = std::make_shared<Options>();
    CLI::App* app = commands.add("generate", "continue a prompt", [o](Context& c) { return generate(c, *o); });
    app->add_option("MODEL", o->model, "folder, .gguf, asset:NAME/FILE, run:ID or run:ID/SET-UP")->required();
    app->add_option("--prompt", o->generate.prompt, "the text to continue")->required();
    app->add_flag("--parse-special", o->generate.parseSpecial, "names of control tokens inside the prompt become those tokens");
    app->add_flag("--chat", o->generate.chat, "the prompt is a user's message: apply the model's chat template");
    app->add_flag("--ignore-eos", o->generate.ignoreEos, "go on past the end-of-sequence token");
    app->add_option("--max-tokens", o->generate.maxTokens, "tokens to generate")->required()->check(wholeNumber(0));
    app->add_option("--temperature", o->generate.temperature, "0 takes the most likely token (default)")->check(finiteNumber(0));
    app->add_option("--top", o->generate.top, "the K largest logits after the prompt too")->check(wholeNumber(0));
    app->add_option("--seed", o->seed, "of the sampling, when the temperature is not 0");
    addJobOptions(app, o->job);
}

}  // namespace assay::cli
