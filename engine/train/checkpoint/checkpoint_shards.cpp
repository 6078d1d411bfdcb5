// Tensors of a checkpoint in one safetensors file, or in several with an index as Hugging Face's large models have them.
#include <assay/torch.h>

#include <cstdio>
#include <filesystem>
#include <set>

#include <assay/core/durable.h>

#include "assay/train/checkpoint.h"
#include "live_tensors.h"

namespace assay::train {
namespace fs = std::filesystem;

Result<void> writeShards(const std::string& folder, const std::string& stem, const NamedTensors& tensors, int64_t shardBytes, const Json& metadata, const LiveTensors* live) {
    std::vector<std::vector<model::SafetensorsEntry>> shards(1);
    std::vector<std::vector<const model::ByteSource*>> sources(1);
    int64_t total = 0, inShard = 0;
    for (const auto& [name, tensor] : tensors) {
        const auto bytes = static_cast<int64_t>(tensor.nbytes());
        if (inShard > 0 && inShard + bytes > shardBytes) {  // a tensor larger than a shard has one to itself
            shards.emplace_back();
            sources.emplace_back();
            inShard = 0;
        }
        shards.back().push_back(entryOf(name, tensor));
        sources.back().push_back(live ? live->sourceOf(tensor) : nullptr);
        inShard += bytes;
        total += bytes;
    }
    if (shards.size() == 1) {
        ASSAY_TRY([[maybe_unused]] int64_t written, model::streamSafetensors(folder + "/" + stem + ".safetensors", shards[0], sources[0], metadata));
        return {};
    }
    Json map = Json::object();
    for (size_t i = 0; i < shards.size(); ++i) {
        char place[48];
        std::snprintf(place, sizeof place, "-%05zu-of-%05zu.safetensors", i + 1, shards.size());
        ASSAY_TRY([[maybe_unused]] int64_t written, model::streamSafetensors(folder + "/" + stem + place, shards[i], sources[i], metadata));
        for (const auto& entry : shards[i]) map[entry.name] = stem + place;
    }
    const Json index = {{"metadata", {{"total_size", total}}}, {"weight_map", map}};
    return writeFileDurably(folder + "/" + stem + ".safetensors.index.json", dumpJson(index, 2) + "\n");
}

Result<std::shared_ptr<const CheckpointTensors>> CheckpointTensors::open(const std::string& folder, const std::string& stem) {
    auto out = std::make_shared<CheckpointTensors>();
    std::set<std::string> names;
    const std::string indexPath = folder + "/" + stem + ".safetensors.index.json";
    std::error_code ec;
    if (fs::exists(indexPath, ec)) {
        ASSAY_TRY(const Json index, readJsonFile(indexPath));
        const auto map = index.is_object() ? index.find("weight_map") : index.end();
        if (!index.is_object() || map == index.end() || !map->is_object()) return fail(ErrorCode::kInvalidFile, indexPath + " has no weight_map", "use an older checkpoint");
        for (const auto& [tensor, file] : map->items()) {
            const std::string name = file.is_string() ? file.get<std::string>() : "";
            if (!name.starts_with(stem) || !name.ends_with(".safetensors") || name.find('/') != std::string::npos)
                return fail(ErrorCode::kInvalidFile, indexPath + ": " + tensor + " lies in no file of this folder", "use an older checkpoint");
            names.insert(name);
        }
    } else {
        names.insert(stem + ".safetensors");
    }
    for (const std::string& name : names) {
        ASSAY_TRY(auto file, model::SafetensorsFile::open(folder + "/" + name));
        out->files_.push_back(std::move(file));
    }
    return std::shared_ptr<const CheckpointTensors>(std::move(out));
}

const model::SafetensorsEntry* CheckpointTensors::find(const std::string& name) const {
    for (const auto& file : files_)
        if (const model::SafetensorsEntry* entry = file->find(name)) return entry;
    return nullptr;
}

}  // namespace assay::train
