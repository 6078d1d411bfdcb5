// The on-disk side: stage, hash, manifest, commit; list, verify, prune.
#include <assay/torch.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include <assay/core/clock.h>
#include <assay/core/durable.h>
#include <assay/core/hash.h>

#include "assay/train/checkpoint.h"
#include "tokenizer_copy.h"

namespace assay::train {
namespace fs = std::filesystem;
namespace {

constexpr int kManifestSchema = 1;
constexpr std::string_view kPrefix = "step-";

std::string folderName(int64_t step) { return std::string(kPrefix) + std::to_string(step); }

// -1: not the name of a checkpoint.
int64_t stepOf(const std::string& name) {
    if (!name.starts_with(kPrefix)) return -1;
    int64_t step = -1;
    const char* end = name.data() + name.size();
    const auto [stopped, error] = std::from_chars(name.data() + kPrefix.size(), end, step);
    return error == std::errc() && stopped == end && step >= 0 ? step : -1;
}

// Tensors, and room for headers, the tokenizer and the small files.
uint64_t bytesOf(const Snapshot& snapshot) {
    constexpr uint64_t kSmallFiles = uint64_t{4} << 20;
    uint64_t bytes = kSmallFiles;
    for (const auto* tensors : {&snapshot.weights, &snapshot.optimizer})
        for (const auto& [name, tensor] : *tensors) bytes += tensor.nbytes();
    return bytes;
}

Result<int64_t> writeManifest(const std::string& folder, int64_t step) {
    Json files = Json::object();
    int64_t total = 0;
    std::vector<std::string> names;
    std::error_code ec;
    for (const auto& file : fs::directory_iterator(folder, ec)) names.push_back(file.path().filename().string());
    if (ec) return fail(systemError("cannot read", folder, ec.value()));
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
        const std::string path = folder + "/" + name;
        const auto bytes = static_cast<int64_t>(fs::file_size(path, ec));
        if (ec) return fail(systemError("cannot read", path, ec.value()));
        ASSAY_TRY(std::string hash, sha256HexOfFile(path));
        files[name] = {{"bytes", bytes}, {"sha256", hash}};
        total += bytes;
    }
    const Json manifest = {{"schema", kManifestSchema}, {"step", step}, {"files", files}};
    ASSAY_TRY_VOID(writeFileDurably(folder + "/manifest.json", dumpJson(manifest, 2) + "\n"));
    return total;
}

Result<void> moveAway(const std::string& path) {  // a half-removed checkpoint must not look like one
    const fs::path from(path);
    const std::string trash = (from.parent_path() / ("." + from.filename().string() + ".old")).string();
    ASSAY_TRY_VOID(removeTree(trash));
    std::error_code ec;
    fs::rename(from, trash, ec);
    if (ec) return fail(systemError("cannot remove", path, ec.value()));
    return removeTree(trash);
}

}  // namespace

Result<CheckpointInfo> writeCheckpoint(const std::string& folder, const Snapshot& snapshot, const LiveTensors* live) {
    const double start = monotonicSeconds();
    const std::string target = folder + "/" + folderName(snapshot.step), staged = folder + "/." + folderName(snapshot.step) + ".tmp";
    auto write = [&]() -> Result<int64_t> {
        ASSAY_TRY_VOID(removeTree(staged));
        ASSAY_TRY_VOID(makeFolders(folder));
        ASSAY_TRY_VOID(requireFreeSpace(folder, bytesOf(snapshot)));
        ASSAY_TRY_VOID(makeFolders(staged));
        const model::Family* family = model::findFamily(snapshot.config.family);
        if (!family) return fail(ErrorCode::kInternal, "no family " + snapshot.config.family);
        ASSAY_TRY_VOID(writeFileDurably(staged + "/config.json", dumpJson(family->toHuggingFace(snapshot.config), 2) + "\n"));
        ASSAY_TRY_VOID(writeShards(staged, "model", snapshot.weights, snapshot.shardBytes, Json{{"format", "pt"}}, live));
        ASSAY_TRY_VOID(writeShards(staged, "optimizer", snapshot.optimizer, snapshot.shardBytes, Json{{"step", std::to_string(snapshot.step)}}, live));
        ASSAY_TRY_VOID(copyTokenizer(snapshot.tokenizerPath, staged));
        ASSAY_TRY_VOID(writeFileDurably(staged + "/state.json", dumpJson(snapshot.state, 2) + "\n"));
        ASSAY_TRY(int64_t bytes, writeManifest(staged, snapshot.step));
        // A damaged checkpoint of the same step may lie in the way.
        std::error_code ec;
        if (fs::exists(target, ec)) ASSAY_TRY_VOID(moveAway(target));
        ASSAY_TRY_VOID(commitFolder(staged, target));
        return bytes;
    };
    auto bytes = write();
    if (!bytes) {
        (void)removeTree(staged);
        return fail(std::move(bytes.error()).with("saving the checkpoint of step " + std::to_string(snapshot.step)));
    }
    return CheckpointInfo{snapshot.step, target, *bytes, monotonicSeconds() - start};
}

