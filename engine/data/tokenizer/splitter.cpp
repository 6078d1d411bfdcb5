#include "tokenizer/splitter.h"

#include "tokenizer/regex.h"
#include "tokenizer/split_rules.h"

namespace assay::data {

const char* const kGpt2Pattern = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
const char* const kLlama3Pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
const char* const kQwen2Pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
const char* const kQwen35Pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
const char* const kO200kPattern =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
    R"(\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
const char* const kTekkenPattern =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|)"
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|)"
    R"(\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
const char* const kDeepSeekNumbers = R"(\p{N}{1,3})";
const char* const kDeepSeekCjk = "[一-龥\u3040-ゟ゠-ヿ]+";
const char* const kDeepSeekInner =
    R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^)" "\r\n" R"(\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[)" "\r\n"
    R"(]*|\s*[)" "\r\n" R"(]+|\s+(?!\S)|\s+)";

KnownPattern knownPattern(std::string_view p) {
    if (p == kGpt2Pattern) return KnownPattern::kGpt2;
    if (p == kLlama3Pattern) return KnownPattern::kLlama3;
    if (p == kQwen2Pattern) return KnownPattern::kQwen2;
    if (p == kQwen35Pattern) return KnownPattern::kQwen35;
    if (p == kO200kPattern) return KnownPattern::kO200k;
    if (p == kTekkenPattern) return KnownPattern::kTekken;
    if (p == kDeepSeekInner) return KnownPattern::kDeepSeekInner;
    return KnownPattern::kNone;
}

namespace {

template <class Rule>
class RuleSplitter : public Splitter {
public:
    void matches(std::string_view text, uint32_t from, uint32_t to, std::vector<Span>& out) const override {
        forPieces<Rule>(text, from, to, [&](uint32_t i, uint32_t j) { out.push_back({i, j}); });
    }
};

class DeepSeekInnerSplitter : public Splitter {
public:
    void matches(std::string_view text, uint32_t from, uint32_t to, std::vector<Span>& out) const override {
        const Scan scan(text, to);
        for (uint32_t i = from, next; i < to; i = next) {
            next = DeepSeekInnerRule::match(scan, i);
            if (next > i) {
                out.push_back({i, next});
            } else {
                scan.classAt(i, next);
            }
        }
    }
};

SplitterPtr knownSplitter(KnownPattern pattern) {
    switch (pattern) {
        case KnownPattern::kGpt2: return std::make_shared<RuleSplitter<Gpt2Rule<false>>>();
        case KnownPattern::kLlama3: return std::make_shared<RuleSplitter<Llama3Rule<3>>>();
        case KnownPattern::kQwen2: return std::make_shared<RuleSplitter<Llama3Rule<1>>>();
        case KnownPattern::kQwen35: return std::make_shared<RuleSplitter<Llama3Rule<1, kLetter | kMark>>>();
        case KnownPattern::kO200k: return std::make_shared<RuleSplitter<O200kRule<3, true>>>();
        case KnownPattern::kTekken: return std::make_shared<RuleSplitter<O200kRule<1, false>>>();
        case KnownPattern::kDeepSeekInner: return std::make_shared<DeepSeekInnerSplitter>();
        case KnownPattern::kNone: break;
    }
    return nullptr;
}

class RegexSplitter : public Splitter {
public:
    explicit RegexSplitter(std::shared_ptr<const Regex> regex) : regex_(std::move(regex)) {}
    void matches(std::string_view text, uint32_t from, uint32_t to, std::vector<Span>& out) const override {
        // The piece alone: look-around must not see what lies outside of it. Empty matches cut too.
        regex_->eachMatch(text.substr(from, to - from), [&](size_t b, size_t e) { out.push_back({from + static_cast<uint32_t>(b), from + static_cast<uint32_t>(e)}); });
    }

private:
    std::shared_ptr<const Regex> regex_;
};

class LiteralSplitter : public Splitter {
public:
    explicit LiteralSplitter(std::string literal) : literal_(std::move(literal)) {}
    void matches(std::string_view text, uint32_t from, uint32_t to, std::vector<Span>& out) const override {
        if (literal_.empty()) return;
        const std::string_view bounded = text.substr(0, to);
        for (size_t at = bounded.find(literal_, from); at != bounded.npos; at = bounded.find(literal_, at + literal_.size()))
            out.push_back({static_cast<uint32_t>(at), static_cast<uint32_t>(at + literal_.size())});
    }

private:
    std::string literal_;
};

}  // namespace

Result<SplitterPtr> makeRegexSplitter(const std::string& pattern, bool general) {
    if (!general)
        if (SplitterPtr known = knownSplitter(knownPattern(pattern))) return known;
    ASSAY_TRY(auto regex, Regex::compile(pattern));
    return std::make_shared<RegexSplitter>(std::move(regex));
}
SplitterPtr makeLiteralSplitter(std::string literal) { return std::make_shared<LiteralSplitter>(std::move(literal)); }

}  // namespace assay::data
