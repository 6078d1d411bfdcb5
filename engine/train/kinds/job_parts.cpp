#include "job_parts.h"

#include <assay/torch.h>

#include <algorithm>
#include <filesystem>

#include <assay/core/durable.h>
#include <assay/core/paths.h>

namespace assay::train {
namespace fs = std::filesystem;
namespace {

int64_t roundUp(int64_t value, int64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

Result<model::ModelConfig> describe(const config::ModelDescription& d, const data::PreparedData& data) {
    if (!model::findFamily(d.family)) return fail(ErrorCode::kInvalidFile, "model.from.family: unknown family '" + d.family + "'");
    if (d.layers < 1 || d.hidden < 1 || d.heads < 1) return fail(ErrorCode::kInvalidFile, "model.from: layers, hidden and heads must be positive");
    if (d.hidden % d.heads != 0) return fail(ErrorCode::kInvalidFile, "model.from.hidden: " + std::to_string(d.hidden) + " is not a multiple of heads " + std::to_string(d.heads));
    if (d.vocab > 0 && d.vocab < data.vocabSize())
        return fail(ErrorCode::kInvalidFile, "model.from.vocab: " + std::to_string(d.vocab) + " is smaller than the tokenizer's " + std::to_string(data.vocabSize()), "use auto");
    const bool gated = d.family != "gpt2", mixture = model::findFamily(d.family)->mixture;
    model::ModelConfig c;
    c.family = d.family;
    c.layers = d.layers;
    c.hidden = d.hidden;
    c.heads = d.heads;
    c.kvHeads = d.kvHeads > 0 ? d.kvHeads : d.heads;
    c.headDim = d.hidden / d.heads;
    // A gated MLP has three matrices: 8/3 of the width gives it the size of the plain one.
    c.ffn = d.ffn > 0 ? d.ffn : gated ? roundUp(8 * d.hidden / 3, 32) : 4 * d.hidden;
    c.vocab = d.vocab > 0 ? d.vocab : data.vocabSize();
    c.context = d.context > 0 ? d.context : data.sequenceLength();
    c.tieEmbeddings = d.tieEmbeddings;
    c.dropout = d.dropout;
    if (mixture) {
        c.experts = d.experts > 0 ? d.experts : 8;
        c.expertsPerToken = d.expertsPerToken > 0 ? d.expertsPerToken : std::min<int64_t>(2, c.experts);
        c.routerAuxCoef = d.routerAuxLoss;
    } else if (d.experts > 0 || d.expertsPerToken > 0) {
        return fail(ErrorCode::kInvalidFile, "model.from.experts: the family " + d.family + " has no experts", "use the family mixtral");
    }
    c.activation = gated ? "silu" : "gelu_new";
    ASSAY_TRY(data::TokenizerPtr tokenizer, data::loadTokenizer(data.tokenizerPath()));
    c.bosId = tokenizer->bosId();
    if (tokenizer->eosId() >= 0) c.eosIds = {tokenizer->eosId()};
    return c;
}

}  // namespace

Result<std::optional<data::PrepareReport>> prepareData(const config::Spec& spec, protocol::WorkerContext& context) {
    data::PrepareOptions options;
    options.cacheFolder = context.job.storeFolder + "/cache";
    options.threads = at::get_num_threads();
    options.progress = context.progress;
    options.stop = context.stop;
    options.seed = spec.seed;
    if (spec.data->tokenizer.kind == config::TokenizerSpec::Kind::kModel) {
        if (!spec.model) return fail(ErrorCode::kInvalidFile, "data.tokenizer is not set, and there is no model to take one from", "name a tokenizer file or folder, or use bytes or {train: bpe, vocab: N}");
        if (spec.model->from.empty())
            return fail(ErrorCode::kInvalidFile, "data.tokenizer: a described model has no tokenizer of its own", "name one, or use bytes or {train: bpe, vocab: N}");
        ASSAY_TRY(std::string path, resolveAsset(spec.model->from));
        ASSAY_TRY(auto file, model::openModel(path));
        options.modelTokenizer = file->tokenizerPath();
        if (options.modelTokenizer.empty()) return fail(ErrorCode::kInvalidFile, "data.tokenizer: " + path + " comes without a tokenizer", "name one");
    }
    auto report = data::prepareDataset(*spec.data, options);
    if (report) return std::optional<data::PrepareReport>(std::move(*report));
    if (report.error().code == ErrorCode::kCancelled) return std::optional<data::PrepareReport>();
    return fail(std::move(report.error()));
}

Result<void> checkTrainable(const config::TrainSpec& train, const data::PreparedData& data) {
    const auto part = data.manifest().find("train");
    const int64_t labelled = part != data.manifest().end() && part->is_object() ? jsonIntegerOr(*part, "loss_tokens", -1) : -1;
    if (data.sequences(false) == 0 || labelled == 0)
        return fail(ErrorCode::kInvalidFile, "data.train: no token of " + data.folder() + " carries loss, so there is nothing to learn", "look at `assay data inspect`, and at data.loss_on and data.over_length");
    if (data.sequences(true) > 0) return {};
    const bool waits = train.earlyStop && train.earlyStop->metric.starts_with("eval/");
    if (train.evalEvery > 0 || waits)
        return fail(ErrorCode::kInvalidFile, std::string(waits ? "train.early_stop" : "train.eval_every") + ": " + data.folder() + " has no held-out part to evaluate on",
                    "prepare the data with data.eval, for example {path: corpus.txt, split: last 5%}");
    return {};
}

Result<ModelSource> modelSource(const config::Spec& spec, const data::PreparedData& data) {
    ModelSource source;
    if (!spec.model) return fail(ErrorCode::kInvalidFile, "model: a run of kind train needs this section");
    if (spec.model->description) {
        ASSAY_TRY(source.config, describe(*spec.model->description, data));
    } else {
        ASSAY_TRY(std::string path, resolveAsset(spec.model->from));
        ASSAY_TRY(source.file, model::openModel(path));
        source.config = source.file->config();
        if (source.config.vocab < data.vocabSize())
            return fail(ErrorCode::kInvalidFile, path + " knows " + std::to_string(source.config.vocab) + " tokens, the data uses " + std::to_string(data.vocabSize()), "prepare the data with the model's own tokenizer");
    }
    if (data.sequenceLength() > source.config.context)
        return fail(ErrorCode::kInvalidFile, "data.sequence_length: " + std::to_string(data.sequenceLength()) + " is longer than the model's context " + std::to_string(source.config.context), "shorten it or raise model.context");
    return source;
}

Result<data::PreparedPtr> openPrepared(const std::string& path) {
    std::error_code ec;
    const std::string pointer = path + "/artifacts/data.json";
    if (!fs::is_regular_file(pointer, ec)) return data::PreparedData::open(path);
    ASSAY_TRY(Json json, readJsonFile(pointer));
    ASSAY_TRY(std::string folder, jsonString(json, "path"));
    return data::PreparedData::open(folder);
}

}  // namespace assay::train
