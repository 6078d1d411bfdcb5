#pragma once
// A command is one file under commands/ with one function that adds it to the parser, and one line in registry.cpp.

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "context.h"

namespace assay::cli {

using Action = std::function<Result<int>(Context&)>;  // the exit code, or why it failed

class Commands {
public:
    explicit Commands(CLI::App& root) : root_(root) {}
    // "runs show" makes the group "runs" when it is not there yet.
    CLI::App* add(const std::string& path, const std::string& description, Action action);
    const Action* chosen() const;  // after parsing: the action of the innermost command given
    std::vector<std::string> paths() const;

private:
    CLI::App& root_;
    std::map<const CLI::App*, Action> actions_;
    std::vector<std::string> paths_;
};

void addAllCommands(Commands& commands);  // registry.cpp

// An option that may be given several times with one value each.
template <class T>
CLI::Option* repeated(CLI::App* app, const std::string& name, std::vector<T>& values, const std::string& description) {
    return app->add_option(name, values, description)->allow_extra_args(false);
}

// Parses argv and runs the command. Returns the exit code; everything that goes wrong is shown.
int runProgram(int argc, const char* const* argv);

}  // namespace assay::cli
