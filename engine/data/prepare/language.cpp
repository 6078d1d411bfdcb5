#include "prepare/language.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

struct Known {
    const char *code, *name;
};
constexpr std::array kKnown = {Known{"en", "English"},    Known{"de", "German"},   Known{"fr", "French"},  Known{"es", "Spanish"},   Known{"it", "Italian"},    Known{"pt", "Portuguese"},
                               Known{"nl", "Dutch"},      Known{"sv", "Swedish"},  Known{"da", "Danish"},  Known{"nb", "Norwegian"}, Known{"pl", "Polish"},     Known{"cs", "Czech"},
                               Known{"hu", "Hungarian"},  Known{"ro", "Romanian"}, Known{"fi", "Finnish"}, Known{"tr", "Turkish"},   Known{"vi", "Vietnamese"}, Known{"id", "Indonesian"},
                               Known{"ru", "Russian"},    Known{"uk", "Ukrainian"}, Known{"sr", "Serbian"}, Known{"el", "Greek"},    Known{"he", "Hebrew"},     Known{"th", "Thai"},
                               Known{"ko", "Korean"},     Known{"ja", "Japanese"}, Known{"zh", "Chinese"}, Known{"ar", "Arabic"},    Known{"other", "a language of another script"}};

enum Script { kLatin, kCyrillic, kGreek, kHebrew, kThai, kArabic, kHangul, kKana, kHanScript, kOtherScript, kScripts };

Script scriptOf(char32_t c) {
    if (c < 0x250 || (c >= 0x1E00 && c < 0x1F00) || (c >= 0xFF21 && c <= 0xFF5A)) return kLatin;
    if ((c >= 0x370 && c < 0x400) || (c >= 0x1F00 && c < 0x2000)) return kGreek;
    if (c >= 0x400 && c < 0x530) return kCyrillic;
    if (c >= 0x590 && c < 0x600) return kHebrew;
    if ((c >= 0x600 && c < 0x780) || (c >= 0xFB50 && c < 0xFE00) || (c >= 0xFE70 && c < 0xFF00)) return kArabic;
    if (c >= 0xE00 && c < 0xE80) return kThai;
    if ((c >= 0x1100 && c < 0x1200) || (c >= 0x3130 && c < 0x3190) || (c >= 0xAC00 && c < 0xD7B0)) return kHangul;
    if ((c >= 0x3040 && c < 0x3100) || (c >= 0xFF66 && c < 0xFF9E)) return kKana;
    if ((c >= 0x3400 && c < 0xA000) || (c >= 0xF900 && c < 0xFB00) || (c >= 0x20000 && c < 0x32000)) return kHanScript;
    return kOtherScript;
}

constexpr double kLevelNats = 0.25;
constexpr char32_t kEdge = '_';

uint64_t pieceKey(char32_t a, char32_t b, char32_t c) { return static_cast<uint64_t>(a) << 42 | static_cast<uint64_t>(b) << 21 | c; }

