#include <assay/config/config.h>
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
    const bool ok = loaded.problems.empty();
    context.out.result(checkDocument(loaded), [&] {
        if (ok) return fmt::format("{}: correct\n\n{}", safeText(options.spec), safeText(config::jsonToYaml(loaded.resolved), true));
        std::string text;
        for (const config::Problem& p : loaded.problems) {
            text += safeText(options.spec);
            if (p.line > 0) text += fmt::format(":{}:{}", p.line, p.column);
            text += ": " + (p.key.empty() ? "" : safeText(p.key) + ": ") + safeText(p.message) + "\n";
            if (!p.hint.empty()) text += "  hint: " + safeText(p.hint) + "\n";
        }
        return text;
    });
    return ok ? 0 : exitCodeOf(ErrorCode::kInvalidFile);
}

}  // namespace

Json checkDocument(const config::Loaded& loaded) {
    const bool ok = loaded.problems.empty();
    Json problems = Json::array();
    for (const config::Problem& p : loaded.problems)
        problems.push_back({{"line", p.line}, {"column", p.column}, {"key", p.key}, {"message", p.message}, {"hint", p.hint}});
    return {{"ok", ok}, {"problems", problems}, {"resolved", ok ? loaded.resolved : Json()}};
}

void addCheck(Commands& commands) {
    auto options = std::make_shared<Options>();
    CLI::App* app = commands.add("check", "check an experiment file and show it resolved", [options](Context& c) { return check(c, *options); });
    app->add_option("SPEC", options->spec, "experiment file")->required();
    repeated(app, "--set", options->set, "KEY=VALUE over the file, e.g. train.steps=10");
}

}  // namespace assay::cli
