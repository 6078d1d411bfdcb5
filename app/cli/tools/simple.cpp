// Tools that a command of the same meaning answers already.
#include <assay/data/tokenizer.h>

#include "documents.h"
#include "tools/params.h"
#include "tools/tool.h"

namespace assay::cli {
namespace {
constexpr size_t kMaxText = 64 << 10;  // ids, offsets and token texts of more do not fit an answer
}

Result<Json> toolDoctor(const GlobalOptions& options, const Json&) { return doctorDocument(options); }

Result<Json> toolSpecCheck(const GlobalOptions&, const Json& params) {
    ASSAY_TRY(const std::string yaml, requiredText(params, "yaml"));
    ASSAY_TRY(const std::string folder, optionalText(params, "folder", "/"));
    if (!folder.starts_with('/')) return fail(ErrorCode::kBadUsage, "\"folder\" must be an absolute path");
    return checkDocument(config::loadSpecText(yaml, "experiment", folder));
}

Result<Json> toolTokenize(const GlobalOptions& options, const Json& params) {
    ASSAY_TRY(const std::string text, requiredText(params, "text"));
    if (text.size() > kMaxText) return fail(ErrorCode::kUnsupported, "\"text\" is longer than 64 KiB", "give a part of it, or use assay tokenize --file");
    data::EncodeOptions how;
    how.offsets = true;
    ASSAY_TRY(how.addSpecial, optionalBool(params, "add_special", false));
    ASSAY_TRY(how.parseSpecial, optionalBool(params, "parse_special", false));
    ASSAY_TRY(const data::TokenizerPtr tokenizer, toolTokenizer(options, params));
    return tokenizeDocument(*tokenizer, text, how);
}

}  // namespace assay::cli
