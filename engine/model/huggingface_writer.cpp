#include <assay/core/durable.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "assay/model/model_file.h"

namespace assay::model {
namespace fs = std::filesystem;
namespace {

constexpr const char* kTokenizerFiles[] = {"tokenizer.json",       "tokenizer_config.json", "special_tokens_map.json", "chat_template.jinja",
                                           "added_tokens.json",    "vocab.json",            "merges.txt",              "vocab.txt",
                                           "tokenizer.model"};

std::string dtypeOf(const std::vector<SafetensorsEntry>& weights) {
    size_t f16 = 0, bf16 = 0, total = 0;
    for (const SafetensorsEntry& w : weights) {
        total += w.bytes.size();
        if (w.type == DType::kF16) f16 += w.bytes.size();
        if (w.type == DType::kBF16) bf16 += w.bytes.size();
    }
    return 2 * f16 > total ? "float16" : 2 * bf16 > total ? "bfloat16" : "float32";
}

// Copies the tokenizer's files; `bytes` is Assay's own tokenizer, which has no file.
Result<int64_t> copyTokenizer(const std::string& from, const std::string& folder) {
    if (from.empty() || from == "bytes") return int64_t{0};
    std::error_code ec;
    const fs::path path(from);
    if (path.extension() == ".gguf")
        return fail(ErrorCode::kUnsupported, "a tokenizer inside a GGUF file cannot be copied into a model folder", "write tokenizer.json from it and give that path");
    const fs::path source = fs::is_directory(path, ec) ? path : path.parent_path();
    int64_t bytes = 0;
    bool found = false;
    for (const char* name : kTokenizerFiles) {
        // A tokenizer.json under another name still becomes tokenizer.json.
        const bool main = std::string_view(name) == "tokenizer.json";
        const fs::path file = main && !fs::is_directory(path, ec) ? path : source / name;
        if (!fs::is_regular_file(file, ec)) continue;
        found = found || main || std::string_view(name) == "tokenizer.model";
        ASSAY_TRY(const std::string content, readFile(file.string(), size_t{256} << 20));
        ASSAY_TRY_VOID(writeFileDurably(folder + "/" + name, content));
        bytes += static_cast<int64_t>(content.size());
    }
    if (!found) return fail(ErrorCode::kNotFound, from + " holds no tokenizer.json");
    return bytes;
}

Result<std::vector<SafetensorsEntry>> orderedWeights(const ModelConfig& config, const std::vector<SafetensorsEntry>& weights) {
    std::vector<SafetensorsEntry> out;
    for (const ParameterInfo& p : parametersOf(config)) {
        auto it = std::find_if(weights.begin(), weights.end(), [&](const SafetensorsEntry& w) { return w.name == p.name; });
        if (it == weights.end()) return fail(ErrorCode::kInternal, "cannot write the model: " + p.name + " is missing");
        if (it->shape != p.shape) return fail(ErrorCode::kInternal, "cannot write the model: " + p.name + " has another shape than the configuration says");
        out.push_back(*it);
    }
    const bool tiedHead = config.tieEmbeddings && std::any_of(weights.begin(), weights.end(), [](const auto& w) { return w.name == "lm_head.weight"; });
    if (weights.size() != out.size() + (tiedHead ? 1 : 0)) return fail(ErrorCode::kInternal, "cannot write the model: it has tensors its configuration does not know");
    return out;
}

}  // namespace

Json configToHuggingFace(const ModelConfig& config) {
    Json json = findFamily(config.family)->toHuggingFace(config);
    if (!config.sourcePrecision.empty()) json["assay_source_precision"] = config.sourcePrecision;
    return json;
}

Result<int64_t> writeHuggingFaceFolder(const std::string& folder, const ModelConfig& config, const std::vector<SafetensorsEntry>& weights,
                                       const std::string& tokenizerPath) {
    ASSAY_TRY(const std::vector<SafetensorsEntry> ordered, orderedWeights(config, weights));
    std::error_code ec;
    if (fs::exists(folder, ec)) return fail(ErrorCode::kBadUsage, folder + " exists already", "choose a new folder");
    // Everything is written beside the target and moved there at the end: a folder that exists is whole.
    const std::string staged = fmt::format("{}.tmp-{}", folder, ::getpid());
    ASSAY_TRY_VOID(removeTree(staged));
    ASSAY_TRY_VOID(makeFolders(staged));
    auto fill = [&]() -> Result<int64_t> {
        Json json = configToHuggingFace(config);
        json["torch_dtype"] = dtypeOf(ordered);
        if (tokenizerPath == "bytes") json["assay_tokenizer"] = "bytes";
        Json generation{{"_from_model_config", true}, {"bos_token_id", json["bos_token_id"]}, {"eos_token_id", json["eos_token_id"]}};
        const std::string configText = dumpJson(json, 2) + "\n", generationText = dumpJson(generation, 2) + "\n";
        ASSAY_TRY_VOID(writeFileDurably(staged + "/config.json", configText));
        ASSAY_TRY_VOID(writeFileDurably(staged + "/generation_config.json", generationText));
        ASSAY_TRY(const int64_t weightBytes, writeSafetensors(staged + "/model.safetensors", ordered, Json{{"format", "pt"}}));
        ASSAY_TRY(const int64_t tokenizerBytes, copyTokenizer(tokenizerPath, staged));
        ASSAY_TRY_VOID(commitFolder(staged, folder));
        return weightBytes + tokenizerBytes + static_cast<int64_t>(configText.size() + generationText.size());
    };
    auto bytes = fill();
    if (!bytes) (void)removeTree(staged);
    return bytes;
}

}  // namespace assay::model
