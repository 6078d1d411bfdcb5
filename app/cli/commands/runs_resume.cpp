#include <assay/core/clock.h>
#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "command.h"
#include "registry.h"
#include "run/follow.h"

namespace assay::cli {
namespace {

struct Options {
    std::string id;
    bool detach = false;
};

constexpr double kPatience = 10;  // for the worker's word on where it went on

// The worker says after which step it goes on: the newest checkpoint may be damaged. A run that still waits in the queue
// has said nothing yet; then the engine's expectation stands.
Json stepOf(const Json& run, const Json& expected) {
    auto said = run.find("resumed_from_step");
    return said != run.end() && said->is_number() ? *said : expected;
}

Result<Json> awaitStep(client::SyncClient& engine, const std::string& id) {
    const double until = monotonicSeconds() + kPatience;
    while (true) {
        ASSAY_TRY(Json run, engine.callAgain("runs.get", {{"run", id}}));
        const std::string status = jsonStringOr(run, "status", "");
        auto said = run.find("resumed_from_step");
        if ((said != run.end() && said->is_number()) || (status != "starting" && status != "running" && status != "queued") || monotonicSeconds() > until) return run;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
}

Result<int> resume(Context& context, const Options& options) {
    ASSAY_TRY(client::SyncClient* engine, context.engine());
    ASSAY_TRY(const Json reply, engine->call("runs.resume", {{"run", options.id}}));
    const Json expected = reply.contains("resumed_from_step") ? reply["resumed_from_step"] : Json();
    if (expected.is_number()) context.note(fmt::format("run {} goes on from its newest usable checkpoint", options.id));
    Followed followed;
    if (options.detach) {
        if (expected.is_number()) {
            ASSAY_TRY(followed.run, awaitStep(*engine, options.id));
        } else {
            ASSAY_TRY(followed.run, engine->callAgain("runs.get", {{"run", options.id}}));
        }
    } else {
        ASSAY_TRY(followed, followRun(context, options.id));
    }
    const Json from = stepOf(followed.run, expected);
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
