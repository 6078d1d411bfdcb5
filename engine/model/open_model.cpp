#include <assay/core/paths.h>
#include <fmt/format.h>

#include <filesystem>

#include "loaded_model.h"

namespace assay::model {
namespace fs = std::filesystem;

Result<std::string> resolveModel(std::string_view reference) {
    if (reference.empty()) return fail(ErrorCode::kBadUsage, "no model is given");
    ASSAY_TRY(std::string path, resolveAsset(reference));
    std::error_code ec;
    if (!fs::exists(path, ec))
        return fail(ErrorCode::kNotFound, fmt::format("model {} does not exist", path), "give a model folder, a .gguf file, a .safetensors file or asset:NAME/FILE");
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    return path;
}

Result<std::shared_ptr<const ModelFile>> openModel(const std::string& reference) {
    ASSAY_TRY(const std::string path, resolveModel(reference));
    std::error_code ec;
    auto open = [&]() -> Result<LoadedModel::Parts> {
        if (fs::is_directory(path, ec)) return openFolderModel(path, "");
        const std::string extension = fs::path(path).extension().string();
        if (extension == ".gguf") return openGgufModel(path);
        if (extension == ".safetensors") {
            const fs::path parent = fs::path(path).parent_path();
            return openFolderModel(parent.empty() ? "." : parent.string(), fs::path(path).filename().string());
        }
        return fail(ErrorCode::kUnsupported, fmt::format("{} is no model file that Assay reads", path), "readable: folders with config.json, .gguf, .safetensors");
    };
    ASSAY_TRY(LoadedModel::Parts parts, open());
    return std::make_shared<LoadedModel>(std::move(parts));
}

}  // namespace assay::model
