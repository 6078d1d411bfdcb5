#include "families/families.h"

#include <fmt/format.h>

#include "checked.h"

namespace assay::model {

const std::vector<Family>& families() {
    static const std::vector<Family> registry{
        gpt2Family(),
        llamaFamily(),
    };
    return registry;
}

const Family* findFamily(std::string_view name) {
    for (const Family& family : families())
        if (family.name == name) return &family;
    return nullptr;
}

const Family* familyOfHuggingFace(const Json& config) {
    if (const Family* family = findFamily(jsonStringOr(config, "model_type", ""))) return family;
    if (!jsonStringOr(config, "model_type", "").empty() || !config.is_object()) return nullptr;
    auto list = config.find("architectures");
    if (list == config.end() || !list->is_array()) return nullptr;
    for (const Json& name : *list)
        for (const Family& family : families())
            if (name.is_string() && name.get_ref<const std::string&>() == family.architecture) return &family;
    return nullptr;
}

std::string familyNames() {
    std::string out;
    for (const Family& family : families()) out += (out.empty() ? "" : ", ") + family.name;
    return out;
}

Result<ModelConfig> describe(std::string_view family, int64_t layers, int64_t hidden, int64_t heads, int64_t kvHeads, int64_t ffn,
                             int64_t context, int64_t vocab, bool tieEmbeddings, double dropout) {
    const Family* found = findFamily(family);
    if (!found)
        return fail(ErrorCode::kBadUsage, fmt::format("unknown model family \"{}\"", family), "known families: " + familyNames());
    ModelConfig config;
    config.family = found->name;
    config.layers = layers;
    config.hidden = hidden;
    config.heads = heads;
    config.kvHeads = kvHeads;
    config.ffn = ffn;
    config.context = context;
    config.vocab = vocab;
    config.tieEmbeddings = tieEmbeddings;
    config.dropout = dropout;
    found->fillDefaults(config);
    if (auto valid = found->validate(config); !valid) {
        Error error = valid.error();
        error.code = ErrorCode::kBadUsage;
        return fail(std::move(error));
    }
    return config;
}

Result<ModelConfig> configFromHuggingFace(const Json& config) {
    if (!config.is_object()) return fail(ErrorCode::kInvalidFile, "config.json is not a JSON object");
    const Family* family = familyOfHuggingFace(config);
    if (!family)
        return fail(ErrorCode::kUnsupported,
                    fmt::format("config.json: model_type \"{}\" is not supported", jsonStringOr(config, "model_type", "")),
                    "supported families: " + familyNames());
    if (auto it = config.find("quantization_config"); it != config.end() && !it->is_null())
        return fail(ErrorCode::kUnsupported,
                    fmt::format("config.json: quantization_config (\"{}\") names weights that Assay does not unpack", jsonStringOr(*it, "quant_method", "?")),
                    "use the unquantized model, or a GGUF file of it");
    ASSAY_TRY(ModelConfig out, family->fromHuggingFace(config));
    out.family = family->name;
    out.sourcePrecision = jsonStringOr(config, "assay_source_precision", "");
    ASSAY_TRY_VOID(family->validate(out));
    return out;
}

std::vector<ParameterInfo> parametersOf(const ModelConfig& config) {
    const Family* family = findFamily(config.family);
    ASSAY_CHECK(family, "unknown family " + config.family);
    return family->parameters(config);
}

int64_t parameterCount(const ModelConfig& config) {
    int64_t sum = 0;
    for (const ParameterInfo& p : parametersOf(config)) sum += elementsOf(p.shape);
    return sum;
}

int64_t nonEmbeddingParameterCount(const ModelConfig& config) {
    int64_t sum = 0;
    for (const ParameterInfo& p : parametersOf(config))
        if (p.role != Role::kEmbedding && p.role != Role::kPositionEmbedding && p.role != Role::kHead) sum += elementsOf(p.shape);
    return sum;
}

}  // namespace assay::model
