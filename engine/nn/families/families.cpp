#include "families.h"

namespace assay::nn {
namespace {

struct Entry {
    std::string_view family;
    std::unique_ptr<Model> (*make)(const model::ModelConfig&, const ModelOptions&);
};
constexpr Entry kFamilies[] = {
    {"gpt2", makeGpt2},
    {"llama", makeLlama},
    {"mixtral", makeMixtral},
};

}  // namespace

std::vector<std::string_view> supportedFamilies() {
    std::vector<std::string_view> names;
    for (const Entry& entry : kFamilies) names.push_back(entry.family);
    return names;
}

Result<std::unique_ptr<Model>> createModel(const model::ModelConfig& config, const ModelOptions& options) {
    const model::Family* family = model::findFamily(config.family);
    if (!family) return fail(ErrorCode::kUnsupported, "unknown model family '" + config.family + "'");
    ASSAY_TRY_VOID(family->validate(config));
    const int64_t last = options.layers.last < 0 ? config.layers : options.layers.last;
    if (options.layers.first < 0 || options.layers.first >= last || last > config.layers)
        return fail(ErrorCode::kBadUsage, "layers " + std::to_string(options.layers.first) + " to " + std::to_string(last) + " are not a part of a model of " + std::to_string(config.layers));
    for (const Entry& entry : kFamilies)
        if (entry.family == config.family) return entry.make(config, options);
    return fail(ErrorCode::kUnsupported, "training a model of family '" + config.family + "' is not supported", "use gpt2, llama or mixtral");
}

}  // namespace assay::nn
