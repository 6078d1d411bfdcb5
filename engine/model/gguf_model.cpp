// A GGUF file as a model: architecture → family, names and dims → Hugging Face's.
#include <fmt/format.h>

#include <unordered_map>

#include "assay/model/gguf.h"
#include "checked.h"
#include "completeness.h"
#include "loaded_model.h"

namespace assay::model {
namespace {

// The quantized type that holds most elements of the linear weights; empty when none is quantized.
std::string precisionOf(const ModelConfig& config, const std::vector<TensorView>& tensors) {
    std::unordered_map<std::string_view, const TensorView*> byName;
    for (const TensorView& t : tensors) byName.emplace(t.name, &t);
    int64_t counts[32] = {};
    int best = -1;
    for (const ParameterInfo& p : parametersOf(config)) {
        auto it = byName.find(p.name);
        if (!p.linearWeight || it == byName.end() || !isBlockType(it->second->type)) continue;
        const int type = static_cast<int>(it->second->type);
        counts[type] += elementsOf(p.shape);
        if (best < 0 || counts[type] > counts[best]) best = type;
    }
    return best < 0 ? "" : std::string(dtypeName(static_cast<DType>(best)));
}

}  // namespace

Result<LoadedModel::Parts> openGgufModel(const std::string& path) {
    ASSAY_TRY(std::shared_ptr<const GgufFile> file, GgufFile::open(path));
    const std::string architecture = jsonStringOr(file->metadata(), "general.architecture", "");
    if (architecture.empty()) return fail(ErrorCode::kInvalidFile, path + ": metadata key general.architecture is missing");
    const Family* family = nullptr;
    std::string known;
    for (const Family& f : families()) {
        if (!f.fromGguf) continue;
        known += (known.empty() ? "" : ", ") + f.ggufArchitecture;
        if (f.ggufArchitecture == architecture) family = &f;
    }
    if (!family) return fail(ErrorCode::kUnsupported, fmt::format("{}: the architecture \"{}\" is not supported", path, architecture), "supported in GGUF files: " + known);

    LoadedModel::Parts parts;
    ASSAY_TRY(parts.config, family->fromGguf(*file));
    parts.config.family = family->name;
    if (auto valid = family->validate(parts.config); !valid) return fail(std::move(valid.error()).with(path));
    for (const GgufTensor& t : file->tensors()) {
        TensorView view;
        view.name = family->fromGgufName(t.name, view.permutedRows);
        if (view.name.empty()) continue;
        view.type = t.type;
        view.shape = t.shape;
        view.bytes = t.bytes;
        parts.tensors.push_back(std::move(view));
    }
    ASSAY_TRY_VOID(checkComplete(parts.config, nullptr, path, parts.tensors));
    parts.config.sourcePrecision = precisionOf(parts.config, parts.tensors);
    parts.path = path;
    if (file->metadata().contains("tokenizer.ggml.tokens")) parts.tokenizerPath = path;
    parts.metadata = file->metadata();
    parts.mappings.push_back(file);
    return parts;
}

}  // namespace assay::model
