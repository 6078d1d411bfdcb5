// Folders: Hugging Face's (one file or shards with an index), Assay's checkpoints and quantized folders.
#include <assay/core/durable.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "completeness.h"
#include "loaded_model.h"

namespace assay::model {
namespace fs = std::filesystem;
namespace {

bool exists(const std::string& path) {
    std::error_code ec;
    return fs::exists(path, ec);
}

// Path of the file `name` of the folder. The name may come from a file of somebody else: it must be a plain name, and a
// link must stay inside the folder, or lead to the blobs of a Hugging Face cache (…/snapshots/REVISION → …/blobs).
Result<std::string> memberFile(const std::string& folder, const std::string& name) {
    const bool plain = !name.empty() && name[0] != '.' && name.find_first_of(std::string_view("/\\\0", 3)) == name.npos;
    if (!plain || !name.ends_with(".safetensors") || name.size() > 255)
        return fail(ErrorCode::kInvalidFile, fmt::format("{}: \"{}\" is not the plain name of a .safetensors file of this folder", folder, name));
    const std::string path = (fs::path(folder) / name).string();
    std::error_code ec;
    const fs::path root = fs::canonical(folder, ec), real = fs::canonical(path, ec);
    if (ec) return fail(ErrorCode::kInvalidFile, path + " is missing", "copy the whole model folder");
    const bool cache = root.parent_path().filename() == "snapshots" && real.parent_path() == root.parent_path().parent_path() / "blobs";
    if (real.parent_path() != root && !cache) return fail(ErrorCode::kInvalidFile, path + " is a link that leads out of the folder");
    return path;
}

Result<std::vector<std::string>> filesOfIndex(const std::string& indexPath, std::map<std::string, std::string>& map) {
    ASSAY_TRY(const Json index, readJsonFile(indexPath));
    auto weights = index.is_object() ? index.find("weight_map") : index.end();
    if (!index.is_object() || weights == index.end() || !weights->is_object())
        return fail(ErrorCode::kInvalidFile, indexPath + ": \"weight_map\" is missing or is no object");
    std::vector<std::string> files;
    for (const auto& [tensor, file] : weights->items()) {
        if (!file.is_string()) return fail(ErrorCode::kInvalidFile, fmt::format("{}: weight_map \"{}\" must be a file name", indexPath, tensor));
        map.emplace(tensor, file.get<std::string>());
        files.push_back(file.get<std::string>());
    }
    std::sort(files.begin(), files.end());
    files.erase(std::unique(files.begin(), files.end()), files.end());
    return files;
}

// model-00001-of-00002.safetensors … for the stem "model".
std::vector<std::string> shardsOf(const std::string& folder, const std::string& stem) {
    std::vector<std::string> files;
    std::error_code ec;
    for (fs::directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec)) {
        const std::string name = it->path().filename().string();
        if (name.starts_with(stem + "-") && name.ends_with(".safetensors")) files.push_back(name);
    }
    std::sort(files.begin(), files.end());
    return files;
}

Result<std::vector<std::string>> weightFiles(const std::string& folder, std::map<std::string, std::string>& map) {
    if (exists(folder + "/model.safetensors")) return std::vector<std::string>{"model.safetensors"};
    const std::string index = folder + "/model.safetensors.index.json";
    if (exists(index)) return filesOfIndex(index, map);
    if (exists(folder + "/manifest.json"))  // a checkpoint that was written without an index
        if (auto shards = shardsOf(folder, "model"); !shards.empty()) return shards;
    if (exists(folder + "/pytorch_model.bin") || exists(folder + "/pytorch_model.bin.index.json"))
        return fail(ErrorCode::kUnsupported, folder + " holds pickled weights (pytorch_model.bin), which can run code and are not read",
                    "save the model as safetensors with its own tools");
    return fail(ErrorCode::kNotFound, folder + " holds neither model.safetensors nor model.safetensors.index.json");
}

// Several weights in one tensor: views into it. Their names and number come from the configuration, which has been checked.
Result<bool> addFused(const std::string& path, const Family& family, const TensorView& whole, LoadedModel::Parts& parts) {
    if (!family.fusedParts) return false;
    const std::vector<FusedPart> members = family.fusedParts(whole.name, parts.config);
    if (members.empty()) return false;
    const auto expected = family.parameters(parts.config);
    const auto first = std::find_if(expected.begin(), expected.end(), [&](const ParameterInfo& p) { return p.name == members.front().name; });
    const int64_t rows = members.back().first + members.back().rows, experts = parts.config.experts, element = dtypeBytes(whole.type);
    if (first == expected.end() || element == 0 || whole.shape != std::vector<int64_t>{experts, rows / experts, first->shape[1]})
        return fail(ErrorCode::kInvalidFile, fmt::format("{}: tensor {} is [{}] of {}, which config.json does not make of its experts", path, whole.name,
                                                         fmt::join(whole.shape, ", "), dtypeName(whole.type)));
    const int64_t rowBytes = first->shape[1] * element;
    for (const FusedPart& member : members) {
        TensorView view = whole;
        view.name = member.name;
        view.shape = {member.rows, first->shape[1]};
        view.bytes = whole.bytes.substr(static_cast<size_t>(member.first * rowBytes), static_cast<size_t>(member.rows * rowBytes));
        parts.tensors.push_back(std::move(view));
    }
    return true;
}

Result<void> addShard(const std::string& folder, const std::string& name, const Family& family, const std::map<std::string, std::string>& map,
                      size_t& found, LoadedModel::Parts& parts) {
    ASSAY_TRY(const std::string path, memberFile(folder, name));
    ASSAY_TRY(std::shared_ptr<const SafetensorsFile> file, SafetensorsFile::open(path));
    for (const SafetensorsEntry& e : file->entries()) {
        if (!map.empty()) {
            auto it = map.find(e.name);
            if (it == map.end() || it->second != name)
                return fail(ErrorCode::kInvalidFile, fmt::format("{} holds the tensor {}, which model.safetensors.index.json does not place there", path, e.name));
            ++found;
        }
        TensorView view;
        view.name = canonicalName(family, e.name);
        if (view.name.empty()) continue;
        view.type = e.type;
        view.shape = e.shape;
        view.bytes = e.bytes;
        ASSAY_TRY(const bool fused, addFused(path, family, view, parts));
        if (!fused) parts.tensors.push_back(std::move(view));
    }
    for (const auto& [key, value] : file->metadata().items())
        if (!parts.metadata.contains(key)) parts.metadata[key] = value;
    parts.mappings.push_back(file);
    return {};
}

// State of an optimizer, whole or in shards (an index may be missing when writing ended early): a checkpoint, finished or not.
bool holdsOptimizer(const std::string& folder) {
    return exists(folder + "/optimizer.safetensors") || exists(folder + "/optimizer.safetensors.index.json") || !shardsOf(folder, "optimizer").empty();
}

Result<ModelConfig> readConfig(const std::string& folder, Json& raw) {
    ASSAY_TRY(raw, readJsonFile(folder + "/config.json"));
    auto config = configFromHuggingFace(raw);
    if (!config) return fail(std::move(config.error()).with(folder));
    // generation_config.json may name further ends; generation stops at any of them.
    if (exists(folder + "/generation_config.json")) {
        ASSAY_TRY(const Json generation, readJsonFile(folder + "/generation_config.json"));
        if (auto list = generation.is_object() ? generation.find("eos_token_id") : generation.end(); generation.is_object() && list != generation.end()) {
            const Json ids = list->is_array() ? *list : Json::array({*list});
            for (const Json& id : ids) {
                if (id.is_null()) continue;
                if (!id.is_number_integer() || id.get<int64_t>() < 0 || id.get<int64_t>() >= config->vocab || ids.size() > 1024)
                    return fail(ErrorCode::kInvalidFile, folder + "/generation_config.json: eos_token_id must hold ids of the vocabulary");
                const auto n = id.get<int64_t>();
                if (std::find(config->eosIds.begin(), config->eosIds.end(), n) == config->eosIds.end()) config->eosIds.push_back(n);
            }
        }
    }
    return config;
}

// tokenizer.json beside the weights, else what manifest.json or config.json names.
std::string tokenizerOf(const std::string& folder, const Json& config) {
    if (exists(folder + "/tokenizer.json")) return folder + "/tokenizer.json";
    std::string named = jsonStringOr(config, "assay_tokenizer", "");
    if (auto manifest = readJsonFile(folder + "/manifest.json")) named = jsonStringOr(*manifest, "tokenizer", named);
    if (named.empty() || named == "bytes") return named;
    const fs::path path = fs::path(named).is_absolute() ? fs::path(named) : fs::path(folder) / named;
    return exists(path.string()) ? path.string() : "";
}

}  // namespace

