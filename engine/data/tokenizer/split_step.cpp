#include "tokenizer/split_step.h"

#include <algorithm>

#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

// Cuts each piece at the matches of a splitter.
class Split : public PreTokenizer {
public:
    Split(SplitterPtr splitter, Behaviour behaviour, bool invert) : splitter_(std::move(splitter)), behaviour_(behaviour), invert_(invert) {}
    void apply(Pieces& pieces) const override {
        std::vector<Span> out, found;
        out.reserve(pieces.spans.size() + pieces.text.bytes.size() / 4);
        for (const Span& span : pieces.spans) {
            if (behaviour_ == Behaviour::kIsolated) {  // matches and gaps alike
                const size_t first = out.size();
                splitter_->matches(pieces.text.bytes, span.begin, span.end, out);
                fillGaps(span, first, out);
                continue;
            }
            found.clear();
            splitter_->matches(pieces.text.bytes, span.begin, span.end, found);
            combine(span, found, out);
        }
        pieces.spans = std::move(out);
    }

private:
    static void fillGaps(const Span& span, size_t first, std::vector<Span>& out) {
        uint32_t at = span.begin;
        bool gaps = false;
        for (size_t i = first; i < out.size(); ++i) {
            gaps |= out[i].begin != at;
            at = out[i].end;
        }
        if (!gaps && at == span.end) return;
        std::vector<Span> whole;
        at = span.begin;
        for (size_t i = first; i < out.size(); ++i) {
            if (out[i].begin > at) whole.push_back({at, out[i].begin});
            whole.push_back(out[i]);
            at = out[i].end;
        }
        if (at < span.end) whole.push_back({at, span.end});
        out.resize(first);
        out.insert(out.end(), whole.begin(), whole.end());
    }
    struct Part {
        Span span;
        bool match;
    };
    void combine(const Span& span, const std::vector<Span>& found, std::vector<Span>& out) const {
        std::vector<Part> parts;
        uint32_t at = span.begin;
        for (const Span& m : found) {
            if (m.begin > at) parts.push_back({{at, m.begin}, invert_});
            parts.push_back({m, !invert_});
            at = m.end;
        }
        if (at < span.end) parts.push_back({{at, span.end}, invert_});
        const size_t first = out.size();
        bool previous = false;
        switch (behaviour_) {
            case Behaviour::kRemoved:
                for (const Part& p : parts)
                    if (!p.match) out.push_back(p.span);
                break;
            case Behaviour::kIsolated:
                for (const Part& p : parts) out.push_back(p.span);
                break;
            case Behaviour::kContiguous:
                for (size_t i = 0; i < parts.size(); ++i) {
                    if (i > 0 && parts[i].match == parts[i - 1].match) {
                        out.back().end = parts[i].span.end;
                    } else {
                        out.push_back(parts[i].span);
                    }
                }
                break;
            case Behaviour::kMergedWithPrevious:
                for (const Part& p : parts) {
                    if (p.match && !previous && out.size() > first) {
                        out.back().end = p.span.end;
                    } else {
                        out.push_back(p.span);
                    }
                    previous = p.match;
                }
                break;
            case Behaviour::kMergedWithNext:
                for (size_t i = parts.size(); i-- > 0;) {
                    const Part& p = parts[i];
                    if (p.match && !previous && out.size() > first) {
                        out.back().begin = p.span.begin;
                    } else {
                        out.push_back(p.span);
                    }
                    previous = p.match;
                }
                std::reverse(out.begin() + static_cast<long>(first), out.end());
                break;
        }
    }
    SplitterPtr splitter_;
    Behaviour behaviour_;
    bool invert_;
};

// Every single character of a kind is a match.
class CharacterSplitter : public Splitter {
public:
    using Test = bool (*)(char32_t);
    explicit CharacterSplitter(Test test) : test_(test) {}
    void matches(std::string_view text, uint32_t from, uint32_t to, std::vector<Span>& out) const override {
        const std::string_view bounded = text.substr(0, to);
        for (uint32_t i = from; i < to;) {
            const CodePoint c = codePointAt(bounded, i);
            if (c.valid && test_(c.value)) out.push_back({i, i + c.bytes});
            i += c.bytes;
        }
    }

private:
    Test test_;
};
// Runs of word characters, and runs of what is neither those nor blank.
class WordSplitter : public Splitter {
public:
    void matches(std::string_view text, uint32_t from, uint32_t to, std::vector<Span>& out) const override {
        const std::string_view bounded = text.substr(0, to);
        uint32_t begin = from;
        uint8_t kind = kSpace;
        for (uint32_t i = from; i < to;) {
            const CodePoint c = codePointAt(bounded, i);
            const uint8_t flags = c.valid ? charClass(c.value) : uint8_t{0};
            const uint8_t next = flags & kWord ? kWord : flags & kSpace;
            if (next != kind) {
                if (kind != kSpace) out.push_back({begin, i});
                begin = i;
                kind = next;
            }
            i += c.bytes;
        }
        if (kind != kSpace && begin < to) out.push_back({begin, to});
    }
};
bool isNumeric(char32_t c) { return oldClass(c) & kNumeral; }
bool isBlank(char32_t c) { return charClass(c) & kSpace; }
bool isPunctuation(char32_t c) {
    if (c < 0x80) return (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) || (c >= 123 && c <= 126);
    return oldClass(c) & kOldPunctuation;
}

}  // namespace

Result<Behaviour> behaviourOf(const std::string& name) {
    if (name == "Removed") return Behaviour::kRemoved;
    if (name == "Isolated") return Behaviour::kIsolated;
    if (name == "MergedWithPrevious") return Behaviour::kMergedWithPrevious;
    if (name == "MergedWithNext") return Behaviour::kMergedWithNext;
    if (name == "Contiguous") return Behaviour::kContiguous;
    return fail(ErrorCode::kInvalidFile, "tokenizer.json: unknown split behaviour \"" + name + "\"");
}

std::shared_ptr<const PreTokenizer> split(SplitterPtr splitter, Behaviour behaviour, bool invert) {
    return std::make_shared<Split>(std::move(splitter), behaviour, invert);
}
SplitterPtr numeralSplitter() { return std::make_shared<CharacterSplitter>(isNumeric); }
SplitterPtr blankSplitter() { return std::make_shared<CharacterSplitter>(isBlank); }
SplitterPtr punctuationSplitter() { return std::make_shared<CharacterSplitter>(isPunctuation); }
SplitterPtr wordSplitter() { return std::make_shared<WordSplitter>(); }

}  // namespace assay::data
