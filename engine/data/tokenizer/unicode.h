#pragma once
// UTF-8 and the character classes that tokenizer files refer to, of the Unicode versions that the reference
// implementations use (unicode_tables.h).
#include <cstdint>
#include <string>
#include <string_view>

namespace assay::data {

enum CharClass : uint8_t {
    kLetter = 1,       // L*
    kNumber = 2,       // N*
    kMark = 4,         // M*
    kSpace = 8,        // White_Space (U+0085, U+00A0, U+2028 … but not U+180E)
    kPunctuation = 16, // P*
    kSymbol = 32,      // S*
    kOther = 64,       // Cc, Cf, Cs, Co
    kWord = 128,       // \w: Alphabetic, marks, decimal digits, connector punctuation, joiners
};

constexpr char32_t kReplacement = 0xFFFD;
extern const uint8_t* const kCharClasses;  // indexed by code point below 0x110000
inline uint8_t charClass(char32_t c) { return c < 0x110000 ? kCharClasses[c] : uint8_t{0}; }

// Classes of the reference implementation's parts that are of another Unicode version.
enum OldClass : uint8_t {
    kOldPunctuation = 1,  // Punctuation, BertPreTokenizer (beside ASCII punctuation)
    kOldOther = 2,        // BertNormalizer's control characters
    kOldNonspacing = 4,   // BertNormalizer's accents
    kOldCombining = 8,    // StripAccents
    kNumeral = 16,        // Digits
    kUnmapped = 32,       // newer than the normalization tables: no decomposition, no combining class
};
extern const uint8_t* const kOldClasses;  // indexed by code point below 0x110000
inline uint8_t oldClass(char32_t c) { return c < 0x110000 ? kOldClasses[c] : uint8_t{0}; }

// General categories in the order of the tables.
enum class Category : uint8_t { Cn, Lu, Ll, Lt, Lm, Lo, Mn, Mc, Me, Nd, Nl, No, Pc, Pd, Ps, Pe, Pi, Pf, Po, Sm, Sc, Sk, So, Zs, Zl, Zp, Cc, Cf, Cs, Co };
constexpr int kCategories = 30;
Category categoryOf(char32_t c);
char32_t lowerCase(char32_t c);        // U+0130, whose lower case is two characters, is left as it is
uint8_t oldScriptOf(char32_t c);       // UnicodeScripts; 0: goes with every script

struct CodePoint {
    char32_t value;
    uint32_t bytes;
    bool valid;
};
// The code point at `at`; an invalid byte is one U+FFFD of one byte with valid == false.
CodePoint decodeMultibyte(std::string_view text, size_t at);
inline CodePoint codePointAt(std::string_view text, size_t at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x80) return {byte, 1, true};
    return decodeMultibyte(text, at);
}
CodePoint codePointBefore(std::string_view text, size_t end);  // end > 0
void appendUtf8(std::string& out, char32_t c);
// Position of the first invalid byte, npos when all is valid.
size_t firstInvalidUtf8(std::string_view text);
// Every maximal ill-formed part becomes one U+FFFD (Unicode 15, section 3.9).
std::string lossyUtf8(std::string_view bytes);
// Length of an unfinished but so far valid sequence at the end (0 to 3).
size_t incompleteTail(std::string_view bytes);

}  // namespace assay::data
