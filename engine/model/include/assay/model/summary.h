#pragma once
// What a model file or folder is, for lists: shape, size, precision, tokenizer. Reads headers and metadata, no weights.

#include <assay/model/model_file.h>

#include <optional>
#include <string>
#include <vector>

namespace assay::model {

struct ModelSummary {
    std::string path, name, family, dtype;  // dtype: that of most bytes of the weights; quantized: "Q4_1", or the scheme
    int64_t parameters = 0, bytes = 0;      // bytes: of the tensors as they are stored
    int64_t layers = 0, hidden = 0, heads = 0, kvHeads = 0, ffn = 0, context = 0, vocab = 0;
    int64_t experts = 0, expertsPerToken = 0, activeParameters = 0;  // experts 0: no mixture, all parameters are active
    std::string tokenizer;                  // path; empty: none
    bool chatTemplate = false;
    std::string scheme;                     // of a folder that Assay quantized; empty: none
    struct Tensor {
        std::string name, dtype;
        std::vector<int64_t> shape;
        int64_t bytes = 0;
    };
    std::vector<Tensor> tensors;
    std::optional<Error> error;             // a model it is, but not one that can be used
};

// Never fails: what cannot be opened is told in `error`, with what is known all the same (name, path, bytes of its files).
ModelSummary summarizeModel(const std::string& path);

// Whether the path looks like a model, by names alone: a .gguf file, or a folder with config.json and .safetensors.
bool looksLikeModel(const std::string& path);
// The path itself when it is a model, and the models directly inside when it is a folder; sorted, at most `limit`.
std::vector<std::string> findModels(const std::string& folder, size_t limit = 1000);

}  // namespace assay::model
