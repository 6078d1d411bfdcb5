#include "tokenizer/pre_tokenizer.h"

#include <functional>
#include <map>

#include "tokenizer/byte_level.h"
#include "tokenizer/splitter.h"
#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

enum class Behaviour { kRemoved, kIsolated, kMergedWithPrevious, kMergedWithNext, kContiguous };
Result<Behaviour> behaviourOf(const std::string& name) {
    if (name == "Removed") return Behaviour::kRemoved;
    if (name == "Isolated") return Behaviour::kIsolated;
    if (name == "MergedWithPrevious") return Behaviour::kMergedWithPrevious;
    if (name == "MergedWithNext") return Behaviour::kMergedWithNext;
    if (name == "Contiguous") return Behaviour::kContiguous;
    return fail(ErrorCode::kInvalidFile, "tokenizer.json: unknown split behaviour \"" + name + "\"");
}

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
SplitterPtr characters(CharacterSplitter::Test test) { return std::make_shared<CharacterSplitter>(test); }

// Writes the text anew, span by span: `write` puts what stands for a span of `pieces` into the new text.
template <class Write>
void rewrite(Pieces& pieces, Write write) {
    Pieces out;
    out.startsInput = pieces.startsInput;
    out.text = Text::like(pieces.text);
    for (const Span& span : pieces.spans) {
        const auto from = static_cast<uint32_t>(out.text.bytes.size());
        write(span, out.text);
        out.spans.push_back({from, static_cast<uint32_t>(out.text.bytes.size())});
    }
    pieces = std::move(out);
}

class AddPrefixSpace : public PreTokenizer {
public:
    void apply(Pieces& pieces) const override {
        rewrite(pieces, [&](const Span& span, Text& out) {
            if (span.begin < span.end && pieces.text.bytes[span.begin] != ' ') out.put(" ", pieces.text, span.begin, span.begin);
            out.copy(pieces.text, span.begin, span.end);
        });
    }
    bool rewrites() const override { return true; }
};

class ByteLevelMapping : public PreTokenizer {
public:
    void apply(Pieces& pieces) const override {
        const std::string_view s = pieces.text.bytes;
        rewrite(pieces, [&](const Span& span, Text& out) {
            Rewriter writer(pieces.text, span.begin, span.end, out);
            for (uint32_t i = span.begin; i < span.end; ++i) {
                const auto byte = static_cast<unsigned char>(s[i]);
                if (i > span.begin && (byte & 0xC0) == 0x80) {
                    writer.insert(byteChar(byte));
                } else {
                    writer.replace(byteChar(byte));
                }
            }
            writer.finish();
        });
    }
    bool rewrites() const override { return true; }
};

// Cuts after every n characters.
class FixedLength : public PreTokenizer {
public:
    explicit FixedLength(int64_t length) : length_(length) {}
    void apply(Pieces& pieces) const override {
        std::vector<Span> out;
        for (const Span& span : pieces.spans) {
            uint32_t from = span.begin;
            int64_t n = 0;
            for (uint32_t i = span.begin; i < span.end;) {
                i += codePointAt(pieces.text.bytes, i).bytes;
                if (++n < length_ && i < span.end) continue;
                out.push_back({from, i});
                from = i;
                n = 0;
            }
        }
        pieces.spans = std::move(out);
    }

private:
    int64_t length_;
};

// Cuts where the script changes. What stands before the first character that has a script is lost, as in the reference.
class UnicodeScripts : public PreTokenizer {
public:
    void apply(Pieces& pieces) const override {
        static const uint8_t kHan = oldScriptOf(0x4E00), kHiragana = oldScriptOf(0x3042), kKatakana = oldScriptOf(0x30A2);
        std::vector<Span> out;
        for (const Span& span : pieces.spans) {
            uint8_t last = 0;
            bool begun = false;
            uint32_t from = span.begin;
            for (uint32_t i = span.begin; i < span.end;) {
                const CodePoint c = codePointAt(pieces.text.bytes, i);
                uint8_t script = c.value == ' ' ? uint8_t{0} : c.value == 0x30FC ? kHan : oldScriptOf(c.value);
                if (script == kHiragana || script == kKatakana) script = kHan;
                if (script != 0 && script != last) {
                    if (begun) out.push_back({from, i});
                    from = i;
                    begun = true;
                    last = script;
                }
                i += c.bytes;
            }
            if (begun) out.push_back({from, span.end});
        }
        pieces.spans = std::move(out);
    }
};

