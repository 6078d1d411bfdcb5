#include <fmt/format.h>

#include "command.h"
#include "registry.h"
#include "run/follow.h"

namespace assay::cli {
namespace {

struct Options {
    std::string id;
    std::vector<std::string> set;
    bool detach = false;
};

Result<int> fork(Context& context, const Options& options) {
    ASSAY_TRY(client::SyncClient* engine, context.engine());
    ASSAY_TRY(const Json reply, engine->call("runs.fork", {{"run", options.id}, {"set", options.set}}));
    ASSAY_TRY(const std::string run, jsonString(reply, "run"));
    context.note(fmt::format("run {} was forked from {}", run, options.id));
    Followed followed;
    if (options.detach) {
        ASSAY_TRY(followed.run, engine->callAgain("runs.get", {{"run", run}}));
    } else {
        ASSAY_TRY(followed, followRun(context, run));
    }
    const int code = options.detach ? 0 : followed.detached ? 130 : exitCodeOfRun(followed.run);
    Json document = followed.run;  // the run, and what `assay run` says of one
    document.update(runDocument(followed.run));
    document["children"] = followed.run.contains("children") ? followed.run["children"] : Json::array();
    context.out.result(document, [&] { return options.detach ? run : fmt::format("run {}\n{}", run, stageTable(followed.run)); });
    if (code != 0 && !followed.detached) context.out.error(errorOfRun(followed.run));
    return code;
}

}  // namespace

void addRunsFork(Commands& commands) {
    auto o = std::make_shared<Options>();
    CLI::App* app = commands.add("runs fork", "a new run from the file of another, with changes, and follow it", [o](Context& c) { return fork(c, *o); });
    app->add_option("ID", o->id, "run id")->required();
    repeated(app, "--set", o->set, "KEY=VALUE over the run's file");
    app->add_flag("--detach", o->detach, "do not wait for its end");
}

}  // namespace assay::cli
