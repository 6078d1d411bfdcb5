#include "tokenizer/detailed.h"

#include <assay/data/tokenizer.h>

#include <algorithm>

namespace assay::data {
namespace {

template <class T>
std::vector<T> cutOut(const std::vector<T>& v, size_t from, size_t to) {
    return v.empty() ? v : std::vector<T>(v.begin() + static_cast<std::ptrdiff_t>(from), v.begin() + static_cast<std::ptrdiff_t>(to));
}
template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

Window windowOf(const Window& w, size_t from, size_t to) {
    Window out;
    const DetailedEncoding& e = w.encoding;
    out.encoding = {cutOut(e.ids, from, to), cutOut(e.typeIds, from, to), cutOut(e.offsets, from, to), cutOut(e.words, from, to), cutOut(e.special, from, to), cutOut(e.attention, from, to), {}};
    out.spaces = cutOut(w.spaces, from, to);
    return out;
}

// Windows of `most` tokens of which neighbours share `stride`; the first one stays.
Result<void> intoWindows(Window& w, int64_t most, int64_t stride, bool left) {
    const auto size = static_cast<int64_t>(w.encoding.size());
    if (most >= size) return {};
    if (most == 0) {
        Window all = std::exchange(w, {});
        w.overflow.push_back(std::move(all));
        return {};
    }
    if (stride >= most) return fail(ErrorCode::kBadUsage, "windows of " + std::to_string(most) + " tokens cannot share " + std::to_string(stride), "lower the stride or raise the length");
    std::vector<std::pair<int64_t, int64_t>> spans;
    const int64_t step = most - stride;
    if (left) {
        for (int64_t to = size; to > 0; to -= step) {
            spans.emplace_back(std::max<int64_t>(0, to - most), to);
            if (to <= most) break;
        }
    } else {
        for (int64_t from = 0; from < size; from += step) {
            spans.emplace_back(from, std::min(from + most, size));
            if (from + most >= size) break;
        }
    }
    Window out = windowOf(w, static_cast<size_t>(spans[0].first), static_cast<size_t>(spans[0].second));
    for (size_t i = 1; i < spans.size(); ++i) out.overflow.push_back(windowOf(w, static_cast<size_t>(spans[i].first), static_cast<size_t>(spans[i].second)));
    w = std::move(out);
    return {};
}

Result<void> truncatePair(Window& first, Window* second, const Truncation& t, int64_t most) {
    const auto a = static_cast<int64_t>(first.encoding.size()), b = second ? static_cast<int64_t>(second->encoding.size()) : int64_t{0};
    if (most == 0) {
        ASSAY_TRY_VOID(intoWindows(first, 0, t.stride, t.left));
        if (second) ASSAY_TRY_VOID(intoWindows(*second, 0, t.stride, t.left));
        return {};
    }
    if (a + b <= most) return {};
    if (t.strategy == Truncation::Strategy::kLongestFirst) {
        if (!second) return intoWindows(first, most, t.stride, t.left);
        // The longer one first; where both must give, each gets half and the longer one the odd token.
        int64_t shorter = std::min(a, b), longer = shorter > most ? shorter : std::max(shorter, most - shorter);
        if (shorter + longer > most) {
            shorter = most / 2;
            longer = shorter + most % 2;
        }
        ASSAY_TRY_VOID(intoWindows(first, a > b ? longer : shorter, t.stride, t.left));
        return intoWindows(*second, a > b ? shorter : longer, t.stride, t.left);
    }
    const bool other = t.strategy == Truncation::Strategy::kOnlySecond;
    if (other && !second) return fail(ErrorCode::kBadUsage, "only the second text may be truncated and there is none", "give a pair, or truncate with longest_first");
    const int64_t length = other ? b : a, removed = a + b - most;
    if (length <= removed)
        return fail(ErrorCode::kBadUsage, "the text that may be truncated has " + std::to_string(length) + " tokens, and " + std::to_string(removed) + " have to go", "truncate with longest_first, or raise the length");
    return intoWindows(other ? *second : first, length - removed, t.stride, t.left);
}

void appendWindow(Window& to, const Window& from) {
    append(to.encoding.ids, from.encoding.ids);
    append(to.encoding.typeIds, from.encoding.typeIds);
    append(to.encoding.offsets, from.encoding.offsets);
    append(to.encoding.words, from.encoding.words);
    append(to.encoding.special, from.encoding.special);
    append(to.encoding.attention, from.encoding.attention);
    append(to.spaces, from.spaces);
}

// Every window of the one with every window of the other.
void join(Window& w, const Window& next) {
    std::vector<Window> overflow;
    for (const Window& mine : w.overflow) {
        overflow.push_back(mine);
        appendWindow(overflow.back(), next);
        for (const Window& other : next.overflow) {
            overflow.push_back(mine);
            appendWindow(overflow.back(), other);
        }
    }
    for (const Window& other : next.overflow) {
        Window both = w;
        both.overflow.clear();
        appendWindow(both, other);
        overflow.push_back(std::move(both));
    }
    appendWindow(w, next);
    w.overflow = std::move(overflow);
}

void trimWindow(Window& w, bool prefixSpace) {
    auto& offsets = w.encoding.offsets;
    for (size_t i = 0; i < offsets.size() && i < w.spaces.size(); ++i) {
        auto& [begin, end] = offsets[i];
        const TokenSpaces& s = w.spaces[i];
        if (s.leading > 0) {
            const bool first = i == 0 || begin == 0;
            begin = std::min(begin + (first && prefixSpace && s.leading == 1 ? 0 : s.leadingUnits), end);
        }
        if (s.trailingUnits > 0 && end >= s.trailingUnits) end = std::max(end - s.trailingUnits, begin);
    }
    for (Window& o : w.overflow) trimWindow(o, prefixSpace);
}

Window addedTokens(const std::vector<int32_t>& ids, int32_t typeId) {
    Window w;
    w.encoding = {ids, std::vector<int32_t>(ids.size(), typeId), std::vector<std::pair<uint32_t, uint32_t>>(ids.size()), std::vector<int32_t>(ids.size(), -1), std::vector<uint8_t>(ids.size(), 1),
                  std::vector<uint8_t>(ids.size(), 1), {}};
    w.spaces.resize(ids.size());
    return w;
}

void setTypes(Window& w, int32_t typeId) { w.encoding.typeIds.assign(w.encoding.size(), typeId); }

// cls, text, sep around the first text; sep behind the second (Roberta: sep on both sides of it). What was added before
// counts as text.
void addEnds(std::vector<Window>& texts, const PostStep& step) {
    const bool roberta = step.kind == PostStep::Kind::kRoberta;
    for (size_t i = 0; i < texts.size(); ++i) {
        const auto around = [&](Window& w, bool main) {
            const int32_t own = roberta ? 0 : i == 0 ? 0 : 1;
            Window out = i == 0 ? addedTokens({step.cls}, 0) : roberta ? addedTokens({step.sep}, 0) : Window{};
            std::fill(w.encoding.special.begin(), w.encoding.special.end(), uint8_t{0});
            if (roberta && !main) setTypes(w, 0);
            appendWindow(out, w);
            appendWindow(out, addedTokens({step.sep}, own));
            out.overflow = std::move(w.overflow);
            w = std::move(out);
        };
        for (Window& o : texts[i].overflow) around(o, false);
        around(texts[i], true);
    }
}

Result<std::vector<Window>> applyStep(std::vector<Window> texts, const PostStep& step, bool addSpecial) {
    if (step.trims)
        for (Window& w : texts) trimWindow(w, step.prefixSpace);
    switch (step.kind) {
        case PostStep::Kind::kByteLevel: return texts;
        case PostStep::Kind::kRoberta:
            for (Window& w : texts) setTypes(w, 0);
            [[fallthrough]];
        case PostStep::Kind::kBert:
            if (addSpecial) addEnds(texts, step);
            return texts;
        case PostStep::Kind::kTemplate: break;
    }
    if (texts.size() > 2) return fail(ErrorCode::kUnsupported, "tokenizer.json: a template after a template");
    std::vector<Window> out;
    for (const PostStep::Piece& piece : texts.size() == 2 ? step.pair : step.single) {
        if (piece.sequence >= 0) {
            out.push_back(texts[std::min(static_cast<size_t>(piece.sequence), texts.size() - 1)]);
            setTypes(out.back(), piece.typeId);
        } else if (addSpecial) {
            out.push_back(addedTokens(piece.ids, piece.typeId));
        }
    }
    return out;
}

DetailedEncoding encodingOf(Window w) {
    DetailedEncoding out = std::move(w.encoding);
    for (Window& o : w.overflow) out.overflow.push_back(encodingOf(std::move(o)));
    return out;
}

template <class T>
void fill(std::vector<T>& v, size_t length, T value, bool left) {
    v.insert(left ? v.begin() : v.end(), length - v.size(), value);
}
void padOne(DetailedEncoding& e, size_t length, const Padding& p) {
    for (DetailedEncoding& o : e.overflow) padOne(o, length, p);
    if (e.size() >= length) return;
    fill(e.ids, length, p.id, p.left);
    fill(e.typeIds, length, p.typeId, p.left);
    fill(e.offsets, length, {0u, 0u}, p.left);
    fill(e.words, length, -1, p.left);
    fill(e.special, length, uint8_t{1}, p.left);
    fill(e.attention, length, uint8_t{0}, p.left);
}

}  // namespace

void pad(std::vector<DetailedEncoding>& batch, const Padding& padding) {
    auto length = static_cast<size_t>(std::max<int64_t>(padding.length, 0));
    if (length == 0)
        for (const DetailedEncoding& e : batch) length = std::max(length, e.size());
    if (const auto multiple = static_cast<size_t>(std::max<int64_t>(padding.multipleOf, 0)); multiple > 0) length = (length + multiple - 1) / multiple * multiple;
    for (DetailedEncoding& e : batch) padOne(e, length, padding);
}

Result<DetailedEncoding> postProcess(Window first, std::optional<Window> second, const PostProcessor& post, const DetailOptions& options) {
    if (const auto& t = options.truncation) {
        const int64_t most = t->maxLength - (options.addSpecial ? post.added(second.has_value()) : 0);
        if (t->stride < 0 || most < 0) return fail(ErrorCode::kBadUsage, "truncation to " + std::to_string(t->maxLength) + " tokens leaves no room for the tokens that are added", "raise the length");
        ASSAY_TRY_VOID(truncatePair(first, second ? &*second : nullptr, *t, most));
    }
    std::vector<Window> texts;
    setTypes(first, 0);
    texts.push_back(std::move(first));
    if (second) {
        setTypes(*second, 1);
        for (Window& o : second->overflow) setTypes(o, 1);
        texts.push_back(std::move(*second));
    }
    for (const PostStep& step : post.steps) {
        ASSAY_TRY(texts, applyStep(std::move(texts), step, options.addSpecial));
    }
    Window whole;
    for (const Window& w : texts) {
        if (&w == texts.data()) {
            whole = w;
        } else {
            join(whole, w);
        }
    }
    std::vector<DetailedEncoding> out{encodingOf(std::move(whole))};
    if (options.padding) pad(out, *options.padding);
    return std::move(out[0]);
}

Result<DetailedEncoding> Tokenizer::encodeDetailed(std::string_view text, const DetailOptions& options, const std::string_view* pair) const {
    const auto windowOfText = [&](std::string_view t) {
        Encoding e;
        encode(t, {.parseSpecial = options.parseSpecial, .offsets = true}, e);
        Window w;
        const size_t n = e.ids.size();
        w.encoding = {std::move(e.ids), std::vector<int32_t>(n), std::move(e.offsets), std::vector<int32_t>(n), std::vector<uint8_t>(n), std::vector<uint8_t>(n, 1), {}};
        if (options.characterOffsets) toCharacters(t, w.encoding.offsets);
        return w;
    };
    try {
        std::optional<Window> second;
        if (pair) second = windowOfText(*pair);
        return postProcess(windowOfText(text), std::move(second), {}, options);
    } catch (const EncodeError& e) {
        return fail(e.error);
    }
}

Result<void> tryEncode(const Tokenizer& tokenizer, std::string_view text, const EncodeOptions& options, Encoding& out) {
    try {
        tokenizer.encode(text, options, out);
        return {};
    } catch (const EncodeError& e) {
        return fail(e.error);
    }
}

void toCharacters(std::string_view text, std::vector<std::pair<uint32_t, uint32_t>>& offsets) {
    std::vector<uint32_t> number(text.size() + 1);
    uint32_t n = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        if (i > 0 && (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) ++n;
        number[i] = n;
    }
    number[text.size()] = text.empty() ? 0 : n + 1;
    for (auto& [begin, end] : offsets) {
        begin = number[std::min<size_t>(begin, text.size())];
        end = number[std::min<size_t>(end, text.size())];
    }
}

}  // namespace assay::data
