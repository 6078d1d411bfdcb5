#include <assay/config/config.h>

#include "command.h"
#include "plan/document.h"
#include "registry.h"
#include "text/numbers.h"
#include "text/terminal.h"

namespace assay::cli {
namespace {

struct Options {
    std::string spec, hardware;
    std::vector<std::string> set;
    int64_t gpus = 0;
    bool search = false;
};

Result<int> plan(Context& context, const Options& options) {
    ASSAY_TRY(const config::Loaded loaded, config::loadSpecFile(options.spec, options.set));
    ASSAY_TRY_VOID(config::requireValid(loaded, options.spec));
    ASSAY_TRY(const Json document, planDocument(context.options, {loaded.spec, options.hardware, options.gpus, options.search, {}}));
    context.out.result(document, [&] { return planText(document, tableWidth()); });
    return 0;
}

}  // namespace

void addPlan(Commands& commands) {
    auto o = std::make_shared<Options>();
    CLI::App* app = commands.add("plan", "memory, time, energy and cost of an experiment before it starts", [o](Context& c) { return plan(c, *o); });
    app->add_option("SPEC", o->spec, "experiment file")->required();
    app->add_option("--hardware", o->hardware, "an entry of the catalogue instead of this machine, e.g. h100-sxm");
    app->add_option("--gpus", o->gpus, "data-parallel ranks, one for each accelerator")->check(wholeNumber(1, 65536));
    app->add_flag("--search", o->search, "compare the micro-batches that global_batch allows");
    repeated(app, "--set", o->set, "KEY=VALUE over the file, e.g. train.micro_batch=4");
}

}  // namespace assay::cli
