#include <assay/core/durable.h>
#include <assay/core/paths.h>
#include <assay/data/tokenizer.h>

#include <algorithm>
#include <filesystem>

#include "tokenizer/byte_tokenizer.h"
#include "tokenizer/gguf_tokenizer.h"
#include "tokenizer/hf_tokenizer.h"
#include "tokenizer/rank_vocabulary.h"
#include "tokenizer/rwkv.h"
#include "tokenizer/sentencepiece.h"
#include "tokenizer/vocabulary_files.h"

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

constexpr size_t kMaxTemplates = 64, kMaxTemplateBytes = 4 << 20;

// "chat_template": one template, or a list of {"name", "template"}.
void readTemplates(const Json& config, TokenizerExtras& out) {
    if (!config.is_object() || !config.contains("chat_template")) return;
    const Json& value = config["chat_template"];
    if (value.is_string()) out.chatTemplate = value.get<std::string>();
    if (!value.is_array()) return;
    for (const Json& item : value) {
        NamedText named{jsonStringOr(item, "name", ""), jsonStringOr(item, "template", "")};
        if (named.name.empty() || out.chatTemplates.size() >= kMaxTemplates) continue;
        if (named.name == "default") out.chatTemplate = named.text;
        out.chatTemplates.push_back(std::move(named));
    }
}

// chat_template.jinja and additional_chat_templates/NAME.jinja go before what the configuration says.
Result<void> readTemplateFiles(const fs::path& folder, TokenizerExtras& out) {
    if (const fs::path file = folder / "chat_template.jinja"; present(file)) {
        ASSAY_TRY(out.chatTemplate, readRegularFile(file.string(), kMaxTemplateBytes));
        std::erase_if(out.chatTemplates, [](const NamedText& t) { return t.name == "default"; });
        out.chatTemplates.insert(out.chatTemplates.begin(), {"default", out.chatTemplate});
    }
    std::vector<fs::path> files;
    std::error_code ec;
    for (fs::directory_iterator it(folder / "additional_chat_templates", ec), end; !ec && it != end && files.size() < kMaxTemplates; it.increment(ec))
        if (it->path().extension() == ".jinja") files.push_back(it->path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
        NamedText named{file.stem().string(), {}};
        ASSAY_TRY(named.text, readRegularFile(file.string(), kMaxTemplateBytes));
        std::erase_if(out.chatTemplates, [&](const NamedText& t) { return t.name == named.name; });
        out.chatTemplates.push_back(std::move(named));
    }
    return {};
}

Result<std::string> readTokenizerFile(const fs::path& path) { return readRegularFile(path.string(), size_t{512} << 20); }

