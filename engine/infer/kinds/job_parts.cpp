#include "kinds/job_parts.h"

#include <assay/core/durable.h>
#include <assay/data/prepare.h>
#include <assay/infer/thread_pool.h>

#include <fmt/format.h>

#include <filesystem>

namespace assay::infer {
namespace {

bool exists(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

Result<data::PreparedPtr> preparedOf(const config::Spec& spec) {
    std::string folder = spec.inputs.prepared;
    const std::string pointer = folder + "/artifacts/data.json";
    if (exists(pointer)) {
        ASSAY_TRY(const auto json, readJsonFile(pointer));
        ASSAY_TRY(folder, jsonString(json, "path"));
    }
    return data::PreparedData::open(folder);
}

}  // namespace

Result<config::Spec> specOf(const protocol::WorkerContext& context) { return config::specFromJson(context.job.spec); }

int threadsOf(const config::Spec& spec) { return spec.threads > 0 ? int(std::min<int64_t>(spec.threads, 1024)) : usableCores(); }

Result<JobModel> openJobModel(const std::string& reference, const config::Spec& spec) {
    JobModel out;
    ASSAY_TRY(out.path, model::resolveModel(exists(reference + "/artifacts/model") ? reference + "/artifacts/model" : reference));
    ASSAY_TRY(out.file, model::openModel(out.path));
    out.tokenizerPath = out.file->tokenizerPath();
    if (out.tokenizerPath.empty() && !spec.inputs.prepared.empty()) {
        ASSAY_TRY(const auto prepared, preparedOf(spec));
        out.tokenizerPath = prepared->tokenizerPath();
    }
    const auto& metadata = out.file->metadata();
    out.quantized = metadata.is_object() && metadata.contains("quantization");
    const auto& source = out.file->config().sourcePrecision;
    out.basePrecision = out.quantized ? jsonStringOr(metadata["quantization"], "scheme", "quantized")
                        : source.empty() ? "fp32"
                                         : "dequantized " + source;
    return out;
}

Result<JobModel> modelOf(const config::Spec& spec) {
    std::string reference = spec.inputs.model;
    if (reference.empty() && spec.model) reference = spec.model->from;
    if (reference.empty())
        return fail(ErrorCode::kBadUsage, "the run has no model", "Give `model: {from: …}`, or a train stage before this one.");
    return openJobModel(reference, spec);
}

Result<data::TokenizerPtr> tokenizerOf(const JobModel& model) {
    if (model.tokenizerPath.empty())
        return fail(ErrorCode::kNotFound, fmt::format("{} has no tokenizer", model.path), "Put tokenizer.json beside the weights.");
    ASSAY_TRY(auto tokenizer, data::loadTokenizer(model.tokenizerPath));
    if (tokenizer->vocabSize() > model.file->config().vocab)
        return fail(ErrorCode::kInvalidFile,
                    fmt::format("the tokenizer {} has {} ids, the model only {}", model.tokenizerPath, tokenizer->vocabSize(),
                                model.file->config().vocab),
                    "Use the tokenizer that the model was trained with.");
    return tokenizer;
}

Result<std::string> textPathOf(const config::Spec& spec) {
    if (spec.accuracy && spec.accuracy->perplexity && !spec.accuracy->perplexity->path.empty())
        return model::resolveModel(spec.accuracy->perplexity->path);
    if (spec.inputs.prepared.empty()) return std::string();
    ASSAY_TRY(const auto prepared, preparedOf(spec));
    return prepared->evalTextPath();
}

Result<Windows> windowsOf(const config::Spec& spec, const JobModel& model) {
    ASSAY_TRY(const auto path, textPathOf(spec));
    if (path.empty())
        return fail(ErrorCode::kBadUsage, "there is no text to measure accuracy on",
                    "Give `accuracy: {perplexity: {path: FILE}}`, or hold documents out with `data: {eval: …}`.");
    ASSAY_TRY(const auto text, readFile(path, size_t{1} << 30));
    if (text.empty()) return fail(ErrorCode::kInvalidFile, fmt::format("{} is empty", path), "Give a text of a few thousand words.");
    ASSAY_TRY(const auto tokenizer, tokenizerOf(model));
    config::PerplexitySpec perplexity;
    if (spec.accuracy && spec.accuracy->perplexity) perplexity = *spec.accuracy->perplexity;
    else perplexity.window = std::min(perplexity.window, model.file->config().context);
    auto windows = cutWindows(text, *tokenizer, perplexity, model.file->config().context);
    if (!windows) return fail(std::move(windows).error().with(path));
    return windows;
}

std::string setupName(const JobModel& model) { return model.basePrecision; }

void phase(protocol::WorkerContext& context, std::string_view name) { context.events.record("phase", {{"name", name}}); }

Json summaryValues(const Json& accuracy, const std::string& prefix) {
    Json values = Json::object();
    for (const char* key : {"perplexity", "perplexity_se", "bits_per_byte", "perplexity_ratio", "same_top1"})
        if (accuracy.contains(key) && accuracy[key].is_number()) values[prefix + key] = accuracy[key];
    if (accuracy.contains("nll") && accuracy["nll"].is_number() && accuracy.contains("tokens"))
        values[prefix + "loss"] = accuracy["nll"].get<double>() / accuracy["tokens"].get<double>();
    if (accuracy.contains("kl_divergence") && accuracy["kl_divergence"]["mean"].is_number())
        values[prefix + "kl_divergence"] = accuracy["kl_divergence"]["mean"];
    return values;
}

}  // namespace assay::infer
