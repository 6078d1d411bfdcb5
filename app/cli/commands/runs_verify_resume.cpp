#include <assay/config/config.h>
#include <fmt/format.h>

#include "command.h"
#include "registry.h"
#include "run/job.h"
#include "text/format.h"
#include "text/numbers.h"
#include "text/terminal.h"

namespace assay::cli {
namespace {

struct Options {
    std::string id;
    int64_t steps = 0, threads = 0;
};

// The run itself or the first below it that trains.
Result<Json> trainRun(client::SyncClient& engine, const std::string& id) {
    ASSAY_TRY(Json run, engine.callAgain("runs.get", {{"run", id}}));
    if (jsonStringOr(run, "kind", "") == "train") return run;
    if (auto children = run.find("children"); children != run.end() && children->is_array())
        for (const Json& child : *children)
            if (child.is_object() && jsonStringOr(child, "kind", "") == "train") return engine.callAgain("runs.get", {{"run", jsonStringOr(child, "id", "")}});
    return fail(ErrorCode::kBadUsage, fmt::format("run {} is of kind {} and trains nothing", id, jsonStringOr(run, "kind", "")), "name a train run, or a pipeline with a train stage");
}

std::string forPeople(const Json& r) {
    const auto number = [&](const char* key) { return formatValue(r.contains(key) ? r[key] : Json()); };
    std::string text = fmt::format("steps {} to {} of run {} were done again: ", number("from_step"), number("to_step"), safeText(jsonStringOr(r, "run", "")));
    if (jsonBoolOr(r, "equal", false)) {
        text += fmt::format("equal bit by bit ({} numbers, {} tensors compared)\n", number("compared_numbers"), number("compared_tensors"));
    } else if (auto first = r.find("first_difference"); first != r.end() && first->is_object()) {
        const auto of = [&](const char* key) { return safeText(formatValue(first->contains(key) ? (*first)[key] : Json())); };
        const std::string element = first->contains("element") ? fmt::format(", element {}", of("element")) : "";
        text += fmt::format("not equal\nfirst difference: step {}, {}{}: recorded {}, now {}\n", of("step"), of("name"), element, of("recorded"), of("replayed"));
    }
    if (auto warnings = r.find("warnings"); warnings != r.end() && warnings->is_array())
        for (const Json& warning : *warnings)
            if (warning.is_string()) text += "other circumstances: " + safeText(warning.get<std::string>()) + "\n";
    return text;
}

Result<int> verify(Context& context, const Options& options) {
    ASSAY_TRY(client::SyncClient* engine, context.engine());
    ASSAY_TRY(const Json run, trainRun(*engine, options.id));
    ASSAY_TRY(const config::Spec spec, config::verifySpecOf(run, options.steps, options.threads));
    ASSAY_TRY(const Json result, runJob(context, spec));
    context.out.result(result, [&] { return forPeople(result); });
    return jsonBoolOr(result, "equal", false) ? 0 : 1;
}

}  // namespace

void addRunsVerifyResume(Commands& commands) {
    auto o = std::make_shared<Options>();
    CLI::App* app = commands.add("runs verify-resume", "do steps of a run again from one of its checkpoints and compare them bit by bit", [o](Context& c) { return verify(c, *o); });
    app->add_option("ID", o->id, "run id of a train run, or of a pipeline that has one")->required();
    app->add_option("--steps", o->steps, "how many steps; without it: up to the next checkpoint")->check(wholeNumber(1));
    app->add_option("--threads", o->threads, "CPU threads; without it: as many as the run had")->check(wholeNumber(1));
}

}  // namespace assay::cli
