#include "completeness.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "assay/model/gguf.h"

namespace assay::model {
namespace {

constexpr size_t kNamed = 4;  // how many names a message lists

std::string listed(const std::vector<std::string>& names) {
    std::string out;
    for (size_t i = 0; i < std::min(names.size(), kNamed); ++i) out += (i ? ", " : "") + names[i];
    if (names.size() > kNamed) out += fmt::format(" and {} more", names.size() - kNamed);
    return out;
}

bool isWeightType(DType type) {
    return isBlockType(type) || type == DType::kF32 || type == DType::kF16 || type == DType::kBF16 || type == DType::kF64;
}

// NAME for NAME.packed when the record holds NAME; else nothing.
std::string_view quantizedOwner(std::string_view name, const std::unordered_set<std::string_view>& quantized) {
    const size_t dot = name.rfind('.');
    if (dot == name.npos) return {};
    auto it = quantized.find(name.substr(0, dot));
    return it == quantized.end() ? std::string_view{} : *it;
}

std::string_view embeddingName(const std::vector<ParameterInfo>& parameters) {
    for (const ParameterInfo& p : parameters)
        if (p.role == Role::kEmbedding) return p.name;
    return {};
}

// Removes lm_head.weight from a tied model's file when it is the embedding again.
Result<void> dropTiedHead(const ModelConfig& config, const std::vector<ParameterInfo>& parameters, const std::string& path,
                          std::vector<TensorView>& tensors) {
    auto head = std::find_if(tensors.begin(), tensors.end(), [](const TensorView& t) { return t.name == "lm_head.weight"; });
    if (!config.tieEmbeddings || head == tensors.end()) return {};
    auto embedding = std::find_if(tensors.begin(), tensors.end(), [&](const TensorView& t) { return t.name == embeddingName(parameters); });
    if (embedding == tensors.end()) return {};
    if (head->type != embedding->type || head->shape != embedding->shape || head->bytes != embedding->bytes)
        return fail(ErrorCode::kInvalidFile, fmt::format("{}: lm_head.weight differs from {}, but the configuration ties them", path, embedding->name),
                    "set tie_word_embeddings to false in config.json to use the stored head");
    tensors.erase(head);
    return {};
}

}  // namespace

std::string canonicalName(const Family& family, std::string_view name) {
    if (family.isBuffer(name)) return {};
    const bool whole = name.starts_with(family.basePrefix) || name.starts_with("lm_head.");
    std::string full = whole ? std::string(name) : family.basePrefix + std::string(name);
    return family.renamed ? family.renamed(full) : full;
}

Result<void> checkComplete(const ModelConfig& config, const QuantizationRecord* record, const std::string& path, std::vector<TensorView>& tensors) {
    const std::vector<ParameterInfo> parameters = parametersOf(config);
    ASSAY_TRY_VOID(dropTiedHead(config, parameters, path, tensors));
    std::unordered_map<std::string_view, const ParameterInfo*> expected;
    for (const ParameterInfo& p : parameters) expected.emplace(p.name, &p);
    std::unordered_set<std::string_view> quantized;
    if (record)
        for (const QuantizedTensorInfo& layer : record->layers) {
            auto it = expected.find(layer.name);
            if (it == expected.end()) return fail(ErrorCode::kInvalidFile, fmt::format("{}: the quantization record names {}, which the model has not", path, layer.name));
            if (it->second->shape != layer.shape)
                return fail(ErrorCode::kInvalidFile, fmt::format("{}: the quantization record gives {} the shape [{}], the model [{}]", path, layer.name,
                                                                 fmt::join(layer.shape, ", "), fmt::join(it->second->shape, ", ")));
            quantized.insert(layer.name);
        }

    std::unordered_set<std::string_view> present;
    std::vector<std::string> unexpected, wrong;
    for (const TensorView& t : tensors) {
        if (auto it = expected.find(t.name); it != expected.end()) {
            if (t.shape != it->second->shape)
                wrong.push_back(fmt::format("{} is [{}], expected [{}]", t.name, fmt::join(t.shape, ", "), fmt::join(it->second->shape, ", ")));
            else if (!isWeightType(t.type))
                wrong.push_back(fmt::format("{} has the type {}", t.name, dtypeName(t.type)));
            if (!present.insert(t.name).second) unexpected.push_back(t.name + " (twice)");
        } else if (quantizedOwner(t.name, quantized).empty()) {
            unexpected.push_back(t.name);
        } else {
            present.insert(t.name);
        }
    }
    std::vector<std::string> missing;
    for (const ParameterInfo& p : parameters) {
        const bool packed = quantized.contains(p.name) && present.contains(p.name + ".packed") && present.contains(p.name + ".scale");
        if (present.contains(p.name) && packed) unexpected.push_back(p.name + " (both plain and packed)");
        if (!present.contains(p.name) && !packed) missing.push_back(p.name);
    }
    if (missing.empty() && unexpected.empty() && wrong.empty()) return {};
    std::string message = path + " does not hold the tensors of its configuration";
    if (!missing.empty()) message += "; missing: " + listed(missing);
    if (!unexpected.empty()) message += "; unexpected: " + listed(unexpected);
    if (!wrong.empty()) message += "; wrong: " + listed(wrong);
    return fail(ErrorCode::kInvalidFile, std::move(message), "check that config.json and the weights are of one model");
}

}  // namespace assay::model
