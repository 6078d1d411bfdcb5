#include "tokenizer_copy.h"

#include <filesystem>

#include <assay/core/durable.h>
#include <assay/data/tokenizer.h>

namespace assay::train {
namespace fs = std::filesystem;

Result<void> copyTokenizer(const std::string& source, const std::string& folder) {
    if (source.empty()) return {};
    std::error_code ec;
    const fs::path path = fs::is_directory(source, ec) ? fs::path(source) / "tokenizer.json" : fs::path(source);
    if (path.filename() == "tokenizer.json" && fs::is_regular_file(path, ec)) {
        ASSAY_TRY(std::string text, readFile(path.string()));
        ASSAY_TRY_VOID(writeFileDurably(folder + "/tokenizer.json", text));
        for (const char* name : {"tokenizer_config.json", "special_tokens_map.json"}) {
            const fs::path extra = path.parent_path() / name;
            if (!fs::is_regular_file(extra, ec)) continue;
            ASSAY_TRY(std::string more, readFile(extra.string()));
            ASSAY_TRY_VOID(writeFileDurably(folder + "/" + name, more));
        }
        return {};
    }
    ASSAY_TRY(data::TokenizerPtr tokenizer, data::loadTokenizer(source));
    ASSAY_TRY(std::string text, tokenizer->toTokenizerJson());
    return writeFileDurably(folder + "/tokenizer.json", text);
}

}  // namespace assay::train
