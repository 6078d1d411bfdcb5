#pragma once
// The split patterns of well-known tokenizers as code. A rule gives the end of the piece that begins at i < to; the pieces
// cover the text without gaps. Each rule must cut as its pattern does under a backtracking engine: tests/data compares them.
#include <type_traits>

#include "tokenizer/scan.h"

namespace assay::data {

inline bool isNewline(unsigned char b) { return b == '\r' || b == '\n'; }

// GPT-2. kDigitsApart: after the pre-tokenizer Digits with single digits, so that every numeric character is a piece and
// look-ahead ends before it (SmolLM, StarCoder).
template <bool kDigitsApart>
struct Gpt2Rule {
    static uint32_t end(const BasicScan<kDigitsApart>& t, uint32_t i) {
        const unsigned char b = t.byte(i);
        if (isAsciiLetter(b)) return t.letters(i + 1);
        uint32_t p = i, next = i + 1;
        uint8_t c;
        if (b == ' ' && next < t.to()) {
            if (isAsciiLetter(t.byte(next))) return t.letters(next + 1);
            uint32_t after;
            c = t.classAt(next, after);
            if (kDigitsApart && (c & kNumber)) return next;
            if (c & kSpace) {
                c = kSpace;
            } else {
                p = next;
                next = after;
            }
        } else {
            if (b == '\'')
                if (const uint32_t n = t.contraction(i, false)) return i + n;
            c = t.classAt(i, next);
        }
        if (c & kLetter) return t.letters(next);
        if (c & kNumber) return kDigitsApart ? next : t.run(next, [](uint8_t k) { return (k & kNumber) != 0; });
        if (!(c & kSpace)) return t.run(next, [](uint8_t k) { return !(k & (kLetter | kNumber | kSpace)); });
        const uint32_t runEnd = t.run(next, [](uint8_t k) { return (k & kSpace) != 0; });
        if (kDigitsApart && runEnd < t.to()) {
            uint32_t after;
            if (t.classAt(runEnd, after) & kNumber) return runEnd;
        }
        return t.blanks(p, runEnd);
    }
};

// \s*[\r\n]+|\s+(?!\S)|\s+ at white space.
inline uint32_t blanksWithNewlines(const Scan& t, uint32_t i) {
    const uint32_t runEnd = t.run(i, [](uint8_t k) { return (k & kSpace) != 0; });
    for (uint32_t k = runEnd; k > i; --k)
        if (isNewline(t.byte(k - 1))) return k;
    return t.blanks(i, runEnd);
}
inline uint32_t newlines(const Scan& t, uint32_t i) {
    while (i < t.to() && isNewline(t.byte(i))) ++i;
    return i;
}

// Llama 3 and cl100k (kDigits 3), Qwen 2 (kDigits 1), Qwen 3.5 (kDigits 1, marks are letters).
template <uint32_t kDigits, uint8_t kLetters = kLetter>
struct Llama3Rule {
    static uint32_t end(const Scan& t, uint32_t i) {
        const unsigned char b = t.byte(i);
        uint32_t next = i + 1;
        if (isAsciiLetter(b) || (b == ' ' && next < t.to() && isAsciiLetter(t.byte(next)))) return t.letters(next, kLetters);
        if (b == '\'')
            if (const uint32_t n = t.contraction(i, true)) return i + n;
        const uint8_t c = t.classAt(i, next);
        if (c & kLetters) return t.letters(next, kLetters);
        if (c & kNumber) return t.run(next, [](uint8_t k) { return (k & kNumber) != 0; }, kDigits - 1);
        uint32_t after = next;
        const uint8_t following = next < t.to() ? t.classAt(next, after) : uint8_t{kSpace};
        if ((following & kLetters) && !isNewline(b)) return t.letters(after, kLetters);
        constexpr auto rest = [](uint8_t k) { return !(k & (kLetters | kNumber | kSpace)); };
        if (b == ' ' && rest(following)) return newlines(t, t.run(after, rest));
        if (rest(c)) return newlines(t, t.run(next, rest));
        return blanksWithNewlines(t, i);
    }
};

// o200k (GPT-4o, gpt-oss) and, without contractions and with single digits, Mistral's Tekken: words begin at capitals.
template <uint32_t kDigits, bool kContractions>
struct O200kRule {
    static uint32_t end(const Scan& t, uint32_t i) {
        const unsigned char b = t.byte(i);
        // The usual case: a space or nothing, capitals, small letters, all ASCII.
        uint32_t p = b == ' ' ? i + 1 : i;
        if (p < t.to() && isAsciiLetter(t.byte(p))) {
            uint32_t q = p;
            while (q < t.to() && t.byte(q) >= 'A' && t.byte(q) <= 'Z') ++q;
            if (q < t.to() && t.byte(q) >= 'a' && t.byte(q) <= 'z') {
                const uint32_t small = smallAscii(t, q + 1);
                if (small == t.to() || t.byte(small) < 0x80) return contracted(t, small);
            } else if (q == t.to() || t.byte(q) < 0x80) {
                return contracted(t, q);
            }
        }
        uint32_t next;
        const uint8_t c = t.classAt(i, next);
        const bool prefix = !(c & (kLetter | kNumber)) && !isNewline(b);
        uint32_t found;
        if (prefix && (found = capitalsThenSmall(t, next))) return contracted(t, found);
        if ((c & (kLetter | kMark)) && (found = capitalsThenSmall(t, i))) return contracted(t, found);
        if (prefix && (found = capitals(t, next)) > next) return contracted(t, found);
        if ((c & (kLetter | kMark)) && (found = capitals(t, i)) > i) return contracted(t, found);
        if (c & kNumber) return t.run(next, [](uint8_t k) { return (k & kNumber) != 0; }, kDigits - 1);
        constexpr auto rest = [](uint8_t k) { return !(k & (kLetter | kNumber | kSpace)); };
        uint32_t after = next;
        if (b == ' ' && next < t.to() && rest(t.classAt(next, after))) return slashes(t, t.run(after, rest));
        if (rest(c)) return slashes(t, t.run(next, rest));
        return blanksWithNewlines(t, i);
    }

private:
    enum Case : uint8_t { kNeither, kBig, kSmall, kBoth };  // [Lu Lt], [Ll], [Lm Lo M]
    static Case caseAt(const Scan& t, uint32_t i, uint32_t& next) {
        const unsigned char b = t.byte(i);
        if (b < 0x80) {
            next = i + 1;
            return !isAsciiLetter(b) ? kNeither : b & 0x20 ? kSmall : kBig;
        }
        bool valid;
        const char32_t c = t.at(i, next, valid);
        if (!valid) return kNeither;
        const uint8_t k = charClass(c);
        if (!(k & (kLetter | kMark))) return kNeither;
        switch (categoryOf(c)) {
            case Category::Lu:
            case Category::Lt: return kBig;
            case Category::Ll: return kSmall;
            default: return kBoth;
        }
    }
    static uint32_t smallAscii(const Scan& t, uint32_t i) {
        while (i < t.to() && t.byte(i) >= 'a' && t.byte(i) <= 'z') ++i;
        return i;
    }
    // [Lu Lt Lm Lo M]*[Ll Lm Lo M]+ from i on: its end, 0: no match.
    static uint32_t capitalsThenSmall(const Scan& t, uint32_t i) {
        uint32_t lastBoth = 0;  // end of the last character of the run that both classes hold
        while (i < t.to()) {
            uint32_t next;
            const Case c = caseAt(t, i, next);
            if (c == kSmall) {
                i = next;
                while (i < t.to() && (caseAt(t, i, next) & kSmall)) i = next;
                return i;
            }
            if (c == kNeither) break;
            i = next;
            if (c == kBoth) lastBoth = next;
        }
        return lastBoth;
    }
    // [Lu Lt Lm Lo M]+[Ll Lm Lo M]* where the above does not match: capitals only. i when there are none.
    static uint32_t capitals(const Scan& t, uint32_t i) {
        uint32_t next;
        while (i < t.to() && caseAt(t, i, next) == kBig) i = next;
        return i;
    }
    static uint32_t contracted(const Scan& t, uint32_t i) {
        if constexpr (kContractions) {
            if (t.is(i, '\'')) return i + t.contraction(i, true);
        }
        return i;
    }
    static uint32_t slashes(const Scan& t, uint32_t i) {
        while (i < t.to() && (isNewline(t.byte(i)) || t.byte(i) == '/')) ++i;
        return i;
    }
};

// The third pattern of DeepSeek-V3; what it does not match stands between its matches as pieces of its own.
struct DeepSeekInnerRule {
    static uint32_t end(const Scan& t, uint32_t i) {
        uint32_t e = match(t, i);
        if (e > i) return e;
        do {  // a gap reaches up to the next match
            uint32_t next;
            t.classAt(i, next);
            i = next;
        } while (i < t.to() && match(t, i) == i);
        return i;
    }
    // End of the match at i, i: none.
    static uint32_t match(const Scan& t, uint32_t i) {
        const unsigned char b = t.byte(i);
        uint32_t next = i + 1;
        constexpr uint8_t kLetters = kLetter | kMark;
        if (isAsciiLetter(b) || (b == ' ' && next < t.to() && isAsciiLetter(t.byte(next)))) return t.letters(next, kLetters);
        if (b < 0x80 && (kAsciiClass[b] & (kPunctuation | kSymbol)) && next < t.to() && isAsciiLetter(t.byte(next))) return t.asciiLetters(next + 1);
        const uint8_t c = t.classAt(i, next);
        if (c & kLetters) return t.letters(next, kLetters);
        uint32_t after = next;
        const uint8_t following = next < t.to() ? t.classAt(next, after) : uint8_t{0};
        if (!(c & (kPunctuation | kSymbol)) && !isNewline(b) && (following & kLetters)) return t.letters(after, kLetters);
        constexpr auto signs = [](uint8_t k) { return (k & (kPunctuation | kSymbol)) != 0; };
        if (b == ' ' && signs(following)) return newlines(t, t.run(after, signs));
        if (signs(c)) return newlines(t, t.run(next, signs));
        if (c & kSpace) return blanksWithNewlines(t, i);
        return i;
    }
};

// DeepSeek-V3 and R1: \p{N}{1,3}, then [一-龥぀-ゟ゠-ヿ]+, then the pattern above inside of what these leave and find.
class DeepSeekParts {
public:
    // End of the part that begins at i; `number`: it is a piece.
    static uint32_t end(const Scan& t, uint32_t i, bool& number) {
        uint32_t next;
        const uint8_t c = t.classAt(i, next);
        number = (c & kNumber) != 0;
        if (number) return t.run(next, [](uint8_t k) { return (k & kNumber) != 0; }, 2);
        const bool cjk = isCjk(t, i, next);
        i = next;
        while (i < t.to()) {
            const unsigned char b = t.byte(i);
            if (b < 0x80) {
                if (cjk || (kAsciiClass[b] & kNumber)) break;
                i = plainAscii(t, i + 1);
                continue;
            }
            if ((t.classAt(i, next) & kNumber) || isCjk(t, i, next) != cjk) break;
            i = next;
        }
        return i;
    }

private:
    static bool isCjk(const Scan& t, uint32_t i, uint32_t& next) {
        bool valid;
        const char32_t c = t.at(i, next, valid);
        return valid && ((c >= 0x4E00 && c <= 0x9FA5) || (c >= 0x3040 && c <= 0x30FF));
    }
    // End of the run of ASCII other than digits.
    static uint32_t plainAscii(const Scan& t, uint32_t i) {
#if defined(__SSE2__)
        while (i + 16 <= t.text().size()) {
            const __m128i v = _mm_loadu_si128(reinterpret_cast<const __m128i*>(t.text().data() + i));
            const __m128i digit = _mm_and_si128(_mm_cmpgt_epi8(v, _mm_set1_epi8('0' - 1)), _mm_cmplt_epi8(v, _mm_set1_epi8('9' + 1)));
            if (const int stop = _mm_movemask_epi8(_mm_or_si128(v, digit))) {
                i += static_cast<uint32_t>(__builtin_ctz(static_cast<unsigned>(stop)));
                return i < t.to() ? i : t.to();
            }
            i += 16;
            if (i >= t.to()) return t.to();
        }
#endif
        while (i < t.to() && t.byte(i) < 0x80 && !(kAsciiClass[t.byte(i)] & kNumber)) ++i;
        return i;
    }
};

struct DeepSeekRule {};

// Calls piece(i, j) for all pieces of text[from, to), in order.
template <class Rule, class Piece>
inline void forPieces(std::string_view text, uint32_t from, uint32_t to, Piece piece) {
    if constexpr (std::is_same_v<Rule, DeepSeekRule>) {
        const Scan whole(text, to);
        Scan part = whole;
        for (uint32_t i = from; i < to;) {
            bool number;
            const uint32_t partEnd = DeepSeekParts::end(whole, i, number);
            if (number) {
                piece(i, partEnd);
                i = partEnd;
                continue;
            }
            part.setTo(partEnd);
            while (i < partEnd) {
                const uint32_t j = DeepSeekInnerRule::end(part, i);
                piece(i, j);
                i = j;
            }
        }
    } else {
        const BasicScan<std::is_same_v<Rule, Gpt2Rule<true>>> scan(text, to);
        for (uint32_t i = from; i < to;) {
            const uint32_t j = Rule::end(scan, i);
            piece(i, j);
            i = j;
        }
    }
}

}  // namespace assay::data
