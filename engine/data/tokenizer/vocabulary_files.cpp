#include "tokenizer/vocabulary_files.h"

#include <simdjson.h>

#include <unordered_map>

#include "tokenizer/byte_level.h"
#include "tokenizer/json_writer.h"
#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

constexpr size_t kMaxLines = 8'000'000;

Json specialToken(int64_t id, std::string_view content) {
    return Json{{"id", id}, {"content", content}, {"single_word", false}, {"lstrip", false}, {"rstrip", false}, {"normalized", false}, {"special", true}};
}

// The lines of a text; \n or \r\n ends one.
std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> out;
    while (!text.empty()) {
        const size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        out.push_back(line);
    }
    return out;
}

Json templatePiece(const std::string& token, int type) { return Json{{"SpecialToken", Json{{"id", token}, {"type_id", type}}}}; }
Json templateText(const char* name, int type) { return Json{{"Sequence", Json{{"id", name}, {"type_id", type}}}}; }

}  // namespace

Result<TokenizerPtr> tokenizerFromVocabTxt(std::string_view text, const Json& config, const std::string& what, const TokenizerExtras& extras) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    TokenizerJson out;
    out.model = TokenizerJson::Model::kWordPiece;
    std::unordered_map<std::string_view, int64_t> ids;
    int64_t id = 0;
    for (std::string_view line : linesOf(text)) {
        while (!line.empty() && (charClass(codePointBefore(line, line.size()).value) & kSpace)) line.remove_suffix(codePointBefore(line, line.size()).bytes);
        if (firstInvalidUtf8(line) != line.npos) return fail(ErrorCode::kInvalidFile, what + ": line " + std::to_string(id + 1) + " is no UTF-8");
        ids[line] = id++;  // of two the same the later one counts
        if (static_cast<size_t>(id) > kMaxLines) return fail(ErrorCode::kInvalidFile, what + ": more than " + std::to_string(kMaxLines) + " lines");
    }
    for (const auto& [token, number] : ids) out.tokens.emplace_back(token, number);
    std::sort(out.tokens.begin(), out.tokens.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    const auto named = [&](const char* key, const char* usual) {
        for (const NamedText& n : extras.namedTokens)
            if (n.name == key) return n.text;
        return std::string(usual);
    };
    const std::string unknown = named("unk_token", "[UNK]"), cls = named("cls_token", "[CLS]"), sep = named("sep_token", "[SEP]");
    if (!ids.contains(unknown)) return fail(ErrorCode::kInvalidFile, what + ": the vocabulary has no token " + unknown, "use the vocab.txt of a BERT model, with its special tokens");
    for (const std::string& token : {named("pad_token", "[PAD]"), unknown, cls, sep, named("mask_token", "[MASK]")})
        if (const auto found = ids.find(token); found != ids.end()) out.added.push_back(specialToken(found->second, token));
    const bool lower = jsonBoolOr(config, "do_lower_case", true);
    const Json accents = config.is_object() && config.contains("strip_accents") && config["strip_accents"].is_boolean() ? config["strip_accents"] : Json();
    out.normalizer = Json{{"type", "BertNormalizer"}, {"clean_text", true}, {"handle_chinese_chars", jsonBoolOr(config, "tokenize_chinese_chars", true)}, {"strip_accents", accents}, {"lowercase", lower}};
    out.preTokenizer = Json{{"type", "BertPreTokenizer"}};
    out.decoder = Json{{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}};
    out.unknown = unknown;
    if (ids.contains(cls) && ids.contains(sep)) {
        Json special = Json::object();
        for (const std::string& token : {cls, sep}) special[token] = Json{{"id", token}, {"ids", Json::array({ids[token]})}, {"tokens", Json::array({token})}};
        out.postProcessor = Json{{"type", "TemplateProcessing"},
                                 {"single", Json::array({templatePiece(cls, 0), templateText("A", 0), templatePiece(sep, 0)})},
                                 {"pair", Json::array({templatePiece(cls, 0), templateText("A", 0), templatePiece(sep, 0), templateText("B", 1), templatePiece(sep, 1)})},
                                 {"special_tokens", special}};
    }
    return tokenizerFromJson(writeTokenizerJson(out), what, extras);
}