class Metaspace : public PreTokenizer {
public:
    enum class Prepend { kFirst, kNever, kAlways };
    Metaspace(std::string replacement, Prepend prepend) : replacement_(std::move(replacement)), prepend_(prepend) {}
    void apply(Pieces& pieces) const override {
        Pieces out;
        out.startsInput = pieces.startsInput;
        out.text = Text::like(pieces.text);
        const std::string_view s = pieces.text.bytes;
        for (const Span& span : pieces.spans) {
            if (span.begin == span.end) continue;
            const auto from = static_cast<uint32_t>(out.text.bytes.size());
            const std::string_view piece = s.substr(span.begin, span.end - span.begin);
            const bool wanted = prepend_ == Prepend::kAlways || (prepend_ == Prepend::kFirst && (pieces.text.tracked ? pieces.text.begin[span.begin] == 0 : pieces.startsInput && span.begin == 0));
            if (wanted && !piece.empty() && piece[0] != ' ' && !piece.starts_with(replacement_))
                out.text.put(replacement_, pieces.text, span.begin, span.begin);
            uint32_t copied = span.begin;
            for (uint32_t i = span.begin; i < span.end; ++i) {
                if (s[i] != ' ') continue;
                out.text.copy(pieces.text, copied, i);
                out.text.put(replacement_, pieces.text, i, i + 1);
                copied = i + 1;
            }
            out.text.copy(pieces.text, copied, span.end);
            out.spans.push_back({from, static_cast<uint32_t>(out.text.bytes.size())});
        }
        pieces = std::move(out);
    }

    bool rewrites() const override { return true; }
    bool looksAtPlace() const override { return prepend_ == Prepend::kFirst; }

private:
    std::string replacement_;
    Prepend prepend_;
};

using Steps = std::vector<std::shared_ptr<const PreTokenizer>>;
// Appends the steps of one pre-tokenizer.
using StepMaker = std::function<Result<void>(const Json&, Steps&)>;

std::shared_ptr<const PreTokenizer> split(SplitterPtr splitter, Behaviour behaviour, bool invert = false) {
    return std::make_shared<Split>(std::move(splitter), behaviour, invert);
}

Result<void> addSplit(const Json& j, Steps& steps) {
    ASSAY_TRY(const std::string name, jsonString(j, "behavior"));
    ASSAY_TRY(const Behaviour behaviour, behaviourOf(name));
    const Json pattern = j.contains("pattern") ? j["pattern"] : Json();
    SplitterPtr splitter;
    if (pattern.contains("String") && pattern["String"].is_string()) {
        std::string literal = pattern["String"].get<std::string>();
        if (literal.empty()) {  // found between any two characters
            ASSAY_TRY(splitter, makeRegexSplitter(literal));
        } else {
            splitter = makeLiteralSplitter(std::move(literal));
        }
    } else if (pattern.contains("Regex") && pattern["Regex"].is_string()) {
        ASSAY_TRY(splitter, makeRegexSplitter(pattern["Regex"].get<std::string>()));
    } else {
        return fail(ErrorCode::kInvalidFile, "tokenizer.json: Split needs a pattern {\"String\": …} or {\"Regex\": …}");
    }
    steps.push_back(split(std::move(splitter), behaviour, jsonBoolOr(j, "invert", false)));
    return {};
}

Result<void> addMetaspace(const Json& j, Steps& steps) {
    const std::string replacement = jsonStringOr(j, "replacement", "▁");
    if (replacement.empty() || codePointAt(replacement, 0).bytes != replacement.size())
        return fail(ErrorCode::kInvalidFile, "tokenizer.json: Metaspace needs one character as replacement, not \"" + replacement + "\"");
    std::string scheme = jsonStringOr(j, "prepend_scheme", "");
    if (scheme.empty()) scheme = jsonBoolOr(j, "add_prefix_space", true) ? "always" : "never";
    if (scheme != "first" && scheme != "never" && scheme != "always")
        return fail(ErrorCode::kInvalidFile, "tokenizer.json: Metaspace has prepend_scheme \"" + scheme + "\"");
    steps.push_back(std::make_shared<Metaspace>(replacement, scheme == "first"   ? Metaspace::Prepend::kFirst
                                                             : scheme == "never" ? Metaspace::Prepend::kNever
                                                                                 : Metaspace::Prepend::kAlways));
    if (jsonBoolOr(j, "split", true)) steps.push_back(split(makeLiteralSplitter(replacement), Behaviour::kMergedWithNext));
    return {};
}

