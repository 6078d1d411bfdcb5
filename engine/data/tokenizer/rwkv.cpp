#include "tokenizer/rwkv.h"

#include <assay/core/hash.h>
#include <assay/data/encoding.h>

#include <charconv>

#include "tokenizer/byte_level.h"
#include "tokenizer/byte_trie.h"
#include "tokenizer/flat_map.h"
#include "tokenizer/json_writer.h"
#include "tokenizer/plain_ranges.h"
#include "tokenizer/python_literal.h"
#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

// The longest known token has 128 bytes. A text may be looked at this often per byte before a token is found.
constexpr size_t kMaxRwkvToken = 1024, kMaxRwkvIds = 2'000'000, kMaxRwkvText = size_t{32} << 20;
constexpr int32_t kDocumentEnd = 0;
// With a space, which no token has in the byte-level alphabet: an export cannot take it for text.
constexpr std::string_view kDocumentEndText = "<|end of text|>";

struct RwkvLine {
    uint64_t id = 0, length = 0;
    std::string_view literal;
};

template <class Number>
bool wholeNumber(std::string_view text, Number& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

// Takes a line, which \n, \r\n or \r ends, from the front of `rest`; false when it is not of the form.
bool takeRwkvLine(std::string_view& rest, RwkvLine& out) {
    const size_t end = rest.find_first_of("\r\n");
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == rest.npos ? rest.size() : end + (rest.substr(end).starts_with("\r\n") ? 2 : 1));
    const size_t first = line.find(' '), last = line.rfind(' ');
    if (first == line.npos || last <= first + 1) return false;
    out.literal = line.substr(first + 1, last - first - 1);
    return wholeNumber(line.substr(0, first), out.id) && wholeNumber(line.substr(last + 1), out.length);
}

class RwkvTokenizer : public Tokenizer {
public:
    // `tokens`: bytes by id, empty where there is none; every byte is a token.
    RwkvTokenizer(std::vector<std::string> tokens, std::string key, const TokenizerExtras& extras)
        : tokens_(std::move(tokens)), key_(std::move(key)), chatTemplate_(extras.chatTemplate), chatTemplates_(extras.chatTemplates), namedTokens_(extras.namedTokens), ends_(tokens_[0].empty()) {
        std::vector<std::pair<std::string_view, int32_t>> keys;
        for (size_t id = 0; id < tokens_.size(); ++id)
            if (!tokens_[id].empty()) keys.emplace_back(tokens_[id], static_cast<int32_t>(id));
        root_ = trie_.addRoot(std::move(keys));
    }

    using Tokenizer::encode;
    void encode(std::string_view text, const EncodeOptions& options, Encoding& out) const override {
        if (text.size() >= UINT32_MAX / 4) throw EncodeError(Error(ErrorCode::kUnsupported, "a text of 1 GiB or more", "cut it into documents"));
        size_t from = 0;
        for (size_t at = from; options.parseSpecial && ends_ && (at = text.find(kDocumentEndText, at)) != text.npos;) {
            const size_t end = at + kDocumentEndText.size();
            if (touches(options.plain, at, end)) {
                ++at;
                continue;
            }
            encodePlain(text, from, at, options.offsets, out);
            put(kDocumentEnd, at, end, options.offsets, out);
            from = at = end;
        }
        encodePlain(text, from, text.size(), options.offsets, out);
    }
    std::string decode(std::span<const int32_t> ids, bool skipSpecial) const override { return lossyUtf8(decodeBytes(ids, skipSpecial)); }
    std::string decodeBytes(std::span<const int32_t> ids, bool skipSpecial) const override {
        std::string out;
        for (const int32_t id : ids) {
            if (!isControl(id)) out += bytesOf(id);
            if (isControl(id) && !skipSpecial) out += kDocumentEndText;
        }
        return out;
    }
    std::string tokenText(int32_t id) const override { return isControl(id) ? std::string(kDocumentEndText) : toByteChars(bytesOf(id)); }
    int64_t vocabSize() const override { return static_cast<int64_t>(tokens_.size()); }
    int32_t bosId() const override { return -1; }
    int32_t eosId() const override { return ends_ ? kDocumentEnd : -1; }
    bool addsBos() const override { return false; }
    const std::string& chatTemplate() const override { return chatTemplate_; }
    bool isControl(int32_t id) const override { return ends_ && id == kDocumentEnd; }
    std::span<const NamedText> chatTemplates() const override { return chatTemplates_; }
    std::span<const NamedText> namedTokens() const override { return namedTokens_; }
    const std::string& contentKey() const override { return key_; }

