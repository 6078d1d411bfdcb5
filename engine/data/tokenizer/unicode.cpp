#include "tokenizer/unicode.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <vector>

#include "tokenizer/unicode_tables.h"

namespace assay::data {
namespace {

bool isWhiteSpace(char32_t c) {  // PropList.txt, White_Space
    return (c >= 9 && c <= 13) || c == 32 || c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
           c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

constexpr uint32_t kCodePoint = 0x1FFFFF;

// The value of the run that holds `c`.
uint32_t valueAt(const uint32_t* runs, size_t count, char32_t c) {
    const auto* after = std::upper_bound(runs, runs + count, c, [](char32_t x, uint32_t run) { return x < (run & kCodePoint); });
    return after == runs ? 0 : after[-1] >> 21;
}

uint8_t classify(uint32_t bits) {
    switch (static_cast<Category>(bits & 31)) {
        case Category::Lu:
        case Category::Ll:
        case Category::Lt:
        case Category::Lm:
        case Category::Lo: return kLetter | kWord;
        case Category::Mn:
        case Category::Mc:
        case Category::Me: return kMark | kWord;
        case Category::Nd:
        case Category::Nl: return kNumber | kWord;
        case Category::No: return kNumber;
        case Category::Pc: return kPunctuation | kWord;
        case Category::Pd:
        case Category::Ps:
        case Category::Pe:
        case Category::Pi:
        case Category::Pf:
        case Category::Po: return kPunctuation;
        case Category::Sm:
        case Category::Sc:
        case Category::Sk:
        case Category::So: return kSymbol;
        case Category::Cc:
        case Category::Cf:
        case Category::Cs:
        case Category::Co: return kOther;
        default: return 0;
    }
}

struct Classes {
    std::vector<uint8_t> now = std::vector<uint8_t>(0x110000), old = std::vector<uint8_t>(0x110000);
    Classes() {
        for (size_t i = 0; i < tables::kClassesCount; ++i) {
            const uint32_t from = tables::kClasses[i] & kCodePoint;
            const uint32_t to = i + 1 < tables::kClassesCount ? tables::kClasses[i + 1] & kCodePoint : 0x110000;
            const uint32_t bits = tables::kBits[tables::kClasses[i] >> 21];
            std::fill(now.begin() + from, now.begin() + to, classify(bits));
            std::fill(old.begin() + from, old.begin() + to, static_cast<uint8_t>(bits >> 5 & 63));
        }
        for (char32_t c = 0; c <= 0x3000; ++c)
            if (isWhiteSpace(c)) now[c] |= kSpace;
        for (size_t i = 0; i < tables::kWordExtraCount; ++i)  // letters in circles and squares; not the numerals of Latin-1
            if (tables::kWordExtra[i] > 0xFF) now[tables::kWordExtra[i]] |= kWord;
        now[0x200C] |= kWord;  // Join_Control (UTS #18, annex C)
        now[0x200D] |= kWord;
    }
};
const Classes& classes() {
    static const Classes c;
    return c;
}

bool continuation(unsigned char b) { return (b & 0xC0) == 0x80; }

// Length of the sequence that `lead` starts and the allowed range of its second byte (Unicode 15, table 3-7); 0: none.
struct Lead {
    int length;
    unsigned char low, high;
};
Lead leadOf(unsigned char b) {
    if (b < 0x80) return {1, 0, 0};
    if (b >= 0xC2 && b <= 0xDF) return {2, 0x80, 0xBF};
    if (b == 0xE0) return {3, 0xA0, 0xBF};
    if (b == 0xED) return {3, 0x80, 0x9F};
    if (b >= 0xE1 && b <= 0xEF) return {3, 0x80, 0xBF};
    if (b == 0xF0) return {4, 0x90, 0xBF};
    if (b >= 0xF1 && b <= 0xF3) return {4, 0x80, 0xBF};
    if (b == 0xF4) return {4, 0x80, 0x8F};
    return {0, 0, 0};
}

// Bytes of the valid sequence at `at`, or minus the length of the maximal ill-formed part.
int sequenceAt(std::string_view text, size_t at) {
    const auto* p = reinterpret_cast<const unsigned char*>(text.data()) + at;
    const size_t left = text.size() - at;
    const Lead lead = leadOf(p[0]);
    if (lead.length == 0) return -1;
    if (lead.length == 1) return 1;
    if (left < 2 || p[1] < lead.low || p[1] > lead.high) return -1;
    for (int i = 2; i < lead.length; ++i)
        if (static_cast<size_t>(i) >= left || !continuation(p[i])) return -i;
    return lead.length;
}

}  // namespace

const uint8_t* const kCharClasses = classes().now.data();
const uint8_t* const kOldClasses = classes().old.data();

Category categoryOf(char32_t c) {
    return static_cast<Category>(tables::kBits[valueAt(tables::kClasses, tables::kClassesCount, c)] & 31);
}
uint8_t oldScriptOf(char32_t c) { return static_cast<uint8_t>(valueAt(tables::kOldScripts, tables::kOldScriptsCount, c)); }

char32_t lowerCase(char32_t c) {
    if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
    static const auto map = [] {
        std::unordered_map<char32_t, char32_t> m;
        for (size_t i = 0; i < tables::kLowerCount; i += 3) {
            const uint32_t first = tables::kLower[i] & 0xFFFFFF, stride = tables::kLower[i] >> 24;
            for (uint32_t k = 0; k < tables::kLower[i + 1]; ++k) m[first + k * stride] = first + k * stride + tables::kLower[i + 2];
        }
        return m;
    }();
    const auto found = map.find(c);
    return found == map.end() ? c : found->second;
}

CodePoint decodeMultibyte(std::string_view text, size_t at) {
    const int n = sequenceAt(text, at);
    const auto* p = reinterpret_cast<const unsigned char*>(text.data()) + at;
    switch (n) {
        case 1: return {p[0], 1, true};
        case 2: return {static_cast<char32_t>((p[0] & 0x1F) << 6 | (p[1] & 0x3F)), 2, true};
        case 3: return {static_cast<char32_t>((p[0] & 0x0F) << 12 | (p[1] & 0x3F) << 6 | (p[2] & 0x3F)), 3, true};
        case 4:
            return {static_cast<char32_t>((p[0] & 0x07) << 18 | (p[1] & 0x3F) << 12 | (p[2] & 0x3F) << 6 | (p[3] & 0x3F)), 4, true};
        default: return {kReplacement, 1, false};
    }
}

CodePoint codePointBefore(std::string_view text, size_t end) {
    for (size_t back = 1; back <= 4 && back <= end; ++back) {
        if (continuation(static_cast<unsigned char>(text[end - back]))) continue;
        const CodePoint c = codePointAt(text, end - back);
        if (c.valid && c.bytes == back) return c;
        break;
    }
    return {kReplacement, 1, false};
}

void appendUtf8(std::string& out, char32_t c) {
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xC0 | c >> 6);
        out += static_cast<char>(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        out += static_cast<char>(0xE0 | c >> 12);
        out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
        out += static_cast<char>(0x80 | (c & 0x3F));
    } else {
        out += static_cast<char>(0xF0 | c >> 18);
        out += static_cast<char>(0x80 | (c >> 12 & 0x3F));
        out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
        out += static_cast<char>(0x80 | (c & 0x3F));
    }
}

size_t firstInvalidUtf8(std::string_view text) {
    size_t i = 0;
    while (i < text.size()) {
        while (i + 8 <= text.size()) {  // eight ASCII bytes at a time
            uint64_t word;
            __builtin_memcpy(&word, text.data() + i, 8);
            if (word & 0x8080808080808080ull) break;
            i += 8;
        }
        if (i >= text.size()) break;
        const int n = sequenceAt(text, i);
        if (n < 0) return i;
        i += static_cast<size_t>(n);
    }
    return std::string_view::npos;
}

std::string lossyUtf8(std::string_view bytes) {
    size_t bad = firstInvalidUtf8(bytes);
    if (bad == std::string_view::npos) return std::string(bytes);
    std::string out;
    out.reserve(bytes.size() + 8);
    size_t from = 0;
    while (bad != std::string_view::npos) {
        out.append(bytes.substr(from, bad));
        from += bad;
        from += static_cast<size_t>(-sequenceAt(bytes, from));
        appendUtf8(out, kReplacement);
        bad = firstInvalidUtf8(bytes.substr(from));
    }
    out.append(bytes.substr(from));
    return out;
}

size_t incompleteTail(std::string_view bytes) {
    for (size_t back = 1; back <= 3 && back <= bytes.size(); ++back) {
        const size_t at = bytes.size() - back;
        const auto byte = static_cast<unsigned char>(bytes[at]);
        if (continuation(byte)) continue;
        const int length = leadOf(byte).length;
        if (length <= static_cast<int>(back)) return 0;
        // Every byte after the lead must be allowed where it stands; otherwise the part is invalid, not unfinished.
        return back == 1 || -sequenceAt(bytes, at) == static_cast<int>(back) ? back : 0;
    }
    return 0;
}

}  // namespace assay::data
