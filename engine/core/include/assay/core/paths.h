#pragma once
#include <assay/core/error.h>

#include <string>
#include <string_view>

namespace assay {

std::string cacheRoot();     // $ASSAY_CACHE, else ${XDG_CACHE_HOME:-~/.cache}/assay
std::string assetsRoot();    // cacheRoot()/assets
std::string defaultStore();  // $ASSAY_STORE, else ${XDG_DATA_HOME:-~/.local/share}/assay
std::string executableFolder();  // folder of the running program: the sibling programs lie there
std::string workerProgram();     // $ASSAY_WORKER, else the sibling assay-worker

// "asset:NAME/FILE" → path under assetsRoot(), kNotFound with the hint `packaging/dev deps` when absent; refuses "..".
// Anything else is returned as it is.
Result<std::string> resolveAsset(std::string_view reference);
// `path` made absolute against `folder`; "asset:", "run:" and "blob:" references and absolute paths stay as they are.
std::string absolutePath(const std::string& folder, const std::string& path);

}  // namespace assay
