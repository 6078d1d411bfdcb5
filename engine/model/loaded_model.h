#pragma once
// The ModelFile of every format: a configuration, views, and whatever keeps the views' mappings alive.
#include <unordered_map>

#include "assay/model/model_file.h"

namespace assay::model {

class LoadedModel : public ModelFile {
public:
    struct Parts {
        std::string path, tokenizerPath;
        ModelConfig config;
        std::vector<TensorView> tensors;
        Json metadata = Json::object();
        std::vector<std::shared_ptr<const void>> mappings;
    };
    explicit LoadedModel(Parts parts);
    const ModelConfig& config() const override { return parts_.config; }
    const std::vector<TensorView>& tensors() const override { return parts_.tensors; }
    const TensorView* find(std::string_view name) const override;
    const Json& metadata() const override { return parts_.metadata; }
    const std::string& path() const override { return parts_.path; }
    const std::string& tokenizerPath() const override { return parts_.tokenizerPath; }
    Result<void> readF32(const TensorView& tensor, float* out, int threads) const override;

private:
    Parts parts_;
    std::unordered_map<std::string_view, size_t> index_;
};

Result<LoadedModel::Parts> openGgufModel(const std::string& path);
// `folder` with config.json; `weights` names one .safetensors file in it, or is empty: found by the folder's index.
Result<LoadedModel::Parts> openFolderModel(const std::string& folder, const std::string& weights);

}  // namespace assay::model