// A companion file that is absent says nothing; one that is broken is an error.
Result<Json> companion(const fs::path& path) {
    if (!present(path)) return Json();
    ASSAY_TRY(const std::string text, readTokenizerFile(path));
    return parseJson(text, path.string());
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
    for (const char* name : {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"})
        if (auto text = field({name}); !text.empty()) e.namedTokens.push_back({name, std::move(text)});
    readTemplates(config, e);
    ASSAY_TRY_VOID(readTemplateFiles(folder, e));
    return e;
}

fs::path folderOf(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

Result<TokenizerPtr> loadJson(const fs::path& path) {
    ASSAY_TRY(std::string text, readTokenizerFile(path));
    ASSAY_TRY(const TokenizerExtras extras, extrasBeside(folderOf(path)));
    if (looksLikeTekken(text)) return tokenizerFromTekken(text, path.string(), extras);
    return tokenizerFromJson(std::move(text), path.string(), extras);
}

Result<TokenizerPtr> loadVocabJson(const fs::path& path) {
    const fs::path folder = folderOf(path);
    ASSAY_TRY(const std::string vocab, readTokenizerFile(path));
    ASSAY_TRY(const std::string merges, readTokenizerFile(folder / "merges.txt"));
    ASSAY_TRY(const TokenizerExtras extras, extrasBeside(folder));
    ASSAY_TRY(const Json config, companion(folder / "tokenizer_config.json"));
    return tokenizerFromVocabAndMerges(vocab, merges, config, path.string(), extras);
}

// .txt is the vocabulary of a BERT model, or RWKV's.
Result<TokenizerPtr> loadVocabTxt(const fs::path& path) {
    ASSAY_TRY(const std::string text, readTokenizerFile(path));
    ASSAY_TRY(const TokenizerExtras extras, extrasBeside(folderOf(path)));
    if (looksLikeRwkv(text)) return tokenizerFromRwkv(text, path.string(), extras);
    ASSAY_TRY(const Json config, companion(folderOf(path) / "tokenizer_config.json"));
    return tokenizerFromVocabTxt(text, config, path.string(), extras);
}

// .model is SentencePiece's name, and that of some tiktoken files; what it is stands in the bytes.
Result<TokenizerPtr> loadModel(const fs::path& path) {
    ASSAY_TRY(std::string bytes, readTokenizerFile(path));
    ASSAY_TRY(const TokenizerExtras extras, extrasBeside(folderOf(path)));
    if (looksLikeTiktoken(bytes)) {
        ASSAY_TRY(const Json model, companion(folderOf(path) / "config.json"));
        const bool stated = model.is_object() && model.contains("vocab_size") && model["vocab_size"].is_number_integer();
        return tokenizerFromTiktoken(bytes, path.string(), extras, stated ? model["vocab_size"].get<int64_t>() : -1);
    }
    ASSAY_TRY(const Json config, companion(folderOf(path) / "tokenizer_config.json"));
    SentencePieceEnds ends;
    for (const auto& [key, value] : {std::pair{"add_bos_token", &ends.addBos}, {"add_eos_token", &ends.addEos}})
        if (config.is_object() && config.contains(key) && config[key].is_boolean()) *value = config[key].get<bool>();
    return tokenizerFromSentencePiece(std::move(bytes), path.string(), extras, ends);
}

// What a folder is looked through for, in this order.
struct FolderFile {
    const char* name;
    Result<TokenizerPtr> (*load)(const fs::path&);
    const char* with = nullptr;  // only when this one is there too
};
constexpr FolderFile kFolderFiles[] = {{"tokenizer.json", loadJson}, {"tekken.json", loadJson}, {"tokenizer.model", loadModel}, {"spiece.model", loadModel}, {"sentencepiece.bpe.model", loadModel},
                                       {"vocab.json", loadVocabJson, "merges.txt"}, {"vocab.txt", loadVocabTxt}, {"rwkv_vocab_v20230424.txt", loadVocabTxt}};

}  // namespace

Result<TokenizerPtr> loadTokenizer(const std::string& reference) {
    if (reference == "bytes") return byteTokenizer();
    if (reference.empty()) return fail(ErrorCode::kBadUsage, "no tokenizer is named", "give a folder, a tokenizer file or bytes");
    ASSAY_TRY(const std::string resolved, resolveAsset(reference));
    const fs::path path(resolved);
    std::error_code ec;
    if (fs::is_directory(path, ec)) {
        for (const FolderFile& file : kFolderFiles)
            if (present(path / file.name) && (!file.with || present(path / file.with))) return file.load(path / file.name);
        for (fs::directory_iterator it(path, ec), end; !ec && it != end; it.increment(ec))
            if (it->path().extension() == ".tiktoken") return loadModel(it->path());
        return fail(ErrorCode::kNotFound, path.string() + " holds no tokenizer", "a folder needs tokenizer.json, tekken.json, tokenizer.model, a .tiktoken file, vocab.json with merges.txt, vocab.txt, or rwkv_vocab_v20230424.txt");
    }
    if (!present(path)) {
        Error error = systemError("cannot open tokenizer", path.string(), ENOENT);
        error.hint = "check the path: it is that of a file or folder on this machine, nothing is fetched by a model's name";
        return fail(std::move(error));
    }
    const std::string extension = path.extension().string();
    if (extension == ".gguf") {
        ASSAY_TRY(const GgufMetadata metadata, GgufMetadata::read(path.string()));
        return tokenizerFromGguf(metadata, path.string());
    }
    if (extension == ".json" && path.filename().string().ends_with("vocab.json") && present(folderOf(path) / "merges.txt")) return loadVocabJson(path);
    if (extension == ".json") return loadJson(path);
    if (extension == ".txt") return loadVocabTxt(path);
    // Others by what they hold: SentencePiece's files have many names (tokenizer.model.v3).
    return loadModel(path);
}

}  // namespace assay::data