// One line per kind of pre-tokenizer.
const std::map<std::string, StepMaker>& preTokenizerKinds() {
    static const std::map<std::string, StepMaker> makers{
        {"Split", addSplit},
        {"Metaspace", addMetaspace},
        {"ByteLevel", [](const Json& j, Steps& steps) -> Result<void> {
             if (jsonBoolOr(j, "add_prefix_space", true)) steps.push_back(std::make_shared<AddPrefixSpace>());
             if (jsonBoolOr(j, "use_regex", true)) {
                 ASSAY_TRY(SplitterPtr splitter, makeRegexSplitter(kGpt2Pattern));
                 steps.push_back(split(std::move(splitter), Behaviour::kIsolated));
             }
             steps.push_back(byteLevelMapping());
             return {};
         }},
        {"Digits", [](const Json& j, Steps& steps) -> Result<void> {
             const bool single = jsonBoolOr(j, "individual_digits", false);
             steps.push_back(split(characters(isNumeric), single ? Behaviour::kIsolated : Behaviour::kContiguous));
             return {};
         }},
        {"Whitespace", [](const Json&, Steps& steps) -> Result<void> {
             steps.push_back(split(std::make_shared<WordSplitter>(), Behaviour::kRemoved, true));
             return {};
         }},
        {"WhitespaceSplit", [](const Json&, Steps& steps) -> Result<void> {
             steps.push_back(split(characters(isBlank), Behaviour::kRemoved));
             return {};
         }},
        {"Punctuation", [](const Json& j, Steps& steps) -> Result<void> {
             ASSAY_TRY(const Behaviour behaviour, behaviourOf(jsonStringOr(j, "behavior", "Isolated")));
             steps.push_back(split(characters(isPunctuation), behaviour));
             return {};
         }},
        {"BertPreTokenizer", [](const Json&, Steps& steps) -> Result<void> {
             steps.push_back(split(characters(isBlank), Behaviour::kRemoved));
             steps.push_back(split(characters(isPunctuation), Behaviour::kIsolated));
             return {};
         }},
        {"FixedLength", [](const Json& j, Steps& steps) -> Result<void> {
             const int64_t length = jsonIntegerOr(j, "length", 5);
             if (length < 1) return fail(ErrorCode::kInvalidFile, "tokenizer.json: FixedLength has the length " + std::to_string(length));
             steps.push_back(std::make_shared<FixedLength>(length));
             return {};
         }},
        {"UnicodeScripts", [](const Json&, Steps& steps) -> Result<void> {
             steps.push_back(std::make_shared<UnicodeScripts>());
             return {};
         }},
        {"CharDelimiterSplit", [](const Json& j, Steps& steps) -> Result<void> {
             ASSAY_TRY(std::string delimiter, jsonString(j, "delimiter"));
             if (delimiter.empty() || codePointAt(delimiter, 0).bytes != delimiter.size())
                 return fail(ErrorCode::kInvalidFile, "tokenizer.json: CharDelimiterSplit needs one character, not \"" + delimiter + "\"");
             steps.push_back(split(makeLiteralSplitter(std::move(delimiter)), Behaviour::kRemoved));
             return {};
         }},
    };
    return makers;
}

Result<void> addSteps(const Json& json, Steps& steps, int depth) {
    if (json.is_null()) return {};
    const std::string type = jsonStringOr(json, "type", "");
    if (type == "Sequence") {
        if (depth > 8 || !json.contains("pretokenizers") || !json["pretokenizers"].is_array())
            return fail(ErrorCode::kInvalidFile, "tokenizer.json: pre_tokenizer Sequence has no list of pretokenizers");
        for (const Json& item : json["pretokenizers"]) ASSAY_TRY_VOID(addSteps(item, steps, depth + 1));
        return {};
    }
    const auto found = preTokenizerKinds().find(type);
    if (found == preTokenizerKinds().end())
        return fail(ErrorCode::kUnsupported, "tokenizer.json: pre_tokenizer \"" + type + "\" is not known", "use a tokenizer.json of the format's version 1.0");
    return found->second(json, steps);
}

}  // namespace

std::shared_ptr<const PreTokenizer> byteLevelMapping() {
    static const auto mapping = std::make_shared<ByteLevelMapping>();
    return mapping;
}

Result<PreTokenizerPlan> makePreTokenizer(const Json& json) {
    PreTokenizerPlan plan;
    ASSAY_TRY_VOID(addSteps(json, plan.steps, 0));
    bool rewritten = false;
    for (const auto& step : plan.steps) {
        plan.looksAtPlace |= step->looksAtPlace();
        plan.looksAtRewrittenPlace |= step->looksAtPlace() && rewritten;
        rewritten |= step->rewrites();
    }
    if (!plan.steps.empty() && plan.steps.back() == byteLevelMapping()) {
        plan.endsInByteLevel = true;
        plan.steps.pop_back();
    }
    return plan;
}

}  // namespace assay::data
