// https://huggingface.co/docs/huggingface_hub/guides/manage-cache: HUB/datasets--OWNER--NAME/snapshots/REVISION/… with links to
// blobs; https://huggingface.co/docs/datasets/cache: DATASETS/OWNER___NAME/CONFIG/VERSION/HASH/{dataset_info.json,NAME-SPLIT.arrow}.
#include <assay/data/datasets.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <tuple>

#include "columnar/dataset_folder.h"

namespace assay::data {
namespace {
namespace fs = std::filesystem;

constexpr std::string_view kHubPrefix = "datasets--";
constexpr int kCacheDepth = 5;

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

// As huggingface_hub finds it; "~" at the start is the home folder.
std::string withHome(std::string path) {
    if (path == "~" || path.starts_with("~/")) path = variable("HOME") + path.substr(1);
    return path;
}
std::string homeOfHub() {
    if (const std::string home = variable("HF_HOME"); !home.empty()) return withHome(home);
    if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty()) return withHome(cache) + "/huggingface";
    return variable("HOME") + "/.cache/huggingface";
}
std::string folderOf(std::initializer_list<const char*> variables, const char* below) {
    for (const char* name : variables)
        if (const std::string value = variable(name); !value.empty()) return withHome(value);
    return homeOfHub() + "/" + below;
}

std::string withSlashes(std::string name, std::string_view separator) {
    if (const size_t at = name.find(separator); at != name.npos) name.replace(at, separator.size(), "/");
    return name;
}

std::vector<fs::path> foldersIn(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code ec;
    fs::directory_iterator it(folder, ec);
    for (const fs::directory_iterator end; !ec && it != end && found.size() < kMaxFoundDatasets; it.increment(ec)) {
        std::error_code gone;
        if (fs::is_directory(it->path(), gone)) found.push_back(it->path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

class HubFinder {
public:
    FoundDatasets take() {
        auto key = [](const FoundDataset& d) { return std::tie(d.name, d.revision, d.source, d.config, d.split, d.path); };
        std::sort(out_.datasets.begin(), out_.datasets.end(), [&](const FoundDataset& a, const FoundDataset& b) { return key(a) < key(b); });
        return std::move(out_);
    }
    void hub(const std::string& folder) {
        if (!enter(folder)) return;
        for (const fs::path& repository : foldersIn(folder)) {
            const std::string name = repository.filename().string();
            if (!name.starts_with(kHubPrefix)) continue;
            for (const fs::path& snapshot : foldersIn(repository / "snapshots"))
                add(snapshot.string(), {withSlashes(name.substr(kHubPrefix.size()), "--"), snapshot.filename().string(), "", "", "hub", "", "", 0, 0, ""});
        }
    }
    void made(const std::string& folder) {
        if (!enter(folder)) return;
        for (const fs::path& dataset : foldersIn(folder)) {
            std::error_code ec;
            fs::recursive_directory_iterator it(dataset, fs::directory_options::skip_permission_denied, ec);
            for (const fs::recursive_directory_iterator end; !ec && it != end; it.increment(ec)) {
                std::error_code gone;
                if (it->is_directory(gone)) {
                    if (it.depth() + 1 >= kCacheDepth) it.disable_recursion_pending();
                    continue;
                }
                if (it->path().filename() != "dataset_info.json") continue;
                const fs::path inside = fs::relative(it->path().parent_path(), dataset, gone);
                add(it->path().parent_path().string(), {withSlashes(dataset.filename().string(), "___"), "", inside.empty() || inside == "." ? "" : inside.begin()->string(), "", "datasets", "", "", 0, 0, ""});
            }
        }
    }

private:
    bool enter(const std::string& folder) {
        std::error_code ec;
        if (!fs::is_directory(folder, ec)) return false;
        out_.folders.push_back(folder);
        return true;
    }
    void add(const std::string& folder, FoundDataset found) {
        auto parts = datasetParts(folder);
        if (!parts) {
            found.error = parts.error().message;
            push(std::move(found));
            return;
        }
        for (const DatasetPart& part : *parts) {
            FoundDataset one = found;
            one.split = part.split;
            if (one.config.empty()) one.config = part.config;
            one.format = part.format;
            one.path = part.path;
            one.files = static_cast<int64_t>(part.files.size());
            one.bytes = part.bytes;
            push(std::move(one));
        }
    }
    void push(FoundDataset found) {
        if (out_.datasets.size() >= kMaxFoundDatasets) {
            out_.cut = true;
        } else {
            out_.datasets.push_back(std::move(found));
        }
    }
    FoundDatasets out_;
};

}  // namespace

FoundDatasets findDatasets() {
    HubFinder finder;
    finder.hub(folderOf({"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"}, "hub"));
    finder.made(folderOf({"HF_DATASETS_CACHE"}, "datasets"));
    return finder.take();
}

Json foundToJson(const FoundDatasets& found) {
    const auto text = [](const std::string& value) { return value.empty() ? Json() : Json(value); };
    Json list = Json::array();
    for (const FoundDataset& d : found.datasets)
        list.push_back(Json{{"name", d.name},     {"revision", text(d.revision)}, {"config", text(d.config)}, {"split", text(d.split)}, {"source", d.source},
                            {"format", text(d.format)}, {"files", d.files},             {"bytes", d.bytes},         {"path", text(d.path)},   {"error", text(d.error)}});
    return Json{{"folders", found.folders}, {"datasets", std::move(list)}, {"cut", found.cut}};
}

bool looksLikeDataset(const std::string& folder) { return isSavedDataset(folder); }

}  // namespace assay::data
