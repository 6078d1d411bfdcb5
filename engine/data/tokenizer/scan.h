#pragma once
// Reading a text character by character at the speed of its bytes: sixteen ASCII bytes at a time where SSE2 is there (every
// x86-64), one by one elsewhere and near the end of the text.
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "tokenizer/unicode.h"

namespace assay::data {

// charClass() of ASCII, known to the compiler: only letters, numbers, white space, punctuation and symbols.
inline constexpr std::array<uint8_t, 128> kAsciiClass = [] {
    std::array<uint8_t, 128> t{};
    for (int c = 0; c < 128; ++c) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'), digit = c >= '0' && c <= '9';
        const bool symbol = c == '$' || c == '+' || c == '<' || c == '=' || c == '>' || c == '^' || c == '`' || c == '|' || c == '~';
        uint8_t f = 0;
        if (letter) f = kLetter;
        else if (digit) f = kNumber;
        else if ((c >= 9 && c <= 13) || c == ' ') f = kSpace;
        else if (c > ' ' && c < 127) f = symbol ? kSymbol : kPunctuation;
        t[static_cast<size_t>(c)] = f;
    }
    return t;
}();

inline bool isAsciiLetter(unsigned char c) { return static_cast<unsigned char>((c | 0x20) - 'a') < 26; }

// A piece of a text that ends at `to`; look-ahead sees nothing beyond it. kNumerals: numbers are what the pre-tokenizer
// Digits takes for one, which knows a newer Unicode than \p{N}.
template <bool kNumerals>
class BasicScan {
public:
    BasicScan(std::string_view text, uint32_t to) : text_(text), to_(to) {}
    uint32_t to() const { return to_; }
    void setTo(uint32_t to) { to_ = to; }
    std::string_view text() const { return text_; }
    unsigned char byte(uint32_t i) const { return static_cast<unsigned char>(text_[i]); }  // i < to
    bool is(uint32_t i, char c) const { return i < to_ && text_[i] == c; }

    // Code point at i and where the next one begins; an invalid byte gives U+FFFD and `valid` false.
    char32_t at(uint32_t i, uint32_t& next, bool& valid) const {
        const auto* p = reinterpret_cast<const unsigned char*>(text_.data()) + i;
        valid = true;
        if (p[0] < 0x80) {
            next = i + 1;
            return p[0];
        }
        if (p[0] >= 0xC2 && p[0] < 0xE0 && i + 1 < to_ && (p[1] & 0xC0) == 0x80) {
            next = i + 2;
            return static_cast<char32_t>((p[0] & 0x1F) << 6 | (p[1] & 0x3F));
        }
        if (p[0] > 0xE0 && p[0] < 0xED && i + 2 < to_ && (p[1] & 0xC0) == 0x80 && (p[2] & 0xC0) == 0x80) {
            next = i + 3;
            return static_cast<char32_t>((p[0] & 0x0F) << 12 | (p[1] & 0x3F) << 6 | (p[2] & 0x3F));
        }
        const CodePoint c = decodeMultibyte(text_.substr(0, to_), i);
        next = i + c.bytes;
        valid = c.valid;
        return c.value;
    }
    uint8_t classAt(uint32_t i, uint32_t& next) const {
        const unsigned char b = byte(i);
        if (b < 0x80) {
            next = i + 1;
            return kAsciiClass[b];
        }
        bool valid;
        const char32_t c = at(i, next, valid);
        if (!valid) return 0;
        if (kNumerals && (oldClass(c) & kNumeral)) return kNumber;
        return charClass(c);
    }
    // End of the run of characters from i on whose class passes, at most `limit` characters.
    template <class Test>
    uint32_t run(uint32_t i, Test test, uint32_t limit = UINT32_MAX) const {
        while (i < to_ && limit-- > 0) {
            uint32_t next;
            if (!test(classAt(i, next))) break;
            i = next;
        }
        return i;
    }
    // The same for letters (and what else is in `mask`), most of which are ASCII.
    uint32_t letters(uint32_t i, uint8_t mask = kLetter) const {
        i = asciiLetters(i);
        if (i >= to_ || byte(i) < 0x80) return i;
        return run(i, [mask](uint8_t c) { return (c & mask) != 0; });
    }
    // End of the run of ASCII letters from i on.
    uint32_t asciiLetters(uint32_t i) const {
#if defined(__SSE2__)
        while (i + 16 <= text_.size()) {
            const __m128i v = _mm_or_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(text_.data() + i)), _mm_set1_epi8(0x20));
            const __m128i letter = _mm_and_si128(_mm_cmpgt_epi8(v, _mm_set1_epi8('a' - 1)), _mm_cmplt_epi8(v, _mm_set1_epi8('z' + 1)));
            const auto others = static_cast<uint32_t>(_mm_movemask_epi8(letter)) ^ 0xFFFFu;
            if (others) {
                i += static_cast<uint32_t>(__builtin_ctz(others));
                return i < to_ ? i : to_;
            }
            i += 16;
            if (i >= to_) return to_;
        }
#endif
        while (i < to_ && isAsciiLetter(byte(i))) ++i;
        return i;
    }
    // The piece from i to runEnd is white space: \s+(?!\S)|\s+ leaves its last character to what follows.
    uint32_t blanks(uint32_t i, uint32_t runEnd) const {
        if (runEnd == to_) return runEnd;
        const uint32_t last = runEnd - codePointBefore(text_.substr(0, to_), runEnd).bytes;
        return last > i ? last : runEnd;
    }
    // Bytes of an English contraction whose apostrophe is at i, 0: none. With `fold` in any case.
    uint32_t contraction(uint32_t i, bool fold) const {
        const auto letter = [&](uint32_t k) -> unsigned char {
            if (k >= to_) return 0;
            const unsigned char c = byte(k);
            return fold && isAsciiLetter(c) ? c | 0x20 : c;
        };
        const unsigned char a = letter(i + 1);
        if (a == 's' || a == 't' || a == 'm' || a == 'd') return 2;
        if (a == 'r' || a == 'v' || a == 'l') return letter(i + 2) == (a == 'l' ? 'l' : 'e') ? 3 : 0;
        if (fold && a == 0xC5 && i + 2 < to_ && byte(i + 2) == 0xBF) return 3;  // U+017F folds to s
        return 0;
    }

private:
    std::string_view text_;
    uint32_t to_;
};
using Scan = BasicScan<false>;

// First byte at or after i that is no ASCII, text.size() when there is none.
inline size_t firstNonAscii(std::string_view text, size_t i = 0) {
    while (i + 8 <= text.size()) {
        uint64_t word;
        std::memcpy(&word, text.data() + i, 8);
        if (word & 0x8080808080808080ull) break;
        i += 8;
    }
    while (i < text.size() && static_cast<unsigned char>(text[i]) < 0x80) ++i;
    return i;
}

}  // namespace assay::data
