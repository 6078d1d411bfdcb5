#include <assay/infer/kinds.h>

#include "kinds/job_parts.h"

#include <assay/core/clock.h>
#include <assay/core/durable.h>

#include <fmt/format.h>

#include <set>

namespace assay::infer {

using protocol::Outcome;

namespace {

Result<void> checkRequest(const config::Spec& spec, const JobModel& source) {
    if (!spec.quantize || spec.quantize->schemes.empty())
        return fail(ErrorCode::kBadUsage, "no scheme to quantize to", "Add `quantize: {schemes: [int8]}`.");
    std::set<std::string> names;
    for (const auto& scheme : spec.quantize->schemes) {
        ASSAY_TRY(const auto found, findScheme(scheme.name));
        if (found->fullPrecision())
            return fail(ErrorCode::kBadUsage, fmt::format("scheme '{}' does not quantize", scheme.name), "Use fp16, int8 or int4-g32.");
        if (!scheme.options.empty())
            return fail(ErrorCode::kUnsupported, fmt::format("scheme '{}' takes no options", scheme.name));
        if (!names.insert(scheme.name).second)
            return fail(ErrorCode::kBadUsage, fmt::format("scheme '{}' is listed twice", scheme.name));
    }
    if (!spec.quantize->out.empty() && names.size() > 1)
        return fail(ErrorCode::kBadUsage, "quantize.out holds one scheme", "Leave `out` away, or give one scheme.");
    if (!spec.quantize->calibration.empty())
        return fail(ErrorCode::kUnsupported, "none of the schemes uses calibration text", "Leave --calibration away.");
    if (spec.quantize->keepAuto) return fail(ErrorCode::kUnsupported, "keep: {auto: …} is not there yet", "List the layers to keep.");
    if (!spec.quantize->kvCache.empty())
        return fail(ErrorCode::kUnsupported, "quantized key/value caches are not there yet", "Leave kv_cache away.");
    if (source.quantized)
        return fail(ErrorCode::kUnsupported, fmt::format("{} is quantized already ({})", source.path, source.basePrecision),
                    "Quantize the full-precision model that it was made from.");
    return {};
}

Json layersJson(const InferenceModel& model) {
    Json layers = Json::array();
    for (const auto& layer : model.linearLayers())
        layers.push_back({{"name", layer.name}, {"scheme", layer.scheme}, {"relative_error", jsonNumber(layer.relativeError)}});
    return layers;
}

}  // namespace

Result<Outcome> runQuantize(protocol::WorkerContext& context) {
    ASSAY_TRY(const auto spec, specOf(context));
    phase(context, "loading");
    ASSAY_TRY(const auto source, modelOf(spec));
    ASSAY_TRY_VOID(checkRequest(spec, source));
    ASSAY_TRY(const auto textPath, textPathOf(spec));
    const bool wanted = spec.accuracy && (spec.accuracy->perplexity || spec.accuracy->klDivergence);
    std::optional<Windows> windows;  // made before any work, so that a wrong text costs nothing
    if (wanted || !textPath.empty()) {
        ASSAY_TRY(windows, windowsOf(spec, source));
    }
    ThreadPool pool(threadsOf(spec));
    if (!source.file->config().sourcePrecision.empty())
        context.events.log("info", fmt::format("the source is {}: errors are relative to its dequantized weights", source.basePrecision));

    std::vector<ModelPtr> models;  // the full-precision model first when accuracy is measured
    LoadOptions load;
    load.progress = context.progress;
    load.stop = context.stop;
    if (windows) {
        load.scheme = "fp32";
        ASSAY_TRY(auto base, InferenceModel::load(*source.file, load, pool));
        models.push_back(std::move(base));
    }
    Json documents = Json::array();
    std::vector<std::string> paths;
    std::vector<int64_t> fileBytes;
    phase(context, "quantizing");
    for (const auto& scheme : spec.quantize->schemes) {
        if (context.stop.stop_requested()) return Outcome::kCancelled;
        const double start = monotonicSeconds();
        load.scheme = scheme.name;
        load.keep = spec.quantize->keep;
        load.measureError = true;
        auto loaded = InferenceModel::load(*source.file, load, pool);
        if (!loaded && loaded.error().code == ErrorCode::kCancelled) return Outcome::kCancelled;
        if (!loaded) return fail(std::move(loaded).error().with("quantizing to " + scheme.name));
        const auto model = *loaded;
        const std::string path =
            spec.quantize->out.empty() ? context.job.runFolder + "/artifacts/" + scheme.name : spec.quantize->out;
        // What an interrupted attempt of this run left; a folder of the user's is never replaced.
        if (spec.quantize->out.empty()) ASSAY_TRY_VOID(removeTree(path));
        ASSAY_TRY(const int64_t bytes, model->save(path, source.path, source.tokenizerPath));
        context.events.record("artifact", {{"name", scheme.name}, {"kind", "setup"}, {"path", path}, {"bytes", bytes}});
        documents.push_back({{"path", path},
                             {"bytes", bytes},
                             {"bits_per_weight", model->bitsPerWeight()},
                             {"seconds", monotonicSeconds() - start},
                             {"layers", layersJson(*model)}});
        paths.push_back(path);
        fileBytes.push_back(bytes);
        models.push_back(model);
    }
    std::optional<std::vector<Measured>> measured;
    if (windows) {
        phase(context, "evaluating");
        ASSAY_TRY(measured, measure(models, *windows, pool, context.progress, context.stop));
        if (!measured) return Outcome::kCancelled;
        const Json accuracy = accuracyJson(measured->front(), *windows);
        context.events.record("setup", {{"name", setupName(source)},
                                        {"scheme", "fp32"},
                                        {"path", source.path},
                                        {"accuracy", accuracy},
                                        {"speed", Json::object()},
                                        {"bytes", {{"weights", models[0]->residentBytes()}, {"file", models[0]->storedBytes()}}}});
    }
    Json summary = Json::object();
    for (size_t i = 0; i < paths.size(); ++i) {
        const auto& model = *models[i + (windows ? 1 : 0)];
        const std::string& name = spec.quantize->schemes[i].name;
        Json accuracy = Json::object();
        if (measured) accuracy = accuracyJson((*measured)[i + 1], *windows);
        if (measured) documents[i]["accuracy"] = accuracy;
        context.events.record("setup", {{"name", name},
                                        {"scheme", model.scheme()},
                                        {"path", paths[i]},
                                        {"accuracy", accuracy},
                                        {"speed", Json::object()},
                                        {"bytes", {{"weights", model.residentBytes()}, {"file", fileBytes[i]}}}});
        summary["quantize/" + name + "/bits_per_weight"] = model.bitsPerWeight();
        if (measured) summary.update(summaryValues(accuracy, "quantize/" + name + "/"));
    }
    context.events.record("summary", {{"values", summary}});
    context.events.record("result", {{"data", documents.size() == 1 ? documents[0] : Json{{"schemes", documents}}}});
    return Outcome::kDone;
}

}  // namespace assay::infer
