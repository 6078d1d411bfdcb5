// The tokenizer inside a GGUF file, written as a tokenizer.json and read like any other: what is exported is what ran.
#include "tokenizer/gguf_tokenizer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tokenizer/flat_map.h"
#include "tokenizer/hf_tokenizer.h"
#include "tokenizer/json_writer.h"
#include "tokenizer/splitter.h"

namespace assay::data {
namespace {

enum TokenType : int64_t { kNormal = 1, kUnknown = 2, kControl = 3, kUserDefined = 4, kUnused = 5, kByte = 6 };
constexpr size_t kMaxTokens = 4'000'000;

Json byteLevel(bool useRegex) {
    return Json{{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", useRegex}};
}
Json splitStep(const char* pattern) {
    return Json{{"type", "Split"}, {"pattern", Json{{"Regex", pattern}}}, {"behavior", "Isolated"}, {"invert", false}};
}

// What a value of tokenizer.ggml.pre means. One line per family; the names are those that converters write.
struct PreKind {
    std::vector<std::string_view> names;
    std::vector<const char*> patterns;  // applied one after the other
    bool digits = false;                // every digit alone, first
    bool nfc = false, ignoreMerges = false;
};
const std::vector<PreKind>& preKinds() {
    static const char* kDeepSeek =
        R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
    static const char* kO200k =
        R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
    static const std::vector<PreKind> kinds{
        {{"gpt-2", "gpt2", "phi-2", "mpt", "olmo", "jais", "jina-v1-en", "jina-es", "jina-de", "jina-v2-es", "jina-v2-de", "jina-v2-code", "gigachat", "trillion"},
         {kGpt2Pattern}},
        {{"smollm", "starcoder", "refact", "command-r", "codeshell", "exaone", "minerva-7b"}, {kGpt2Pattern}, true},
        {{"llama-bpe", "llama3", "llama-v3", "falcon3", "falcon-h1"}, {kLlama3Pattern}, false, false, true},
        {{"dbrx", "smaug-bpe"}, {kLlama3Pattern}},
        {{"qwen2", "deepseek-r1-qwen", "stablelm2", "megrez"}, {kQwen2Pattern}, false, true},
        {{"deepseek-v3", "deepseek-r1"}, {R"(\p{N}{1,3})", "[一-龥぀-ゟ゠-ヿ]+", kDeepSeek}},
        {{"gpt-4o", "o200k"}, {kO200k}},
        {{"default"}, {R"([\p{P}\$\+<=>\^~\|]+)", kGpt2Pattern, R"(\p{N}+)", "[0-9][0-9][0-9]"}},
    };
    return kinds;
}

Result<const PreKind*> preKind(std::string_view name, const std::string& what) {
    for (const PreKind& kind : preKinds())
        if (std::find(kind.names.begin(), kind.names.end(), name) != kind.names.end()) return &kind;
    return fail(ErrorCode::kUnsupported, what + ": pre-tokenizer \"" + std::string(name) + "\" (tokenizer.ggml.pre) is not supported",
                "use the model's folder with its tokenizer.json");
}

struct Vocabulary {
    const std::vector<std::string_view>* tokens;
    const std::vector<int64_t>* types;  // may be null
    int64_t typeOf(size_t id) const { return types ? (*types)[id] : int64_t{kNormal}; }
};

Result<Vocabulary> vocabularyOf(const GgufMetadata& m, const std::string& what) {
    Vocabulary v{m.strings("tokenizer.ggml.tokens"), m.integers("tokenizer.ggml.token_type")};
    if (!v.tokens || v.tokens->empty()) return fail(ErrorCode::kInvalidFile, what + ": holds no vocabulary (tokenizer.ggml.tokens)");
    if (v.tokens->size() > kMaxTokens) return fail(ErrorCode::kInvalidFile, what + ": the vocabulary has " + std::to_string(v.tokens->size()) + " tokens");
    if (v.types && v.types->size() != v.tokens->size())
        return fail(ErrorCode::kInvalidFile, what + ": tokenizer.ggml.token_type and tokenizer.ggml.tokens differ in length");
    return v;
}

Json addedToken(int64_t id, std::string_view content, bool special) {
    return Json{{"id", id},          {"content", content}, {"single_word", false}, {"lstrip", false},
                {"rstrip", false}, {"normalized", false}, {"special", special}};
}

TokenizerExtras extrasOf(const GgufMetadata& m, size_t vocab) {
    TokenizerExtras e;
    auto id = [&](const char* key) -> int32_t {
        const auto v = m.integer(key);
        return v && *v >= 0 && *v < static_cast<int64_t>(vocab) ? static_cast<int32_t>(*v) : -1;
    };
    e.bosId = id("tokenizer.ggml.bos_token_id");
    e.eosId = id("tokenizer.ggml.eos_token_id");
    e.chatTemplate = m.string("tokenizer.chat_template").value_or("");
    if (const auto* names = m.strings("tokenizer.chat_templates"))
        for (const std::string_view name : *names)
            if (const auto text = m.string("tokenizer.chat_template." + std::string(name)); text && e.chatTemplates.size() < 64)
                e.chatTemplates.push_back({std::string(name), std::string(*text)});
    if (!e.chatTemplates.empty() && !e.chatTemplate.empty()) e.chatTemplates.insert(e.chatTemplates.begin(), {"default", e.chatTemplate});
    return e;
}

// TemplateProcessing that puts BOS in front (and EOS behind) when the file says so; null otherwise.
Json postProcessor(const GgufMetadata& m, const Vocabulary& v, const TokenizerExtras& e, bool bosByDefault) {
    const bool bos = m.boolean("tokenizer.ggml.add_bos_token").value_or(bosByDefault) && e.bosId >= 0;
    const bool eos = m.boolean("tokenizer.ggml.add_eos_token").value_or(false) && e.eosId >= 0;
    if (!bos && !eos) return nullptr;
    Json single = Json::array(), specials = Json::object(), pair = Json::array();
    auto add = [&](int32_t id) {
        const std::string name((*v.tokens)[static_cast<size_t>(id)]);
        single.push_back(Json{{"SpecialToken", Json{{"id", name}, {"type_id", 0}}}});
        specials[name] = Json{{"id", name}, {"ids", Json::array({id})}, {"tokens", Json::array({name})}};
    };
    if (bos) add(e.bosId);
    single.push_back(Json{{"Sequence", Json{{"id", "A"}, {"type_id", 0}}}});
    if (eos) add(e.eosId);
    pair = Json::array({Json{{"Sequence", Json{{"id", "A"}, {"type_id", 0}}}}, Json{{"Sequence", Json{{"id", "B"}, {"type_id", 1}}}}});
    return Json{{"type", "TemplateProcessing"}, {"single", single}, {"pair", pair}, {"special_tokens", specials}};
}

Json addedTokens(const Vocabulary& v) {
    Json added = Json::array();
    for (size_t id = 0; id < v.tokens->size(); ++id) {
        const int64_t type = v.typeOf(id);
        if (type == kControl || type == kUserDefined || type == kUnknown)
            added.push_back(addedToken(static_cast<int64_t>(id), (*v.tokens)[id], type != kUserDefined));
    }
    return added;
}

Result<TokenizerPtr> gpt2(const GgufMetadata& m, const std::string& what) {
    ASSAY_TRY(const Vocabulary v, vocabularyOf(m, what));
    ASSAY_TRY(const PreKind* kind, preKind(m.string("tokenizer.ggml.pre").value_or("default"), what));
    const auto* merges = m.strings("tokenizer.ggml.merges");
    if (!merges) return fail(ErrorCode::kInvalidFile, what + ": holds no merges (tokenizer.ggml.merges)");
    const TokenizerExtras extras = extrasOf(m, v.tokens->size());

    Json steps = Json::array();
    if (kind->digits) steps.push_back(Json{{"type", "Digits"}, {"individual_digits", true}});
    const bool gpt2Only = kind->patterns.size() == 1 && kind->patterns[0] == kGpt2Pattern;
    if (!gpt2Only)
        for (const char* pattern : kind->patterns) steps.push_back(splitStep(pattern));
    steps.push_back(byteLevel(gpt2Only));
    TokenizerJson out;
    out.normalizer = kind->nfc ? Json{{"type", "NFC"}} : Json();
    out.preTokenizer = steps.size() == 1 ? steps[0] : Json{{"type", "Sequence"}, {"pretokenizers", steps}};
    out.postProcessor = postProcessor(m, v, extras, kind->ignoreMerges);
    out.decoder = byteLevel(true);
    out.added = addedTokens(v);
    out.ignoreMerges = kind->ignoreMerges;
    out.tokens.reserve(v.tokens->size());
    for (size_t id = 0; id < v.tokens->size(); ++id) out.tokens.emplace_back((*v.tokens)[id], static_cast<int64_t>(id));
    for (const std::string_view merge : *merges) {
        const size_t space = merge.find(' ', 1);
        if (space == merge.npos) return fail(ErrorCode::kInvalidFile, what + ": merge \"" + std::string(merge) + "\" is not two tokens");
        out.merges.emplace_back(merge.substr(0, space), merge.substr(space + 1));
    }
    return tokenizerFromJson(writeTokenizerJson(out), what, extras);
}

// SentencePiece BPE: pieces with scores. Any two neighbours whose joint text is a piece may merge, highest score first;
// as merge list: every way to cut a piece in two, ranked by the score of the piece.
Result<TokenizerPtr> sentencePiece(const GgufMetadata& m, const std::string& what) {
    ASSAY_TRY(const Vocabulary v, vocabularyOf(m, what));
    const auto* scores = m.floats("tokenizer.ggml.scores");
    if (!scores || scores->size() != v.tokens->size()) return fail(ErrorCode::kInvalidFile, what + ": tokenizer.ggml.scores are missing or of another length");
    const TokenizerExtras extras = extrasOf(m, v.tokens->size());
    StringTable ids;
    ids.reserve(v.tokens->size());
    for (size_t id = 0; id < v.tokens->size(); ++id) ids.insert((*v.tokens)[id], static_cast<int32_t>(id));
    std::vector<size_t> order;
    for (size_t id = 0; id < v.tokens->size(); ++id)
        if (v.typeOf(id) == kNormal && std::isfinite((*scores)[id])) order.push_back(id);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return (*scores)[a] > (*scores)[b]; });

    TokenizerJson out;
    for (const size_t id : order) {
        const std::string_view piece = (*v.tokens)[id];
        if (piece.size() > 1024) continue;
        for (size_t cut = 1; cut < piece.size(); ++cut) {
            if ((static_cast<unsigned char>(piece[cut]) & 0xC0) == 0x80) continue;
            const std::string_view left = piece.substr(0, cut), right = piece.substr(cut);
            if (ids.find(left) >= 0 && ids.find(right) >= 0) out.merges.emplace_back(left, right);
        }
    }
    const bool prefix = m.boolean("tokenizer.ggml.add_space_prefix").value_or(true);
    const Json replace{{"type", "Replace"}, {"pattern", Json{{"String", " "}}}, {"content", "▁"}};
    out.normalizer = prefix ? Json{{"type", "Sequence"}, {"normalizers", Json::array({Json{{"type", "Prepend"}, {"prepend", "▁"}}, replace})}} : replace;
    Json decoders = Json::array({Json{{"type", "Replace"}, {"pattern", Json{{"String", "▁"}}}, {"content", " "}}, Json{{"type", "ByteFallback"}}, Json{{"type", "Fuse"}}});
    if (prefix) decoders.push_back(Json{{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}});
    out.decoder = Json{{"type", "Sequence"}, {"decoders", decoders}};
    out.postProcessor = postProcessor(m, v, extras, true);
    out.added = addedTokens(v);
    out.byteFallback = out.fuseUnknown = true;
    if (const auto unknown = m.integer("tokenizer.ggml.unknown_token_id"); unknown && *unknown >= 0 && *unknown < static_cast<int64_t>(v.tokens->size()))
        out.unknown = std::string((*v.tokens)[static_cast<size_t>(*unknown)]);
    for (size_t id = 0; id < v.tokens->size(); ++id) out.tokens.emplace_back((*v.tokens)[id], static_cast<int64_t>(id));
    return tokenizerFromJson(writeTokenizerJson(out), what, extras);
}

}  // namespace

Result<TokenizerPtr> tokenizerFromGguf(const GgufMetadata& metadata, const std::string& what) {
    const auto model = metadata.string("tokenizer.ggml.model");
    if (!model) return fail(ErrorCode::kInvalidFile, what + ": holds no tokenizer (tokenizer.ggml.model)", "use the model's tokenizer.json");
    if (*model == "gpt2") return gpt2(metadata, what);
    if (*model == "llama") return sentencePiece(metadata, what);
    return fail(ErrorCode::kUnsupported, what + ": tokenizer model \"" + std::string(*model) + "\" (tokenizer.ggml.model) is not supported",
                "gpt2 and llama are; use the model's folder with its tokenizer.json");
}

}  // namespace assay::data
