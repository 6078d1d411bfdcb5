#include <fmt/format.h>

#include "command.h"
#include "registry.h"

namespace assay::cli {
namespace {

Result<int> remove(Context& context, const std::string& id) {
    ASSAY_TRY(client::SyncClient* engine, context.engine());
    ASSAY_TRY(Json run, engine->callAgain("runs.get", {{"run", id}}));
    ASSAY_TRY_VOID(engine->call("runs.remove", {{"run", id}}, 120));
    run["removed"] = true;
    context.out.result(run, [&] { return fmt::format("{}  removed", jsonStringOr(run, "id", id)); });
    return 0;
}

}  // namespace

void addRunsRemove(Commands& commands) {
    auto id = std::make_shared<std::string>();
    CLI::App* app = commands.add("runs rm", "remove a run, its stages and their files", [id](Context& c) { return remove(c, *id); });
    app->add_option("ID", *id, "run id")->required();
}

}  // namespace assay::cli
