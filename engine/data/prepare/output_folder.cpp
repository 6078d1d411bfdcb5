#include "prepare/output_folder.h"

#include <filesystem>

namespace assay::data {

Result<std::string> newOutputFolder(const std::string& out) {
    namespace fs = std::filesystem;
    if (out.empty()) return fail(ErrorCode::kBadUsage, "there is no folder to write to", "name one with --out");
    std::error_code ec;
    fs::path path = fs::absolute(out).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();
    if (fs::exists(path, ec) && !(fs::is_directory(path, ec) && fs::is_empty(path, ec)))
        return fail(ErrorCode::kBadUsage, path.string() + " exists and is not an empty folder", "choose a new folder for --out");
    ASSAY_TRY_VOID(makeFolders(path.parent_path().string()));
    return path.string();
}

Result<void> commitOutput(const StagedFolder& staged, const std::string& out) {
    std::error_code ignored;
    std::filesystem::remove(out, ignored);  // an empty folder
    return commitFolder(staged.path(), out);
}

}  // namespace assay::data