Result<LoadedModel::Parts> openFolderModel(const std::string& folder, const std::string& weights) {
    if (!exists(folder + "/config.json"))
        return fail(ErrorCode::kNotFound, folder + "/config.json does not exist", "a model folder needs config.json and model.safetensors");
    if (!exists(folder + "/manifest.json") && holdsOptimizer(folder))
        return fail(ErrorCode::kInvalidFile, folder + " is a checkpoint that was never completed (manifest.json is missing)", "use an earlier checkpoint");
    LoadedModel::Parts parts;
    Json raw;
    ASSAY_TRY(parts.config, readConfig(folder, raw));
    const Family& family = *findFamily(parts.config.family);

    std::map<std::string, std::string> map;  // tensor → file, when there is an index
    std::vector<std::string> files{weights};
    if (weights.empty()) {
        ASSAY_TRY(files, weightFiles(folder, map));
    }
    size_t found = 0;
    for (const std::string& name : files) ASSAY_TRY_VOID(addShard(folder, name, family, map, found, parts));
    if (found != map.size())
        return fail(ErrorCode::kInvalidFile, fmt::format("{}: model.safetensors.index.json names {} tensors, the files hold {} of them", folder, map.size(), found),
                    "copy the whole model folder");

    auto record = readQuantizationRecord(folder);
    if (!record && record.error().code != ErrorCode::kNotFound) return fail(std::move(record.error()));
    ASSAY_TRY_VOID(checkComplete(parts.config, record ? &*record : nullptr, folder, parts.tensors));
    if (record) parts.metadata["quantization"] = recordToJson(*record);
    parts.path = weights.empty() ? folder : (fs::path(folder) / weights).string();
    parts.tokenizerPath = tokenizerOf(folder, raw);
    return parts;
}

}  // namespace assay::model
