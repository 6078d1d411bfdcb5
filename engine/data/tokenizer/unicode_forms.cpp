#include "tokenizer/unicode_forms.h"

#include <utf8proc.h>

#include <algorithm>
#include <unordered_map>

#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

struct Changed {
    char32_t c;
    int change;  // see Rewriter::apply
    uint8_t combining;
};

uint8_t combiningClass(char32_t c) {
    if (c < 0x300 || (oldClass(c) & kUnmapped)) return 0;
    return static_cast<uint8_t>(utf8proc_get_property(static_cast<utf8proc_int32_t>(c))->combining_class);
}

constexpr char32_t kS = 0xAC00, kL = 0x1100, kV = 0x1161, kT = 0x11A7;
constexpr char32_t kLCount = 19, kVCount = 21, kTCount = 28, kNCount = kVCount * kTCount, kSCount = kLCount * kNCount;

// Primary composites by their two characters; those that are excluded from composition are not in it.
const std::unordered_map<uint64_t, char32_t>& composites() {
    static const auto map = [] {
        std::unordered_map<uint64_t, char32_t> m;
        for (utf8proc_int32_t c = 0xC0; c < 0x30000; ++c) {
            if (c == static_cast<utf8proc_int32_t>(kS)) c = static_cast<utf8proc_int32_t>(kS + kSCount);
            const auto* p = utf8proc_get_property(c);
            if (p->decomp_type != 0 || p->decomp_seqindex == UINT16_MAX || p->comp_exclusion || (oldClass(static_cast<char32_t>(c)) & kUnmapped)) continue;
            // One step of decomposition is what the composed form of the full one, less its last character, begins with.
            utf8proc_int32_t all[8];
            int last = 0;
            const auto n = utf8proc_decompose_char(c, all, 8, static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_STABLE), &last);
            if (n < 2 || n > 8) continue;
            utf8proc_int32_t first[8];
            std::copy(all, all + n - 1, first);
            const auto length = utf8proc_normalize_utf32(first, n - 1, static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE));
            if (length == 1) m.emplace(static_cast<uint64_t>(first[0]) << 32 | static_cast<uint32_t>(all[n - 1]), static_cast<char32_t>(c));
        }
        return m;
    }();
    return map;
}

// 0: the two do not compose.
char32_t composed(char32_t a, char32_t b) {
    if (a >= kL && a < kL + kLCount && b >= kV && b < kV + kVCount) return kS + (a - kL) * kNCount + (b - kV) * kTCount;
    if (a >= kS && a < kS + kSCount && (a - kS) % kTCount == 0 && b > kT && b < kT + kTCount) return a + (b - kT);
    const auto found = composites().find(static_cast<uint64_t>(a) << 32 | b);
    return found == composites().end() ? 0 : found->second;
}

void decompose(char32_t c, bool compatible, std::vector<Changed>& out) {
    if (c >= kS && c < kS + kSCount) {
        const char32_t s = c - kS, t = s % kTCount;
        out.push_back({kL + s / kNCount, 0, 0});
        out.push_back({kV + s % kNCount / kTCount, 1, 0});
        if (t > 0) out.push_back({kT + t, 1, 0});
        return;
    }
    if (c < 0xA0 || (oldClass(c) & kUnmapped)) {
        out.push_back({c, 0, 0});
        return;
    }
    utf8proc_int32_t parts[64];
    int last = 0;
    const auto n = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), parts, 64,
                                           static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_STABLE | (compatible ? UTF8PROC_COMPAT : 0)), &last);
    if (n <= 0 || n > 64) {
        out.push_back({c, 0, combiningClass(c)});
        return;
    }
    for (utf8proc_ssize_t i = 0; i < n; ++i) {
        const auto part = static_cast<char32_t>(parts[i]);
        out.push_back({part, i == 0 ? 0 : 1, combiningClass(part)});
    }
}

// Canonical order: marks between starters by combining class, equal ones as they were.
void reorder(std::vector<Changed>& s) {
    for (auto from = s.begin(); from != s.end();) {
        auto to = std::next(from);
        while (to != s.end() && to->combining != 0) ++to;
        std::stable_sort(from, to, [](const Changed& a, const Changed& b) { return a.combining < b.combining; });
        from = to;
    }
}

// A starter takes up the marks after it that are not blocked. What it takes up counts as left out after it.
void compose(std::vector<Changed>& s) {
    size_t out = 0;
    for (size_t i = 0; i < s.size();) {
        if (s[i].combining != 0) {
            s[out++] = s[i++];
            continue;
        }
        const size_t starter = out++;
        s[starter] = s[i++];
        int blockedBy = -1;  // combining class of the last mark that stayed
        while (i < s.size()) {
            const Changed next = s[i];
            const bool blocked = blockedBy >= 0 && blockedBy >= next.combining;
            if (!blocked) {
                if (const char32_t whole = composed(s[starter].c, next.c)) {
                    s[starter].c = whole;
                    s[starter].change += next.change - 1;
                    ++i;
                    continue;
                }
            }
            if (next.combining == 0) break;
            blockedBy = next.combining;
            s[out++] = next;
            ++i;
        }
    }
    s.resize(out);
}

}  // namespace

void applyForm(Text& text, UnicodeForm form) {
    const std::string_view s = text.bytes;
    const auto ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    if (std::all_of(s.begin(), s.end(), ascii)) return;
    Text out = Text::like(text);
    Rewriter writer(text, 0, s.size(), out);
    std::vector<Changed> stretch;
    std::string bytes;
    for (size_t i = 0; i < s.size();) {
        // ASCII neither moves nor joins what stands before it: stretches of other characters, each with the one before it.
        size_t j = i + 1;
        while (j < s.size() && !ascii(s[j])) ++j;
        const std::string_view part = s.substr(i, j - i);
        if (part.size() == 1 || firstInvalidUtf8(part) != part.npos) {
            writer.keep(i, j);
        } else {
            stretch.clear();
            for (size_t k = 0; k < part.size();) {
                const CodePoint c = codePointAt(part, k);
                decompose(c.value, form.compatible, stretch);
                k += c.bytes;
            }
            reorder(stretch);
            if (form.compose) compose(stretch);
            for (const Changed& c : stretch) {
                bytes.clear();
                appendUtf8(bytes, c.c);
                writer.apply(bytes, c.change);
            }
        }
        i = j;
    }
    writer.finish();
    text = std::move(out);
}

}  // namespace assay::data
