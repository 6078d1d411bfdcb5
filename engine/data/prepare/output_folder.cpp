#include "prepare/output_folder.h"

#include <signal.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace assay::data {
namespace {

// What writers of the same folder left there when they were killed: NAME.exporting-<pid>.
void removeDeadOutputs(const std::filesystem::path& out) {
    std::error_code ec;
    std::vector<std::filesystem::path> dead;
    for (std::filesystem::directory_iterator it(out.parent_path(), ec), end; !ec && it != end; it.increment(ec)) {
        const std::string name = it->path().filename().string();
        for (const char* word : {".exporting-", ".importing-"}) {
            const std::string prefix = out.filename().string() + word;
            if (!name.starts_with(prefix)) continue;
            char* rest = nullptr;
            const long pid = std::strtol(name.c_str() + prefix.size(), &rest, 10);
            if (pid > 0 && *rest == '\0' && ::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH) dead.push_back(it->path());
        }
    }
    for (const auto& path : dead) (void)removeTree(path.string());
}

}  // namespace

Result<std::string> newOutputFolder(const std::string& out) {
    namespace fs = std::filesystem;
    if (out.empty()) return fail(ErrorCode::kBadUsage, "there is no folder to write to", "name one with --out");
    std::error_code ec;
    fs::path path = fs::absolute(out).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();
    if (fs::exists(path, ec) && !(fs::is_directory(path, ec) && fs::is_empty(path, ec)))
        return fail(ErrorCode::kBadUsage, path.string() + " exists and is not an empty folder", "choose a new folder for --out");
    ASSAY_TRY_VOID(makeFolders(path.parent_path().string()));
    removeDeadOutputs(path);
    return path.string();
}

Result<void> commitOutput(const StagedFolder& staged, const std::string& out) {
    std::error_code ignored;
    std::filesystem::remove(out, ignored);  // an empty folder
    return commitFolder(staged.path(), out);
}

}  // namespace assay::data
