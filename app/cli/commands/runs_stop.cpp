#include <assay/core/clock.h>
#include <fmt/format.h>

#include "command.h"
#include "registry.h"
#include "run/follow.h"
#include "text/numbers.h"

namespace assay::cli {
namespace {

struct Options {
    std::string id;
    bool discard = false, noWait = false;
    double timeout = 120;
};

Result<int> stop(Context& context, const Options& options) {
    ASSAY_TRY(client::SyncClient* engine, context.engine());
    ASSAY_TRY_VOID(engine->callAgain("runs.stop", {{"run", options.id}, {"discard", options.discard}}));
    ASSAY_TRY(Json run, engine->callAgain("runs.get", {{"run", options.id}}));
    const double deadline = monotonicSeconds() + options.timeout;
    if (!options.noWait && !isFinal(jsonStringOr(run, "status", "")))
        engine->subscribe({jsonIntegerOr(run, "as_of_seq", 0), {jsonStringOr(run, "id", options.id)}, {"state"}});
    while (!options.noWait && !isFinal(jsonStringOr(run, "status", "")) && monotonicSeconds() < deadline) {
        ASSAY_TRY_VOID(engine->nextBatch(1.0));
        ASSAY_TRY(run, engine->callAgain("runs.get", {{"run", options.id}}));
    }
    context.out.result(run, [&] { return fmt::format("{}  {}", jsonStringOr(run, "id", ""), jsonStringOr(run, "status", "")); });
    return 0;
}

}  // namespace

void addRunsStop(Commands& commands) {
    auto o = std::make_shared<Options>();
    CLI::App* app = commands.add("runs stop", "stop a run at its next step, with a checkpoint", [o](Context& c) { return stop(c, *o); });
    app->add_option("ID", o->id, "run id")->required();
    app->add_flag("--discard", o->discard, "at once, without a checkpoint");
    app->add_flag("--no-wait", o->noWait, "do not wait until it has stopped");
    app->add_option("--timeout", o->timeout, "seconds to wait for that")->check(finiteNumber(0));
}

}  // namespace assay::cli
