#include "families/families.h"

#include <fmt/format.h>

#include "checked.h"

namespace assay::model {

const std::vector<Family>& families() {
    static const std::vector<Family> registry{
        gpt2Family(),
        llamaFamily(),
        mixtralFamily(),
    };
    return registry;
}

const Family* findFamily(std::string_view name) {
    for (const Family& family : families())
        if (family.name == name) return &family;
    return nullptr;
}

std::string modelTypeOf(const Json& config) {
    if (std::string type = jsonStringOr(config, "model_type", ""); !type.empty()) return type;
    auto list = config.find("architectures");
    if (list == config.end() || !list->is_array()) return {};
    for (const Json& name : *list) {
        if (!name.is_string()) continue;
        for (const Family& family : families()) {
            if (name == family.architecture) return family.name;
            for (const Family::Alias& alias : family.aliases)
                if (name == alias.architecture) return alias.modelType;
        }
    }
    return {};
}

const Family::Alias* aliasOf(const Family& family, std::string_view modelType) {
    for (const Family::Alias& alias : family.aliases)
        if (alias.modelType == modelType) return &alias;
    return nullptr;
}

const Family* familyOfHuggingFace(const Json& config) {
    if (!config.is_object()) return nullptr;
    const std::string type = modelTypeOf(config);
    for (const Family& family : families())
        if (!type.empty() && (family.name == type || aliasOf(family, type))) return &family;
    return nullptr;
}

std::string familyNames() {
    std::string out;
    for (const Family& family : families()) out += (out.empty() ? "" : ", ") + family.name;
    return out;
}

namespace {
std::string modelTypes() {
    std::string out = familyNames();
    for (const Family& family : families())
        for (const Family::Alias& alias : family.aliases) out += ", " + alias.modelType;
    return out;
}
}  // namespace

Result<ModelConfig> describe(std::string_view family, int64_t layers, int64_t hidden, int64_t heads, int64_t kvHeads, int64_t ffn,
                             int64_t context, int64_t vocab, bool tieEmbeddings, double dropout, const Experts& experts) {
    const Family* found = findFamily(family);
    if (!found)
        return fail(ErrorCode::kBadUsage, fmt::format("unknown model family \"{}\"", family), "known families: " + familyNames());
    if ((experts.count != 0 || experts.perToken != 0) && !found->mixture)
        return fail(ErrorCode::kBadUsage, fmt::format("model family \"{}\" has no experts", family), "leave experts out, or use the family mixtral");
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
    config.experts = experts.count;
    config.expertsPerToken = experts.perToken;
    config.routerAuxCoef = experts.auxCoef;
    found->fillDefaults(config);
    if (config.experts == 0) config.routerAuxCoef = 0;
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
                    "supported families: " + modelTypes());
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

int64_t activeParameterCount(const ModelConfig& config) {
    if (config.experts == 0) return parameterCount(config);
    int64_t sum = 0, ofExperts = 0;
    for (const ParameterInfo& p : parametersOf(config)) (p.role == Role::kMlp ? ofExperts : sum) += elementsOf(p.shape);
    return sum + ofExperts / config.experts * config.expertsPerToken;
}

int64_t windowOf(const ModelConfig& config, int64_t layer) {
    const auto at = static_cast<size_t>(layer);
    return at >= config.windowLayers.size() || config.windowLayers[at] ? config.window : 0;
}

}  // namespace assay::model
