#include "tokenizer/unicode.h"

#include <utf8proc.h>

#include <vector>

namespace assay::data {
namespace {

bool isWhiteSpace(char32_t c) {  // PropList.txt, White_Space
    return (c >= 9 && c <= 13) || c == 32 || c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
           c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

uint8_t classify(char32_t c) {
    uint8_t flags = isWhiteSpace(c) ? kSpace : 0;
    switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
        case UTF8PROC_CATEGORY_LU:
        case UTF8PROC_CATEGORY_LL:
        case UTF8PROC_CATEGORY_LT:
        case UTF8PROC_CATEGORY_LM:
        case UTF8PROC_CATEGORY_LO: flags |= kLetter | kWord; break;
        case UTF8PROC_CATEGORY_MN:
        case UTF8PROC_CATEGORY_MC:
        case UTF8PROC_CATEGORY_ME: flags |= kMark | kWord; break;
        case UTF8PROC_CATEGORY_ND:
        case UTF8PROC_CATEGORY_NL: flags |= kNumber | kWord; break;
        case UTF8PROC_CATEGORY_NO: flags |= kNumber; break;
        case UTF8PROC_CATEGORY_PC: flags |= kPunctuation | kWord; break;
        case UTF8PROC_CATEGORY_PD:
        case UTF8PROC_CATEGORY_PS:
        case UTF8PROC_CATEGORY_PE:
        case UTF8PROC_CATEGORY_PI:
        case UTF8PROC_CATEGORY_PF:
        case UTF8PROC_CATEGORY_PO: flags |= kPunctuation; break;
        case UTF8PROC_CATEGORY_SM:
        case UTF8PROC_CATEGORY_SC:
        case UTF8PROC_CATEGORY_SK:
        case UTF8PROC_CATEGORY_SO: flags |= kSymbol; break;
        case UTF8PROC_CATEGORY_CC:
        case UTF8PROC_CATEGORY_CF:
        case UTF8PROC_CATEGORY_CS:
        case UTF8PROC_CATEGORY_CO: flags |= kOther; break;
        default: break;
    }
    // Other_Alphabetic symbols: circled and squared letters.
    if ((c >= 0x24B6 && c <= 0x24E9) || (c >= 0x1F130 && c <= 0x1F149) || (c >= 0x1F150 && c <= 0x1F169) || (c >= 0x1F170 && c <= 0x1F189))
        flags |= kWord;
    if (c == 0x200C || c == 0x200D) flags |= kWord;  // Join_Control (UTS #18, annex C)
    return flags;
}

const uint8_t* buildClasses() {
    static const std::vector<uint8_t> table = [] {
        std::vector<uint8_t> t(0x110000);
        for (char32_t c = 0; c < 0x110000; ++c) t[c] = classify(c);
        return t;
    }();
    return table.data();
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

const uint8_t* const kCharClasses = buildClasses();

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
