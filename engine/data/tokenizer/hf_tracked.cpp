#include "tokenizer/hf_tracked.h"

#include <algorithm>

#include "tokenizer/plain_ranges.h"
#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

// A piece of the text: one added token, or a word for the model.
struct Part {
    const Text* text;
    uint32_t begin, end;  // within the bytes of `text`
    int32_t id;           // -1: a word
};

// Characters of white space at an end of a token's text; U+0120 stands for the space among byte characters.
uint32_t countSpaces(std::string_view token, bool fromEnd) {
    uint32_t n = 0;
    for (; !token.empty(); ++n) {
        const CodePoint c = fromEnd ? codePointBefore(token, token.size()) : codePointAt(token, 0);
        if (c.value != 0x120 && !(charClass(c.value) & kSpace)) break;
        fromEnd ? token.remove_suffix(c.bytes) : token.remove_prefix(c.bytes);
    }
    return n;
}

class Tracker {
public:
    Tracker(const TrackedSteps& steps, std::string_view input, const TrackedOptions& options) : steps_(steps), input_(input), options_(options) {}

    Window run() {
        split();
        Window out;
        for (size_t i = 0; i < parts_.size(); ++i) tokens(parts_[i], static_cast<int32_t>(i), out);
        const auto n = out.encoding.ids.size();
        out.encoding.typeIds.resize(n);
        out.encoding.special.resize(n);
        out.encoding.attention.assign(n, 1);
        if (options_.characterOffsets) toCharacters(input_, out.encoding.offsets);
        return out;
    }

private:
    const Text* own(Text text) {
        texts_.push_back(std::make_unique<Text>(std::move(text)));
        return texts_.back().get();
    }

    void split() {
        std::vector<AddedTokenMatcher::Part> cut;
        steps_.raw.cut(input_, options_.parseSpecial, cut, options_.plain.empty() ? AddedTokenMatcher::Plain() : [&](size_t b, size_t e) { return touches(options_.plain, b, e); });
        for (const auto& part : cut) {
            Text text = Text::of(input_.substr(part.begin, part.end - part.begin), static_cast<uint32_t>(part.begin), true);
            if (part.id >= 0) {
                const auto size = static_cast<uint32_t>(text.bytes.size());
                parts_.push_back({own(std::move(text)), 0, size, part.id});
            } else {
                stretch(std::move(text));
            }
        }
    }

    void stretch(Text text) {
        if (steps_.normalizer) steps_.normalizer->apply(text);
        if (text.bytes.empty()) return;
        std::vector<AddedTokenMatcher::Part> cut;
        steps_.normalized.cut(text.bytes, options_.parseSpecial, cut, options_.plain.empty() ? AddedTokenMatcher::Plain() : [&](size_t b, size_t e) {
            return touches(options_.plain, text.begin[b], text.end[e - 1]);
        });
        for (const auto& part : cut) {
            if (part.begin == part.end) continue;
            Text slice = Text::like(text);
            slice.copy(text, part.begin, part.end);
            slice.origin = slice.begin.front();
            slice.originEnd = slice.end.back();
            const auto size = static_cast<uint32_t>(slice.bytes.size());
            if (part.id >= 0) {
                parts_.push_back({own(std::move(slice)), 0, size, part.id});
                continue;
            }
            Pieces pieces;
            pieces.text = std::move(slice);
            pieces.spans.push_back({0, size});
            for (const auto& step : steps_.plan.steps) step->apply(pieces);
            const Text* kept = own(std::move(pieces.text));
            for (const Span& span : pieces.spans)
                if (span.end > span.begin) parts_.push_back({kept, span.begin, span.end, -1});
        }
    }

    void tokens(const Part& part, int32_t word, Window& out) {
        const std::string_view bytes = std::string_view(part.text->bytes).substr(part.begin, part.end - part.begin);
        if (part.id >= 0) return token(part.id, bytes, *part.text, part.begin, part.end, word, out);
        ids_.clear();
        ends_.clear();
        steps_.model.encode(bytes, ids_, &ends_);
        const bool lost = std::any_of(bytes.begin(), bytes.end(), [&](char c) { return steps_.model.losesByte(static_cast<unsigned char>(c)); });
        uint32_t from = 0, to = 0;
        for (size_t i = 0; i < ids_.size(); ++i) {
            if (ends_[i] > to) from = to;  // else: one more token of the same stretch
            to = ends_[i];
            if (lost) {
                const auto [begin, end] = asWritten(bytes, from, to);
                token(ids_[i], steps_.tokens[static_cast<size_t>(ids_[i])], *part.text, part.begin + begin, part.begin + end, word, out);
                continue;
            }
            token(ids_[i], steps_.tokens[static_cast<size_t>(ids_[i])], *part.text, part.begin + from, part.begin + to, word, out);
        }
    }

    // The reference counts in the byte alphabet, whose characters have one or two bytes, and does not count what is lost: the
    // places [from, to) among the bytes that are kept, put into that alphabet and read off at the word's start.
    std::pair<uint32_t, uint32_t> asWritten(std::string_view bytes, uint32_t from, uint32_t to) const {
        const auto width = [](char c) { return c > 0x20 && c < 0x7F ? 1u : 2u; };
        uint32_t begin = 0, end = 0, kept = 0;
        for (const char c : bytes) {
            if (steps_.model.losesByte(static_cast<unsigned char>(c))) continue;
            if (kept < from) begin += width(c);
            if (kept++ < to) end += width(c);
        }
        const auto at = [&](uint32_t place) {
            uint32_t i = 0;
            for (uint32_t sum = 0; i + 1 < bytes.size() && sum + width(bytes[i]) <= place; ++i) sum += width(bytes[i]);
            return i;
        };
        return {at(begin), at(end - 1) + 1};
    }

    void token(int32_t id, std::string_view name, const Text& text, uint32_t begin, uint32_t end, int32_t word, Window& out) {
        out.encoding.ids.push_back(id);
        out.encoding.words.push_back(word);
        out.encoding.offsets.emplace_back(text.begin[begin], text.end[std::max(end, begin + 1) - 1]);
        if (!steps_.trims) return;
        TokenSpaces spaces;
        spaces.leading = spaces.leadingUnits = countSpaces(name, false);
        spaces.trailingUnits = countSpaces(name, true);
        if (!options_.characterOffsets) {  // as many characters of the input
            const auto [from, to] = out.encoding.offsets.back();
            uint32_t bytes = 0;
            for (uint32_t n = 0; n < spaces.leading && from + bytes < input_.size(); ++n) bytes += codePointAt(input_, from + bytes).bytes;
            spaces.leadingUnits = bytes;
            bytes = 0;
            uint32_t n = 0;
            for (; n < spaces.trailingUnits && bytes < to; ++n) bytes += codePointBefore(input_, to - bytes).bytes;
            spaces.trailingUnits = n < spaces.trailingUnits ? UINT32_MAX : bytes;  // fewer than that: nothing is taken away
        }
        out.spaces.push_back(spaces);
    }

    const TrackedSteps& steps_;
    std::string_view input_;
    const TrackedOptions& options_;
    std::vector<std::unique_ptr<Text>> texts_;
    std::vector<Part> parts_;
    std::vector<int32_t> ids_;
    std::vector<uint32_t> ends_;
};

}  // namespace

Window encodeTracked(const TrackedSteps& steps, std::string_view text, const TrackedOptions& options) { return Tracker(steps, text, options).run(); }

}  // namespace assay::data
