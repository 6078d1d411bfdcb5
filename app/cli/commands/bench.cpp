#include <fmt/format.h>

#include "command.h"
#include "registry.h"
#include "run/job.h"
#include "run/spec_builder.h"
#include "text/format.h"
#include "text/numbers.h"
#include "text/table.h"
#include "text/terminal.h"

namespace assay::cli {
namespace {

struct Options {
    std::string model;
    std::vector<std::string> schemes;
    std::vector<int64_t> prefill, batch, depth;
    int64_t decode = 64, repeats = 5;
    JobOptions job;
};

std::string forPeople(const Json& rows) {
    using enum Table::Align;
    Table table({{"scheme"}, {"batch", kRight}, {"prefill", kRight}, {"decode", kRight}, {"depth", kRight}, {"prefill t/s", kRight},
                 {"decode t/s", kRight}, {"TTFT ms", kRight}, {"TPOT ms", kRight}, {"weights", kRight}, {"resident", kRight}, {"peak", kRight}});
    if (rows.is_array())
        for (const Json& r : rows) {
            const auto value = [&](const char* key) { return r.contains(key) ? formatValue(r[key]) : std::string("-"); };
            const auto bytes = [&](const char* key) { return r.contains(key) && r[key].is_number() ? formatBytes(r[key].get<double>()) : std::string("-"); };
            table.row({value("scheme"), value("batch"), value("prefill"), value("decode"), value("depth"), value("prefill_tokens_per_s"), value("decode_tokens_per_s"),
                       value("ttft_ms"), value("tpot_ms"), bytes("weight_bytes"), bytes("resident_weight_bytes"), bytes("peak_bytes")});
        }
    return table.text(tableWidth());
}

Result<int> bench(Context& context, const Options& options) {
    ASSAY_TRY(const std::string model, modelArgument(context, options.model));
    config::Spec spec = modelSpec(config::Kind::kBenchmark, "bench", model);
    applyJobOptions(options.job, spec);
    config::BenchmarkSpec& benchmark = spec.benchmark.emplace();
    for (const std::string& scheme : options.schemes) benchmark.schemes.push_back({scheme});
    if (!options.prefill.empty()) benchmark.prefill = options.prefill;
    if (!options.batch.empty()) benchmark.batch = options.batch;
    if (!options.depth.empty()) benchmark.depth = options.depth;
    benchmark.decode = options.decode;
    benchmark.repeats = options.repeats;
    ASSAY_TRY(const Json result, runJob(context, spec));
    context.out.result(result, [&] { return forPeople(result); });
    return 0;
}

}  // namespace

void addBench(Commands& commands) {
    auto o = std::make_shared<Options>();
    CLI::App* app = commands.add("bench", "speed and memory of prefill and decode", [o](Context& c) { return bench(c, *o); });
    app->add_option("MODEL", o->model, "folder, .gguf, asset:NAME/FILE, run:ID or run:ID/SET-UP")->required();
    repeated(app, "--scheme", o->schemes, "fp32, fp16, int8, int4-g32 … (default: the model as it is)");
    repeated(app, "--prefill", o->prefill, "prompt tokens (default 128)")->check(wholeNumber(1));
    app->add_option("--decode", o->decode, "tokens to generate (default 64)")->check(wholeNumber(0));
    repeated(app, "--batch", o->batch, "sequences at once (default 1)")->check(wholeNumber(1));
    repeated(app, "--depth", o->depth, "tokens already in the KV cache (default 0)")->check(wholeNumber(0));
    app->add_option("--repeats", o->repeats, "measurements of each, medians are shown (default 5)")->check(wholeNumber(1));
    addJobOptions(app, o->job);
}

}  // namespace assay::cli
