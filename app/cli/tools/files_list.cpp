#include <assay/data/datasets.h>
#include <assay/model/summary.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "tools/params.h"
#include "tools/tool.h"

namespace assay::cli {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMaxEntries = 5000, kMaxLookedAt = 200'000, kMaxSniffed = 500;

struct Entry {
    std::string name, kind;
    bool folder = false;
    int64_t bytes = 0, modified = 0;
};

std::string lowerExtension(const fs::path& name) {
    std::string e = name.extension().string();
    std::transform(e.begin(), e.end(), e.begin(), [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
    return e;
}

std::string kindOfFile(fs::path name) {
    std::string e = lowerExtension(name);
    if (e == ".gguf" || e == ".safetensors") return "model";
    if (e == ".yaml" || e == ".yml") return "experiment";
    if (e == ".gz" || e == ".zst") e = lowerExtension(name.stem());
    for (const char* data : {".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".txt", ".parquet", ".arrow"})
        if (e == data) return "dataset";
    return "other";
}

std::string timeText(int64_t seconds) {
    const auto t = static_cast<std::time_t>(seconds);
    std::tm tm{};
    char text[32];
    if (!::gmtime_r(&t, &tm) || std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0) return "";
    return text;
}

}  // namespace

Result<Json> toolFilesList(const GlobalOptions& options, const Json& params) {
    const char* homeVariable = std::getenv("HOME");
    const std::string home = homeVariable && *homeVariable == '/' ? homeVariable : "/";
    ASSAY_TRY(std::string folder, optionalText(params, "folder", home));
    if (folder.empty() || folder == "~") folder = home;
    ASSAY_TRY(folder, toolPath(options, folder, "folder"));
    ASSAY_TRY(const bool hidden, optionalBool(params, "hidden", false));
    std::error_code error;
    const fs::path real = fs::canonical(folder, error);
    if (error) return fail(systemError("cannot open the folder", folder, error.value()));
    if (!fs::is_directory(real, error)) return fail(ErrorCode::kBadUsage, folder + " is not a folder", "name the folder that it lies in");
    fs::directory_iterator it(real, error);
    if (error) return fail(systemError("cannot read the folder", real.string(), error.value()));

    std::vector<Entry> entries;
    size_t looked = 0;
    bool cut = false;
    for (const fs::directory_iterator end; it != end; it.increment(error)) {
        if (error) return fail(systemError("cannot read the folder", real.string(), error.value()));
        if (++looked > kMaxLookedAt) {
            cut = true;
            break;
        }
        Entry entry;
        entry.name = it->path().filename().string();
        if (!hidden && entry.name.starts_with('.')) continue;
        struct stat st {};  // of what a link leads to; of the link itself where that is gone
        if (::stat(it->path().c_str(), &st) != 0 && ::lstat(it->path().c_str(), &st) != 0) continue;
        entry.folder = S_ISDIR(st.st_mode);
        entry.bytes = S_ISREG(st.st_mode) ? st.st_size : 0;
        entry.modified = st.st_mtim.tv_sec;
        entry.kind = entry.folder ? "folder" : S_ISREG(st.st_mode) ? kindOfFile(entry.name) : "other";
        entries.push_back(std::move(entry));
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.folder != b.folder ? a.folder : a.name < b.name; });
    if (entries.size() > kMaxEntries) {
        entries.resize(kMaxEntries);
        cut = true;
    }
    Json list = Json::array();
    size_t sniffed = 0;
    for (Entry& entry : entries) {
        if (entry.folder && sniffed++ < kMaxSniffed) {
            const std::string path = (real / entry.name).string();
            if (model::looksLikeModel(path)) entry.kind = "model";
            else if (data::looksLikeDataset(path)) entry.kind = "dataset";
        }
        list.push_back({{"name", entry.name}, {"folder", entry.folder}, {"bytes", entry.bytes}, {"modified_at", timeText(entry.modified)}, {"kind", entry.kind}});
    }
    struct statvfs disk {};
    const bool known = ::statvfs(real.c_str(), &disk) == 0;
    return Json{{"folder", real.string()},
                {"parent", real.has_relative_path() ? Json(real.parent_path().string()) : Json()},
                {"home", home},
                {"entries", std::move(list)},
                {"free_bytes", known ? Json(static_cast<int64_t>(disk.f_bavail) * static_cast<int64_t>(disk.f_frsize)) : Json()},
                {"cut", cut}};
}

}  // namespace assay::cli
