#include <assay/config/config.h>
#include <assay/plan/plan.h>
#include <fmt/format.h>

#include "command.h"
#include "documents.h"
#include "registry.h"
#include "text/format.h"

namespace assay::cli {
namespace {

struct Options {
    std::string spec;
    std::vector<std::string> set;
};

Result<int> check(Context& context, const Options& options) {
    ASSAY_TRY(const config::Loaded loaded, config::loadSpecFile(options.spec, options.set));
    const Json document = checkDocument(loaded);
    const bool ok = document["ok"].get<bool>();
    context.out.result(document, [&] {
        if (ok) return fmt::format("{}: correct\n\n{}", safeText(options.spec), safeText(config::jsonToYaml(loaded.resolved), true));
        std::string text;
        for (const Json& p : document["problems"]) {
            const std::string key = p["key"], hint = p["hint"];
            text += safeText(options.spec);
            if (p["line"] > 0) text += fmt::format(":{}:{}", p["line"].get<int>(), p["column"].get<int>());
            text += ": " + (key.empty() ? "" : safeText(key) + ": ") + safeText(p["message"].get<std::string>()) + "\n";
            if (!hint.empty()) text += "  hint: " + safeText(hint) + "\n";
        }
        return text;
    });
    return ok ? 0 : exitCodeOf(ErrorCode::kInvalidFile);
}

}  // namespace

Json checkDocument(const config::Loaded& loaded) {
    Json problems = Json::array();
    for (const config::Problem& p : loaded.problems)
        problems.push_back({{"line", p.line}, {"column", p.column}, {"key", p.key}, {"message", p.message}, {"hint", p.hint}});
    // Correct, but a run of it would be refused.
    if (problems.empty())
        for (const plan::Warning& w : plan::unsupportedIn(loaded.spec))
            problems.push_back({{"line", 0}, {"column", 0}, {"key", w.key}, {"message", w.message}, {"hint", w.hint}});
    const bool ok = problems.empty();
    return {{"ok", ok}, {"problems", problems}, {"resolved", ok ? loaded.resolved : Json()}};
}

void addCheck(Commands& commands) {
    auto options = std::make_shared<Options>();
    CLI::App* app = commands.add("check", "check an experiment file and show it resolved", [options](Context& c) { return check(c, *options); });
    app->add_option("SPEC", options->spec, "experiment file")->required();
    repeated(app, "--set", options->set, "KEY=VALUE over the file, e.g. train.steps=10");
}

}  // namespace assay::cli
