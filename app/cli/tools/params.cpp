#include "tools/params.h"

#include <assay/core/paths.h>
#include <assay/model/model_file.h>
#include <fmt/format.h>

#include <filesystem>

#include "tools/run_models.h"

namespace assay::cli {
namespace {

constexpr size_t kMaxPath = 4096, kMaxColumns = 64;

tl::unexpected<Error> wrong(std::string_view key, std::string_view what) {
    return fail(ErrorCode::kBadUsage, fmt::format("\"{}\" must be {}", key, what), "PROTOCOL.md lists the parameters of every tool");
}
const Json* valueOf(const Json& params, std::string_view key) {
    auto found = params.find(key);
    return found == params.end() || found->is_null() ? nullptr : &*found;
}

}  // namespace

Result<std::string> optionalText(const Json& params, std::string_view key, std::string_view fallback) {
    const Json* value = valueOf(params, key);
    if (!value) return std::string(fallback);
    if (!value->is_string()) return wrong(key, "a text");
    return value->get<std::string>();
}

Result<std::string> requiredText(const Json& params, std::string_view key) {
    if (!valueOf(params, key)) return fail(ErrorCode::kBadUsage, fmt::format("\"{}\" is missing", key), "PROTOCOL.md lists the parameters of every tool");
    return optionalText(params, key, "");
}

Result<int64_t> integerWithin(const Json& params, std::string_view key, std::optional<int64_t> fallback, int64_t least, int64_t most) {
    const Json* value = valueOf(params, key);
    if (!value && fallback) return *fallback;
    const bool fits = value && value->is_number_integer() && !(value->is_number_unsigned() && value->get<uint64_t>() > static_cast<uint64_t>(INT64_MAX));
    if (!fits || value->get<int64_t>() < least || value->get<int64_t>() > most) return wrong(key, fmt::format("a whole number from {} to {}", least, most));
    return value->get<int64_t>();
}

Result<bool> optionalBool(const Json& params, std::string_view key, bool fallback) {
    const Json* value = valueOf(params, key);
    if (!value) return fallback;
    if (!value->is_boolean()) return wrong(key, "true or false");
    return value->get<bool>();
}

Result<std::string> toolPath(const GlobalOptions& options, const std::string& reference, std::string_view key) {
    if (reference.empty() || reference.size() > kMaxPath || reference.find('\0') != reference.npos) return wrong(key, "a path or a reference of at most 4,096 bytes");
    if (reference.starts_with("asset:")) return resolveAsset(reference);
    if (reference.starts_with("blob:")) {
        const std::string hash = reference.substr(5);
        if (hash.size() != 64 || hash.find_first_not_of("0123456789abcdef") != hash.npos) return wrong(key, "blob: and a SHA-256 in lower-case hex");
        const std::string path = options.store + "/blobs/" + hash;
        std::error_code ec;
        if (!std::filesystem::exists(path, ec)) return fail(ErrorCode::kNotFound, reference + " is not in the store", "upload the file again");
        return path;
    }
    if (reference[0] != '/') return wrong(key, "an absolute path, or an asset: or blob: reference");
    return reference;
}

Result<std::string> toolModelPath(const GlobalOptions& options, const std::string& reference, std::string_view key) {
    if (reference.starts_with("run:")) return resolveRunModel(options.store, reference);
    return toolPath(options, reference, key);
}

Result<data::DataFilePtr> dataFile(const GlobalOptions& options, const Json& params, const std::string& path) {
    config::DataSource source;
    ASSAY_TRY(source.path, toolPath(options, path, "path"));
    ASSAY_TRY(source.format, optionalText(params, "format", "auto"));
    if (const Json* columns = valueOf(params, "columns")) {
        if (!columns->is_object() || columns->size() > kMaxColumns) return wrong("columns", "a map of role: column");
        for (const auto& [role, column] : columns->items()) {
            if (!column.is_string()) return wrong("columns", "a map of role: column");
            source.columns.emplace_back(role, column.get<std::string>());
        }
    }
    ASSAY_TRY(const std::string document, optionalText(params, "document", "line"));
    constexpr std::pair<std::string_view, config::Document> kDocuments[] = {{"line", config::Document::kLine}, {"paragraph", config::Document::kParagraph}, {"file", config::Document::kFile}};
    for (const auto& [name, value] : kDocuments)
        if (document == name) return data::DataFile::open(source, value, options.store + "/cache");
    return wrong("document", "line, paragraph or file");
}

Result<data::TokenizerPtr> toolTokenizer(const GlobalOptions& options, const Json& params) {
    ASSAY_TRY(const std::string reference, requiredText(params, "tokenizer"));
    if (reference == "bytes") return data::loadTokenizer("bytes");
    ASSAY_TRY(std::string path, toolModelPath(options, reference, "tokenizer"));
    auto tokenizer = data::loadTokenizer(path);
    // A model stands for its tokenizer, which may lie elsewhere (a checkpoint with a tokenizer of its data, or bytes).
    if (!tokenizer && tokenizer.error().code == ErrorCode::kNotFound)
        if (auto opened = model::openModel(path); opened && !(*opened)->tokenizerPath().empty() && (*opened)->tokenizerPath() != path)
            return data::loadTokenizer((*opened)->tokenizerPath());
    return tokenizer;
}

Result<config::OverLength> overLengthOf(const Json& params) {
    ASSAY_TRY(const std::string text, optionalText(params, "over_length", "split"));
    constexpr std::pair<std::string_view, config::OverLength> kPolicies[] = {
        {"split", config::OverLength::kSplit}, {"truncate", config::OverLength::kTruncate}, {"drop", config::OverLength::kDrop}, {"error", config::OverLength::kError}};
    for (const auto& [name, value] : kPolicies)
        if (text == name) return value;
    return wrong("over_length", "split, truncate, drop or error");
}

Result<data::EncodeChoice> encodeChoiceOf(const Json& params) {
    data::EncodeChoice out;
    ASSAY_TRY(out.chatTemplate, optionalText(params, "template", "auto"));
    ASSAY_TRY(const std::string text, optionalText(params, "loss_on", "all"));
    constexpr std::pair<std::string_view, config::LossOn> kLosses[] = {{"all", config::LossOn::kAll}, {"assistant", config::LossOn::kAssistant}, {"completion", config::LossOn::kCompletion}};
    for (const auto& [name, value] : kLosses)
        if (text == name) {
            out.lossOn = value;
            return out;
        }
    return wrong("loss_on", "all, assistant or completion");
}

}  // namespace assay::cli