// The pieces of one script, in an open table.
class PieceTable {
public:
    PieceTable(const char* languages, std::string_view table) {
        for (std::string_view rest = languages; !rest.empty();) {
            const size_t end = std::min(rest.find(' '), rest.size());
            languages_.push_back(languageByCode(rest.substr(0, end)));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        keys_.assign(size_t{1} << 13, 0);
        levels_.resize(keys_.size());
        for (size_t at = 0; at < table.size();) {
            std::array<char32_t, 3> c{};
            for (char32_t& one : c) {
                const CodePoint point = codePointAt(table, at);
                one = point.value;
                at += point.bytes;
            }
            const size_t i = slot(pieceKey(c[0], c[1], c[2]));
            keys_[i] = pieceKey(c[0], c[1], c[2]);
            levels_[i] = table.data() + at;
            at += languages_.size();
        }
    }
    const std::vector<int>& languages() const { return languages_; }
    // One character for each language, or null.
    const char* find(char32_t a, char32_t b, char32_t c) const { return levels_[slot(pieceKey(a, b, c))]; }

private:
    size_t slot(uint64_t key) const {
        size_t i = key * 0x9E3779B97F4A7C15ull >> 51;
        while (keys_[i] != 0 && keys_[i] != key) i = (i + 1) & (keys_.size() - 1);
        return i;
    }
    std::vector<int> languages_;
    std::vector<uint64_t> keys_;
    std::vector<const char*> levels_;
};

const PieceTable& piecesOf(Script script) {
    static const PieceTable latin(kLatinLanguages, kLatinPieces), cyrillic(kCyrillicLanguages, kCyrillicPieces);
    return script == kLatin ? latin : cyrillic;
}

struct Letters {
    std::array<int, kScripts> count{};
    std::vector<char32_t> letters;  // in lower case; 0 between words
};
Letters lettersOf(std::string_view text) {
    Letters out;
    int seen = 0;
    for (size_t at = 0; at < text.size() && seen < kMostLetters;) {
        const CodePoint c = codePointAt(text, at);
        at += c.bytes;
        const uint8_t cls = charClass(c.value);
        if ((cls & kMark) != 0) continue;
        if ((cls & kLetter) == 0) {
            if (!out.letters.empty() && out.letters.back() != 0) out.letters.push_back(0);
            continue;
        }
        ++seen;
        ++out.count[scriptOf(c.value)];
        out.letters.push_back(lowerCase(c.value));
    }
    out.letters.push_back(0);
    return out;
}

IdentifiedLanguage likeliest(const Letters& text, Script script) {
    const PieceTable& pieces = piecesOf(script);
    const size_t n = pieces.languages().size();
    std::vector<long> levels(n);  // -log p in steps
    const auto add = [&](char32_t a, char32_t b, char32_t c) {
        if (const char* known = pieces.find(a, b, c))
            for (size_t i = 0; i < n; ++i) levels[i] += known[i] - '0';
    };
    char32_t a = 0, b = kEdge;  // what stands before: a word's first piece is its edge and two letters
    for (const char32_t c : text.letters) {
        const bool inside = c != 0 && scriptOf(c) == script;
        if (inside || b != kEdge) {
            if (a != 0) add(a, b, inside ? c : kEdge);
            a = inside ? b : 0;
            b = inside ? c : kEdge;
        }
    }
    size_t best = 0;
    for (size_t i = 1; i < n; ++i)
        if (levels[i] < levels[best]) best = i;
    long next = -1;
    for (size_t i = 0; i < n; ++i)
        if (i != best && (next < 0 || levels[i] < next)) next = levels[i];
    const double margin = kLevelNats * static_cast<double>(next - levels[best]);
    return {margin >= kLeastMargin ? pieces.languages()[best] : kUnknownLanguage, margin};
}

}  // namespace

const char* languageCode(int language) { return language >= 0 && language < static_cast<int>(kKnown.size()) ? kKnown[static_cast<size_t>(language)].code : "unknown"; }
const char* languageName(int language) { return language >= 0 && language < static_cast<int>(kKnown.size()) ? kKnown[static_cast<size_t>(language)].name : "unknown"; }
int languageByCode(std::string_view code) {
    for (size_t i = 0; i < kKnown.size(); ++i)
        if (code == kKnown[i].code) return static_cast<int>(i);
    return kUnknownLanguage;
}

IdentifiedLanguage identifyLanguage(std::string_view text) {
    const Letters letters = lettersOf(text);
    // A Han character, a kana or a syllable of Hangul says about as much as three letters.
    std::array<int, kScripts> weight = letters.count;
    for (const Script s : {kHangul, kKana, kHanScript}) weight[s] *= 3;
    int all = 0;
    for (const int w : weight) all += w;
    if (all < kLeastLetters) return {};
    const auto most = [&](int w) { return w * 2 >= all; };
    if (most(weight[kHanScript] + weight[kKana])) return {languageByCode(weight[kKana] * 20 >= weight[kHanScript] + weight[kKana] ? "ja" : "zh"), 0};
    static constexpr std::array kAlone = {std::pair{kGreek, "el"}, std::pair{kHebrew, "he"}, std::pair{kThai, "th"}, std::pair{kArabic, "ar"}, std::pair{kHangul, "ko"}, std::pair{kOtherScript, "other"}};
    for (const auto& [script, code] : kAlone)
        if (most(weight[script])) return {languageByCode(code), 0};
    for (const Script script : {kLatin, kCyrillic})
        if (most(weight[script])) return likeliest(letters, script);
    return {};
}

}  // namespace assay::data
