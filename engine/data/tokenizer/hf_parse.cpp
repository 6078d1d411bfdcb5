// Vocabularies hold 10^5 entries, so this file is read with simdjson rather than through core/json.h, whose objects are
// made for configuration; the small parts are converted and handed on as Json.
#include "tokenizer/hf_parse.h"

#include <simdjson.h>

#include <algorithm>
#include <cmath>

#include "tokenizer/flat_map.h"

namespace assay::data {
namespace {
namespace dom = simdjson::dom;

constexpr int64_t kMaxId = 8'000'000;
constexpr size_t kMaxDepth = 64, kMaxSmallObject = 20'000;
constexpr double kMaxScore = 1e30;  // sums of scores stay finite

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

// [["piece", score], …]: the place is the id.
Result<void> readUnigram(const dom::object& model, ModelData& m, const std::string& what) {
    dom::array vocab;
    if (model["vocab"].get(vocab)) return bad(what, "the Unigram model has no list of pieces");
    for (dom::element item : vocab) {
        dom::array pair;
        std::string_view piece;
        double score;
        if (item.get(pair) || pair.size() != 2 || pair.at(0).get(piece) || pair.at(1).get(score)) return bad(what, "piece " + std::to_string(m.tokens.size()) + " is not [text, score]");
        if (!(std::abs(score) < kMaxScore)) return bad(what, "piece \"" + std::string(piece) + "\" has the score " + std::to_string(score));
        if (m.tokens.size() > static_cast<size_t>(kMaxId)) return bad(what, "the vocabulary has too many pieces");
        m.tokens.emplace_back(piece);
        m.scores.push_back(score);
    }
    m.present.assign(m.tokens.size(), true);
    m.byteFallback = boolOr(model, "byte_fallback", false);
    int64_t unknown;
    if (!model["unk_id"].get(unknown)) {
        if (unknown < 0 || unknown >= static_cast<int64_t>(m.tokens.size())) return bad(what, "unk_id " + std::to_string(unknown) + " is no piece of the vocabulary");
        m.unknownId = static_cast<int32_t>(unknown);
    }
    return {};
}

Result<ModelData::Kind> modelKind(const dom::object& model, const std::string& what) {
    dom::element ignored;
    dom::array list;
    const std::string type = stringOr(model, "type", "");
    const auto has = [&](std::string_view key) { return !model[key].get(ignored); };
    using enum ModelData::Kind;
    if (type == "BPE") return kBpe;
    if (type == "WordPiece") return kWordPiece;
    if (type == "Unigram") return kUnigram;
    if (type == "WordLevel") return kWordLevel;
    if (!type.empty()) return fail(ErrorCode::kUnsupported, what + ": tokenizer model \"" + type + "\" is not known", "BPE, WordPiece, Unigram and WordLevel are");
    if (has("merges")) return kBpe;  // old files: by the members
    if (has("max_input_chars_per_word")) return kWordPiece;
    if (!model["vocab"].get(list)) return kUnigram;
    if (has("vocab") && has("unk_token")) return kWordLevel;
    return bad(what, "the model has no type and none can be told from its members");
}

Result<void> readModel(const dom::object& model, ModelData& m, const std::string& what) {
    dom::object vocab;
    ASSAY_TRY(m.kind, modelKind(model, what));
    if (m.kind == ModelData::Kind::kUnigram) return readUnigram(model, m, what);
    if (model["vocab"].get(vocab)) return bad(what, "the model has no vocabulary");
    for (auto [token, value] : vocab) {
        int64_t id;
        if (value.get(id)) return bad(what, "token \"" + std::string(token) + "\" has no integer id");
        ASSAY_TRY_VOID(place(m, id, token, what));
    }
    if (static_cast<size_t>(m.tokens.size()) > 64 * vocab.size() + 65536) return bad(what, "the ids of the vocabulary have huge gaps");
    const bool wordPiece = m.kind == ModelData::Kind::kWordPiece;
    m.unknown = stringOr(model, "unk_token", "");
    m.continuingPrefix = stringOr(model, "continuing_subword_prefix", wordPiece ? "##" : "");
    m.endSuffix = stringOr(model, "end_of_word_suffix", "");
    m.fuseUnknown = boolOr(model, "fuse_unk", false);
    m.byteFallback = boolOr(model, "byte_fallback", false);
    m.ignoreMerges = boolOr(model, "ignore_merges", false);
    if (wordPiece) {
        int64_t limit;
        m.maxWordCharacters = model["max_input_chars_per_word"].get(limit) ? 100 : std::max<int64_t>(limit, 0);
        if (m.unknown.empty()) m.unknown = "[UNK]";
    }
    if (m.kind != ModelData::Kind::kBpe) return {};
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

constexpr int64_t kMaxLength = 1'000'000'000;

Result<void> readLengths(const dom::object& root, ParsedTokenizer& out, const std::string& what) {
    dom::object o;
    int64_t n = 0;
    if (!root["truncation"].get(o)) {
        Truncation t;
        if (o["max_length"].get(n) || n < 0 || n > kMaxLength) return bad(what, "\"truncation\" has no usable \"max_length\"");
        t.maxLength = n;
        t.stride = o["stride"].get(n) ? 0 : std::clamp<int64_t>(n, 0, kMaxLength);
        const std::string strategy = stringOr(o, "strategy", "LongestFirst");
        if (strategy != "LongestFirst" && strategy != "OnlyFirst" && strategy != "OnlySecond") return bad(what, "\"truncation\" has the strategy \"" + strategy + "\"");
        t.strategy = strategy == "OnlyFirst" ? Truncation::Strategy::kOnlyFirst : strategy == "OnlySecond" ? Truncation::Strategy::kOnlySecond : Truncation::Strategy::kLongestFirst;
        t.left = stringOr(o, "direction", "Right") == "Left";
        out.truncation = t;
    }
    if (!root["padding"].get(o)) {
        Padding p;
        dom::object fixed;
        if (!o["strategy"].get(fixed) && !fixed["Fixed"].get(n)) p.length = std::clamp<int64_t>(n, 0, kMaxLength);
        if (!o["pad_to_multiple_of"].get(n)) p.multipleOf = std::clamp<int64_t>(n, 0, kMaxLength);
        if (!o["pad_id"].get(n)) p.id = static_cast<int32_t>(std::clamp<int64_t>(n, 0, kMaxId));
        if (!o["pad_type_id"].get(n)) p.typeId = static_cast<int32_t>(std::clamp<int64_t>(n, 0, kMaxId));
        p.left = stringOr(o, "direction", "Right") == "Left";
        out.padding = p;
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
    if (out.model.tokens.empty() && out.added.empty()) return bad(what, "the vocabulary is empty");
    ASSAY_TRY_VOID(readLengths(root, out, what));
    return out;
}

}  // namespace assay::data
