#pragma once
// Splitters: find the pieces that a pattern matches. Patterns of well-known tokenizers are recognised by their exact text
// and matched by hand-written code (split_rules.h); all others go through PCRE2.
#include <memory>

#include <assay/core/error.h>

#include "tokenizer/text.h"

namespace assay::data {

class Splitter {
public:
    virtual ~Splitter() = default;
    // Appends the matches inside text[from, to), in order, not overlapping; what lies between them is no match.
    virtual void matches(std::string_view text, uint32_t from, uint32_t to, std::vector<Span>& out) const = 0;
};
using SplitterPtr = std::shared_ptr<const Splitter>;

extern const char* const kGpt2Pattern;
extern const char* const kLlama3Pattern;
extern const char* const kQwen2Pattern;
extern const char* const kQwen35Pattern;
extern const char* const kO200kPattern;
extern const char* const kTekkenPattern;
extern const char* const kDeepSeekNumbers;  // the three patterns of DeepSeek-V3 in their order
extern const char* const kDeepSeekCjk;
extern const char* const kDeepSeekInner;

enum class KnownPattern { kNone, kGpt2, kLlama3, kQwen2, kQwen35, kO200k, kTekken, kDeepSeekInner };
// By the exact text, in the spellings that are in use. kNone: no hand-written code.
KnownPattern knownPattern(std::string_view pattern);

// `general`: by PCRE2 even when the pattern is a known one (tests compare the two).
Result<SplitterPtr> makeRegexSplitter(const std::string& pattern, bool general = false);
SplitterPtr makeLiteralSplitter(std::string literal);

}  // namespace assay::data
