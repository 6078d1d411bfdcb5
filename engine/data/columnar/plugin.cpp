#include <dlfcn.h>

#include <assay/core/paths.h>

#include <mutex>
#include <optional>

#include "columnar/columnar.h"

namespace assay::data {
namespace {

constexpr const char* kLibrary = "libassay_arrow.so";

Result<const ColumnarPlugin*> loadColumnar() {
    const auto missing = [](const std::string& why) {
        return fail(ErrorCode::kUnsupported, "Parquet and Arrow files need " + std::string(kLibrary) + ", which cannot be loaded: " + why,
                    "build it with packaging/dev build and keep it beside the program, or convert the data to JSONL");
    };
    const std::string path = executableFolder() + "/" + kLibrary;
    void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);  // never closed: its threads and caches live to the end
    if (!handle) {
        const char* why = ::dlerror();
        return missing(why ? why : path);
    }
    using Entry = const ColumnarPlugin* (*)();
    const auto entry = reinterpret_cast<Entry>(::dlsym(handle, kColumnarEntry));
    const ColumnarPlugin* plugin = entry ? entry() : nullptr;
    if (!plugin || plugin->version != kColumnarVersion) return missing(path + " belongs to another version of Assay");
    return plugin;
}

}  // namespace

Result<const ColumnarPlugin*> columnarPlugin() {
    static std::once_flag once;
    static std::optional<Result<const ColumnarPlugin*>> loaded;
    std::call_once(once, [] { loaded.emplace(loadColumnar()); });
    return *loaded;
}

}  // namespace assay::data
