#include "tokenizer/rank_vocabulary.h"

#include <charconv>

#include "tokenizer/base64.h"
#include "tokenizer/byte_level.h"
#include "tokenizer/flat_map.h"
#include "tokenizer/json_writer.h"
#include "tokenizer/rank_families.h"

namespace assay::data {
namespace {

constexpr size_t kMaxRanks = 2'000'000, kMaxTokenBytes = 4096;

// One line "base64 rank" from the front of `rest`.
bool takeLine(std::string_view& rest, std::string_view& token, uint64_t& rank) {
    const size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
    const size_t space = line.find(' ');
    if (line.empty() || space == line.npos) return false;
    token = line.substr(0, space);
    const std::string_view number = line.substr(space + 1);
    const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), rank);
    return error == std::errc() && stop == number.data() + number.size();
}

}  // namespace

Result<TokenizerPtr> tokenizerFromRanks(const RankVocabulary& v, const std::string& what, const TokenizerExtras& extras) {
    StringTable ranks;
    ranks.reserve(v.tokens.size());
    for (size_t rank = 0; rank < v.tokens.size(); ++rank)
        if (!v.tokens[rank].empty() && !ranks.insert(v.tokens[rank], static_cast<int32_t>(rank)))
            return fail(ErrorCode::kInvalidFile, what + ": rank " + std::to_string(rank) + " has the bytes of rank " + std::to_string(ranks.find(v.tokens[rank])));
    for (int b = 0; b < 256; ++b) {
        const char c = static_cast<char>(b);
        if (ranks.find({&c, 1}) < 0) return fail(ErrorCode::kInvalidFile, what + ": the byte " + std::to_string(b) + " has no rank");
    }
    TokenizerJson out;
    for (const auto& [token, id] : v.special)
        out.added.push_back(Json{{"id", id}, {"content", token}, {"single_word", false}, {"lstrip", false}, {"rstrip", false}, {"normalized", false}, {"special", true}});
    const auto byteLevel = [](bool regex) { return Json{{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", regex}}; };
    if (v.nfc) out.normalizer = Json{{"type", "NFC"}};
    const Json split{{"type", "Split"}, {"pattern", Json{{"Regex", v.pattern}}}, {"behavior", "Isolated"}, {"invert", false}};
    out.preTokenizer = Json{{"type", "Sequence"}, {"pretokenizers", Json::array({split, byteLevel(false)})}};
    out.decoder = byteLevel(true);
    out.ignoreMerges = true;
    if (!v.bos.empty()) {
        const auto id = std::find_if(v.special.begin(), v.special.end(), [&](const auto& s) { return s.first == v.bos; });
        if (id == v.special.end()) return fail(ErrorCode::kInvalidFile, what + ": names no token " + v.bos);
        const Json bos{{"SpecialToken", Json{{"id", v.bos}, {"type_id", 0}}}}, first{{"Sequence", Json{{"id", "A"}, {"type_id", 0}}}}, second{{"Sequence", Json{{"id", "B"}, {"type_id", 1}}}};
        out.postProcessor = Json{{"type", "TemplateProcessing"}, {"single", Json::array({bos, first})}, {"pair", Json::array({bos, first, second})},
                                 {"special_tokens", Json{{v.bos, Json{{"id", v.bos}, {"ids", Json::array({id->second})}, {"tokens", Json::array({v.bos})}}}}}};
    }
    for (size_t rank = 0; rank < v.tokens.size(); ++rank) {
        const std::string& token = v.tokens[rank];
        if (token.empty()) continue;
        out.tokens.emplace_back(toByteChars(token), v.firstId + static_cast<int64_t>(rank));
        for (size_t cut = 1; cut < token.size(); ++cut) {
            const std::string_view left = std::string_view(token).substr(0, cut), right = std::string_view(token).substr(cut);
            if (ranks.find(left) >= 0 && ranks.find(right) >= 0) out.merges.emplace_back(toByteChars(left), toByteChars(right));
        }
    }
    return tokenizerFromJson(writeTokenizerJson(out), what, extras);
}

bool looksLikeTiktoken(std::string_view bytes) {
    std::string_view rest = bytes.substr(0, 4096), token;
    uint64_t rank = 0;
    return takeLine(rest, token, rank) && fromBase64(token, "").has_value() && takeLine(rest, token, rank) && fromBase64(token, "").has_value();
}

Result<TokenizerPtr> tokenizerFromTiktoken(std::string_view bytes, const std::string& what, const TokenizerExtras& extras, int64_t modelVocabulary) {
    RankVocabulary v;
    size_t count = 0;
    int64_t line = 0;
    while (!bytes.empty()) {
        ++line;
        std::string_view token;
        uint64_t rank = 0;
        const std::string where = what + ": line " + std::to_string(line);
        if (line > 1 && bytes.find_first_not_of("\r\n ") == bytes.npos) break;
        if (!takeLine(bytes, token, rank)) {
            return fail(ErrorCode::kInvalidFile, where + " is not \"base64 rank\"", "use the tiktoken file as it was published");
        }
        if (rank >= kMaxRanks) return fail(ErrorCode::kInvalidFile, where + " has the rank " + std::to_string(rank));
        ASSAY_TRY(std::string raw, fromBase64(token, where));
        if (raw.size() > kMaxTokenBytes) return fail(ErrorCode::kInvalidFile, where + " has a token of " + std::to_string(raw.size()) + " bytes");
        if (rank >= v.tokens.size()) v.tokens.resize(rank + 1);
        if (!v.tokens[rank].empty()) return fail(ErrorCode::kInvalidFile, where + " has the rank " + std::to_string(rank) + " once more");
        v.tokens[rank] = std::move(raw);  // Whisper's file has a rank without bytes
        ++count;
    }
    if (const RankFamily* family = rankFamily(count, modelVocabulary)) {
        v.pattern = *family->pattern;
        v.nfc = family->nfc;
        v.special = family->special;
        v.bos = family->bos;
        return tokenizerFromRanks(v, what, extras);
    }
    return fail(ErrorCode::kUnsupported, what + ": " + std::to_string(count) + " ranks belong to no family that is known, and the file does not say by what pattern text is cut", "use the model's tokenizer.json");
}

}  // namespace assay::data
