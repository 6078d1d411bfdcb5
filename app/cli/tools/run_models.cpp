#include "tools/run_models.h"

#include <assay/core/durable.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace assay::cli {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMaxEventBytes = size_t{64} << 20, kMaxLine = size_t{1} << 20, kMaxSetups = 200;

bool isInside(const std::string& path, const std::string& folder) {
    std::error_code ec;
    return path.starts_with(folder + "/") && fs::exists(path, ec);
}
std::string absoluteIn(const std::string& folder, const std::string& path) {
    return path.empty() ? "" : fs::path(path.starts_with('/') ? path : folder + "/" + path).lexically_normal().string();
}

// The records that matter. Metrics are most of a file; they are passed over without being parsed.
void readEvents(const std::string& folder, RunFolder& run) {
    auto file = MappedFile::open(folder + "/events.rank0.jsonl");
    if (!file) return;
    std::string_view bytes = file->bytes();
    if (bytes.size() > kMaxEventBytes) {
        bytes.remove_prefix(bytes.size() - kMaxEventBytes);
        bytes.remove_prefix(std::min(bytes.size(), bytes.find('\n') + 1));
    }
    while (!bytes.empty()) {
        const size_t newline = bytes.find('\n');
        if (newline == bytes.npos) break;  // a line without its end is not there yet
        const std::string_view line = bytes.substr(0, newline);
        bytes.remove_prefix(newline + 1);
        const std::string_view head = line.substr(0, 64);
        if (line.size() > kMaxLine || (head.find("\"artifact\"") == head.npos && head.find("\"setup\"") == head.npos && head.find("\"end\"") == head.npos && head.find("\"hello\"") == head.npos)) continue;
        const auto record = parseJson(line, "event");
        if (!record || !record->is_object()) continue;
        const std::string type = jsonStringOr(*record, "type", ""), kind = jsonStringOr(*record, "kind", "");
        if (type == "hello") run.done = false;  // a later session counts
        if (type == "end") run.done = jsonStringOr(*record, "outcome", "") == "done";
        const std::string path = absoluteIn(folder, jsonStringOr(*record, "path", "")), name = jsonStringOr(*record, "name", "");
        if (type == "artifact" && kind == "model" && isInside(path, folder)) run.model = path;
        if ((type == "setup" || (type == "artifact" && kind == "setup")) && !name.empty() && isInside(path, folder) && run.setups.size() < kMaxSetups) {
            auto found = std::find_if(run.setups.begin(), run.setups.end(), [&](const RunSetup& s) { return s.name == name; });
            if (found == run.setups.end()) found = run.setups.insert(run.setups.end(), {name, "", path});
            if (const std::string scheme = jsonStringOr(*record, "scheme", ""); !scheme.empty()) found->scheme = scheme;
        }
    }
}

RunFolder readRun(const std::string& folder, const std::string& id) {
    RunFolder run;
    run.id = run.name = id;
    if (auto job = readJsonFile(folder + "/job.json"); job && job->is_object() && job->contains("spec") && (*job)["spec"].is_object()) {
        const Json& spec = (*job)["spec"];
        run.name = jsonStringOr(spec, "name", id);
        run.kind = jsonStringOr(spec, "kind", "");
        if (spec.contains("inputs") && spec["inputs"].is_object()) run.about = jsonStringOr(spec["inputs"], "model", "");
        if (run.about.empty() && spec.contains("model") && spec["model"].is_object()) run.about = jsonStringOr(spec["model"], "from", "");
    }
    readEvents(folder, run);
    std::error_code ec;
    if (run.model.empty() && run.kind == "train" && fs::exists(folder + "/artifacts/model/config.json", ec)) run.model = folder + "/artifacts/model";
    return run;
}

std::vector<std::string> runIds(const std::string& store) {
    std::vector<std::string> ids;
    std::error_code ec;
    for (fs::directory_iterator it(store + "/runs", ec), end; !ec && it != end && ids.size() < 100'000; it.increment(ec)) {
        std::error_code gone;
        if (it->is_directory(gone)) ids.push_back(it->path().filename().string());
    }
    std::sort(ids.rbegin(), ids.rend());  // ids begin with their time
    return ids;
}

}  // namespace

std::vector<RunFolder> readRunFolders(const std::string& store, size_t limit) {
    std::vector<RunFolder> runs;
    for (const std::string& id : runIds(store)) {
        if (runs.size() >= limit) break;
        runs.push_back(readRun(store + "/runs/" + id, id));
    }
    return runs;
}

Result<std::string> resolveRunModel(const std::string& store, const std::string& reference) {
    const std::string rest = reference.substr(4);
    const size_t slash = rest.find('/');
    const std::string prefix = rest.substr(0, slash), setup = slash == rest.npos ? "" : rest.substr(slash + 1);
    if (prefix.size() < 4 || prefix.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_") != prefix.npos || setup.find('/') != setup.npos)
        return fail(ErrorCode::kBadUsage, reference.substr(0, 200) + " is not of the form run:ID or run:ID/SET-UP", "see assay runs list");
    std::vector<std::string> found;
    for (const std::string& id : runIds(store))
        if (id.starts_with(prefix)) found.push_back(id);
    if (found.empty()) return fail(ErrorCode::kNotFound, "there is no run " + prefix + " with a folder in this store", "see assay runs list");
    if (found.size() > 1 && found.back() != prefix) return fail(ErrorCode::kBadUsage, fmt::format("{} runs begin with {}", found.size(), prefix), "give more of the id");
    const RunFolder run = readRun(store + "/runs/" + found.back(), found.back());
    if (!setup.empty()) {
        for (const RunSetup& s : run.setups)
            if (s.name == setup) return s.path;
        return fail(ErrorCode::kNotFound, fmt::format("run {} has no set-up \"{}\"", run.id, setup), "see assay runs show " + run.id);
    }
    if (run.model.empty()) return fail(ErrorCode::kNotFound, fmt::format("run {} has made no model", run.id), "name the run that trained it, or wait until it is done");
    return run.model;
}

}  // namespace assay::cli
