#include "import_ids/prepared_source.h"

#include <assay/core/paths.h>

#include <filesystem>

namespace assay::data {
namespace fs = std::filesystem;

Result<std::shared_ptr<const PreparedFolder>> preparedSource(const config::DataSpec& spec, const PrepareOptions& options) {
    if (spec.train.empty()) return std::shared_ptr<const PreparedFolder>();
    ASSAY_TRY(const std::string path, resolveAsset(spec.train[0].path));
    std::error_code ec;
    if (!fs::is_directory(path, ec) || !fs::is_regular_file(path + "/manifest.json", ec)) return std::shared_ptr<const PreparedFolder>();
    if (const auto manifest = readJsonFile(path + "/manifest.json"); !manifest || jsonStringOr(*manifest, "format", "") != kManifestFormat) return std::shared_ptr<const PreparedFolder>();
    ASSAY_TRY(const auto folder, PreparedFolder::openFolder(path));
    const auto refuse = [&](const std::string& what, const std::string& hint) { return fail(ErrorCode::kBadUsage, path + " is prepared data, and " + what, hint); };
    if (spec.train.size() > 1) return refuse("cannot be mixed with other sources", "name it alone under data.train");
    if (spec.eval) return refuse("has its own held-out part", "leave data.eval away");
    if (spec.sequenceLength != folder->sequenceLength())
        return refuse("its sequences have " + std::to_string(folder->sequenceLength()) + " tokens", "set data.sequence_length: " + std::to_string(folder->sequenceLength()));
    using Kind = config::TokenizerSpec::Kind;
    std::string tokenizer = spec.tokenizer.kind == Kind::kBytes ? "bytes" : spec.tokenizer.kind == Kind::kModel ? options.modelTokenizer : spec.tokenizer.path;
    if (spec.tokenizer.kind == Kind::kTrainBpe || spec.tokenizer.kind == Kind::kTrainWordPiece) return refuse("its tokenizer is made already", "set data.tokenizer: " + path + "/tokenizer.json");
    if (!tokenizer.empty()) {
        ASSAY_TRY(const TokenizerPtr asked, loadTokenizer(tokenizer));
        const Json& own = folder->manifest()["tokenizer"];
        // A tokenizer.json that was written here again has a key of its own; the one in the folder is it.
        const auto here = loadTokenizer(path + "/tokenizer.json");
        if (asked->contentKey() != jsonStringOr(own, "key", "") && !(here && (*here)->contentKey() == asked->contentKey()))
            return refuse("its ids belong to another tokenizer than " + tokenizer, "set data.tokenizer: " + path + "/tokenizer.json, or prepare the data with that tokenizer");
    }
    return folder;
}

}  // namespace assay::data
