#include "chat/py_text.h"

#include <utf8proc.h>

#include <algorithm>

#include "chat/long_case.h"
#include "tokenizer/unicode.h"

namespace assay::data::jinja {
namespace {

utf8proc_category_t categoryOf(char32_t c) { return utf8proc_category(static_cast<utf8proc_int32_t>(c)); }

const LongCase* longCase(char32_t c) {
    if (c < 0xDF) return nullptr;
    const auto* found = std::lower_bound(std::begin(kLongCases), std::end(kLongCases), c, [](const LongCase& l, char32_t x) { return l.character < x; });
    return found != std::end(kLongCases) && found->character == c ? found : nullptr;
}
void append(std::string& out, std::u32string_view text) {
    for (const char32_t c : text) appendUtf8(out, c);
}
void appendUpper(std::string& out, char32_t c) {
    if (c < 0x80) {
        out += static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
    } else if (const LongCase* l = longCase(c)) {
        append(out, l->upper);
    } else {
        appendUtf8(out, static_cast<char32_t>(utf8proc_toupper(static_cast<utf8proc_int32_t>(c))));
    }
}
void appendTitle(std::string& out, char32_t c) {
    if (const LongCase* l = longCase(c)) append(out, l->title);
    else appendUtf8(out, static_cast<char32_t>(utf8proc_totitle(static_cast<utf8proc_int32_t>(c))));
}

bool caseIgnorable(char32_t c) {
    switch (c) {
        case '\'': case '.': case ':': case 0xB7: case 0x2018: case 0x2019: case 0x2024: case 0x2027: case 0xFE13: case 0xFE52: case 0xFE55: case 0xFF07: case 0xFF0E: case 0x387:
        case 0x55F: case 0x5F4:
            return true;
        default: break;
    }
    switch (categoryOf(c)) {
        case UTF8PROC_CATEGORY_MN: case UTF8PROC_CATEGORY_ME: case UTF8PROC_CATEGORY_CF: case UTF8PROC_CATEGORY_LM: case UTF8PROC_CATEGORY_SK: return true;
        default: return false;
    }
}

// A capital sigma that ends a word becomes the final form.
bool finalSigma(std::string_view s, size_t at) {
    size_t before = at;
    bool cased = false;
    while (before > 0) {
        const CodePoint c = codePointBefore(s, before);
        before -= c.bytes;
        if (caseIgnorable(c.value)) continue;
        cased = isCased(c.value);
        break;
    }
    if (!cased) return false;
    for (size_t i = at + 2; i < s.size();) {
        const CodePoint c = codePointAt(s, i);
        i += c.bytes;
        if (caseIgnorable(c.value)) continue;
        return !isCased(c.value);
    }
    return true;
}
void appendLower(std::string& out, std::string_view s, size_t at, char32_t c) {
    if (c < 0x80) out += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    else if (c == 0x130) out += "i\u0307";
    else if (c == 0x3A3) appendUtf8(out, finalSigma(s, at) ? 0x3C2 : 0x3C3);
    else appendUtf8(out, static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c))));
}

template <class F>
std::string mapped(std::string_view s, F one) {
    std::string out;
    out.reserve(s.size());
    for (size_t at = 0; at < s.size();) {
        const CodePoint c = codePointAt(s, at);
        one(out, at, c.value);
        at += c.bytes;
    }
    return out;
}

}  // namespace