std::vector<CheckpointInfo> listCheckpoints(const std::string& folder) {
    std::vector<CheckpointInfo> found;
    std::error_code ec;
    for (fs::directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec)) {
        const int64_t step = stepOf(it->path().filename().string());
        std::error_code ignored;
        if (step >= 0 && fs::is_regular_file(it->path() / "manifest.json", ignored)) found.push_back({step, it->path().string(), 0, 0});
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.step < b.step; });
    return found;
}

Result<void> verifyCheckpoint(const std::string& path) {
    ASSAY_TRY(Json manifest, readJsonFile(path + "/manifest.json"));
    auto damaged = [&](const std::string& what) { return fail(ErrorCode::kInvalidFile, "checkpoint " + path + " is damaged: " + what); };
    if (const int64_t schema = jsonIntegerOr(manifest, "schema", -1); schema > kManifestSchema)
        return fail(ErrorCode::kVersionMismatch, "checkpoint " + path + " was written by a newer Assay (schema " + std::to_string(schema) + ", this one knows " + std::to_string(kManifestSchema) + ")", "update Assay");
    else if (schema != kManifestSchema) return damaged("manifest.json has another schema");
    const auto files = manifest.find("files");
    if (files == manifest.end() || !files->is_object()) return damaged("manifest.json lists no files");
    for (const char* needed : {"config.json", "model.safetensors", "optimizer.safetensors", "state.json"})
        if (!files->contains(needed) && !files->contains(std::string(needed) + ".index.json")) return damaged(std::string(needed) + " is not in the manifest");
    for (const auto& [name, entry] : files->items()) {
        if (name.find('/') != std::string::npos || name.empty() || name[0] == '.') return damaged("the manifest names a file outside the folder");
        std::error_code ec;
        const auto size = fs::file_size(path + "/" + name, ec);
        if (ec) return damaged(name + " is missing");
        if (static_cast<int64_t>(size) != jsonIntegerOr(entry, "bytes", -1))
            return damaged(name + " has " + std::to_string(size) + " bytes instead of " + std::to_string(jsonIntegerOr(entry, "bytes", -1)));
        ASSAY_TRY(std::string hash, sha256HexOfFile(path + "/" + name));
        if (hash != jsonStringOr(entry, "sha256", "")) return damaged(name + " has changed (SHA-256 differs)");
    }
    return {};
}

Result<CheckpointInfo> newestCheckpoint(const std::string& folder, const std::function<void(const Error&)>& warn) {
    auto found = listCheckpoints(folder);
    for (auto it = found.rbegin(); it != found.rend(); ++it) {
        auto good = verifyCheckpoint(it->path);
        if (good) return *it;
        if (warn) warn(good.error());
    }
    return fail(ErrorCode::kNotFound, "no usable checkpoint in " + folder);
}

Result<void> pruneCheckpoints(const std::string& folder, int64_t keep) {
    const auto found = listCheckpoints(folder);
    const size_t kept = static_cast<size_t>(std::max<int64_t>(keep, 1));
    const auto best = bestCheckpoint(folder);
    for (size_t i = 0; i + kept < found.size(); ++i)
        if (!best || found[i].step != best->step) ASSAY_TRY_VOID(moveAway(found[i].path));
    return {};
}

Result<void> clearUnfinished(const std::string& folder) {
    std::vector<std::string> left;
    std::error_code ec;
    for (fs::directory_iterator it(folder, ec), end; !ec && it != end; it.increment(ec)) {
        const std::string name = it->path().filename().string();
        if (name.starts_with("." + std::string(kPrefix)) && (name.ends_with(".tmp") || name.ends_with(".old"))) left.push_back(it->path().string());
    }
    for (const std::string& path : left) ASSAY_TRY_VOID(removeTree(path));
    return {};
}

}  // namespace assay::train
