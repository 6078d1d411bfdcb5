// Vocabularies hold 10^5 entries, so this file is read with simdjson rather than through core/json.h, whose objects are
// made for configuration; the small parts are converted and handed on as Json.
#include "tokenizer/hf_parse.h"

#include <simdjson.h>

#include "tokenizer/flat_map.h"

namespace assay::data {
namespace {
namespace dom = simdjson::dom;

constexpr int64_t kMaxId = 8'000'000;
constexpr size_t kMaxDepth = 64, kMaxSmallObject = 20'000;

tl::unexpected<Error> bad(const std::string& what, const std::string& why) {
    return fail(ErrorCode::kInvalidFile, what + ": " + why, "use the tokenizer.json that belongs to the model");
}

Result<Json> toJson(dom::element e, size_t depth, const std::string& what) {
    if (depth > kMaxDepth) return bad(what, "nested deeper than allowed");
    switch (e.type()) {
        case dom::element_type::ARRAY: {
            Json out = Json::array();
            for (dom::element item : dom::array(e)) {
                ASSAY_TRY(Json value, toJson(item, depth + 1, what));
                out.push_back(std::move(value));
            }
            return out;
        }
        case dom::element_type::OBJECT: {
            Json out = Json::object();
            const dom::object object(e);
            if (object.size() > kMaxSmallObject) return bad(what, "an object has more members than allowed");
            for (auto [key, item] : object) {
                ASSAY_TRY(Json value, toJson(item, depth + 1, what));
                if (out.contains(key)) return bad(what, "duplicate key \"" + std::string(key) + "\"");
                out[std::string(key)] = std::move(value);
            }
            return out;
        }
        case dom::element_type::INT64: return Json(int64_t(e));
        case dom::element_type::UINT64: return Json(uint64_t(e));
        case dom::element_type::DOUBLE: return Json(double(e));
        case dom::element_type::STRING: return Json(std::string(std::string_view(e)));
        case dom::element_type::BOOL: return Json(bool(e));
        case dom::element_type::NULL_VALUE: return Json();
    }
    return Json();
}

Result<Json> part(const dom::object& root, std::string_view key, const std::string& what) {
    dom::element e;
    if (root[key].get(e)) return Json();
    return toJson(e, 0, what);
}

std::string stringOr(const dom::object& o, std::string_view key, std::string_view fallback) {
    std::string_view v;
    return std::string(o[key].get(v) ? fallback : v);
}
bool boolOr(const dom::object& o, std::string_view key, bool fallback) {
    bool v = fallback;
    return o[key].get(v) ? fallback : v;
}

Result<void> place(ModelData& m, int64_t id, std::string_view token, const std::string& what) {
    if (id < 0 || id > kMaxId) return bad(what, "token \"" + std::string(token) + "\" has the id " + std::to_string(id));
    const auto i = static_cast<size_t>(id);
    if (i >= m.tokens.size()) {
        m.tokens.resize(i + 1);
        m.present.resize(i + 1, false);
    }
    if (m.present[i] && m.tokens[i] != token)
        return bad(what, "tokens \"" + m.tokens[i] + "\" and \"" + std::string(token) + "\" share the id " + std::to_string(id));
    m.tokens[i] = token;
    m.present[i] = true;
    return {};
}

Result<void> readMerges(const dom::object& model, ModelData& m, const std::string& what) {
    dom::array merges;
    if (model["merges"].get(merges)) return bad(what, "the BPE model has no merges");
    StringTable ids;
    ids.reserve(m.tokens.size());
    for (size_t i = 0; i < m.tokens.size(); ++i)
        if (m.present[i] && !ids.insert(m.tokens[i], static_cast<int32_t>(i))) return bad(what, "token \"" + m.tokens[i] + "\" has two ids");
    uint32_t rank = 0;
    std::string joined;
    for (dom::element item : merges) {
        std::string_view left, right, line;
        dom::array pair;
        if (!item.get(line)) {
            const size_t space = line.find(' ');
            if (space == line.npos || line.find(' ', space + 1) != line.npos)
                return bad(what, "merge " + std::to_string(rank) + " \"" + std::string(line) + "\" is not two tokens with a space between; tokens with spaces need the form [\"a\", \"b\"]");
            left = line.substr(0, space);
            right = line.substr(space + 1);
        } else if (item.get(pair) || pair.size() != 2 || pair.at(0).get(left) || pair.at(1).get(right)) {
            return bad(what, "merge " + std::to_string(rank) + " is not a pair of tokens");
        }
        if (right.size() < m.continuingPrefix.size()) return bad(what, "merge " + std::to_string(rank) + " lacks the continuing prefix");
        joined = left;
        joined += right.substr(m.continuingPrefix.size());
        const int32_t a = ids.find(left), b = ids.find(right), c = ids.find(joined);
        if (a < 0 || b < 0 || c < 0)
            return bad(what, "merge " + std::to_string(rank) + ": token \"" + std::string(a < 0 ? left : b < 0 ? right : std::string_view(joined)) + "\" is not in the vocabulary");
        m.merges.push_back({a, b, c, rank++});
    }
    return {};
}

Result<void> readModel(const dom::object& model, ModelData& m, const std::string& what) {
    dom::object vocab;
    dom::element ignored;
    std::string type = stringOr(model, "type", "");
    if (type.empty()) type = !model["merges"].get(ignored) ? "BPE" : !model["max_input_chars_per_word"].get(ignored) ? "WordPiece" : "without a type";
    if (type != "BPE" && type != "WordPiece")
        return fail(ErrorCode::kUnsupported, what + ": tokenizer model \"" + type + "\" is not supported", "BPE and WordPiece models are");
    if (model["vocab"].get(vocab)) return bad(what, "the model has no vocabulary");
    for (auto [token, value] : vocab) {
        int64_t id;
        if (value.get(id)) return bad(what, "token \"" + std::string(token) + "\" has no integer id");
        ASSAY_TRY_VOID(place(m, id, token, what));
    }
    if (m.tokens.empty()) return bad(what, "the vocabulary is empty");
    if (static_cast<size_t>(m.tokens.size()) > 64 * vocab.size() + 65536) return bad(what, "the ids of the vocabulary have huge gaps");
    m.unknown = stringOr(model, "unk_token", "");
    m.continuingPrefix = stringOr(model, "continuing_subword_prefix", type == "WordPiece" ? "##" : "");
    m.endSuffix = stringOr(model, "end_of_word_suffix", "");
    m.fuseUnknown = boolOr(model, "fuse_unk", false);
    m.byteFallback = boolOr(model, "byte_fallback", false);
    m.ignoreMerges = boolOr(model, "ignore_merges", false);
    m.wordPiece = type == "WordPiece";
    if (m.wordPiece) {
        int64_t limit;
        m.maxWordCharacters = model["max_input_chars_per_word"].get(limit) ? 100 : limit;
        if (m.unknown.empty()) m.unknown = "[UNK]";
        return {};
    }
    double dropout = 0;
    if (!model["dropout"].get(dropout) && dropout != 0)
        return fail(ErrorCode::kUnsupported, what + ": BPE dropout makes ids random", "set \"dropout\" to null");
    return readMerges(model, m, what);
}

Result<void> readAdded(const dom::object& root, ParsedTokenizer& out, const std::string& what) {
    dom::array added;
    if (root["added_tokens"].get(added)) return {};
    for (dom::element item : added) {
        dom::object o;
        int64_t id;
        std::string_view content;
        if (item.get(o) || o["id"].get(id) || o["content"].get(content)) return bad(what, "an added token lacks \"id\" or \"content\"");
        if (id < 0 || id > kMaxId) return bad(what, "added token \"" + std::string(content) + "\" has the id " + std::to_string(id));
        AddedToken t;
        t.id = static_cast<int32_t>(id);
        t.content = content;
        t.special = boolOr(o, "special", false);
        t.normalized = boolOr(o, "normalized", !t.special);
        t.singleWord = boolOr(o, "single_word", false);
        t.stripLeft = boolOr(o, "lstrip", false);
        t.stripRight = boolOr(o, "rstrip", false);
        out.added.push_back(std::move(t));
    }
    return {};
}

}  // namespace

Result<ParsedTokenizer> parseTokenizerJson(const std::string& text, const std::string& what) {
    if (text.size() > (size_t{512} << 20)) return bad(what, "larger than 512 MiB");
    dom::parser parser;
    if (parser.allocate(text.size(), kMaxDepth)) return fail(ErrorCode::kOutOfMemory, what + ": not enough memory to read it");
    dom::element document;
    if (const auto error = parser.parse(text.data(), text.size(), true).get(document)) return bad(what, simdjson::error_message(error));
    dom::object root, model;
    if (document.get(root)) return bad(what, "is not a JSON object");
    if (root["model"].get(model)) return bad(what, "has no \"model\"");
    ParsedTokenizer out;
    ASSAY_TRY(out.normalizer, part(root, "normalizer", what));
    ASSAY_TRY(out.preTokenizer, part(root, "pre_tokenizer", what));
    ASSAY_TRY(out.postProcessor, part(root, "post_processor", what));
    ASSAY_TRY(out.decoder, part(root, "decoder", what));
    ASSAY_TRY_VOID(readModel(model, out.model, what));
    ASSAY_TRY_VOID(readAdded(root, out, what));
    return out;
}

}  // namespace assay::data
