#include <assay/infer/kinds.h>

#include "kinds/job_parts.h"

#include <fmt/format.h>

namespace assay::infer {

using protocol::Outcome;

namespace {

// Numbers of the two models can be compared only when the same ids go in.
Result<void> sameTokens(const JobModel& base, const data::Tokenizer& tokenizer, const model::ModelConfig& config,
                        int64_t window) {
    if (base.file->config().vocab != config.vocab)
        return fail(ErrorCode::kBadUsage,
                    fmt::format("the base has {} vocabulary entries, the model {}", base.file->config().vocab, config.vocab),
                    "KL divergence needs one vocabulary; compare such models by bits per byte.");
    if (base.file->config().context < window)
        return fail(ErrorCode::kBadUsage, fmt::format("the base's context of {} is shorter than the window", base.file->config().context));
    if (base.tokenizerPath.empty()) return {};
    ASSAY_TRY(const auto other, data::loadTokenizer(base.tokenizerPath));
    if (other->contentKey() == tokenizer.contentKey()) return {};
    // A tokenizer that changed its file format keeps its ids.
    const std::string_view probe = "The quick brown fox, 1984: \"naïve café\"\n\tjumps — 東京.";
    if (other->vocabSize() == tokenizer.vocabSize() && other->encode(probe) == tokenizer.encode(probe)) return {};
    return fail(ErrorCode::kBadUsage, "the base has another tokenizer", "Compare models of different tokenizers by bits per byte.");
}

}  // namespace

Result<Outcome> runEvaluate(protocol::WorkerContext& context) {
    ASSAY_TRY(const auto spec, specOf(context));
    phase(context, "loading");
    ASSAY_TRY(const auto source, modelOf(spec));
    ASSAY_TRY(const auto windows, windowsOf(spec, source));
    ThreadPool pool(threadsOf(spec));
    LoadOptions options;
    const bool native = spec.accuracy && spec.accuracy->native;
    options.scheme = native ? "native" : "fp32";
    options.progress = context.progress;
    options.stop = context.stop;
    std::vector<ModelPtr> models;
    if (spec.accuracy && !spec.accuracy->base.empty()) {
        ASSAY_TRY(const auto base, openJobModel(spec.accuracy->base, spec));
        ASSAY_TRY(const auto tokenizer, tokenizerOf(source));
        ASSAY_TRY_VOID(sameTokens(base, *tokenizer, source.file->config(), windows.window));
        LoadOptions full = options;
        full.scheme = "fp32";
        ASSAY_TRY(auto loaded, InferenceModel::load(*base.file, full, pool));
        models.push_back(std::move(loaded));
    }
    ASSAY_TRY(auto loaded, InferenceModel::load(*source.file, options, pool));
    models.push_back(std::move(loaded));

    phase(context, "evaluating");
    ASSAY_TRY(const auto measured, measure(models, windows, pool, context.progress, context.stop));
    if (!measured) return Outcome::kCancelled;
    const auto& model = *models.back();
    const Json accuracy = accuracyJson(measured->back(), windows);
    // Quantized weights that were widened are their own set-up; the base model keeps the name the other kinds give it.
    const std::string name = source.quantized ? model.precisionName() : setupName(source);
    context.events.record("setup", {{"name", name},
                                    {"scheme", model.scheme()},
                                    {"path", source.path},
                                    {"accuracy", accuracy},
                                    {"speed", Json::object()},
                                    {"bytes", {{"weights", model.residentBytes()}, {"file", model.storedBytes()}}}});
    context.events.record("summary", {{"values", summaryValues(accuracy)}});
    context.events.record("result", {{"data", accuracy}});
    return Outcome::kDone;
}

}  // namespace assay::infer
