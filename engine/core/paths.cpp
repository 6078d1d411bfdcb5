#include "assay/core/paths.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace assay {
namespace fs = std::filesystem;
namespace {
std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}
std::string home() {
    if (auto value = variable("HOME"); !value.empty()) return value;
    if (const passwd* entry = getpwuid(getuid())) return entry->pw_dir;
    return "/";
}
}  // namespace

std::string cacheRoot() {
    if (auto value = variable("ASSAY_CACHE"); !value.empty()) return value;
    if (auto value = variable("XDG_CACHE_HOME"); !value.empty()) return value + "/assay";
    return home() + "/.cache/assay";
}
std::string assetsRoot() { return cacheRoot() + "/assets"; }
std::string defaultStore() {
    if (auto value = variable("ASSAY_STORE"); !value.empty()) return value;
    if (auto value = variable("XDG_DATA_HOME"); !value.empty()) return value + "/assay";
    return home() + "/.local/share/assay";
}
std::string executableFolder() {
    std::error_code ec;
    return fs::read_symlink("/proc/self/exe", ec).parent_path().string();
}

std::string workerProgram() {
    const std::string named = variable("ASSAY_WORKER");
    return named.empty() ? executableFolder() + "/assay-worker" : named;
}

Result<std::string> resolveAsset(std::string_view reference) {
    constexpr std::string_view kPrefix = "asset:";
    if (!reference.starts_with(kPrefix)) return std::string(reference);
    const fs::path relative = fs::path(reference.substr(kPrefix.size()));
    if (relative.empty() || relative.is_absolute())
        return fail(ErrorCode::kBadUsage, std::string(reference) + " is not of the form asset:NAME/FILE");
    for (const fs::path& part : relative)
        if (part == "..") return fail(ErrorCode::kBadUsage, std::string(reference) + " leaves the asset folder");
    std::string path = (fs::path(assetsRoot()) / relative).string();
    std::error_code ec;
    if (!fs::exists(path, ec))
        return fail(ErrorCode::kNotFound, std::string(reference) + " is not among the assets (" + path + ")", "run packaging/dev deps");
    return path;
}

std::string absolutePath(const std::string& folder, const std::string& path) {
    for (std::string_view prefix : {"asset:", "run:", "blob:"})
        if (path.starts_with(prefix)) return path;
    if (path.empty() || fs::path(path).is_absolute()) return path;
    return fs::path(fs::absolute(folder) / path).lexically_normal().string();
}

}  // namespace assay
