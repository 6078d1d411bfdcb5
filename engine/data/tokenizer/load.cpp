#include <assay/core/durable.h>
#include <assay/core/paths.h>
#include <assay/data/tokenizer.h>

#include <filesystem>

#include "tokenizer/byte_tokenizer.h"
#include "tokenizer/gguf_tokenizer.h"
#include "tokenizer/hf_tokenizer.h"

namespace assay::data {
namespace {
namespace fs = std::filesystem;

bool present(const fs::path& path) {
    std::error_code ec;
    return fs::exists(path, ec);
}

// "bos_token": "<s>" or {"content": "<s>", …}
std::string tokenField(const Json& config, const char* key) {
    if (!config.is_object() || !config.contains(key)) return {};
    const Json& value = config[key];
    return value.is_string() ? value.get<std::string>() : jsonStringOr(value, "content", "");
}

std::string templateField(const Json& config) {
    if (!config.is_object() || !config.contains("chat_template")) return {};
    const Json& value = config["chat_template"];
    if (value.is_string()) return value.get<std::string>();
    if (!value.is_array()) return {};
    for (const Json& item : value)
        if (jsonStringOr(item, "name", "") == "default") return jsonStringOr(item, "template", "");
    return {};
}

// A companion file that is absent says nothing; one that is broken is an error.
Result<Json> companion(const fs::path& path) {
    if (!present(path)) return Json();
    return readJsonFile(path.string());
}

Result<TokenizerExtras> extrasBeside(const fs::path& folder) {
    TokenizerExtras e;
    ASSAY_TRY(const Json config, companion(folder / "tokenizer_config.json"));
    ASSAY_TRY(const Json special, companion(folder / "special_tokens_map.json"));
    auto field = [&](std::initializer_list<const char*> keys) -> std::string {
        for (const Json* source : {&config, &special})
            for (const char* key : keys)
                if (auto text = tokenField(*source, key); !text.empty()) return text;
        return {};
    };
    e.bosToken = field({"bos_token", "cls_token"});
    e.eosToken = field({"eos_token", "sep_token"});
    e.chatTemplate = templateField(config);
    if (const fs::path file = folder / "chat_template.jinja"; present(file)) {
        ASSAY_TRY(e.chatTemplate, readFile(file.string(), 4 << 20));
    }
    return e;
}

Result<TokenizerPtr> loadJson(const fs::path& path) {
    ASSAY_TRY(std::string text, readFile(path.string(), size_t{512} << 20));
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    ASSAY_TRY(const TokenizerExtras extras, extrasBeside(folder));
    return tokenizerFromJson(std::move(text), path.string(), extras);
}

}  // namespace

Result<TokenizerPtr> loadTokenizer(const std::string& reference) {
    if (reference == "bytes") return byteTokenizer();
    if (reference.empty()) return fail(ErrorCode::kBadUsage, "no tokenizer is named", "give a folder, a tokenizer.json, a .gguf file or bytes");
    ASSAY_TRY(const std::string resolved, resolveAsset(reference));
    const fs::path path(resolved);
    std::error_code ec;
    if (fs::is_directory(path, ec)) {
        if (present(path / "tokenizer.json")) return loadJson(path / "tokenizer.json");
        if (present(path / "tokenizer.model"))
            return fail(ErrorCode::kUnsupported, path.string() + " holds a tokenizer.model but no tokenizer.json", "save the tokenizer in the fast format (tokenizer.json) first");
        return fail(ErrorCode::kNotFound, path.string() + " holds no tokenizer.json");
    }
    if (!present(path)) return fail(systemError("cannot open tokenizer", path.string(), ENOENT));
    const std::string extension = path.extension().string();
    if (extension == ".gguf") {
        ASSAY_TRY(const GgufMetadata metadata, GgufMetadata::read(path.string()));
        return tokenizerFromGguf(metadata, path.string());
    }
    if (extension == ".json") return loadJson(path);
    return fail(ErrorCode::kUnsupported, path.string() + " is no tokenizer this build reads",
                "give a folder with a tokenizer.json, a tokenizer.json, a .gguf file or bytes");
}

}  // namespace assay::data