    // WordPiece without a mark for continued words, on a text that is one word of byte-level characters, cuts in the same way.
    Result<std::string> toTokenizerJson() const override {
        TokenizerJson out;
        out.model = TokenizerJson::Model::kWordPiece;
        out.continuingPrefix.clear();
        out.maxWordCharacters = UINT32_MAX;
        if (ends_) {
            out.tokens.emplace_back(kDocumentEndText, kDocumentEnd);
            out.added.push_back(Json{{"id", kDocumentEnd}, {"content", kDocumentEndText}, {"single_word", false}, {"lstrip", false}, {"rstrip", false}, {"normalized", false}, {"special", true}});
        }
        for (size_t id = 0; id < tokens_.size(); ++id)
            if (!tokens_[id].empty()) out.tokens.emplace_back(toByteChars(tokens_[id]), static_cast<int64_t>(id));
        out.unknown = std::string(byteChar(0));  // the format wants one; every byte is a token, so nothing is unknown
        out.preTokenizer = Json{{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", false}};
        out.decoder = Json{{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", false}};
        return writeTokenizerJson(out);
    }

private:
    std::string_view bytesOf(int32_t id) const { return id >= 0 && static_cast<size_t>(id) < tokens_.size() ? std::string_view(tokens_[static_cast<size_t>(id)]) : std::string_view(); }
    static void put(int32_t id, size_t begin, size_t end, bool offsets, Encoding& out) {
        out.ids.push_back(id);
        if (offsets) out.offsets.emplace_back(static_cast<uint32_t>(begin), static_cast<uint32_t>(end));
    }
    void encodePlain(std::string_view text, size_t at, size_t end, bool offsets, Encoding& out) const {
        while (at < end) {
            ByteTrie::Node node = root_;
            int32_t id = -1;
            size_t to = at + 1;
            for (size_t i = at; i < end && (node = trie_.child(node, static_cast<unsigned char>(text[i]))) != ByteTrie::kNoNode;) {
                ++i;
                if (const int32_t value = trie_.value(node); value >= 0) {
                    id = value;
                    to = i;
                }
            }
            put(id, at, to, offsets, out);
            at = to;
        }
    }

    std::vector<std::string> tokens_;
    ByteTrie trie_;
    ByteTrie::Node root_ = 0;
    std::string key_, chatTemplate_;
    std::vector<NamedText> chatTemplates_, namedTokens_;
    bool ends_;  // id 0 ends a document
};

}  // namespace

bool looksLikeRwkv(std::string_view text) {
    std::string_view rest = text.substr(0, 8 * kMaxRwkvToken);
    RwkvLine line;
    for (int i = 0; i < 2; ++i)
        if (!takeRwkvLine(rest, line) || !pythonLiteral(line.literal)) return false;
    return true;
}

Result<TokenizerPtr> tokenizerFromRwkv(std::string_view text, const std::string& what, const TokenizerExtras& extras) {
    const std::string_view whole = text;
    std::vector<std::string> tokens;
    size_t bytes = 0;
    for (int64_t number = 1; !text.empty(); ++number) {
        const std::string where = what + ": line " + std::to_string(number);
        RwkvLine line;
        if (!takeRwkvLine(text, line)) return fail(ErrorCode::kInvalidFile, where + " is not \"id literal length\"", "use the vocabulary file as it was published");
        if (line.id >= kMaxRwkvIds) return fail(ErrorCode::kInvalidFile, where + " has the id " + std::to_string(line.id) + "; at most " + std::to_string(kMaxRwkvIds) + " tokens are read");
        if (line.length == 0 || line.length > kMaxRwkvToken) return fail(ErrorCode::kInvalidFile, where + " has a token of " + std::to_string(line.length) + " bytes; 1 to " + std::to_string(kMaxRwkvToken) + " are read");
        auto token = pythonLiteral(line.literal);
        if (!token) return fail(ErrorCode::kInvalidFile, where + " has no literal of Python: " + token.error().message, "use the vocabulary file as it was published");
        if (token->size() != line.length) return fail(ErrorCode::kInvalidFile, where + " says " + std::to_string(line.length) + " bytes and holds " + std::to_string(token->size()));
        if ((bytes += token->size()) > kMaxRwkvText) return fail(ErrorCode::kInvalidFile, what + ": the tokens hold more than 32 MiB of text");
        if (line.id >= tokens.size()) tokens.resize(line.id + 1);
        if (!tokens[line.id].empty()) return fail(ErrorCode::kInvalidFile, where + " has the id " + std::to_string(line.id) + " once more");
        tokens[line.id] = std::move(*token);
    }
    StringTable ids;
    ids.reserve(tokens.size());
    for (size_t id = 0; id < tokens.size(); ++id)
        if (!tokens[id].empty() && !ids.insert(tokens[id], static_cast<int32_t>(id)))
            return fail(ErrorCode::kInvalidFile, what + ": id " + std::to_string(id) + " has the bytes of id " + std::to_string(ids.find(tokens[id])));
    for (int b = 0; b < 256; ++b) {
        const char c = static_cast<char>(b);
        if (ids.find({&c, 1}) < 0) return fail(ErrorCode::kInvalidFile, what + ": the byte " + std::to_string(b) + " is no token");
    }
    Sha256 hash;
    hash.update("assay rwkv 1\n");
    hash.update(whole);
    return std::make_shared<RwkvTokenizer>(std::move(tokens), hash.finishHex(), extras);
}

}  // namespace assay::data
