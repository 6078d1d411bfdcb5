#include <fmt/format.h>

#include "command.h"
#include "registry.h"
#include "run/follow.h"

namespace assay::cli {
namespace {

struct Options {
    std::string id;
    bool detach = false;
};

Result<int> resume(Context& context, const Options& options) {
    ASSAY_TRY(client::SyncClient* engine, context.engine());
    ASSAY_TRY(const Json reply, engine->call("runs.resume", {{"run", options.id}}));
    const Json from = reply.contains("resumed_from_step") ? reply["resumed_from_step"] : Json();
    if (from.is_number()) context.note(fmt::format("run {} goes on after step {}", options.id, from.get<int64_t>()));
    Followed followed;
    if (options.detach) {
        ASSAY_TRY(followed.run, engine->callAgain("runs.get", {{"run", options.id}}));
    } else {
        ASSAY_TRY(followed, followRun(context, options.id));
    }
    Json document = followed.run;
    document["resumed_from_step"] = from;
    const int code = options.detach ? 0 : followed.detached ? 130 : exitCodeOfRun(followed.run);
    context.out.result(document, [&] {
        const std::string step = from.is_number() ? fmt::format(" (resumed from step {})", from.get<int64_t>()) : "";
        return fmt::format("run {}{}\n{}", jsonStringOr(followed.run, "id", ""), step, stageTable(followed.run));
    });
    if (code != 0 && !followed.detached) context.out.error(errorOfRun(followed.run));
    return code;
}

}  // namespace

void addRunsResume(Commands& commands) {
    auto o = std::make_shared<Options>();
    CLI::App* app = commands.add("runs resume", "continue a stopped, failed or interrupted run from its newest checkpoint, and follow it", [o](Context& c) { return resume(c, *o); });
    app->add_option("ID", o->id, "run id")->required();
    app->add_flag("--detach", o->detach, "do not wait for its end");
}

}  // namespace assay::cli
