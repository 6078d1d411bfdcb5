#include <assay/core/paths.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "command.h"

namespace assay::cli {
namespace {

// The parser may stop before it has seen --json; errors of usage must still come as the caller asked.
bool asksForJson(int argc, const char* const* argv) {
    for (int i = 1; i < argc; ++i) {
        if (std::string_view(argv[i]) == "--") return false;
        if (std::string_view(argv[i]) == "--json") return true;
    }
    return false;
}

std::string helpCommand(const CLI::App& root) {
    std::string command = "assay";
    const CLI::App* app = &root;
    for (auto chosen = app->get_subcommands(); !chosen.empty(); chosen = app->get_subcommands()) {
        app = chosen.front();
        command += " " + app->get_name();
    }
    return command + " --help";
}

}  // namespace

CLI::App* Commands::add(const std::string& path, const std::string& description, Action action) {
    CLI::App* parent = &root_;
    std::string name = path;
    if (const size_t space = path.find(' '); space != std::string::npos) {
        const std::string group = path.substr(0, space);
        name = path.substr(space + 1);
        const auto made = root_.get_subcommands([&](const CLI::App* app) { return app->get_name() == group; });
        parent = made.empty() ? root_.add_subcommand(group, "assay " + group + " --help lists its commands") : made.front();
        parent->require_subcommand(1);
    }
    CLI::App* app = parent->add_subcommand(name, description);
    actions_[app] = std::move(action);
    paths_.push_back(path);
    return app;
}

const Action* Commands::chosen() const {
    const CLI::App* app = &root_;
    for (auto inner = app->get_subcommands(); !inner.empty(); inner = app->get_subcommands()) app = inner.front();
    auto found = actions_.find(app);
    return found == actions_.end() ? nullptr : &found->second;
}

std::vector<std::string> Commands::paths() const { return paths_; }

int runProgram(int argc, const char* const* argv) {
    CLI::App root("Measures what LLM cost-saving techniques save and what they cost in accuracy.", "assay");
    GlobalOptions options;
    const char* engine = std::getenv("ASSAY_ENGINE");
    options.engine = engine ? engine : "";
    bool version = false;
    root.fallthrough();  // global options are taken after the command too
    root.require_subcommand(0, 1);
    CLI::Option* store = root.add_option("--store", options.store, "folder of runs, data cache and engine (default: " + defaultStore() + ")")->take_last();
    root.add_option("--engine", options.engine, "ws://HOST:PORT, wss://HOST:PORT or ssh://[USER@]HOST[:PORT] (default: the store's own engine)")->take_last();
    root.add_flag("--json", options.json, "exactly one JSON document on stdout");
    root.add_flag("--quiet", options.quiet, "no progress and no notes on stderr");
    root.add_flag("--version", version, "print the version");
    root.get_formatter()->column_width(36);
    Commands commands(root);
    addAllCommands(commands);

    try {
        root.parse(argc, argv);
    } catch (const CLI::CallForHelp& help) {
        const CLI::App* app = &root;
        std::string parents;
        for (auto inner = app->get_subcommands(); !inner.empty(); inner = app->get_subcommands()) {
            parents += (parents.empty() ? "" : " ") + app->get_name();
            app = inner.front();
        }
        std::string text = app->help(parents);
        if (app != &root) text += "Global options: --store DIR, --engine URL, --json, --quiet (assay --help says more)\n";
        writeAll(STDOUT_FILENO, text);
        return 0;
    } catch (const CLI::ParseError& wrong) {
        Output(asksForJson(argc, argv)).error({ErrorCode::kBadUsage, wrong.what(), "see " + helpCommand(root)});
        return 2;
    }
    Context context([&] {
        options.storeGiven = store->count() > 0 && !options.store.empty();
        if (options.store.empty()) options.store = defaultStore();
        std::error_code ignored;
        options.store = absolutePath(std::filesystem::current_path(ignored).string(), options.store);
        return options;
    }());
    if (version) {
        context.out.result({{"version", ASSAY_VERSION}}, std::string("assay " ASSAY_VERSION));
        return 0;
    }
    const Action* action = commands.chosen();
    if (!action) {
        context.out.error({ErrorCode::kBadUsage, "no command was given", "see assay --help"});
        return 2;
    }
    Result<int> code = (*action)(context);
    if (!code) {
        context.out.error(code.error());
        return exitCodeOf(code.error().code);
    }
    if (context.out.failure()) {
        context.out.error(*context.out.failure());
        return exitCodeOf(context.out.failure()->code);
    }
    ASSAY_CHECK(context.out.written() || !context.options.json, "every command has a result");
    return *code;
}

}  // namespace assay::cli
