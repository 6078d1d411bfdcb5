#include "tokenizer/pre_tokenizer.h"

#include <functional>
#include <map>

#include "tokenizer/byte_level.h"
#include "tokenizer/split_step.h"
#include "tokenizer/unicode.h"

namespace assay::data {
namespace {

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
             steps.push_back(split(numeralSplitter(), single ? Behaviour::kIsolated : Behaviour::kContiguous));
             return {};
         }},
        {"Whitespace", [](const Json&, Steps& steps) -> Result<void> {
             steps.push_back(split(wordSplitter(), Behaviour::kRemoved, true));
             return {};
         }},
        {"WhitespaceSplit", [](const Json&, Steps& steps) -> Result<void> {
             steps.push_back(split(blankSplitter(), Behaviour::kRemoved));
             return {};
         }},
        {"Punctuation", [](const Json& j, Steps& steps) -> Result<void> {
             ASSAY_TRY(const Behaviour behaviour, behaviourOf(jsonStringOr(j, "behavior", "Isolated")));
             steps.push_back(split(punctuationSplitter(), behaviour));
             return {};
         }},
        {"BertPreTokenizer", [](const Json&, Steps& steps) -> Result<void> {
             steps.push_back(split(blankSplitter(), Behaviour::kRemoved));
             steps.push_back(split(punctuationSplitter(), Behaviour::kIsolated));
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
