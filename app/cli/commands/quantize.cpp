#include <fmt/format.h>

#include "command.h"
#include "registry.h"
#include "run/job.h"
#include "run/spec_builder.h"
#include "text/format.h"
#include "text/table.h"
#include "text/terminal.h"

namespace assay::cli {
namespace {

struct Options {
    std::string model, scheme, calibration, out;
    std::vector<std::string> keep;
    JobOptions job;
};

std::string forPeople(const Json& r) {
    const auto value = [&](const char* key) { return r.contains(key) ? formatValue(r[key]) : std::string("-"); };
    std::string text = keyValues({{"folder", value("path")},
                                  {"size", formatBytes(jsonDoubleOr(r, "bytes", 0))},
                                  {"bits per weight", value("bits_per_weight")},
                                  {"time", formatSeconds(jsonDoubleOr(r, "seconds", 0))}});
    Table table({{"layer"}, {"scheme"}, {"relative error", Table::Align::kRight}});
    for (const Json& layer : r.value("layers", Json::array()))
        table.row({formatValue(layer.value("name", Json())), formatValue(layer.value("scheme", Json())), formatValue(layer.value("relative_error", Json()))});
    return text + (table.empty() ? "" : "\n" + table.text(tableWidth()));
}

Result<int> quantize(Context& context, const Options& options) {
    ASSAY_TRY(const std::string model, modelArgument(context, options.model));
    config::Spec spec = modelSpec(config::Kind::kQuantize, "quantize", model);
    applyJobOptions(options.job, spec);
    config::QuantizeSpec& quantize = spec.quantize.emplace();
    quantize.schemes.push_back({options.scheme});
    quantize.keep = options.keep;
    quantize.out = outputFolder(options.out);
    if (!options.calibration.empty()) {
        ASSAY_TRY(quantize.calibration, uploadArgument(context, options.calibration));
    }
    auto result = runJob(context, spec);
    if (!result) return fail(namedAsGiven(std::move(result).error(), quantize.calibration, options.calibration));
    context.out.result(*result, [&] { return forPeople(*result); });
    return 0;
}

}  // namespace

void addQuantize(Commands& commands) {
    auto o = std::make_shared<Options>();
    CLI::App* app = commands.add("quantize", "write a model with quantized weights", [o](Context& c) { return quantize(c, *o); });
    app->add_option("MODEL", o->model, "folder, .gguf, asset:NAME/FILE or run:ID")->required();
    app->add_option("--scheme", o->scheme, "fp16, int8, int4-g32 …")->required();
    app->add_option("--calibration", o->calibration, "text file for schemes that look at activations, read here");
    repeated(app, "--keep", o->keep, "name or regular expression of weights kept in high precision");
    app->add_option("--out", o->out, "new folder, on the engine's machine")->required();
    addJobOptions(app, o->job);
}

}  // namespace assay::cli