size_t countCharacters(std::string_view s) {
    return static_cast<size_t>(std::count_if(s.begin(), s.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}
size_t byteOf(std::string_view s, size_t character) {
    size_t at = 0;
    while (character > 0 && at < s.size()) {
        at += characterBytes(s, at);
        --character;
    }
    return std::min(at, s.size());
}
char32_t characterAt(std::string_view s, size_t at) { return codePointAt(s, at).value; }

bool isSpace(char32_t c) {
    if (c < 0x80) return c == ' ' || (c >= 9 && c <= 13) || (c >= 0x1C && c <= 0x1F);
    return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}
bool isPrintable(char32_t c) {
    if (c < 0x80) return c >= 0x20 && c != 0x7F;
    switch (categoryOf(c)) {
        case UTF8PROC_CATEGORY_CN: case UTF8PROC_CATEGORY_CC: case UTF8PROC_CATEGORY_CF: case UTF8PROC_CATEGORY_CS: case UTF8PROC_CATEGORY_CO:
        case UTF8PROC_CATEGORY_ZL: case UTF8PROC_CATEGORY_ZP: case UTF8PROC_CATEGORY_ZS:
            return false;
        default: return true;
    }
}
bool isAlpha(char32_t c) { return charClass(c) & kLetter; }
bool isDecimal(char32_t c) { return categoryOf(c) == UTF8PROC_CATEGORY_ND; }
bool isDigit(char32_t c) {
    if (isDecimal(c)) return true;
    return c == 0xB2 || c == 0xB3 || c == 0xB9 || c == 0x2070 || (c >= 0x2074 && c <= 0x2079) || (c >= 0x2080 && c <= 0x2089) || (c >= 0x2460 && c <= 0x2468) ||
           (c >= 0x2474 && c <= 0x247C) || (c >= 0x2488 && c <= 0x2490) || c == 0x24EA || (c >= 0x24F5 && c <= 0x24FD) || c == 0x24FF ||
           (c >= 0x2776 && c <= 0x277E) || (c >= 0x2780 && c <= 0x2788) || (c >= 0x278A && c <= 0x2792) || (c >= 0x1369 && c <= 0x1371) || c == 0x19DA ||
           (c >= 0x10A40 && c <= 0x10A43) || (c >= 0x10E60 && c <= 0x10E68) || (c >= 0x11052 && c <= 0x1105A) || (c >= 0x1F100 && c <= 0x1F10A);
}
bool isNumeric(char32_t c) {
    if (charClass(c) & kNumber) return true;
    // Ideographs that stand for numbers.
    static constexpr std::u32string_view kIdeographs =
        U"\u3405\u3483\u382A\u3B4D\u4E00\u4E03\u4E07\u4E09\u4E5D\u4E8C\u4E94\u4E96\u4EBF\u4EC0\u4EDF\u4EE8\u4F0D\u4F70\u5104\u5146"
        U"\u5169\u516B\u516D\u5341\u5343\u5344\u5345\u534C\u53C1\u53C2\u53C3\u53C4\u56DB\u58F1\u58F9\u5E7A\u5EFE\u5EFF\u5F0C\u5F0D"
        U"\u5F0E\u5F10\u62FE\u634C\u67D2\u6F06\u7396\u767E\u8086\u842C\u8CAE\u8CB3\u8D30\u9621\u9646\u964C\u9678\u96F6\uF96B\uF973"
        U"\uF978\uF9B2\uF9D1\uF9D3\uF9FD\U00020001\U00020064\U000200E2\U00020121\U0002092A\U00020983\U0002098C\U0002099C\U00020AEA\U00020AFD\U00020B19\U00022390\U00022998\U00023B1B\U0002626D"
        U"\U0002F890";
    return c >= 0x3400 && kIdeographs.find(c) != kIdeographs.npos;
}
bool isUpper(char32_t c) {
    return categoryOf(c) == UTF8PROC_CATEGORY_LU || (c >= 0x2160 && c <= 0x216F) || (c >= 0x24B6 && c <= 0x24CF) || (c >= 0x1F130 && c <= 0x1F149) ||
           (c >= 0x1F150 && c <= 0x1F169) || (c >= 0x1F170 && c <= 0x1F189);
}
bool isLower(char32_t c) {
    if (categoryOf(c) == UTF8PROC_CATEGORY_LL) return true;
    return c == 0xAA || c == 0xBA || (c >= 0x2B0 && c <= 0x2B8) || c == 0x2C0 || c == 0x2C1 || (c >= 0x2E0 && c <= 0x2E4) || c == 0x345 || c == 0x37A ||
           (c >= 0x1D2C && c <= 0x1D6A) || c == 0x1D78 || (c >= 0x1D9B && c <= 0x1DBF) || c == 0x2071 || c == 0x207F || (c >= 0x2090 && c <= 0x209C) ||
           (c >= 0x2170 && c <= 0x217F) || (c >= 0x24D0 && c <= 0x24E9) || c == 0x2C7C || c == 0x2C7D || c == 0xA69C || c == 0xA69D || c == 0xA770 || c == 0xA7F8 ||
           c == 0xA7F9 || (c >= 0xAB5C && c <= 0xAB5F);
}
bool isTitle(char32_t c) { return categoryOf(c) == UTF8PROC_CATEGORY_LT; }
bool isCased(char32_t c) { return isUpper(c) || isLower(c) || isTitle(c); }

std::string upperText(std::string_view s) {
    return mapped(s, [](std::string& out, size_t, char32_t c) { appendUpper(out, c); });
}
std::string lowerText(std::string_view s) {
    return mapped(s, [&](std::string& out, size_t at, char32_t c) { appendLower(out, s, at, c); });
}
std::string foldText(std::string_view s) {
    utf8proc_uint8_t* folded = nullptr;
    const auto n = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(s.data()), static_cast<utf8proc_ssize_t>(s.size()), &folded,
                                static_cast<utf8proc_option_t>(UTF8PROC_CASEFOLD));
    if (n < 0) return std::string(s);
    std::string out(reinterpret_cast<char*>(folded), static_cast<size_t>(n));
    free(folded);
    return out;
}
std::string titleText(std::string_view s) {
    bool inWord = false;
    return mapped(s, [&](std::string& out, size_t at, char32_t c) {
        if (inWord) appendLower(out, s, at, c);
        else appendTitle(out, c);
        inWord = isCased(c);
    });
}
std::string swapText(std::string_view s) {
    return mapped(s, [&](std::string& out, size_t at, char32_t c) {
        if (isUpper(c)) appendLower(out, s, at, c);
        else if (isLower(c)) appendUpper(out, c);
        else appendUtf8(out, c);
    });
}
std::string capitalText(std::string_view s) {
    return mapped(s, [&](std::string& out, size_t at, char32_t c) {
        if (at == 0) appendTitle(out, c);
        else appendLower(out, s, at, c);
    });
}

size_t firstNonSpace(std::string_view s) {
    size_t at = 0;
    while (at < s.size()) {
        const CodePoint c = codePointAt(s, at);
        if (!isSpace(c.value)) break;
        at += c.bytes;
    }
    return at;
}
size_t lastNonSpaceEnd(std::string_view s) {
    size_t end = s.size();
    while (end > 0) {
        const CodePoint c = codePointBefore(s, end);
        if (!isSpace(c.value)) break;
        end -= c.bytes;
    }
    return end;
}

std::vector<TextLine> textLines(std::string_view s) {
    std::vector<TextLine> lines;
    size_t begin = 0;
    for (size_t at = 0; at < s.size();) {
        const CodePoint c = codePointAt(s, at);
        size_t next = at + c.bytes;
        const bool ends = (c.value >= 10 && c.value <= 13) || (c.value >= 0x1C && c.value <= 0x1E) || c.value == 0x85 || c.value == 0x2028 || c.value == 0x2029;
        if (ends) {
            if (c.value == '\r' && next < s.size() && s[next] == '\n') ++next;
            lines.push_back({begin, at, next});
            begin = next;
        }
        at = next;
    }
    if (begin < s.size()) lines.push_back({begin, s.size(), s.size()});
    return lines;
}

bool invalidText(std::string_view s) { return firstInvalidUtf8(s) != s.npos; }
std::string validText(std::string_view s) { return lossyUtf8(s); }

std::string escapeHtml(std::string_view s) {
    std::string out;
    for (const char c : s) switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '\'': out += "&#39;"; break;
            case '"': out += "&#34;"; break;
            default: out += c;
        }
    return out;
}

}  // namespace assay::data::jinja
