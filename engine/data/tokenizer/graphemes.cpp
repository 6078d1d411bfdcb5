#include "tokenizer/graphemes.h"

#include <algorithm>

#include "tokenizer/unicode.h"
#include "tokenizer/unicode_tables.h"

namespace assay::data {
namespace {

enum class Cluster : uint8_t { kOther, kCr, kLf, kControl, kExtend, kZwj, kRegional, kPrepend, kSpacingMark, kL, kV, kT, kLv, kLvt, kPictographic };

Cluster clusterOf(char32_t c) {
    if (c < 0x80) return c == '\r' ? Cluster::kCr : c == '\n' ? Cluster::kLf : c < 0x20 || c == 0x7F ? Cluster::kControl : Cluster::kOther;
    if (c >= 0xAC00 && c <= 0xD7A3) return (c - 0xAC00) % 28 == 0 ? Cluster::kLv : Cluster::kLvt;
    const auto* after = std::upper_bound(tables::kGraphemes, tables::kGraphemes + tables::kGraphemesCount, c, [](char32_t x, uint32_t run) { return x < (run & 0x1FFFFF); });
    return static_cast<Cluster>(after[-1] >> 21);
}

bool isControl(Cluster c) { return c == Cluster::kCr || c == Cluster::kLf || c == Cluster::kControl; }

}  // namespace

size_t graphemeEnd(std::string_view text, size_t begin) {
    CodePoint at = codePointAt(text, begin);
    size_t end = begin + at.bytes;
    Cluster before = clusterOf(at.value);
    // GB11 and GB12: a pictograph that only extenders and at last a joiner follow; how many regional indicators there were.
    bool pictograph = before == Cluster::kPictographic, joined = false;
    int regional = before == Cluster::kRegional;
    while (end < text.size()) {
        at = codePointAt(text, end);
        const Cluster next = clusterOf(at.value);
        bool stays;
        if (before == Cluster::kCr && next == Cluster::kLf) {
            stays = true;
        } else if (isControl(before) || isControl(next)) {
            stays = false;
        } else if (next == Cluster::kExtend || next == Cluster::kZwj || next == Cluster::kSpacingMark || before == Cluster::kPrepend) {
            stays = true;
        } else if (before == Cluster::kL) {
            stays = next == Cluster::kL || next == Cluster::kV || next == Cluster::kLv || next == Cluster::kLvt;
        } else if (before == Cluster::kLv || before == Cluster::kV) {
            stays = next == Cluster::kV || next == Cluster::kT;
        } else if (before == Cluster::kLvt || before == Cluster::kT) {
            stays = next == Cluster::kT;
        } else if (joined && next == Cluster::kPictographic) {
            stays = true;
        } else {
            stays = regional % 2 == 1 && before == Cluster::kRegional && next == Cluster::kRegional;
        }
        if (!stays) break;
        joined = pictograph && next == Cluster::kZwj;
        pictograph = next == Cluster::kPictographic || (pictograph && (next == Cluster::kExtend || next == Cluster::kZwj));
        regional = next == Cluster::kRegional ? regional + 1 : 0;
        before = next;
        end += at.bytes;
    }
    return end;
}

}  // namespace assay::data