Result<TokenizerPtr> tokenizerFromVocabAndMerges(const std::string& vocabJson, std::string_view merges, const Json& config, const std::string& what, const TokenizerExtras& extras) {
    simdjson::dom::parser parser;
    if (parser.allocate(vocabJson.size(), 16)) return fail(ErrorCode::kOutOfMemory, what + ": not enough memory to read it");
    simdjson::dom::element document;
    simdjson::dom::object vocab;
    if (parser.parse(vocabJson.data(), vocabJson.size(), true).get(document) || document.get(vocab)) return fail(ErrorCode::kInvalidFile, what + ": is not a JSON object of tokens and ids");
    TokenizerJson out;
    std::unordered_map<std::string_view, int64_t> ids;
    bool byteSpace = false, wordEnds = false;
    for (auto [token, value] : vocab) {
        int64_t id = 0;
        if (value.get(id)) return fail(ErrorCode::kInvalidFile, what + ": token \"" + std::string(token) + "\" has no integer id");
        out.tokens.emplace_back(token, id);
        ids[token] = id;
        byteSpace |= token.starts_with("\xC4\xA0");  // U+0120, the space
        wordEnds |= token.ends_with("</w>");
    }
    int64_t line = 0;
    for (const std::string_view text : linesOf(merges)) {
        ++line;
        if (text.starts_with("#version")) continue;
        if (text.empty() && line > 1) continue;
        const size_t space = text.find(' ');
        if (space == text.npos || space == 0 || space + 1 == text.size() || text.find(' ', space + 1) != text.npos)
            return fail(ErrorCode::kInvalidFile, what + ": line " + std::to_string(line) + " of merges.txt is not two tokens with a space between");
        out.merges.emplace_back(text.substr(0, space), text.substr(space + 1));
    }
    const std::string kind = jsonStringOr(config, "tokenizer_class", "");
    const auto byteLevel = [](bool prefix, bool regex) { return Json{{"type", "ByteLevel"}, {"add_prefix_space", prefix}, {"trim_offsets", true}, {"use_regex", regex}}; };
    const bool prefix = jsonBoolOr(config, "add_prefix_space", false);
    out.decoder = byteLevel(prefix, true);
    for (const NamedText& n : extras.namedTokens)
        if (const auto found = ids.find(n.text); found != ids.end()) out.added.push_back(specialToken(found->second, n.text));
    if (out.added.empty())
        for (const char* token : {"<|startoftext|>", "<|endoftext|>"})
            if (const auto found = ids.find(token); found != ids.end()) out.added.push_back(specialToken(found->second, token));
    const auto ends = [&](const char* type, const std::string& first, const std::string& last) {
        if (ids.contains(first) && ids.contains(last))
            out.postProcessor = Json{{"type", type}, {"sep", Json::array({last, ids[last]})}, {"cls", Json::array({first, ids[first]})}, {"trim_offsets", true}, {"add_prefix_space", prefix}};
    };
    if (wordEnds || kind.starts_with("CLIP")) {
        const Json pattern{{"Regex", R"('s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+)"}};
        out.normalizer = Json{{"type", "Sequence"}, {"normalizers", Json::array({Json{{"type", "NFC"}}, Json{{"type", "Replace"}, {"pattern", Json{{"Regex", R"(\s+)"}}}, {"content", " "}}, Json{{"type", "Lowercase"}}})}};
        out.preTokenizer = Json{{"type", "Sequence"}, {"pretokenizers", Json::array({Json{{"type", "Split"}, {"pattern", pattern}, {"behavior", "Removed"}, {"invert", true}}, byteLevel(false, true)})}};
        out.endSuffix = "</w>";
        if (ids.contains("<|endoftext|>")) out.unknown = "<|endoftext|>";
        ends("RobertaProcessing", "<|startoftext|>", "<|endoftext|>");
    } else if (byteSpace) {
        out.preTokenizer = byteLevel(prefix, true);
        if (kind.starts_with("Roberta") || kind.starts_with("Longformer") || kind.starts_with("Bart")) ends("RobertaProcessing", "<s>", "</s>");
    } else {
        return fail(ErrorCode::kUnsupported, what + ": a vocabulary that is neither GPT-2's nor CLIP's kind; the files do not say how text is cut", "use the model's tokenizer.json");
    }
    return tokenizerFromJson(writeTokenizerJson(out), what, extras);
}

}  // namespace assay::data
