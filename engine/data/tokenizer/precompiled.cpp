#include "tokenizer/precompiled.h"

#include <cstring>

#include "tokenizer/base64.h"
#include "tokenizer/graphemes.h"
#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

constexpr size_t kMaxWholeGrapheme = 6;  // bytes; from here on by characters

class Precompiled : public Normalizer {
public:
    explicit Precompiled(CharsMap map) : map_(std::move(map)) {}
    void apply(Text& text) const override {
        const std::string_view s = text.bytes;
        Text out = Text::like(text);
        Rewriter writer(text, 0, s.size(), out);
        bool changed = false;
        std::vector<std::pair<std::string_view, int>> pending;  // the last character waits: what vanishes after it belongs to it
        for (size_t i = 0; i < s.size();) {
            const size_t end = graphemeEnd(s, i);
            const std::string_view grapheme = s.substr(i, end - i);
            if (grapheme.size() < kMaxWholeGrapheme) {
                if (const auto match = map_.shortest(grapheme); match.length > 0) {
                    changed = true;
                    replace(grapheme, match.by, pending, writer);
                    i = end;
                    continue;
                }
            }
            for (size_t k = 0; k < grapheme.size();) {
                const std::string_view character = grapheme.substr(k, codePointAt(grapheme, k).bytes);
                if (const auto match = map_.shortest(character); match.length > 0) {
                    changed = true;
                    replace(character, match.by, pending, writer);
                } else {
                    put(character, 0, pending, writer);
                }
                k += character.size();
            }
            i = end;
        }
        if (!changed) return;
        flush(pending, writer);
        writer.finish();
        text = std::move(out);
    }

private:
    using Pending = std::vector<std::pair<std::string_view, int>>;
    static void flush(Pending& pending, Rewriter& out) {
        for (const auto& [character, change] : pending) out.apply(character, change);
        pending.clear();
    }
    static void put(std::string_view character, int change, Pending& pending, Rewriter& out) {
        flush(pending, out);
        pending.emplace_back(character, change);
    }
    static size_t characters(std::string_view s) {
        size_t n = 0;
        for (size_t i = 0; i < s.size(); i += codePointAt(s, i).bytes) ++n;
        return n;
    }
    // More characters than before: the last ones are insertions. Fewer: the last one, or where there is none the one before,
    // takes the others with it.
    static void replace(std::string_view what, std::string_view by, Pending& pending, Rewriter& out) {
        const auto before = static_cast<int>(characters(what)), after = static_cast<int>(characters(by));
        int left = after;
        for (size_t i = 0; i < by.size(); --left) {
            const std::string_view character = by.substr(i, codePointAt(by, i).bytes);
            put(character, left <= after - before ? 1 : 0, pending, out);
            i += character.size();
        }
        if (after < before && !pending.empty()) pending.back().second += after - before;
    }
    CharsMap map_;
};

}  // namespace

Result<CharsMap> CharsMap::parse(std::string_view blob) {
    uint32_t size = 0;
    if (blob.size() < sizeof size) return fail(ErrorCode::kInvalidFile, "tokenizer: the normalization rules (precompiled_charsmap) are cut off");
    std::memcpy(&size, blob.data(), sizeof size);
    if (size % 4 != 0 || size < 4 || size > blob.size() - sizeof size)
        return fail(ErrorCode::kInvalidFile, "tokenizer: the normalization rules (precompiled_charsmap) state a trie of " + std::to_string(size) + " bytes and hold " + std::to_string(blob.size() - sizeof size));
    CharsMap map;
    map.units_.resize(size / 4);
    std::memcpy(map.units_.data(), blob.data() + sizeof size, size);
    map.texts_ = blob.substr(sizeof size + size);
    return map;
}

std::string_view CharsMap::replacement(uint32_t at) const {
    if (at >= texts_.size()) return {};
    const std::string_view rest = std::string_view(texts_).substr(at);
    return rest.substr(0, rest.find('\0'));
}

// A unit: bits 0-7 and 31 the label, bit 8 has a value, bit 9 and 10-30 the distance to its children; a value has bit 31 set.
template <class Each>
void CharsMap::prefixes(std::string_view text, Each each) const {
    const auto offset = [](uint32_t unit) { return (unit >> 10) << ((unit & (1u << 9)) >> 6); };
    size_t node = offset(units_[0]);
    for (size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte == 0) return;
        node ^= byte;
        if (node >= units_.size()) return;
        const uint32_t unit = units_[node];
        if ((unit & (1u << 31 | 0xFF)) != byte) return;
        node ^= offset(unit);
        if ((unit >> 8 & 1) == 0) continue;
        if (node >= units_.size()) return;
        if (!each(i + 1, units_[node] & 0x7FFFFFFF)) return;
    }
}

CharsMap::Match CharsMap::longest(std::string_view text) const {
    Match best;
    prefixes(text, [&](size_t length, uint32_t at) {
        best = {length, replacement(at)};
        return true;
    });
    return best;
}
CharsMap::Match CharsMap::shortest(std::string_view text) const {
    Match best;
    prefixes(text, [&](size_t length, uint32_t at) {
        best = {length, replacement(at)};
        return false;
    });
    return best;
}

Result<NormalizerPtr> makePrecompiled(std::string_view charsmap) {
    ASSAY_TRY(const std::string blob, fromBase64(charsmap, "precompiled_charsmap"));
    ASSAY_TRY(CharsMap map, CharsMap::parse(blob));
    return std::make_shared<Precompiled>(std::move(map));
}

}  // namespace assay::data
