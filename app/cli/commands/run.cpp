#include <assay/config/config.h>
#include <assay/core/durable.h>
#include <fmt/format.h>

#include "command.h"
#include "registry.h"
#include "run/follow.h"
#include "run/job.h"

namespace assay::cli {
namespace {

struct Options {
    std::string spec;
    std::vector<std::string> set;
    bool detach = false;
};

Result<int> run(Context& context, const Options& options) {
    ASSAY_TRY(const config::Loaded loaded, config::loadSpecFile(options.spec, options.set));
    ASSAY_TRY_VOID(config::requireValid(loaded, options.spec));
    ASSAY_TRY(const std::string yaml, readFile(options.spec, size_t{16} << 20));
    ASSAY_TRY(const Submitted submitted, submitSpec(context, loaded.resolved, yaml));
    if (options.detach) {
        ASSAY_TRY(client::SyncClient* engine, context.engine());
        ASSAY_TRY(const Json row, engine->callAgain("runs.get", {{"run", submitted.run}}));
        Json document = runDocument(row);
        if (document["children"].empty()) document["children"] = submitted.children;
        context.out.result(document, submitted.run);
        return 0;
    }
    context.note(fmt::format("run {} started", submitted.run));
    ASSAY_TRY(const Followed followed, followRun(context, submitted.run));
    return showOutcome(context, followed);
}

}  // namespace

void addRun(Commands& commands) {
    auto o = std::make_shared<Options>();
    CLI::App* app = commands.add("run", "run an experiment and follow it to its end", [o](Context& c) { return run(c, *o); });
    app->add_option("SPEC", o->spec, "experiment file")->required();
    repeated(app, "--set", o->set, "KEY=VALUE over the file, e.g. train.steps=10");
    app->add_flag("--detach", o->detach, "print the run's id and leave; the engine goes on");
}

}  // namespace assay::cli
