#include "tools/tool.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "command.h"
#include "registry.h"

namespace assay::cli {
namespace {

constexpr size_t kMaxParams = size_t{8} << 20;

Result<std::string> readStandardInput() {
    std::string text;
    char buffer[65536];
    for (;;) {
        const ssize_t n = ::read(STDIN_FILENO, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return fail(systemError("cannot read", "standard input", errno));
        if (n == 0) return text;
        text.append(buffer, static_cast<size_t>(n));
        if (text.size() > kMaxParams) return fail(ErrorCode::kBadUsage, "the parameters are larger than 8 MiB");
    }
}

Result<int> runTool(Context& context, const std::string& name) {
    context.options.json = true;  // always one document, errors too
    context.out = Output(true);
    const Tool* tool = findTool(name);
    if (!tool) return fail(ErrorCode::kNotFound, fmt::format("there is no tool \"{}\"", name.substr(0, 60)), "tools are " + toolNames());
    ASSAY_TRY(const std::string text, readStandardInput());
    Json params = Json::object();
    if (text.find_first_not_of(" \t\r\n") != text.npos) {
        auto parsed = parseJson(text, "parameters", {kMaxParams, 32});
        if (!parsed) {
            parsed.error().code = ErrorCode::kBadUsage;
            return fail(std::move(parsed).error());
        }
        params = std::move(*parsed);
    }
    if (!params.is_object()) return fail(ErrorCode::kBadUsage, "the parameters must be a JSON object");
    ASSAY_TRY(const Json result, tool->run(context.options, params));
    context.out.result(result, std::string());
    return 0;
}

}  // namespace

void addTool(Commands& commands) {
    auto name = std::make_shared<std::string>();
    CLI::App* app = commands.add("tool", "what the engine computes for tools.call; parameters as JSON on standard input", [name](Context& c) { return runTool(c, *name); });
    app->add_option("NAME", *name, "a tool of PROTOCOL.md")->required();
    app->group("");  // for programs: not listed by assay --help
}

}  // namespace assay::cli
